"""Brings a folder into a library in a process of its own: `ingest_process LIBRARY FOLDER`.

It submits the folder only where the library has no jobs yet, so a second run must go on with the first's.
"""

import sys
from pathlib import Path

from core.work.jobs.job_queue import JobQueue
from tests.ingest.ingestion_parts import WordEmbedder, ingestion


def main(library: Path, folder: Path) -> None:
    into = ingestion(library, WordEmbedder(pause=0.05))
    runner = JobQueue(into.knowledge, into, batch=8)
    sys.stdout.write("open\n")
    sys.stdout.flush()
    if not runner.list():
        runner.submit([folder])
    runner.wait(timeout=120)
    runner.close()
    into.knowledge.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
