"""A desk over the small library, and a run on it that can be worked on again; a queue over an empty one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.bootstrap import flow
from core.domain import Edits, Level, Parsed, Report
from core.ingest.ingestion import Ingestion
from core.ingest.parsers import read
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin import BuiltinLLM
from core.ports import LLM
from core.work.job_queue import JobRunner
from core.work.runner import Runner
from tests.flow.conftest import Library, library  # noqa: F401
from tests.ingest.house import WordEmbedder, ingestion
from tests.work.desk import CHAIN, PARTS, Counting, Desk, MakeRunner
from tests.work.queues import Make, stop


@pytest.fixture
def desk(library: Library) -> Iterator[Callable[..., Desk]]:  # noqa: F811
    made: list[Desk] = []

    def build(llm: LLM | None = None, generation: Callable[[], int] = lambda: 0) -> Desk:
        made.append(Desk(library, llm or BuiltinLLM(), generation))
        return made[-1]

    yield build
    for each in made:
        each.runner.close()


@pytest.fixture
def before(desk: Callable[..., Desk]) -> tuple[Desk, Counting, Report]:
    """A run of three parts, with the reader's own plan so that every part is known."""
    llm = Counting()
    held = desk(llm)
    first = held.ask(CHAIN, level=Level.LINKING, strategy="plan")
    report = held.again(first.run, Edits(parts=PARTS))
    assert [part.found for part in report.parts] == [True, True, True]
    llm.tasks.clear()
    return held, llm, report


@pytest.fixture
def make(library: Library) -> Iterator[MakeRunner]:  # noqa: F811
    made: list[Runner] = []

    def runner(llm: LLM, budget: Budget | None = None, coming: int = 0) -> Runner:
        made.append(
            Runner(
                library.knowledge.runs,
                limit=lambda stop: BudgetedLLM(llm, budget or Budget(), stop),
                plain=BuiltinLLM(),
                compose=flow(library.settings, library.knowledge, library.embedder),
                holdings=lambda: "8 documents",
                coming=lambda: coming,
            )
        )
        return made[-1]

    yield runner
    for each in made:
        each.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of the queue's library."""
    return tmp_path / "library"


@pytest.fixture
def start(home: Path) -> Iterator[Make]:
    """Open the library and start a runner on it; everything is closed at the end."""
    opened: list[JobRunner] = []

    def make(
        embedder: WordEmbedder | None = None,
        parse: Callable[[Path, str], Parsed] = read,
        slice_tokens: int = 16_384,
        kind: type[Ingestion] = Ingestion,
    ) -> JobRunner:
        into = ingestion(home, embedder, parse=parse, slice_tokens=slice_tokens, kind=kind)
        opened.append(JobRunner(into.knowledge, into, batch=8))
        opened[-1].knowledge = into.knowledge  # type: ignore[attr-defined]
        return opened[-1]

    yield make
    for runner in opened:
        stop(runner)
