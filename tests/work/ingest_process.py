"""Brings a folder into a library, to be killed meanwhile.

It submits the folder only where the library has no jobs yet, so a second run must continue the first's.
"""

from multiprocessing.connection import Connection
from pathlib import Path

from core.work.jobs.job_queue import JobQueue
from tests.ingest.ingestion_parts import WordEmbedder, ingestion


def ingest(library: Path, folder: Path, told: Connection | None = None) -> None:
    """Bring all in; say when the library is open."""
    into = ingestion(library, WordEmbedder(pause=0.05))
    runner = JobQueue(into.knowledge, into, batch=8)
    if told is not None:
        told.send("open")
    if not runner.list():
        runner.submit([folder])
    runner.wait(timeout=120)
    runner.close()
    into.knowledge.close()
