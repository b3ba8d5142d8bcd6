"""Values that only the store knows: runs, jobs, conversations, removals, neighbourhoods."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from core.domain import Location, Report, Value

RunStatus = Literal["queued", "running", "done", "stopped", "failed"]
JobStatus = Literal["queued", "running", "paused", "done", "failed", "cancelled"]
AT_WORK = ("queued", "running")  # of a run or a job that resumes by itself
OPEN: tuple[JobStatus, ...] = ("queued", "running", "paused")  # of a job that has not ended


def _stage_now(stage: object) -> object:
    return "enrich" if stage == "distil" else stage  # "distil" until 2026-11-28


JobStage = Annotated[Literal["", "parse", "chunk", "embed", "enrich"], BeforeValidator(_stage_now)]
JobOutcome = Literal["", "read", "reread", "known", "refused", "failed"]
NodeKind = Literal["document", "section", "chunk", "atom", "entity", "tag"]


class Run(Value):
    """One question and what became of it. Times are seconds since the epoch."""

    id: str
    conversation: str
    question: str
    status: RunStatus = "queued"
    started: float = 0.0
    finished: float | None = None
    report: Report | None = None


class RunFilter(Value):
    """Which runs are wanted. Empty fields leave all; times are seconds since the epoch."""

    text: str = ""  # words of the question, all of them, in any order
    levels: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None


class RunCard(Value):
    """A run as a list shows it, without its report and events."""

    id: str
    conversation: str
    question: str
    status: RunStatus
    started: float
    level: str = ""
    outcome: str = ""
    engine: str = ""
    effort: str = ""  # "": as the settings said
    seconds: float | None = None
    parent: str = ""  # the run it works on again


class Conversation(Value):
    """Runs that belong together. `title` is the one a reader gave, else the first question."""

    id: str
    title: str
    updated: float
    runs: int


class Job(Value):
    """One file on its way into the library. `done` and `total` count the pieces of the current stage."""

    id: str
    path: str
    real_path: str = ""  # of a listed file, links followed; "" in jobs of older versions and of uploads
    name: str
    # reread: a document's file is read again; vectors: the library gets those of another embedding model
    kind: Literal["file", "reread", "vectors"] = "file"
    collection: str = "default"
    status: JobStatus = "queued"
    stage: JobStage = ""
    done: int = 0
    total: int = 0
    created: float = 0.0
    started: float | None = None
    updated: float = 0.0
    finished: float | None = None
    outcome: JobOutcome = ""
    reason: str = ""
    hint: str = ""
    document_id: str = ""
    counts: dict[str, int] = Field(default_factory=dict)
    seconds: float = 0.0  # worked on it: read, its share of embedding and storing, distilled


class Removal(Value):
    """What a removal takes away (`counts`) and, once done, what is still there of it (`left`: all zero)."""

    document_id: str
    title: str
    paths: tuple[str, ...] = ()
    counts: dict[str, int] = Field(default_factory=dict)
    left: dict[str, int] = Field(default_factory=dict)


class Node(Value):
    """A point of a drawn neighbourhood."""

    id: str
    kind: NodeKind
    label: str
    location: Location = Location()  # of a chunk
    thing: str = ""  # what an entity is


class Edge(Value):
    """A line of a drawn neighbourhood."""

    a: str
    b: str
    kind: str


class Neighbourhood(Value):
    """The neighbourhood of a node, nearest first, up to a budget; `more`: some were left out."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    more: bool = False
