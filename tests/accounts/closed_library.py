"""A library with a closed collection, and two people: one in its group, one not."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.accounts.account_file import AccountFile
from core.accounts.person import Person
from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Feedback
from core.settings import Settings, StoreSettings

MARK = "zyxomarq"  # is in the closed collection alone: title, file name, text, table, names, tags
OPEN = {
    "pump.md": "# Pump PE-300\n\nThe pump PE-300 moves 40 litres a minute. "
    "Mei Tanaka maintains the PE-300.\n\n"
    "## Service\n\nThe PE-300 is serviced each spring by Mei Tanaka in Dresden. "
    "Travel is booked by Rules of the Board, and by Shift rota 2024.\n",
    "shift rota 2024.md": "# Shift rota 2024\n\nThe morning shift begins at six.\n",
    "parts.csv": "part,weeks\nPN-1,14\nPN-2,9\nPN-3,21\n",
}
CLOSED = {
    "zyxomarq plan.md": "# Project Zyxomarq\n\nThe pump PE-300 (Zyxomarq) is to be sold to "
    "Zyxomarq Holding for 7 million euros. Mei Tanaka leads Project Zyxomarq in Dresden.\n\n"
    "## Zyxomarq budget\n\nThe budget of Project Zyxomarq is 912 thousand euros. See Pump PE-300.\n",
    "board rules.md": "# Rules of the Board\n\nZyxomarq travels first class.\n",  # an open document names it
    "zyxomarq rota.md": "# Shift rota 2024\n\nZyxomarq works at night.\n",  # called as an open one
    "zyxomarq pay.csv": "zyxomarq_name,salary\nZyxomarq One,5000\nZyxomarq Two,7000\nZyxomarq Three,9000\n",
}
OWN_WORDS = 'place = [{ en = "zyxomarq, pump, budget" }]'  # who sees all may write what is closed into them
Q = "What is the budget of Project Zyxomarq?"


@dataclass
class Place:
    """The library, who uses it, and what is known of the closed collection from inside."""

    whole: Assistant
    anna: Assistant  # in the group
    rita: Assistant  # not in it
    run: str
    known: dict[str, list[str]]


def ingested(assistant: Assistant, folder: Path, files: dict[str, str], collection: str) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    jobs = assistant.library.ingest([folder], collection)
    assert all(job.outcome in ("read", "known") for job in assistant.library.wait(jobs))


def other_name(assistant: Assistant, name: str, other: str) -> None:
    """Let a thing go by another name, as a model that read the closed collection would have it."""
    with assistant.library.knowledge.database.writing() as connection:
        held = connection.execute("SELECT id FROM entities WHERE name = ?", (name,)).fetchone()[0]
        connection.execute(
            "INSERT INTO entity_names (entity_id, name, key) VALUES (?, ?, ?)", (held, other, other.lower())
        )
        connection.execute("UPDATE entities SET aliases = ? WHERE id = ?", (f'["{other}"]', held))


def ask(assistant: Assistant, question: str, **more: object) -> str:
    run = assistant.questions.ask(question, **more)
    assistant.questions.wait(run, 120)
    return run


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("closed")
    built = build(Settings(store=StoreSettings(path=folder / "data")), warm=False)
    ingested(built, folder / "open", OPEN, "default")
    ingested(built, folder / "closed", CLOSED, "hr")
    other_name(built, "Mei Tanaka", "Agent Zyxomarq")
    file = AccountFile(folder / "data")
    file.add("anna", "admin", "correct horse battery", ["hr"])
    file.add("rita", "admin", "correct horse battery")
    file.close_collection("hr", ["hr"])
    built.library.change_words(OWN_WORDS)
    anna, rita = (built.of(file.book().person(name) or Person()) for name in ("anna", "rita"))
    run = ask(anna, Q)
    report = anna.questions.run(run).report
    assert report is not None and "912" in report.answer, report
    anna.learning.give_feedback(Feedback(run=run, target="answer", verdict="right"))
    anna.questions.share(anna.questions.run(run).conversation)
    contents = built.library.contents
    documents = [document.id for document in contents.documents()]
    chunks = [chunk.id for document in documents for chunk in contents.chunks(document)]
    known = {
        "documents": documents,
        "chunks": chunks,
        "sections": [section.id for document in documents for section in contents.sections(document)],
        "atoms": [atom.id for atom in contents.atoms(chunks)],
        "entities": [entity.id for entity in contents.entities(limit=1000)],
        "tables": [table.id for table in contents.tables()],
        "sql": [table.sql_name for table in contents.tables()],
        "jobs": [job.id for job in built.library.jobs()],
        "tags": [f"tag:{tag.tag_class}:{tag.name}" for tag in contents.tags()],
    }
    yield Place(built, anna, rita, run, known)
    built.close()
