"""A runner over the small library, and a run on it that can be worked on again; a queue over an empty one."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.bootstrap import build, flow
from core.domain import Edits, Level, Parsed, Report
from core.ingest.ingestion import Ingestion
from core.ingest.parsers import read
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin import BuiltinLLM
from core.ports import LLM
from core.settings import Settings
from core.work.jobs.job_queue import JobQueue
from core.work.runs.runner import Runner
from tests.flow.conftest import Library, library  # noqa: F401
from tests.ingest.ingestion_parts import WordEmbedder, ingestion
from tests.tinymodel import save_tiny_model
from tests.work.queues import Make, stop
from tests.work.rerun_setup import CHAIN, PARTS, Counting, MakeRunner, RerunSetup


@pytest.fixture
def rerun_setup(library: Library) -> Iterator[Callable[..., RerunSetup]]:  # noqa: F811
    made: list[RerunSetup] = []

    def build(llm: LLM | None = None, generation: Callable[[], int] = lambda: 0) -> RerunSetup:
        made.append(RerunSetup(library, llm or BuiltinLLM(), generation))
        return made[-1]

    yield build
    for each in made:
        each.runner.close()


@pytest.fixture(scope="module")
def answered_in_parts(library: Library) -> Iterator[tuple[RerunSetup, Counting, Report]]:  # noqa: F811
    """A run of three parts, with the reader's own plan so that every part is known."""
    llm = Counting()
    held = RerunSetup(library, llm, lambda: 0)
    first = held.ask(CHAIN, level=Level.LINKING, strategy="plan")
    report = held.again(first.run, Edits(parts=PARTS))
    assert [part.found for part in report.parts] == [True, True, True]
    yield held, llm, report
    held.runner.close()


@pytest.fixture
def before(
    answered_in_parts: tuple[RerunSetup, Counting, Report],
) -> tuple[RerunSetup, Counting, Report]:
    """That run, which nothing changes: it is only worked on again, and its engine counts anew."""
    answered_in_parts[1].tasks.clear()
    return answered_in_parts


@pytest.fixture
def make(library: Library) -> Iterator[MakeRunner]:  # noqa: F811
    made: list[Runner] = []

    def runner(llm: LLM, budget: Budget | None = None, coming: int = 0) -> Runner:
        made.append(
            Runner(
                library.knowledge.runs,
                limit=lambda stop, model: BudgetedLLM(llm, budget or Budget(), stop),
                plain=BuiltinLLM(),
                compose=flow(library.settings, library.knowledge, library.embedder),
                overview=lambda: "8 documents",
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
    opened: list[JobQueue] = []

    def make(
        embedder: WordEmbedder | None = None,
        parse: Callable[[Path, str], Parsed] = read,
        slice_tokens: int = 16_384,
        kind: type[Ingestion] = Ingestion,
    ) -> JobQueue:
        into = ingestion(home, embedder, parse=parse, slice_tokens=slice_tokens, kind=kind)
        opened.append(JobQueue(into.knowledge, into, batch=8))
        opened[-1].knowledge = into.knowledge  # type: ignore[attr-defined]
        return opened[-1]

    yield make
    for runner in opened:
        stop(runner)


# -- re-embedding ------------------------------------------------------------------------------

NOTES = (
    """# Yield meeting

All wafers of lot L25-0317 were processed on ETCH-03. The electrostatic chuck of chamber B was replaced.

# Cleaning

The wet clean of a PE-300 chamber takes 6.5 hours. It is due every 500 RF hours. """
    + "Pumps are checked. " * 12
)
QUESTION = "How long does the wet clean take?"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Open the library of the test; `model` and `backend` are what the settings name."""
    held = []
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path / "library"))

    def make(backend="packaged", model=None, host=None):
        for name, value in (("BACKEND", backend), ("MODEL", model)):
            if value is None:
                monkeypatch.delenv(f"STRATA_EMBEDDING__{name}", raising=False)
            else:
                monkeypatch.setenv(f"STRATA_EMBEDDING__{name}", str(value))
        if host:
            monkeypatch.setenv("STRATA_LLM__HOST", host)
        for before in held:
            before.close()
        held[:] = [build(Settings.load(), warm=False)]
        return held[0]

    yield make
    for assistant in held:
        assistant.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a library made with the packaged model, closed."""
    folder = tmp_path_factory.mktemp("made")
    note = folder / "notes.md"
    note.write_text(NOTES, "utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(folder / "library"))
        assistant = build(Settings.load(), warm=False)
        (job,) = assistant.library.wait(assistant.library.ingest([note]))
        assistant.close()
    assert job.status == "done"
    return folder / "library"


@pytest.fixture
def filled(opened, made, tmp_path):
    """A copy of that library."""
    shutil.copytree(made, tmp_path / "library")
    return opened


def found(assistant):
    return [p.chunk.text for p in assistant.library.search(QUESTION, 3, legs=["semantic"]).leg("semantic")]


def chunks_of(assistant):
    return [
        c
        for d in assistant.library.contents.documents()
        for c in assistant.library.contents.chunks(document_id=d.id)
    ]
