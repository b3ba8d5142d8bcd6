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
    process, output = telling(_fill, library, files, conversations)
    addresses: list[str] = output.recv()
    process.join(60)
    return addresses


def _fill(
    library: Path, files: Sequence[Path], conversations: Sequence[Sequence[str]], told: Connection
) -> None:
    assistant = build(Settings(store=StoreSettings(path=library)), warm=False)
    jobs = assistant.library.wait(assistant.library.ingest(files), timeout=180)
    assert all(job.outcome == "read" for job in jobs), [(job.name, job.reason) for job in jobs]
    addresses = [_asked(assistant, questions) for questions in conversations]
    assistant.close()
    told.send(addresses)


def _asked(assistant: Assistant, questions: Sequence[str]) -> str:
    conversation = run = ""
    for question in questions:
        run = assistant.questions.ask(question, conversation=conversation)
        assistant.questions.wait(run, 60)
        conversation = assistant.questions.run(run).conversation
    return f"?conversation={conversation}&run={run}"
