"""The nouns of Strata: immutable values that compare by content.

Ids are hashes of content (`identify`), so adding the same thing twice changes nothing.
Pages, rows and lines are 0-based here and 1-based wherever a reader sees them.
"""

import hashlib
import re
from enum import StrEnum
from itertools import chain
from operator import not_
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from core.i18n import messages
from core.i18n.messages import Message, mark, plain, say_plain
from core.text.periods import Frequency as Frequency

BUILT_IN = "built-in"  # the engine of what no model made


class Value(BaseModel):
    """Base of every noun: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def identify(*parts: str) -> str:
    """Return a 20-hex-digit id of the parts (BLAKE2b, length-prefixed so parts cannot run together)."""
    digest = hashlib.blake2b(digest_size=10)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


# -- questions and answers ------------------------------------------------------


class Level(StrEnum):
    """PIKE-RAG's levels of question (arXiv 2501.11551, section 3)."""

    DIRECT = "L0"
    FACTUAL = "L1"
    LINKING = "L2"
    PREDICTIVE = "L3"
    CREATIVE = "L4"


# -- where something is in its source --------------------------------------------------


class Box(Value):
    """A rectangle on a page, as fractions (0 to 1) of its width and height, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class RowsOnPage(Value):
    """The rows of a table, first and last included, that stand on one of its pages."""

    rows: tuple[int, int]
    page: int
    boxes: tuple[Box, ...] = ()


class Location(Value):
    """Where a piece stands: page and boxes, or rows of a sheet, or lines, or seconds of a recording."""

    page: int | None = None
    boxes: tuple[Box, ...] = ()
    sheet: str | None = None
    rows: tuple[int, int] | None = None  # first and last data row, both included
    lines: tuple[int, int] | None = None
    seconds: tuple[float, float] | None = None
    # Of a table that continues over pages; written only where there are any: places are many.
    parts: tuple[RowsOnPage, ...] = Field(default=(), exclude_if=not_)

    def at_rows(self, first: int, last: int) -> "Location":
        """Return the place of a table's rows, from 0: on the pages that they stand on."""
        base = self.rows[0] if self.rows else 0
        place: dict[str, object] = {"rows": (base + first, base + last), "parts": ()}
        covered = [part for part in self.parts if part.rows[0] <= last and first <= part.rows[1]]
        if covered:
            place |= {"page": covered[0].page, "boxes": tuple(box for part in covered for box in part.boxes)}
        return self.model_copy(update=place)

    def on_pages(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return runs of a table's rows that stand on one page each."""
        cuts = [part.rows[0] for part in self.parts if first < part.rows[0] <= last]
        return list(zip([first, *cuts], [*(cut - 1 for cut in cuts), last], strict=True))

    def label(self) -> str:
        """Say the place in English, as it is kept and put into prompts: "Sheet1, rows 2 to 9"."""
        with messages.speaking(messages.DEFAULT):
            return self.in_words()

    def in_words(self) -> str:
        """Say the place in the reader's language: "page 3", "Sheet1, rows 2 to 9", "lines 4 to 7"."""
        parts: list[str] = []
        if self.page is not None:
            parts.append(plain("page {number}", number=self.page + 1))
        if self.sheet:
            parts.append(self.sheet)
        if self.rows is not None:
            parts.append(_span(self.rows, mark("row {number}"), mark("rows {first} to {last}")))
        if self.lines is not None:
            parts.append(_span(self.lines, mark("line {number}"), mark("lines {first} to {last}")))
        if self.seconds is not None:
            start, end = self.seconds
            parts.append(plain("{start:.0f} s to {end:.0f} s", start=start, end=end))
        return ", ".join(parts)


def _span(span: tuple[int, int], one: Message, many: Message) -> str:
    first, last = span[0] + 1, span[1] + 1
    return say_plain(one, number=first) if first == last else say_plain(many, first=first, last=last)


# -- information-resource layer ------------------------------------------------------------


MARGINS = "margins"  # of a document's metadata: what was left out there, as JSON
LEFT_OUT = "left_out"  # of a document's metadata: what of it could not be read and why, as JSON
AUTHORS = "authors"  # of a document's metadata: who wrote it, where that is sure, parted by "; "


class Margin(Value):
    """A line at the margin of pages that was left out as header or footer; its figures may differ by page."""

    text: str  # as the first of the pages has it
    lines: dict[int, str]  # page, from 0 -> the line as it stands there
    top: bool = True


_MARGINS = TypeAdapter(list[Margin])
_SENTENCES = TypeAdapter(list[str])


class Document(Value):
    """One file's content. `id` is a hash of its bytes; paths are kept apart, in Entry."""

    id: str
    title: str
    media_type: str
    name: str
    language: str = "en"
    size: int = 0
    pages: int = 0
    summary: str = ""
    date: str = ""  # ISO date the document itself claims, if any
    metadata: dict[str, str] = Field(default_factory=dict)
    reading: str = ""  # the version it was read by (core/ingest/reading_version.py), "" of older ones

    def margins(self) -> list[Margin]:
        """Return the texts that were left out at the margins of its pages."""
        return _MARGINS.validate_json(self.metadata.get(MARGINS, "[]"))

    def left_out(self) -> list[str]:
        """Return what of it could not be read and why, a sentence each; not what stood in margins."""
        margins = [margin.text for margin in self.margins()]
        sentences = _SENTENCES.validate_json(self.metadata.get(LEFT_OUT, "[]"))
        return [sentence for sentence in sentences if not any(text in sentence for text in margins)]

    def authors(self) -> list[str]:
        """Return who wrote it, where its page or its data say so for sure."""
        return [name for name in self.metadata.get(AUTHORS, "").split("; ") if name]


class Entry(Value):
    """A path under which a document was added. Two paths with the same bytes share one document."""

    path: str
    document_id: str
    collection: str = "default"


ReferenceKind = Literal["link", "citation", "file", "title", "identifier", "entity"]


class Reference(Value):
    """An edge of the resource layer: this document points to that one."""

    document_id: str
    chunk_id: str
    kind: ReferenceKind
    text: str
    target_id: str | None = None  # None until a document answers to it


# -- corpus layer --------------------------------------------------------------------------

BlockKind = Literal[
    "heading", "paragraph", "list_item", "table", "figure", "caption", "code", "footnote", "formula", "media"
]


class Block(Value):
    """The smallest piece a parser gives, in reading order."""

    kind: BlockKind
    text: str
    level: int = 0  # heading depth, 1 is the top
    location: Location = Location()
    table: int | None = None  # index into Parsed.tables
    links: tuple[str, ...] = ()


class Column(Value):
    """A typed column. `unit` is as written ("nm", "%", "°C"), empty where there is none. `note` is what the
    file says elsewhere that the column holds, in a data dictionary, a legend or a comment."""

    name: str
    type: Literal["text", "integer", "real", "boolean", "date", "datetime"] = "text"
    unit: str = ""
    note: str = ""

    def label(self) -> str:
        """Return the name as it stands over its cells: with what it stands for, and with its unit."""
        meaning = column_meaning(self.note)
        return f"{self.name}{f' = {meaning}' if meaning else ''}{f' [{self.unit}]' if self.unit else ''}"


_MEANING_ENDS = re.compile(r"[.;:(\[。；：（]|,\s|\s[-–—]\s|\bin\s+\S{1,8}$")
_LONGEST_MEANING = 60  # characters


def column_meaning(note: str) -> str:
    """Return the phrase a column's note begins with, "" where it is as long as a sentence."""
    phrase = _MEANING_ENDS.split(note, maxsplit=1)[0].strip()
    return phrase if len(phrase) <= _LONGEST_MEANING else ""


Cell = str | int | float | bool | None


class Evidence(Value):
    """A numbered piece of foreign text, handed over as data with all that is known of it.

    `text` stands without its headings. A piece of a table has `columns` and `rows`; `table` is its table's
    name, `row_count` how many rows that has in all. `document_words` are words of the question that its
    document holds. `scores` are those of the search (leg -> score). `rest` are the items by which pieces
    behind it continue its list, by number.
    """

    n: int
    text: str
    source: str  # document title
    place: str = ""  # page, rows ...
    date: str = ""
    name: str = ""  # file name
    document: str = ""  # id
    heading: tuple[str, ...] = ()
    kind: str = "text"
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    table: str = ""
    row_count: int = 0
    document_words: tuple[str, ...] = ()
    scores: dict[str, float] = Field(default_factory=dict)
    rest: tuple[tuple[int, str], ...] = ()


class ColumnCard(Value):
    """A column as a query writer sees it: `samples` are different values, those the question names first."""

    name: str
    type: str = "text"
    unit: str = ""
    samples: tuple[str, ...] = ()
    note: str = ""  # what the file says that it holds
    numbers_rows: bool = False  # each row has a number of its own there: nothing to add up or to compare
    first: str = ""  # the earliest of a column of days or times, "" where it is not known
    last: str = ""  # ... and the latest


class KeyCard(Value):
    """A key that holds: every value of `column` stands once in the column `other` of `table` (SQL name)."""

    column: str
    table: str
    other: str


class TableCard(Value):
    """A table as a query writer sees it. `name` is its SQL name, unquoted; every table also has `_row`."""

    name: str
    title: str
    rows: int
    columns: tuple[ColumnCard, ...]
    document: str = ""  # title
    keys: tuple[KeyCard, ...] = ()
    partial: bool = False  # one page of a longer table
    unclear_siblings: bool = (
        False  # its document has others of the same columns: not at hand, or with its rows
    )


class Table(Value):
    """A table's card: what it is called and holds. Its rows live in DuckDB under `sql_name`."""

    id: str
    document_id: str
    name: str
    sql_name: str
    columns: tuple[Column, ...]
    row_count: int
    caption: str = ""
    location: Location = Location()

    def called(self) -> str:
        """Return the name and the caption, once where one says what the other says."""
        if not self.caption or self.caption.startswith(self.name) or self.caption in self.name:
            return max(self.name, self.caption, key=len)
        return f"{self.name}: {self.caption}"

    def card(self) -> str:
        """Return the one-line schema card that is indexed."""
        columns = ", ".join(f"{c.label()} ({c.type})" for c in self.columns)
        called = self.called().rstrip(".。")
        lead = "" if called.startswith(("Table ", "Form fields")) else "Table "
        rows = "1 row" if self.row_count == 1 else f"{self.row_count} rows"
        return f"{lead}{called}. {rows}. Columns: {columns}."


class WrittenCell(Value):
    """A cell that is written otherwise than its value reads: "24.0910", "—" for nothing. Both 0-based."""

    row: int
    column: int
    text: str


class TableData(Value):
    """What a parser gives for a table: header and rows, before it has an id."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    location: Location = Location()
    written: tuple[WrittenCell, ...] = ()  # of the rows that are read out


class Picture(Value):
    """A picture of a document for a model that sees: JPEG, base64."""

    image: str
    caption: str = ""
    location: Location = Location()
    block: int | None = None  # index into Parsed.blocks of the figure it is


class Parsed(Value):
    """A parser's whole result for one file."""

    title: str
    media_type: str
    blocks: tuple[Block, ...]
    tables: tuple[TableData, ...] = ()
    language: str = "en"
    pages: int = 0
    date: str = ""
    metadata: dict[str, str] = Field(default_factory=dict)
    skipped: tuple[str, ...] = ()  # what was left out and why, one sentence each
    pictures: tuple[Picture, ...] = ()  # to be described, where a model sees


class Section(Value):
    """A heading and what stands under it. `path` holds the headings from the top to this one."""

    id: str
    document_id: str
    parent_id: str | None
    path: tuple[str, ...]
    level: int
    order: int
    location: Location = Location()
    summary: str = ""


class Chunk(Value):
    """The unit of evidence: a run of blocks of one section that fits the embedder's window."""

    id: str
    document_id: str
    section_id: str
    text: str
    heading_path: tuple[str, ...]
    order: int
    tokens: int
    kind: Literal["text", "table", "figure", "code", "media"] = "text"
    location: Location = Location()
    language: str = "en"
    table_id: str | None = None
    summary: str = ""  # once distilled; to read, neither embedded nor searched
    edited: bool = False  # a reader changed its words; its file has others

    def passage_text(self) -> str:
        """Return the text that is embedded and searched: the heading path, then the chunk's text."""
        return f"{' > '.join(self.heading_path)}\n{self.text}" if self.heading_path else self.text


# -- distilled layer -----------------------------------------------------------------------


ROWS, FIELDS = "rows of a table", "fields of a form"  # what says a relation that no sentence says
RULES = "built-in rules"  # who writes the questions that are shown, not searched


class Atom(Value):
    """A question the chunk answers, or a statement that stands alone (PIKE-RAG 5.2, atomising).

    A question the built-in rules wrote says no more than its statement, so it gets no vector.
    """

    id: str
    chunk_id: str
    kind: Literal["question", "statement"]
    text: str
    by: str = BUILT_IN
    verified_by: str | None = None

    @property
    def searched(self) -> bool:
        """Say whether searches enter by it."""
        return self.by != RULES


class Entity(Value):
    """A thing the library knows by name. `id` is a hash of its normal form.

    A heading or title is an entity too: `about` holds the ids of the sections (or documents) that are
    about it, so "chunk mentions the heading of section S" is a Mention of the entity that is about S.
    Storing an entity again unites its aliases and its `about`.
    """

    id: str
    name: str
    kind: str = "thing"
    aliases: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Relation(Value):
    """subject - predicate -> object, as said in one chunk. Subject and object are entity ids.

    `by` is the engine that read the sentence, or ROWS or FIELDS where a table or a form says it.
    """

    id: str
    subject: str
    predicate: str
    object: str
    chunk_id: str
    by: str = BUILT_IN


class Mention(Value):
    """Edge from a chunk to an entity it names."""

    chunk_id: str
    entity_id: str
    count: int = 1


class Tag(Value):
    """A term of a tag class that stands on a chunk."""

    chunk_id: str
    name: str
    tag_class: str = "topic"


class Distilled(Value):
    """Everything distilled from one document, each item with the chunk it came from."""

    atoms: tuple[Atom, ...] = ()
    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    tags: tuple[Tag, ...] = ()
    references: tuple[Reference, ...] = ()
    section_summaries: dict[str, str] = Field(default_factory=dict)  # section id -> summary
    chunk_summaries: dict[str, str] = Field(default_factory=dict)  # chunk id -> summary
    document_summary: str = ""


# -- asking --------------------------------------------------------------------------------


class Scope(Value):
    """Which part of the library a question may read. Empty means all of it."""

    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    without: tuple[str, ...] = ()  # ids of chunks the reader has banned, whatever else is allowed


class Span(Value):
    """Characters [start, end) of a chunk's text."""

    start: int
    end: int


class Passage(Value):
    """A chunk found for a query, with its score per layer and the path that led to it."""

    chunk: Chunk
    document_title: str
    query: str
    score: float
    scores: dict[str, float] = Field(
        default_factory=dict
    )  # leg -> score: keyword, chunk, atom, section, graph ...
    why: tuple[str, ...] = ()  # "atom: What is ...?", "linked from SOP-112", one each
    sub_question: int | None = None
    rank_before: int | None = None
    rank_after: int | None = None
    highlights: tuple[Span, ...] = ()  # the sentences that matter
    date: str = ""  # ISO date the document claims, so that a reader sees which source is newer
    pinned: bool = False  # the reader wants it among the evidence, whatever its rank
    alike: int = 0  # further passages that say the same but for their figures, for which it stands
    file: str = ""  # name of the document's file
    document_words: tuple[str, ...] = ()  # of the question, that the document holds, in whichever passage
    beside: tuple[str, ...] = ()  # lines that many documents say, beside the question: no evidence
    table: str = ""  # of a piece of a table: what the table is called, its columns and the rows it shows
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    row_count: int = 0  # rows of the whole table

    @property
    def evidence_text(self) -> str:
        """The text without the lines `beside` the question."""
        text = self.chunk.text
        for line in self.beside:
            before, found, after = text.partition(line)
            text = before + after.lstrip(" ") if found else text
        return "\n".join(line for line in text.splitlines() if line.strip()) if self.beside else text


AnswerKind = Literal[
    "fact", "number", "date", "person", "place", "list", "steps", "comparison", "summary", "overview",
    "yes_no", "cause", "definition", "forecast", "ideas", "library",
]  # fmt: skip
Effort = Literal["quick", "balanced", "thorough"]
Execution = Literal["all_parallel", "all_sequential", "mixed"]
SubQuestionType = Literal[
    "factual", "reasoning", "global", "bridging", "comparative", "quantitative", "summarising"
]


class SubQuestion(Value):
    """One part of a plan. `question` may hold "#N" for the answer of part N."""

    id: int
    question: str
    type: SubQuestionType = "factual"
    depends_on: tuple[int, ...] = ()
    again: int | None = None  # the part this one asks anew, in a second round
    resolved: str = ""  # of a comparison: with what was found for each side, as a model reads it


class Support(StrEnum):
    """How a sentence stands against the passages it cites."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    MISSING = "missing"


class Sentence(Value):
    """One sentence of an answer. Citations are 1-based numbers of the report's passages."""

    text: str
    citations: tuple[int, ...] = ()
    support: Support = Support.MISSING
    made: Literal["written", "quoted", "computed"] = "written"  # word for word, or from what it cites
    points: tuple[str, ...] = ()  # periods of a forecast's series whose values it states


class Fact(Value):
    """What is known of a thing: what is said of it, and the chunk that says so.

    `label` is the column of a row (of `table`), or the title of the document that a sentence is in.
    """

    label: str
    value: str
    chunk: str
    table: str = ""  # id

    @property
    def quoted(self) -> bool:
        """Say whether it is a sentence."""
        return not self.table


class PartAnswer(Value):
    """What a worker found for one sub-question."""

    id: int
    question: str  # as a reader reads it: with every #N replaced, of a comparison the names of its sides
    answer: str = ""
    found: bool = False
    passages: tuple[Passage, ...] = ()
    engine: str = BUILT_IN
    failure: str = ""
    sql: str = ""  # the query that computed the answer, if one did
    near_miss: str = ""  # what comes nearest, where nothing answers
    search: str = ""  # a better search for it, where a model knows one
    open: bool = False  # not answered yet, and nothing waits for it: the answer as a whole says it
    read: tuple[str, ...] = ()  # chunks a model read for it, in that order
    computed: bool = False  # from the figures of other parts: their order, not what a source says
    facts: tuple[Fact, ...] = ()  # where all that is known of a thing is asked
    lines: tuple[Sentence, ...] = ()  # of a comparison: what was found for its sides; cites `passages`


class Plan(Value):
    """A DAG of at most five sub-questions; the original question is always kept."""

    question: str
    parts: tuple[SubQuestion, ...] = ()
    intent: str = ""
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    by: str = BUILT_IN

    @property
    def execution(self) -> Execution:
        """Say how the parts are worked on: all at once, one after the other, or some of both."""
        waves = self.waves()
        if len(waves) <= 1:
            return "all_parallel"
        return "all_sequential" if len(waves) == len(self.parts) else "mixed"

    def waves(self) -> tuple[tuple[SubQuestion, ...], ...]:
        """Return the parts in layers: each layer depends only on those before it."""
        done: set[int] = set()
        left = list(self.parts)
        layers: list[tuple[SubQuestion, ...]] = []
        while left:
            ready = [p for p in left if set(p.depends_on) <= done]
            if not ready:
                raise ValueError("the plan has a cycle or names a part it does not have")
            layers.append(tuple(ready))
            done |= {p.id for p in ready}
            left = [p for p in left if p.id not in done]
        return tuple(layers)


class Edits(Value):
    """What a reader changes before a question is worked on again; bans and pins are all that hold."""

    parts: tuple[SubQuestion, ...] | None = None  # of the plan; None: as planned before, (): no plan
    banned: tuple[str, ...] = ()  # chunk ids
    pinned: tuple[str, ...] = ()  # chunk ids
    level: Level | None = None  # None: as before
    strategy: Literal["", "auto", "plan", "loop"] = ""  # "": as before


class Outcome(StrEnum):
    """How far an answer may be trusted, best first."""

    ANSWER = "answer"
    CAVEAT = "answer with caveat"
    CONFLICT = "conflict"
    GAP = "gap"
    CLOSEST = "closest passages"  # not an answer: what comes nearest to one
    NOTHING = "nothing found"
    UNFINISHED = "not finished"  # it ended before it could be known what the library holds


class Verdict(Value):
    """What the check of an answer found."""

    outcome: Outcome
    sentences: tuple[Sentence, ...] = ()
    confidence: float | None = None  # 0 to 1, where the writer of the answer says it
    missing: tuple[str, ...] = ()  # parts or facts the library does not hold
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Turn(Value):
    """One exchange of a conversation."""

    question: str
    answer: str
    run: str = ""


# -- forecasting (L3) ----------------------------------------------------------------------


class Row(Value):
    """One observation as a source says it: who, what, when, how much, and where that stands."""

    entity: str
    attribute: str
    period: str  # ISO date, month ("2024-03"), quarter ("2024-Q1") or year
    value: float
    unit: str = ""
    chunk_id: str = ""
    table_id: str = ""
    row: int | None = None  # 0-based row of the table
    text: str = ""  # the words it was read from

    def key(self) -> tuple[str, str, float]:
        """Return the key of a value, equal for the same value read by rules and by a model."""
        return self.chunk_id, self.period, self.value


class Point(Value):
    """One value of a series and the rows it was computed from."""

    period: str
    value: float
    rows: tuple[Row, ...] = ()


class Series(Value):
    """Values of one quantity at equal steps in time."""

    name: str
    frequency: Frequency
    points: tuple[Point, ...]
    unit: str = ""
    aggregate: str = ""  # "mean per month", "count per year"
    notes: tuple[str, ...] = ()  # gaps filled, a partial last period left out, conflicts between sources


class Interval(Value):
    """A forecast for one period with its 80 % and 95 % prediction intervals."""

    period: str
    value: float
    low80: float
    high80: float
    low95: float
    high95: float


class Trialled(Value):
    """How a candidate did in the backtest (rolling origin)."""

    model: str
    mase: float
    smape: float  # percent


class DatedEvent(Value):
    """What happened, or is to happen, at a date, and may move a series: in a source's words or a reader's."""

    period: str
    text: str
    kind: str = ""  # a model's name for events that are alike
    chunk_id: str = ""  # "": said by the reader


class Scenario(Value):
    """A forecast as if an event happened at its date and moved the level as earlier like events did."""

    event: DatedEvent
    asked: bool = False  # the question supposes it; no source says that it will come
    like: tuple[DatedEvent, ...] = ()
    effect: float | None = None  # shift of the level for each event, in the unit of the series
    error: float = 0.0  # its standard error
    points: tuple[Interval, ...] = ()  # none where no effect can be estimated
    reason: str = ""  # why not


class JointScenario(Value):
    """A forecast as if several events happened, each at its date: their steps add up."""

    events: tuple[DatedEvent, ...]  # those whose effect is counted
    effect: float | None = None  # shift of the level once all have happened, in the unit of the series
    error: float = 0.0  # its standard error
    points: tuple[Interval, ...] = ()  # none where no effect can be estimated
    reason: str = ""  # why not


class Forecast(Value):
    """A forecast, what it rests on and why not to trust it."""

    series: Series
    points: tuple[Interval, ...]
    model: str
    trials: tuple[Trialled, ...] = ()
    fitted: tuple[Point, ...] = ()  # backtest forecasts at the last origin
    coverage80: float | None = None  # share of backtest values inside the 80 % interval
    cautions: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()  # periods where the level jumps
    outliers: tuple[str, ...] = ()
    events: tuple[DatedEvent, ...] = ()  # within the history and ahead, in order
    scenarios: tuple[Scenario, ...] = ()  # one for each event ahead
    joint: JointScenario | None = None  # all events ahead with an estimated effect, if there are several
    summed: tuple[str, str] | None = None  # first and last period ahead whose values the question adds up


# -- perspectives (L4) ---------------------------------------------------------------------


class CouncilRole(Value):
    """A point of view: whose voice, what it cares about, and the lens through which it reads first.

    The lens holds words to search for (`terms`), beginnings of words it looks for in the library's tags
    (`tags`) and in headings (`sections`), in any language.
    """

    id: str
    name: str
    voice: str = ""
    cares: str = ""
    terms: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    sceptic: bool = False
    by: str = "library"  # library, reader or the model's name


class Statement(Value):
    """A sentence of a perspective and the chunks it rests on."""

    text: str
    chunks: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()  # who says it


class Objection(Value):
    """What one role holds against another's proposal, with its evidence."""

    role: str
    proposal: int
    text: str
    chunks: tuple[str, ...] = ()
    fatal: bool = False  # the proposal does not survive it


class Proposal(Value):
    """An idea, kept apart from facts: what to do, on which evidence, and what came of the critique."""

    id: int
    role: str
    text: str
    effect: str = ""
    risk: str = ""
    effort: str = ""
    first_step: str = ""
    chunks: tuple[str, ...] = ()
    backed_by: tuple[str, ...] = ()  # other roles that proposed the same
    criticised_by: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()

    @property
    def survived(self) -> bool:
        """Say whether no objection was fatal."""
        return not any(objection.fatal for objection in self.objections)


class Perspective(Value):
    """What one role read, argues and proposes."""

    role: CouncilRole
    queries: tuple[str, ...] = ()
    chunks: tuple[str, ...] = ()  # its evidence, best first
    argument: tuple[Statement, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    dropped: int = 0  # proposals that cited nothing and were left out
    engine: str = BUILT_IN
    failure: str = ""


class Raised(Value):
    """What the moderator puts before the council: evidence nobody used, or a gap."""

    kind: Literal["unused", "gap"]
    text: str
    chunk: str = ""


class Disagreement(Value):
    """Who says what on which evidence, and what would decide it."""

    claim: str
    sides: tuple[Statement, ...]
    decides: str = ""


class Accord(Value):
    """How two roles stand to each other."""

    one: str
    other: str
    shared: int = 0  # chunks both rest on
    backed: int = 0  # proposals both made
    objected: int = 0  # objections of one against the other


class CouncilReport(Value):
    """What a council settled: shared facts, ranked proposals, and what stays open."""

    perspectives: tuple[Perspective, ...]
    raised: tuple[Raised, ...] = ()
    common: tuple[Statement, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    proposals: tuple[Proposal, ...] = ()  # best first; those that did not survive come last
    agreement: tuple[Accord, ...] = ()
    engine: str = BUILT_IN

    def chunks(self) -> tuple[str, ...]:
        """Return what a decision cites in the order it is laid out: ideas, dissent, what is known already;
        nothing where there is nothing to decide."""
        if not self.proposals:
            return ()
        ideas = [idea.chunks for idea in self.proposals]
        sides = [side.chunks for open_ in self.disagreements for side in open_.sides]
        return tuple(chain.from_iterable((*ideas, *sides, *(fact.chunks for fact in self.common))))


class Report(Value):
    """What a run gives: the answer, how it was reached and what it rests on."""

    run: str
    question: str
    read_as: str = ""  # the question after follow-up resolution
    level: Level = Level.FACTUAL
    engine: str = BUILT_IN
    outcome: Outcome = Outcome.NOTHING
    confidence: float | None = None  # 0 to 1, where the writer of the answer says it
    answer: str = ""
    sentences: tuple[Sentence, ...] = ()
    plan: Plan | None = None
    parts: tuple[PartAnswer, ...] = ()
    passages: tuple[Passage, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    forecast: Forecast | None = None
    council: CouncilReport | None = None
    partial: bool = False
    seconds: float = 0.0


class Feedback(Value):
    """A reader's verdict on something in a run."""

    run: str
    target: str  # "answer", "sentence:2", "passage:<chunk id>", "part:3", "tag:x", "relation:<id>"
    verdict: Literal["right", "wrong", "corrected"]
    correction: str = ""
