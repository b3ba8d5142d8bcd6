"""A library of two small documents, and what the tests of feedback do with it."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Feedback, Report
from core.knowledge.learned.changes import Change
from core.settings import LLMSettings, Settings, StoreSettings
from tests.learning.papers import MANUAL, MEETING

QUESTION = "How long does the wet clean of a PE-300 chamber take?"
BETTER = "The wet clean of a PE-300 chamber takes 6.5 hours."
TAUGHT = (
    "verified_answers",
    "usefulness",
    "tag_pairs",
    "accepted_plans",
    "tags",
    "relations",
    "atoms",
    "gaps",
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two small documents, to be copied."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "manual.md").write_text(MANUAL, encoding="utf-8")
    (folder / "meeting.md").write_text(MEETING, encoding="utf-8")
    opened_file = opened(folder / "library")
    opened_file.library.wait(opened_file.library.ingest([folder / "manual.md", folder / "meeting.md"]))
    opened_file.close()
    return folder / "library"


def opened(folder: Path, host: str = "") -> Assistant:
    """Open a library, with a server's model where one is named."""
    llm = LLMSettings(backend="ollama", host=host) if host else LLMSettings(backend="built-in")
    return build(Settings(store=StoreSettings(path=folder), llm=llm), warm=False)


@pytest.fixture
def assistant(tmp_path: Path, template: Path) -> Iterator[Assistant]:
    """An assistant over a copy of the library, with the built-in engine."""
    opened_file = opened(Path(shutil.copytree(template, tmp_path / "library")))
    yield opened_file
    opened_file.close()


def ask(assistant: Assistant, question: str = QUESTION) -> Report:
    return assistant.questions.wait(assistant.questions.ask(question), 60)


def judge(
    assistant: Assistant, report: Report, verdict: str, target: str = "answer", correction: str = ""
) -> tuple[Change, ...]:
    given = {"run": report.run, "target": target, "verdict": verdict, "correction": correction}
    return assistant.learning.give_feedback(Feedback.model_validate(given))


def stored(assistant: Assistant) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of what feedback may change, as the database holds it."""
    with sqlite3.connect(assistant.library.path / "catalog.sqlite") as connection:
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TAUGHT}


def undone(assistant: Assistant, before: dict[str, list[tuple[object, ...]]], *changes: Change) -> bool:
    for change in reversed(changes):
        assert assistant.learning.undo(change.id).status == "undone"
    return stored(assistant) == before
