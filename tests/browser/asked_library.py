"""A library that is filled and asked before the app opens it: asking in a page costs ten times as much."""

from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from core.assistant import Assistant
from core.bootstrap import build
from core.settings import Settings, StoreSettings
from tests.forked import telling


def asked_library(library: Path, files: Sequence[Path], *conversations: Sequence[str]) -> list[str]:
    """Make the library in its own process; return each conversation's address, below the app's."""
    process, told = telling(_fill, library, files, conversations)
    addresses: list[str] = told.recv()
    process.join(60)
    return addresses


def _fill(
    library: Path, files: Sequence[Path], conversations: Sequence[Sequence[str]], told: Connection
) -> None:
    held = build(Settings(store=StoreSettings(path=library)), warm=False)
    jobs = held.library.wait(held.library.ingest(files), timeout=180)
    assert all(job.outcome == "read" for job in jobs), [(job.name, job.reason) for job in jobs]
    addresses = [_asked(held, questions) for questions in conversations]
    held.close()
    told.send(addresses)


def _asked(held: Assistant, questions: Sequence[str]) -> str:
    conversation = run = ""
    for question in questions:
        run = held.questions.ask(question, conversation=conversation)
        held.questions.wait(run, 60)
        conversation = held.questions.run(run).conversation
    return f"?conversation={conversation}&run={run}"
