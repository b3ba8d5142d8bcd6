"""Finds and fills the prompt of a task. Foreign text goes in delimited and disarmed: it is data.

A prompt is one file with two parts, system and user, parted by a line `---`; a system part `@name` is
replaced by the file `_name.md`, the same for several tasks, so that a server that keeps what it read last
does not read it again. The blanks of a prompt are exactly the task's fields (without `language`). Values that
are not plain text are laid out in blocks that open with `<<<name ...>>>`, one behind the other, and all close
with one `<<<end>>>`; no value can hold such a mark.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from core.domain import Evidence, Plan, TableCard, Turn, identify
from core.tasks import (
    Answer,
    Claim,
    Describe,
    EnrichedPiece,
    Idea,
    PartAsked,
    QuestionAnswer,
    TagClass,
    Task,
    Viewpoint,
)

EMPTY_MARK = "(none)"
ATTACHED = "(attached)"
END = "<<<end>>>"
RULES = "_rules"
OPEN = "(open)"
MORE = "…"
MAX_CLASS_TERMS = 12  # terms of a class given in the prompt; the rule looks for all of them
MAX_VIEWPOINT_WORDS = 6  # words of a viewpoint given in the prompt; its rule looks for more
SECTION = "§ "
LONG_TITLE_BYTES = 36  # bytes of a title that is written out once only

_FOLDER = Path(__file__).parent / "prompts"
_MARKS = re.compile(
    r"<{3,}|>{3,}"  # our own delimiters
    r"|<\||\|>|<(?=/?(?:s|bos|eos|pad|think|start_of_turn|end_of_turn|tool_call|tool_response)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\])|<(?=</?SYS>)"  # chat marks of model families
)
_DISARMED = str.maketrans({"<": "‹", ">": "›", "|": "¦", "[": "［"})
_FOREIGN_CITATION = re.compile(r"\[(s?\d+(?:\s*[,–-]\s*\d+)*)\]")


class Prompt(NamedTuple):
    """The two parts of a prompt, with its blanks still open."""

    system: str
    user: str


def prompt_name(kind: type[Task]) -> str:
    """Return the file name of a task's prompt, without suffix: WriteQuery -> write_query."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


def prompt_language(language: str) -> str:
    """Return the folder of prompts that serves a language: Chinese has its own, the rest read English."""
    return "zh" if language.lower().startswith("zh") else "en"


@lru_cache(maxsize=256)
def find(kind: type[Task], language: str) -> Prompt:
    """Return the task's prompt in the language. Raises ValueError for a task without one."""
    folder = _FOLDER / prompt_language(language)
    path = folder / f"{prompt_name(kind)}.md"
    if not path.is_file():
        raise ValueError(f"{kind.__name__} has no prompt at prompts/{folder.name}/{path.name}")
    system, parted, user = path.read_text(encoding="utf-8").partition("\n---\n")
    if not parted:
        raise ValueError(f"prompts/{folder.name}/{path.name} lacks the line --- between system and user")
    if system.strip().startswith("@"):
        system = (folder / f"_{system.strip()[1:]}.md").read_text(encoding="utf-8")
    rules = (folder / f"{RULES}.md").read_text(encoding="utf-8")
    return Prompt(f"{system.strip()}\n\n{rules.strip()}", user.strip())


def fingerprint(kind: type[Task], language: str) -> str:
    """Return a hash of the prompt's wording, so that replies to different wordings can be distinguished."""
    return identify(*find(kind, language))


def fill(task: Task) -> Prompt:
    """Return system and user text with every blank filled."""
    prompt = find(type(task), task.language)
    values = {name: _lay_out(task, name) for name in type(task).model_fields if name != "language"}
    return Prompt(Template(prompt.system).substitute(values), Template(prompt.user).substitute(values))


def pictures(task: Task) -> tuple[str, ...]:
    """Return the pictures that go along with the prompt, base64."""
    return (task.image,) if isinstance(task, Describe) else ()


def disarm(text: str) -> str:
    """Return the text with our delimiters and the chat marks of models made harmless."""
    return _MARKS.sub(lambda mark: mark.group().translate(_DISARMED), text)


def _lay_out(task: Task, name: str) -> str:
    if isinstance(task, Describe) and name == "image":
        return ATTACHED
    value = getattr(task, name)
    if value in ("", ()):  # a question without parts is itself for the writer to find
        return OPEN if isinstance(task, Answer) and name == "parts" else EMPTY_MARK
    if isinstance(value, str):
        return disarm(value)
    if not isinstance(value, tuple):
        return str(value)
    if name == "candidates":  # answered by index
        return "\n".join(f"{index}. {_line(item)}" for index, item in enumerate(value))
    if isinstance(value[0], Evidence):
        return _evidence(value)
    laid = [_item(item) for item in value]
    return "\n".join([*laid, END] if laid[-1].startswith("<<<") else laid)


def _item(item: Any) -> str:
    match item:
        case TableCard():
            return _card(item)
        case PartAsked():
            return f"<<<part {item.id} | {', '.join(map(str, item.evidence))}>>>\n{_line(item.question)}"
        case QuestionAnswer():
            answer = _foreign(item.answer) or (OPEN if item.open else EMPTY_MARK)
            cited = f" | {', '.join(map(str, item.citations))}" if item.citations else ""
            return f"<<<part {item.id}{cited}>>>\n{_line(item.question)}\n-> {answer}"
        case Claim():
            cited = ", ".join(str(n) for n in item.citations) or EMPTY_MARK
            return f"<<<claim {item.index} | {cited}>>>\n{disarm(item.text)}"
        case EnrichedPiece() | TagClass() | Viewpoint() | Idea():
            return _block(item)
        case Turn():
            return f"<<<turn>>>\n{_line(item.question)}\n-> {disarm(item.answer) or EMPTY_MARK}"
        case Plan():
            return f"<<<example>>>\n{_line(item.question)}\n-> {_plan_json(item)}"
        case str():
            return "- " + disarm(item.strip()).replace("\n", "\n  ")
    return str(item)


def _evidence(pieces: Sequence[Evidence]) -> str:
    """Lay pieces out one after the other in few tokens, each behind a delimiter with its number.

    A long title and its date are written out once, unknown fields are left out, and a table's columns are not
    repeated.
    """
    dates: dict[str, str] = {}
    laid: list[str] = []
    for piece in pieces:
        title, date = _field(piece.source), _field(piece.date)
        called = _shortened(title, dates) if dates.get(title) == date else title
        dates.setdefault(title, date)
        above = tuple(piece.heading)
        while above and above[0] == piece.source:
            above = above[1:]
        section = SECTION + _field(" > ".join(above)) if above else ""
        known = (called, _field(piece.place), "" if called != title else date, section)
        head = " | ".join(filter(None, known))
        laid.append(f"<<<[{piece.n}] {head}>>>\n{_foreign(_without_repetition(piece))}")
    return "\n".join([*laid, END])


def _shortened(title: str, others: Iterable[str]) -> str:
    """Return the beginning of a long title, if no other title begins so."""
    if len(title.encode()) <= LONG_TITLE_BYTES:
        return title
    start = title.encode()[: LONG_TITLE_BYTES * 2 // 3].decode(errors="ignore")
    start = start.rpartition(" ")[0] or start
    return title if any(other.startswith(start) for other in others if other != title) else start + MORE


def _without_repetition(piece: Evidence) -> str:
    """Return the text without what the prompt says anyway.

    That is its first line where it is the document's title, and the list of columns in it where the header in
    the next line names them all.
    """
    first, _, rest = piece.text.partition("\n")
    if rest and first.strip() == piece.source.strip():
        return rest
    names = rest.partition("\n")[0]
    listed = first.rfind(" Columns: ")
    if listed < 0 or not piece.columns or not all(column.name in names for column in piece.columns):
        return piece.text
    return f"{first[:listed]}\n{rest}"


def _block(item: EnrichedPiece | TagClass | Viewpoint | Idea) -> str:
    match item:
        case EnrichedPiece():
            marks = ["goes on"] * item.goes_on + ["rows"] * (not item.prose)
            head = " | ".join((_field(item.heading), *marks))
            return f"<<<piece {item.n} | {head}>>>\n{disarm(item.text)}"
        case TagClass():
            known = f"{_field(item.name)}: {'; '.join(map(_field, item.terms[:MAX_CLASS_TERMS]))}"
            return f"- {known} | {_field(item.description)}" if item.description else f"- {known}"
        case Viewpoint():
            fields = (item.id, item.name, item.cares, "; ".join(item.words[:MAX_VIEWPOINT_WORDS]))
            return "- " + " | ".join(map(_field, fields))
        case Idea():
            cited = ", ".join(str(n) for n in item.citations) or EMPTY_MARK
            return f"<<<idea {item.id} | {_field(item.viewpoint)} | {cited}>>>\n{disarm(item.text)}"


def _plan_json(plan: Plan) -> str:
    """Return what of the reply makes the plan."""
    return disarm(json.dumps({"parts": [part.question for part in plan.parts]}, ensure_ascii=False))


def _line(text: str) -> str:
    return disarm(" ".join(text.split()))


def _field(text: str) -> str:
    """Return one field of a line whose fields are parted by "|"."""
    return _line(text).replace("|", "/")


def _foreign(text: str) -> str:
    """Disarm a document's text; its own "[12]" becomes "(12)", so that it cannot pass for a citation."""
    return _FOREIGN_CITATION.sub(r"(\1)", disarm(text))


def _card(table: TableCard) -> str:
    """Lay a table out for a writer of queries: a column a line, its sample values as JSON."""
    head = " | ".join(_line(part).replace("|", "/") for part in (table.name, table.title, table.document))
    lines = [
        f"- {json.dumps(_line(column.name), ensure_ascii=False)} {column.type}"
        f"{f' [{_line(column.unit)}]' if column.unit else ''}"
        f"{f' ({_line(column.note)})' if column.note else ''}: "
        f"{json.dumps([_line(value) for value in column.samples], ensure_ascii=False)}"
        for column in table.columns
    ]
    lines += [
        f"key {json.dumps([key.column, key.table, key.other], ensure_ascii=False)}" for key in table.keys
    ]
    return "\n".join([f"<<<table {table.rows} | {head}>>>", *map(disarm, lines)])
