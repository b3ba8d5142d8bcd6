"""A stand-in for a model's mind: it reads Strata's own prompts back into tasks and lets rules answer them.

Reading back is possible because no value of a prompt can hold the prompt's marks; so this also proves that a
prompt says everything its task holds.
"""

import json
import re
from functools import lru_cache
from typing import Any, get_args

from core.domain import ColumnCard, Evidence, KeyCard, Plan, SubQuestion, TableCard, Turn
from core.llm import prompting
from core.llm.prompting import ATTACHED, EMPTY_MARK, MORE, OPEN, SECTION
from core.ports import LLM
from core.tasks import Claim, EnrichedPiece, Idea, PartAsked, QuestionAnswer, TagClass, Task, Viewpoint
from tests.ollama_protocol import Asked

LOST = "I am sorry, I do not understand what I should do."
_BLOCK = re.compile(r"<<<(\w+)(?: (\w+))?(?: \| ([^\n]*))?>>>\n(.*?)\n(?=<<<)", re.DOTALL)
_PIECE = re.compile(r"<<<\[(\d+)\] ?([^\n]*)>>>\n(.*?)\n(?=<<<\[|\Z)", re.DOTALL)
_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")


class StrataBrain:
    """Answers what Strata asks, with `llm` (the built-in engine unless set otherwise)."""

    def __init__(self, llm: LLM | None = None) -> None:
        self._llm = llm

    def __call__(self, asked: Asked) -> str:
        task = read_back(asked.system, asked.user, asked.images)
        if task is None:
            return LOST
        reply = self._engine().run(task, type(task).reply)
        return str(getattr(reply, "text", "")) if task.prose else reply.model_dump_json(exclude={"call"})

    def _engine(self) -> LLM:
        if self._llm is None:
            from core.llm.builtin import BuiltinLLM  # it loads its dictionaries

            self._llm = BuiltinLLM()
        return self._llm


def tasks() -> list[type[Task]]:
    """Return every kind of task there is."""
    return [kind for kind in Task.__subclasses__() if kind.__module__.startswith("core.tasks.")]


def read_back(system: str, user: str, images: tuple[str, ...] = ()) -> Task | None:
    """Return the task whose prompt this is, or None."""
    for kind in tasks():
        for language in ("en", "zh"):
            if prompting.find(kind, language).system != system:
                continue
            match = _pattern(kind, language).fullmatch(user)
            if match:
                values = {name: _value(kind, name, text, images) for name, text in match.groupdict().items()}
                return kind(language=language, **values)
    return None


@lru_cache(maxsize=256)
def _pattern(kind: type[Task], language: str) -> re.Pattern[str]:
    pieces = re.split(r"\$(\w+)", prompting.find(kind, language).user)
    seen: set[str] = set()
    pattern = ""
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            pattern += re.escape(piece)
        else:
            pattern += f"(?P={piece})" if piece in seen else f"(?P<{piece}>.*?)"
            seen.add(piece)
    return re.compile(pattern, re.DOTALL)


def _value(kind: type[Task], name: str, text: str, images: tuple[str, ...]) -> Any:
    annotation = kind.model_fields[name].annotation
    if text == ATTACHED and images:
        return images[0]
    if annotation is int:
        return int(text)
    if annotation is str:
        return "" if text == EMPTY_MARK else text
    if text in (EMPTY_MARK, OPEN):
        return ()
    item = get_args(annotation)[0]
    if item is str:
        items = re.split(r"\n(?=- |\d+\. )", text)
        return tuple(re.sub(r"^(?:- |\d+\. )", "", one).replace("\n  ", "\n") for one in items)
    if item is TagClass:
        return tuple(_tag_class(line.removeprefix("- ")) for line in text.split("\n"))
    if item is Viewpoint:
        rows = [line.removeprefix("- ").split(" | ") for line in text.split("\n")]
        return tuple(
            Viewpoint(id=id_, name=content, cares=cares, words=tuple(filter(None, words.split("; "))))
            for id_, content, cares, words in rows
        )
    if item is Evidence:
        return _evidence(text)
    return tuple(_item(item, *block) for block in _BLOCK.findall(text))


def _tag_class(line: str) -> TagClass:
    name, _, rest = line.partition(": ")
    terms, _, description = rest.partition(" | ")
    return TagClass(name=name, terms=tuple(terms.split("; ")), description=description)


def _evidence(text: str) -> tuple[Evidence, ...]:
    dates: dict[str, str] = {}
    found = []
    for number, head, body in _PIECE.findall(text.removesuffix("<<<end>>>")):
        source, *known = head.split(" | ")
        heading = known.pop().removeprefix(SECTION) if known and known[-1].startswith(SECTION) else ""
        date = known.pop() if known and _DATE.fullmatch(known[-1]) else ""
        place = " | ".join(known)
        if source.endswith(MORE):
            source = next(title for title in dates if title.startswith(source.removesuffix(MORE)))
            date = dates[source]
        dates.setdefault(source, date)
        above = tuple(heading.split(" > ")) if heading else ()
        found.append(Evidence(n=int(number), text=body, source=source, place=place, date=date, heading=above))
    return tuple(found)


def _item(kind: type, mark: str, number: str, head: str, body: str) -> Any:
    if kind is TableCard:
        return _table(int(number), head, body)
    if kind is PartAsked:
        return PartAsked(id=int(number), question=body, evidence=_numbers(head))
    if kind is Idea:
        viewpoint, _, cited = head.partition(" | ")
        rests_on = tuple(int(n) for n in re.findall(r"\d+", cited))
        return Idea(id=number, viewpoint=viewpoint, text=body, citations=rests_on)
    if kind is EnrichedPiece:
        heading, *marks = head.split(" | ")
        continues, prose = "goes on" in marks, "rows" not in marks
        return EnrichedPiece(n=int(number), text=body, heading=heading, goes_on=continues, prose=prose)
    if kind is Claim:
        return Claim(index=int(number), text=body, citations=_numbers(head))
    result, _, answer = body.partition("\n-> ")
    left = answer == OPEN
    answer = "" if answer in (EMPTY_MARK, OPEN) else answer
    if kind is QuestionAnswer:
        return QuestionAnswer(
            id=int(number), question=result, answer=answer, open=left, citations=_numbers(head)
        )
    if kind is Turn:
        return Turn(question=result, answer=answer)
    if kind is Plan:
        texts = enumerate(json.loads(answer)["parts"], 1)
        return Plan(question=result, parts=tuple(SubQuestion(id=n, question=text) for n, text in texts))
    raise ValueError(f"no way to read back {kind.__name__} ({mark})")


def _numbers(head: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", head))


def _table(rows: int, head: str, body: str) -> TableCard:
    name, title, document = head.split(" | ")
    columns, keys = [], []
    for line in body.split("\n"):
        if line.startswith("key "):
            column, table, other = json.loads(line.removeprefix("key "))
            keys.append(KeyCard(column=column, table=table, other=other))
            continue
        called, rest = json.JSONDecoder().raw_decode(line, 2)
        match = re.fullmatch(r" (\w+)(?: \[([^\]]*)\])?: (\[.*\])", line[rest:])
        assert match is not None, line
        samples = tuple(json.loads(match.group(3)))
        columns.append(
            ColumnCard(name=called, type=match.group(1), unit=match.group(2) or "", samples=samples)
        )
    return TableCard(
        name=name, title=title, rows=rows, columns=tuple(columns), document=document, keys=tuple(keys)
    )
