"""What happened, as values with a tag and without a clock. The runner stamps and saves them.

Each event names the sub-question it belongs to and the step that caused it, so the order among
parallel siblings never matters.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from core.domain import (
    AnswerKind,
    CouncilReport,
    CouncilRole,
    DatedEvent,
    Edits,
    Effort,
    Forecast,
    Level,
    Objection,
    PartAnswer,
    Passage,
    Perspective,
    Plan,
    Raised,
    Report,
    Row,
    Scope,
    Sentence,
    Series,
    SubQuestion,
    Value,
    Verdict,
)
from core.tasks import Call, TagPair


class BaseEvent(Value):
    """Base of every event."""

    sub_question: int | None = None
    cause: str = ""  # the step that made it: "understand", "gather#2" ...
    calls: tuple[Call, ...] = ()


class Asked(BaseEvent):
    """A run began: the question, the library at that moment, and how it is to be answered."""

    name: Literal["asked"] = "asked"
    question: str
    scope: Scope = Scope()
    conversation: str = ""
    library: str = ""  # what the library held at that moment: "14 documents, 312 chunks"
    level: Level | None = None  # chosen by the reader, None: read from the question
    strategy: str = "auto"
    effort: Effort | None = None  # None: as the settings say
    model: str = ""  # chosen by the reader, "": as the settings say
    roles: tuple[str, ...] = ()  # of a council, named or written by the reader
    generation: int = 0  # of the library: it grows with every change
    made_with: dict[str, str] = Field(default_factory=dict)  # engines, and the settings that are no defaults
    parent: str = ""  # the run this one works on again
    edits: Edits | None = None  # and what the reader changed in it


class Queued(BaseEvent):
    """The run waits for a slot: so many earlier runs compute or wait."""

    name: Literal["queued"] = "queued"
    ahead: int


class FollowedUp(BaseEvent):
    """A follow-up was read as a question that stands alone."""

    name: Literal["followed_up"] = "followed_up"
    question: str
    read_as: str


class RouteChosen(BaseEvent):
    """The question's level and kind of answer, chosen by the reader (`overridden`) or read from it."""

    name: Literal["route_chosen"] = "route_chosen"
    level: Level
    reason: str
    kind: AnswerKind = "fact"
    overridden: bool = False


class GateDecided(BaseEvent):
    """Whether the question is one or several in one."""

    name: Literal["gate_decided"] = "gate_decided"
    composite: bool
    reason: str


class Planned(BaseEvent):
    """The plan of a round, as it will be worked on."""

    name: Literal["planned"] = "planned"
    plan: Plan
    round: int = 1


class StepStarted(BaseEvent):
    """A step of the graph began: "understand", "work#2" ..."""

    name: Literal["step_started"] = "step_started"
    step: str


class StepFinished(BaseEvent):
    """A step of the graph ended."""

    name: Literal["step_finished"] = "step_finished"
    step: str


class WaveStarted(BaseEvent):
    """Parts that depend on nothing open are worked on side by side."""

    name: Literal["wave_started"] = "wave_started"
    wave: int
    parts: tuple[SubQuestion, ...]  # with #N replaced


class Searched(BaseEvent):
    """One search and what it returned, best first."""

    name: Literal["searched"] = "searched"
    query: str
    # "reform" and "entity": only in old runs
    kind: Literal["plain", "topics", "reform", "table", "entity", "summary"] = "plain"
    topics: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()
    cached: bool = False


class WordsMapped(BaseEvent):
    """Colloquial words of the question were read as terms of the library."""

    name: Literal["words_mapped"] = "words_mapped"
    pairs: tuple[TagPair, ...]


class ToolChosen(BaseEvent):
    """What a part is looked up with (only in old runs)."""

    name: Literal["tool_chosen"] = "tool_chosen"
    tool: str
    argument: str
    reason: str


class TableQueried(BaseEvent):
    """A query of the tables, its values filled in, and its rows as text; `failure` where it was refused."""

    name: Literal["table_queried"] = "table_queried"
    table: str
    sql: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    failure: str = ""


class Reranked(BaseEvent):
    """The passages of a search in their final order."""

    name: Literal["reranked"] = "reranked"
    question: str
    reranker: str
    passages: tuple[Passage, ...]  # with rank_before and rank_after


class EvidenceTrimmed(BaseEvent):
    """Passages were left out so that the rest fits what the model reads."""

    name: Literal["evidence_trimmed"] = "evidence_trimmed"
    kept: int
    left_out: tuple[str, ...]  # chunk ids


class Reused(BaseEvent):
    """Nothing a part needs has changed since an earlier run, so what was found then holds.

    Without an `answer` it is the search for the question as a whole.
    """

    name: Literal["reused"] = "reused"
    run: str
    answer: PartAnswer | None = None
    passages: tuple[Passage, ...] = ()


class Instructed(BaseEvent):
    """The reader gave an instruction during the run: recorded at once, applied at the next step.

    `way`: recorded ("heard"), made a part of the plan, made a restriction, or too late for this run.
    """

    name: Literal["instructed"] = "instructed"
    text: str
    way: Literal["heard", "part", "restriction", "late"] = "heard"


class PartAnswered(BaseEvent):
    """A part of the plan is answered, or left open with its closest passages."""

    name: Literal["part_answered"] = "part_answered"
    answer: PartAnswer


class Proposed(BaseEvent):
    """A round of the knowledge-aware loop: what was proposed, found and chosen (Algorithm 1)."""

    name: Literal["proposed"] = "proposed"
    round: int
    questions: tuple[str, ...]
    candidates: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()  # upper confidence bounds of the candidates
    visits: tuple[int, ...] = ()  # how often each was weighed, this round's included
    chosen: int | None = None
    chunk_id: str = ""
    reason: str = ""


class RolesPlanned(BaseEvent):
    """The points of view that will speak, and the reason."""

    name: Literal["roles_planned"] = "roles_planned"
    roles: tuple[CouncilRole, ...]
    reason: str = ""


class PerspectiveGiven(BaseEvent):
    """One role has read its evidence, best first, argued and proposed."""

    name: Literal["perspective_given"] = "perspective_given"
    perspective: Perspective
    passages: tuple[Passage, ...] = ()


class Moderated(BaseEvent):
    """The moderator raised evidence nobody used, and gaps."""

    name: Literal["moderated"] = "moderated"
    raised: tuple[Raised, ...] = ()


class Criticised(BaseEvent):
    """One role has read another's proposals against its own evidence."""

    name: Literal["criticised"] = "criticised"
    critic: str  # Role.id
    of: str
    objections: tuple[Objection, ...] = ()
    failure: str = ""


class Settled(BaseEvent):
    """Proposals were weighed against each other (L4)."""

    name: Literal["settled"] = "settled"
    council: CouncilReport


class InstructionFlagged(BaseEvent):
    """Text of a document tries to give orders; it is treated as data."""

    name: Literal["instruction_flagged"] = "instruction_flagged"
    chunk_id: str
    text: str


class Wrote(BaseEvent):
    """The answer grew by this text."""

    name: Literal["wrote"] = "wrote"
    text: str
    round: int = 1  # a second round writes the answer anew


class Synthesised(BaseEvent):
    """The answer is written: its sentences with their citations."""

    name: Literal["synthesised"] = "synthesised"
    sentences: tuple[Sentence, ...]


class AnswerChecked(BaseEvent):
    """The answer was checked, sentence by sentence and part by part."""

    name: Literal["verified"] = "verified"
    verdict: Verdict
    round: int = 1


class ProseExtracted(BaseEvent):
    """Dated values and events were read from prose, and checked against it: `dropped` did not stand there."""

    name: Literal["prose_extracted"] = "prose_extracted"
    rows: tuple[Row, ...] = ()
    events: tuple[DatedEvent, ...] = ()
    dropped: tuple[str, ...] = ()


class RowsStructured(BaseEvent):
    """Dated values were read from tables and text for a forecast; conflicts between sources are named."""

    name: Literal["rows_structured"] = "rows_structured"
    rows: tuple[Row, ...]  # the latest of them
    total: int
    sources: tuple[str, ...] = ()
    sql: str = ""
    conflicts: tuple[str, ...] = ()


class SeriesInduced(BaseEvent):
    """The rows became a series: filtered, grouped, aggregated."""

    name: Literal["series_induced"] = "series_induced"
    series: Series
    horizon: int


class Forecasted(BaseEvent):
    """A series was forecast, or there was none to forecast, for this reason."""

    name: Literal["forecasted"] = "forecasted"
    forecast: Forecast | None = None
    reason: str = ""


class Warned(BaseEvent):
    """Something the reader should know: a fallback, a model that is missing, a limit that was met."""

    name: Literal["warned"] = "warned"
    message: str
    hint: str = ""


class Failed(BaseEvent):
    """The run ended with an error."""

    name: Literal["failed"] = "failed"
    error: str
    message: str
    hint: str
    retryable: bool = False
    details: str = ""  # for a bug: what to copy into a report


class Finished(BaseEvent):
    """The run ended with its report."""

    name: Literal["finished"] = "finished"
    report: Report


Event = Annotated[
    Asked
    | Queued
    | FollowedUp
    | RouteChosen
    | GateDecided
    | Planned
    | StepStarted
    | StepFinished
    | WaveStarted
    | Searched
    | WordsMapped
    | ToolChosen
    | TableQueried
    | Reranked
    | EvidenceTrimmed
    | PartAnswered
    | Reused
    | Instructed
    | Proposed
    | RolesPlanned
    | PerspectiveGiven
    | Moderated
    | Criticised
    | Settled
    | InstructionFlagged
    | Wrote
    | Synthesised
    | AnswerChecked
    | ProseExtracted
    | RowsStructured
    | SeriesInduced
    | Forecasted
    | Warned
    | Failed
    | Finished,
    Field(discriminator="name"),
]


class Stamped(Value):
    """An event with its place in the run and the second (since the run began) it happened."""

    seq: int
    at: float
    event: Event


TRACE: TypeAdapter[list[Stamped]] = TypeAdapter(list[Stamped])
