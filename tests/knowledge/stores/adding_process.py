"""Adds documents to a library without end, to be killed meanwhile."""

from multiprocessing.connection import Connection
from pathlib import Path

from core.knowledge.base import KnowledgeBase
from tests.knowledge.conftest import YIELD, entry_of, make_document

FILE = Path(__file__).parents[3] / "pyproject.toml"


def add_documents(folder: Path, told: Connection) -> None:
    """Say "open", then the id of each document once it is in."""
    library = KnowledgeBase(folder, "test")
    told.send("open")
    for number in range(1000):
        texts = [f"Passage {number} {place} about the chamber." for place in range(40)]
        prepared = make_document(f"Report {number}", texts, tables=[YIELD])
        library.keep_original(prepared.document.id, FILE)
        library.add(prepared, entry_of(prepared))
        told.send(prepared.document.id)
