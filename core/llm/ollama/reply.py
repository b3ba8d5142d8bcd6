"""Parses a model's reply: strips thoughts and fences, then validates by the reply's type."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from core.llm.ollama.reasoning import may_reason, reasons
from core.ports import R
from core.tasks import Reply

_MAX_TRIES = 40  # places at which the objects in a reply are looked for
_WRAPPED = ("text", "answer", "response", "content")  # the key under which a model hands over its prose
_JSON_START_CHARACTERS = 12  # characters that tell JSON from prose
_MAY_BE_JSON = re.compile(r"`{1,2}|\[\s*")
_JSON_BEGINS = re.compile(r"\s*(?:`{3}|\{|\[\s*[\[{\"])")

WRAPPED = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ALOUD = "it holds the model's reasoning instead of an answer"
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_OPEN, _CLOSE = "<think>", "</think>"


@dataclass(frozen=True)
class RawReply:
    """The raw result of one chat."""

    text: str
    thought: bool = False
    length: bool = False  # ended because it grew too long
    flooded: bool = False  # ended by us because nothing but white space came
    overlong: bool = False  # ended by us because the server kept no limit
    failed: int = 0  # chats before it that came to nothing
    tokens_in: int = 0
    tokens_out: int = 0

    def explain(self, problem: str) -> str:
        """Say what is wrong with the reply, with what is known about how it ended."""
        if self.thought and not self.text.strip():
            return "it was thought about until no room was left for an answer"
        if self.length:
            return f"it was cut off for its length ({problem})"
        return problem


def schema_of(into: type[Reply]) -> dict[str, Any]:
    """Return the reply's JSON schema with every field required: small models leave out what they may.

    Not those that say nothing in the usual case: each word costs.
    """
    schema = into.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        fields = part.get("properties", {})
        if fields:
            part["required"] = [name for name, field in fields.items() if not field.pop("may_lack", False)]
    return schema


def without_thoughts(text: str) -> str:
    """Return the text without <think> blocks, also where only the opening or the closing mark is there."""
    text = _THOUGHT.sub("", text)
    text = text.rpartition(_CLOSE)[2]
    return text.partition(_OPEN)[0]


def read_text(content: str) -> str:
    """Return the prose of a reply, also where it is the one text of a JSON object.

    Raises ValueError where there is none, or JSON of another shape, which is no answer to read.
    """
    text = without_thoughts(content).strip()
    fenced = _FENCE.fullmatch(text)
    if fenced:
        text = fenced.group(1).strip()
    json_text = next(_objects(text), "")
    if 2 * len(json_text) > len(text):
        text = json_text
    if _JSON_BEGINS.match(text):
        text = _unwrapped(text)
    if not text:
        raise ValueError("the reply is empty")
    if reasons(text):
        raise ValueError(ALOUD)
    return text


def _unwrapped(text: str) -> str:
    """Return the prose within what begins like JSON; the text itself where it is none."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        if text[0] == "{" and '":' in text[:200].replace('" :', '":'):
            raise ValueError("the reply is broken JSON, not prose") from error
        return text
    wrapped = [each for key, each in value.items() if key in _WRAPPED] if isinstance(value, dict) else []
    if len(wrapped) == 1 and isinstance(wrapped[0], str) and not looks_like_json(wrapped[0]):
        return wrapped[0].strip()
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        return text  # a citation
    raise ValueError("the reply is JSON, not prose")


def looks_like_json(text: str) -> bool:
    """Say whether a text is a JSON object or a list of such, and no prose."""
    if not _JSON_BEGINS.match(text):
        return False
    try:
        return isinstance(json.loads(text, strict=False), dict | list)
    except (ValueError, RecursionError):
        return False


def read_json(content: str, into: type[R]) -> R:
    """Return the reply in its type. Raises ValueError that says what is wrong, for the model to repair."""
    text = without_thoughts(content).strip()
    if not text:
        raise ValueError("the reply is empty")
    problem = "the reply holds no JSON object"
    for candidate in (text, *(fenced.strip() for fenced in _FENCE.findall(text)), *_objects(text)):
        if not candidate.startswith("{"):
            continue
        try:
            reply = into.model_validate_json(candidate, extra="ignore")
        except ValidationError as error:
            problem = _described(error)
            continue
        if (field := _field_of_json(reply)) != "":
            problem = f"{field} holds JSON where it should hold text"
        elif reply.model_fields_set:
            return reply
        else:
            problem = f"the reply has none of the fields {', '.join(schema_of(into)['properties'])}"
    raise ValueError(problem)


def _field_of_json(reply: Reply) -> str:
    """Return the field of a reply whose text is JSON itself, "" if there is none."""
    fields = ((name, getattr(reply, name)) for name in reply.model_fields_set)
    return next((name for name, value in fields if isinstance(value, str) and looks_like_json(value)), "")


def _objects(text: str) -> Iterator[str]:
    """Yield the complete JSON objects within the text, one after the other, as far as they are looked for."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(_MAX_TRIES):
        if start == -1:
            return
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield text[start:end]
        start = text.find("{", end)


def _described(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'JSON'}: {problem['msg']}"
        for problem in error.errors()[:3]
    ]
    return "; ".join(problems)


class Speech:
    """Forwards the prose of a stream as it arrives, without the thoughts."""

    def __init__(self) -> None:
        self._pending = ""
        self._thinking = False
        self._json = False
        self._start = ""  # held back until it is known to be neither JSON nor a thought
        self.begun = False

    def take(self, piece: str) -> str:
        """Take the next piece; return what may be shown now."""
        self._pending += piece
        shown = ""
        while True:
            mark = _CLOSE if self._thinking else _OPEN
            before, found, after = self._pending.partition(mark)
            if not found:
                break
            shown += "" if self._thinking else before
            self._pending, self._thinking = after, not self._thinking
        keep = _partial(self._pending, mark)
        ready, self._pending = (
            self._pending[: len(self._pending) - keep],
            self._pending[len(self._pending) - keep :],
        )
        return self._show(shown + ("" if self._thinking else ready))

    def flush(self) -> str:
        """Return what was held back because it looked like the start of a thought."""
        pending, self._pending = self._pending, ""
        shown = "" if self._thinking else self._show(pending)
        if self._start:
            shown, self._start, self.begun = self._start, "", True
        return shown

    def _show(self, text: str) -> str:
        """Return what may be shown: nothing of what begins like a thought, or like JSON, whose prose is taken
        out at the end."""
        if self.begun or self._json:
            return "" if self._json else text
        text = self._start + text if self._start else text.lstrip()
        undecided = (len(text) < _JSON_START_CHARACTERS and bool(_MAY_BE_JSON.fullmatch(text))) or may_reason(
            text
        )
        self._start = text if undecided else ""
        self._json = not undecided and (bool(_JSON_BEGINS.match(text)) or reasons(text))
        if undecided or self._json:
            return ""
        self.begun = bool(text)
        return text


def _partial(text: str, mark: str) -> int:
    """Return how many characters at the end of the text could be the start of the mark."""
    return next((size for size in range(len(mark) - 1, 0, -1) if text.endswith(mark[:size])), 0)
