"""Interfaces between packages: each has two implementations or more."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.domain import Parsed, Passage, Value
from core.tasks import Call, Reply, Task
from core.trace import Event

Vectors = NDArray[np.float32]
Emit = Callable[[Event], None]
Progress = Callable[[str], None]  # called with a sentence on what is being done
R = TypeVar("R", bound=Reply)


class Listener(Protocol):
    """Receives what a model writes while it answers."""

    def received(self, text: str) -> None:
        """Take the next piece of a prose reply."""

    def check(self) -> None:
        """Raise Stopped or BudgetExceeded if the run must end; called at least every 0.2 s while waiting."""


class LLM(Protocol):
    """Anything that can do a task: a served model, rules, or a script in a test."""

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task. The reply's `call` says how. Raises LLMError, Stopped or BudgetExceeded."""


class CallLog(Protocol):
    """Records the calls to a model step by step."""

    def step(self) -> AbstractContextManager[list[Call]]:
        """Record the calls of a block; the list fills as they are made."""

    def around(self, llm: "LLM") -> "LLM":
        """Return the model with every call recorded."""

    def recording(self, emit: Emit) -> Emit:
        """Return an `emit` whose events carry the calls made since the last event of the step."""


class ModelInfo(Value):
    """A model a server offers. `size` in bytes, `context_length` in tokens, 0 where it does not say."""

    name: str
    size: int = 0
    details: str = ""  # family, parameters, quantisation
    roles: tuple[str, ...] = ()  # what Strata uses it for
    digest: str = ""
    capabilities: tuple[str, ...] = ()  # completion, vision, embedding, thinking, tools
    context_length: int = 0

    def can(self, capability: str) -> bool:
        """Say whether the model can do it."""
        return capability in self.capabilities


class ModelProbe(Value):
    """What a model was seen to do, on one release of the server; speeds in tokens a second, 0: unknown."""

    model: str
    digest: str = ""
    server: str = ""  # release
    format_holds: bool = True  # a schema is kept to while thinking is switched off
    format_holds_thinking: bool = True  # it is kept to while the model thinks
    think_off_holds: bool = True  # no thoughts come where they are switched off
    leaks: bool = False  # thoughts are in the answer itself
    read_speed: float = 0.0
    write_speed: float = 0.0
    window: int = 0  # tokens, as the server has loaded it
    cut: bool = False  # a prompt that fits the window was not read whole
    at: float = 0.0  # seconds since 1970


class PullProgress(Value):
    """How far a model's download is. `done` and `total` in bytes, 0 where the server does not say."""

    status: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Encoded:
    """What one forward pass gives: pooled vectors (n, d), and per text its token vectors (t, d) or None."""

    vectors: Vectors
    tokens: tuple[Vectors, ...] | None = None


class Embedder(Protocol):
    """Turns text into L2-normalised vectors."""

    name: str

    @property
    def english_only(self) -> bool:
        """Say whether it learnt English alone: what it makes of other languages is not to be relied on."""

    @property
    def digest(self) -> str:
        """Identify weights and settings: one vector collection per digest."""

    @property
    def dimension(self) -> int: ...

    @property
    def window(self) -> int:
        """Return how many tokens it reads; more would be cut off, so chunks stay below."""

    def count(self, text: str) -> int:
        """Return the number of tokens of the text, special tokens included."""

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, counted together."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 vectors (n, dimension) of norm 1."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors and, where the model gives them, token vectors of the same pass."""


class QueryTerms(NamedTuple):
    """The words of a question that a library knows: what each weighs in all of it, and within documents.

    A word has no weight within a document that lacks it. `named`: the words of a document's title and file.
    """

    words: Sequence[str]
    weights: NDArray[np.float64]  # (w,)
    within: Mapping[str, NDArray[np.float64]]  # document -> (w,)
    named: Mapping[str, Collection[str]]  # document -> words


class Reranker(Protocol):
    """Scores passages against the question."""

    name: str

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first, with `scores["rerank"]`, `rank_before` and `rank_after` set."""


class VectorIndex(Protocol):
    """Nearest neighbours by cosine similarity. Ids are unique; upserting twice changes nothing."""

    def upsert(self, ids: Sequence[str], vectors: Vectors, metadata: Sequence[dict[str, str]]) -> None: ...

    def delete(self, ids: Sequence[str]) -> None: ...

    def count(self) -> int: ...

    def ids(self) -> set[str]:
        """Return every id there is, to compare the index with the catalog."""

    def held(self, ids: Sequence[str]) -> set[str]:
        """Return which of the ids exist."""

    def fetch(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors (d,) of those ids that exist."""

    def nearest(
        self, vector: Vectors, limit: int, only: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        """Return (id, cosine) best first; `only` restricts to documents with these ids."""


class Parser(Protocol):
    """Reads one family of formats."""

    @property
    def media_types(self) -> tuple[str, ...]:
        """Return the media types it reads."""

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        """Return the document's blocks and tables. Raises ParseError."""
