"""A queue over a small library of its own: the files to put in, and what is asked of it."""

import time
from collections.abc import Callable
from pathlib import Path

from core.knowledge.stores.records import Job
from core.work.jobs.job_queue import JobQueue

Make = Callable[..., JobQueue]


def stop(runner: JobQueue) -> None:
    runner.close()
    runner.knowledge.close()  # type: ignore[attr-defined]


def counts(runner: JobQueue) -> dict[str, int]:
    found: dict[str, int] = runner.knowledge.counts()  # type: ignore[attr-defined]
    return found


def notes(folder: Path, number: int, sections: int = 3) -> Path:
    for n in range(number):
        more = ("", "It leaked oil.", "A bearing ran noisy and hot.", "Its filter was clogged since May.")
        body = "".join(f"## Part {s}\nPump {n} of tool ETCH-0{s} ran. {more[s]}\n" for s in range(sections))
        path = folder / f"note{n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {n}\n{body}")
    return folder


def long_file(path: Path, passages: int = 700) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"# Passage {n}\nThe pump number {n} ran {n} hours.\n" for n in range(passages)))
    return path


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def job(runner: JobQueue, name: str) -> Job:
    return next(each for each in runner.list() if each.name == name)


def embedding(runner: JobQueue, job_id: str) -> bool:
    return runner.get(job_id).stage == "embed" and runner.get(job_id).done > 0
