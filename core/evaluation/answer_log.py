"""Answers of an evaluation, kept one by one, so that a run that was ended resumes where it stood."""

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field, ValidationError

from core.domain import Value, identify
from core.tasks import Grade


class JudgedAs(Value):
    """What a judge said of an answer."""

    grade: Grade
    reason: str = ""


class StoredAnswer(Value):
    """One question and what was answered; `judged` is judge -> what it said; `seconds` is wall time."""

    key: str
    group: str = ""  # data set, kind of question or task
    question: str
    golds: tuple[str, ...]
    answer: str
    engine: str = ""
    seconds: float = 0.0
    judged: dict[str, JudgedAs] = Field(default_factory=dict)


def key_of(question: str, golds: Iterable[str]) -> str:
    """Return the key of a question with its gold answers."""
    return identify(question, *golds)


class AnswerLog:
    """A JSONL file, an answer a line; of two lines with one key the later one holds."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, StoredAnswer]:
        """Return the stored answers by key. A line that was cut off while it was written is left out."""
        if not self.path.is_file():
            return {}
        stored: dict[str, StoredAnswer] = {}
        for line in self.path.read_text("utf-8", errors="replace").splitlines():
            try:
                row = StoredAnswer.model_validate_json(line)
            except ValidationError:
                continue
            stored[row.key] = row
        return stored

    def keep(self, row: StoredAnswer) -> None:
        """Add an answer, or what it became, and have it on disk before the next is asked."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            file.seek(0, 2)
            if file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n":  # what was cut off stays a line of its own
                    file.write(b"\n")
            line = json.dumps(row.model_dump(mode="json"), ensure_ascii=False)
            file.write(line.encode() + b"\n")
            file.flush()

    def clear(self) -> None:
        """Forget all of it."""
        self.path.unlink(missing_ok=True)
