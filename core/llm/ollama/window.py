"""Makes a prompt fit the model's window, so that no server ever has to cut it silently."""

import re
from dataclasses import dataclass
from typing import Any

from core.domain import Evidence, Plan, Turn
from core.errors import LLMError
from core.llm import prompting
from core.tasks import EnrichedPiece, TagClass, Task
from core.text.sentences import sentence_spans

PICTURE_TOKENS = 768  # what Ollama counts for one
MESSAGE_TOKENS = 8  # what a chat template puts around a message
TOKEN_MARGIN = 1.1  # tokenizers differ; being over costs some evidence, being under costs the instructions

_WORD = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"\s+")
_ACCENTED = re.compile(r"[\u00c0-\u024f\u0370-\u05ff]+")
_WIDE = re.compile(
    r"[\u0600-\ud7ff\uf900-\ufaff\uff00-\uffef]+"
)  # Chinese, Japanese, Korean, Thai, Arabic ...
_RARE = re.compile(r"[\U00010000-\U0010ffff]+")
_NUM_KEEP = 4  # num_keep
_WINDOWS = tuple(2**power for power in range(9, 19))


def estimate_tokens(text: str) -> int:
    """Return how many tokens a model will read, by script: English about 4 characters each, Chinese 1."""
    words = _WORD.findall(text)
    spaces = _SPACE.findall(text)
    digits = sum(map(text.count, "0123456789"))
    tokens = sum(max(1.0, len(word) / 4.5) for word in words) + len(spaces) / 12 + digits / 1.2
    left = len(text) - sum(map(len, words)) - sum(map(len, spaces)) - digits
    if not text.isascii():
        for script, share in ((_ACCENTED, 0.5), (_WIDE, 1.0), (_RARE, 2.0)):  # emoji fall apart into bytes
            count = sum(map(len, script.findall(text)))
            tokens += count * share
            left -= count
    return int(tokens + left / 1.5) + 1


@dataclass(frozen=True)
class FittedPrompt:
    """A prompt that fits, and what it cost."""

    prompt: prompting.Prompt
    pictures: tuple[str, ...]
    tokens: int  # estimate, margin included
    trimmed: int  # pieces left out
    notes: tuple[str, ...]


def fit(task: Task, room: int) -> FittedPrompt:
    """Fill the task's prompt within `room` tokens, leaving out the last pieces of its lists first.

    Lists stand best first, so what goes is what matters least; of a conversation the oldest turn goes.
    Raises LLMError where even the bare question is too long.
    """
    trimmed = 0
    notes: list[str] = []
    while True:
        prompt = prompting.fill(task)
        pictures = prompting.pictures(task)
        size = _size(prompt, len(pictures))
        if size <= room:
            if trimmed:
                notes.insert(0, f"{trimmed} of the pieces handed over did not fit the window of the model")
            return FittedPrompt(prompt, pictures, size, trimmed, tuple(notes))
        smaller, left_out, note = _reduce(task, 1 - room / size)
        if smaller is None:
            raise LLMError(
                f"The question needs about {size} tokens, but the model's window leaves {room}.",
                hint="Ask a shorter question, or raise STRATA_LLM__NUM_CTX.",
            )
        task, trimmed = smaller, trimmed + left_out
        if note and note not in notes:
            notes.append(note)


def was_cut(estimate: int, read: int, num_ctx: int) -> bool:
    """Say whether the server cut the prompt: it then reads half a window and says nothing.

    Ollama keeps `num_keep` tokens and about half of the window, whichever window it really has, so a count
    far below the estimate that lies on such a mark is no coincidence.
    """
    if not read or read > 0.8 * estimate:
        return False
    marks = {window - (window - _NUM_KEEP) // 2 for window in (*_WINDOWS, num_ctx)}
    return any(abs(read - mark) <= 16 for mark in marks)


def _size(prompt: prompting.Prompt, pictures: int) -> int:
    bare = sum(estimate_tokens(part) + MESSAGE_TOKENS for part in prompt)
    return int(bare * TOKEN_MARGIN) + pictures * PICTURE_TOKENS


def _reduce(task: Task, excess: float) -> tuple[Task | None, int, str]:
    """Return the task with a little less in it, how many pieces went and what to say; None at the end.

    `excess` is the share that must go: of long lists half of it goes at once, so that the end comes soon.
    """
    lists = {
        name: value
        for name in type(task).model_fields
        if isinstance(value := getattr(task, name), tuple) and value
    }
    for kind in (Plan, Turn, TagClass, Evidence):
        for name, value in lists.items():
            if isinstance(value[0], kind) and (len(value) > 1 or kind is not Evidence):
                going = max(1, int(len(value) * excess / 2))
                shortened = value[going:] if kind is Turn else value[:-going]
                return _with(task, name, shortened), going, ""
    longest = max((item for item in lists.items() if isinstance(item[1][0], str)), key=_length, default=None)
    if longest is not None:
        name, value = longest
        going = max(1, int(len(value) * excess / 2))
        return _with(task, name, value[:-going]), going, ""
    return _reduce_text(task, lists)


def _reduce_text(task: Task, lists: dict[str, tuple[Any, ...]]) -> tuple[Task | None, int, str]:
    """Go on where every list is down to its last piece: with the texts themselves."""
    for name, value in lists.items():
        if isinstance(value[0], Evidence) and (shorter := _shorten(value[0].text)):
            piece = value[0].model_copy(update={"text": shorter})
            return _with(task, name, (piece,)), 0, "the only piece of evidence was shortened"
        if isinstance(value[0], EnrichedPiece) and (shorter := _shorten(value[-1].text)):
            piece = value[-1].model_copy(update={"text": shorter})
            return _with(task, name, (*value[:-1], piece)), 0, "the end of the text was left out"
    for name in ("before", "text"):
        if shorter := _shorten(getattr(task, name, "")):
            return _with(task, name, shorter), 0, f"the end of the {name} was left out"
    return None, 0, ""


def _length(item: tuple[str, tuple[Any, ...]]) -> int:
    return sum(len(piece) for piece in item[1])


def _with(task: Task, name: str, value: object) -> Task:
    return task.model_copy(update={name: value})


def _shorten(text: str) -> str:
    """Return about four fifths of the text, ending with a sentence where one ends; "" if too short."""
    limit = len(text) * 4 // 5
    if limit < 80:
        return ""
    ends = [end for _, end in sentence_spans(text) if limit // 2 < end <= limit]
    return text[: ends[-1] if ends else limit]
