"""A desk over the small library, and a run on it that can be worked on again."""

from collections.abc import Callable, Iterator

import pytest

from core.domain import Edits, Level, Report
from core.llm.extractive import ExtractiveLLM
from core.ports import LLM
from tests.flow.conftest import Library, library  # noqa: F401
from tests.work.desk import CHAIN, PARTS, Counting, Desk


@pytest.fixture
def desk(library: Library) -> Iterator[Callable[..., Desk]]:  # noqa: F811
    made: list[Desk] = []

    def build(llm: LLM | None = None, generation: Callable[[], int] = lambda: 0) -> Desk:
        made.append(Desk(library, llm or ExtractiveLLM(), generation))
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
