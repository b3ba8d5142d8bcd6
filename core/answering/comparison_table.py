"""A comparison as a table, from the parts of a plan: a column a thing, a row what is asked of each."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Fact, PartAnswer, Plan
from core.text.thing_questions import everything_of, is_named

GAP = "…"  # stands for the thing in what is asked of each
MAX_ROWS = 16  # of what is known of things: those that all have go before others
MAX_TOGETHER = 3  # passages that name several of the things
MAX_NAME_WORDS = 8  # words, or Chinese characters, of a thing
# What is asked of each, by its form: what its groups hold is the label of the row
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:what|how much) (?:is|are|was|were) (?:the )?(.+?) (?:of|for|in|at|on) (?:the )?{GAP}(?: (.+))?",
        rf"(?:what|how much) (?:is|are|was|were) {GAP}['’]s? (.+)",
        rf"how many (.+?) (?:does|do|did|has|have|had) {GAP}(?: have| has)?(?: (.+))?",
        rf"(how [a-z]+|when|where) (?:is|are|was|were|does|do|did) {GAP}(?: (.+))?",
        rf"{GAP}\s?(?:的|有多少)?([^，]+?)(?:分别)?(?:是|为|有)?(?:多少|什么|谁|如何|怎样|哪.{{0,2}})?",
    )
)
_WORD = re.compile(r"[^\W_一-鿿]+(?:[-.'’/][^\W_一-鿿]+)*|[一-鿿]|[^\s]")


@dataclass(frozen=True)
class ComparisonRow:
    """What is asked of each thing (`GAP` where it stands); the answer of each, None where none was asked."""

    asked: str
    cells: tuple[PartAnswer | None, ...]
    quoted: bool = False  # what one document says of each: `asked` is its title

    @property
    def label(self) -> str:
        """Return the attribute that is asked ("Lead time"), else the whole question."""
        asked = self.asked.rstrip("?？ ")
        match = next((found for form in _FORMS if (found := form.fullmatch(asked))), None)
        words = " ".join(filter(None, match.groups())).strip() if match is not None else ""
        return words[:1].upper() + words[1:] if words else self.asked


@dataclass(frozen=True)
class Comparison:
    """The things that are compared, and a row for each question that was asked of them; or, where all that is
    known of them was asked, for each attribute that one of them has."""

    things: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    together: tuple[PartAnswer, ...] = ()  # passages that name several of the things
    known: bool = False  # the rows are what is known of each, and nothing that was asked

    def chunks(self) -> tuple[str, ...]:
        """Return the ids of the chunks that the cells rest on, one a cell, row by row."""
        cells = [cell for row in self.rows for cell in row.cells if cell is not None and cell.found]
        return tuple(cell.passages[0].chunk.id for cell in (*cells, *self.together) if cell.passages)


def comparison(plan: Plan | None, answers: Sequence[PartAnswer]) -> Comparison | None:
    """Return the table of a plan that compares, None where it compares nothing, nothing was found, or the
    same place was quoted for every thing."""
    if plan is None or not any(part.type == "comparative" for part in plan.parts):
        return None
    compared = {part.id for part in plan.parts if part.type == "comparative"}
    sides = [answer for answer in answers if answer.id not in compared]
    last = " ".join(part.question for part in plan.parts if part.id in compared)
    things = _in_full(_things([side.question for side in sides], last), last)
    if (known := known_of_each(things, sides)) is not None:
        return known
    rows: dict[str, dict[str, PartAnswer]] = {}
    for side in sides:
        named = [thing for thing in things if thing in side.question]
        if len(named) == 1:
            rows.setdefault(side.question.replace(named[0], GAP), {})[named[0]] = side
    compared_rows = tuple(
        ComparisonRow(asked, tuple(cells.get(thing) for thing in things)) for asked, cells in rows.items()
    )
    found = any(cell is not None and cell.found for row in compared_rows for cell in row.cells)
    apart = any(not _is_uniform(row) for row in compared_rows)
    return Comparison(things, compared_rows) if found and apart and len(things) > 1 else None


def known_of_each(things: Sequence[str], sides: Sequence[PartAnswer]) -> Comparison | None:
    """Return the table of what is known of each thing, None where nothing is known of one."""
    by_thing = {everything_of(side.question): side for side in sides if side.facts}
    if len(things) < 2 or not all(thing in by_thing for thing in things):
        return None
    counted = [Counter(fact.label for fact in by_thing[thing].facts if not fact.quoted) for thing in things]
    several = {label for labels in counted for label, times in labels.items() if times > 1}
    rows: dict[tuple[str, str, bool], dict[str, PartAnswer]] = {}
    together: dict[str, PartAnswer] = {}
    for thing in things:
        others = [other for other in things if other != thing]
        quoted: set[str] = set()
        for fact in by_thing[thing].facts:
            if any(is_named(other, fact.value) for other in others):
                if fact.quoted:
                    together.setdefault(fact.value, _cell(by_thing[thing], fact))
                continue
            if fact.quoted and fact.label in quoted:
                continue  # of a document, the first sentence that names the thing alone
            quoted |= {fact.label} if fact.quoted else set()
            # a column that several tables of one thing have is compared within a table only
            key = (fact.label, fact.table if fact.label in several else "", fact.quoted)
            rows.setdefault(key, {})[thing] = _cell(by_thing[thing], fact)
    if not all(any(thing in cells for cells in rows.values()) for thing in things):
        if not together:
            return None
        rows = {}  # of one of them nothing is known alone: only what names several compares them
    full = [key for key, cells in rows.items() if len(cells) == len(things)]
    shown = {*full[:MAX_ROWS], *[key for key in rows if key not in full][: max(0, MAX_ROWS - len(full))]}
    return Comparison(
        tuple(things),
        tuple(
            ComparisonRow(key[0], tuple(cells.get(thing) for thing in things), key[2])
            for key, cells in rows.items()
            if key in shown
        ),
        tuple(together.values())[:MAX_TOGETHER],
        known=True,
    )


def _cell(side: PartAnswer, fact: Fact) -> PartAnswer:
    """Return one fact of a side as an answer of its own."""
    passages = tuple(passage for passage in side.passages if passage.chunk.id == fact.chunk)
    update = {"answer": fact.value, "found": True, "passages": passages, "facts": (), "open": False}
    return side.model_copy(update=update)


def _is_uniform(row: ComparisonRow) -> bool:
    """Say whether one place answers for every thing: a sentence that names all of them compares nothing."""
    sources = {
        (cell.answer, cell.passages[0].chunk.id)
        if cell is not None and cell.found and cell.passages
        else None
        for cell in row.cells
    }
    return len(sources) == 1 and None not in sources


def _things(questions: Sequence[str], last: str) -> tuple[str, ...]:
    """Return what the questions most like the first have in the same place, () where none is like it.

    Several things asked in several ways differ in two places: the things are what `last`, the comparison
    itself, names, with the numbers of their parts behind them where it refers to those.
    """

    def named(things: dict[str, None]) -> tuple[int, int, int]:
        referred = sum(re.search(rf"{re.escape(thing)}\s?[(（]#", last) is not None for thing in things)
        return referred, sum(thing in last for thing in things), len(things)

    for at, first in enumerate(questions):
        found: dict[tuple[str, str], dict[str, None]] = {}
        for other in questions[at + 1 :]:
            if (apart := _apart(first, other)) is not None:
                place, things = apart
                found.setdefault(place, {}).update(dict.fromkeys(things))
        if found:
            chosen: dict[str, None] = max(found.values(), key=named)
            return tuple(chosen)
    return ()


def _in_full(things: tuple[str, ...], last: str) -> tuple[str, ...]:
    """Return the things with what is the same for all right beside each: the name before it ("Example 2" of
    "2" and "5"), the Chinese word behind it (2020年)."""
    for pattern, form in (
        (r"\b([A-Z][\w-]*) {thing}(?!\w)", "{beside} {thing}"),
        (r"{thing}([\u4e00-\u9fff]{{1,2}})[（(]#", "{thing}{beside}"),
    ):
        found = [re.search(pattern.format(thing=re.escape(thing)), last) for thing in things]
        beside = {match[1] if match is not None else "" for match in found}
        if len(beside) == 1 and (word := beside.pop()):
            return tuple(form.format(beside=word, thing=thing) for thing in things)
    return things


def _apart(a: str, b: str) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Return what stands around the one short place where two questions differ, and what each has there.

    None where they differ in more.
    """
    mine, theirs = list(_WORD.finditer(a)), list(_WORD.finditer(b))
    least = min(len(mine), len(theirs))
    before = next((i for i in range(least) if mine[i][0] != theirs[i][0]), least)
    behind = next((i for i in range(least - before) if mine[-1 - i][0] != theirs[-1 - i][0]), least - before)
    counts = [len(words) - before - behind for words in (mine, theirs)]
    if min(counts) < 1 or max(counts) > MAX_NAME_WORDS or before + behind < max(counts):
        return None
    one, two = (
        text[words[before].start() : words[len(words) - behind - 1].end()]
        for text, words in ((a, mine), (b, theirs))
    )
    start, end = mine[before].start(), mine[len(mine) - behind - 1].end()
    return (a[:start], a[end:]), (one, two)
