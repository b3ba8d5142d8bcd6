"""Records of evaluations of answers (`strata eval qa`, `law`): one JSON file each beside the kept answers."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.domain import Value, identify
from core.evaluation.answer_log import AnswerLog, StoredAnswer
from core.knowledge.stores.whole_files import write_whole

ALL = "all"  # the group of all questions
SHOWN = ("accuracy", "partly", "score", "em", "f1")  # measures that are kept


class AnswerRecord(Value):
    """Scores of an evaluation of answers. `groups` is data set or task -> measure (0 to 1) -> value, with
    "all" for all of them; `counts` is how many questions of each were scored."""

    at: float  # seconds since the epoch
    of: str  # the file or folder of questions
    groups: dict[str, dict[str, float]]
    counts: dict[str, int]
    engines: tuple[str, ...] = ()  # that wrote the answers
    judge: str = ""


@dataclass(frozen=True)
class AnswerRecords:
    """The records kept in a folder: of the same questions, answers and judge the newest."""

    folder: Path

    def keep(self, log: str, record: AnswerRecord) -> None:
        """Write a record of the answers of a log; the one of the same questions and judge is replaced."""
        name = f"{log}-{identify(record.of, record.judge)[:8]}.json"
        write_whole(self.folder / name, record.model_dump_json(indent=2))

    def list(self) -> "Sequence[AnswerRecord]":
        """Return the records, newest first; a file that is none is passed over."""
        found = []
        for path in self.folder.glob("*.json"):
            try:
                found.append(AnswerRecord.model_validate_json(path.read_bytes()))
            except (OSError, ValidationError):
                continue
        return sorted(found, key=lambda record: (-record.at, record.of))


def keep_record(
    log: AnswerLog, of: str, rows: Sequence[StoredAnswer], result: Mapping[str, Any], judge: str | None
) -> None:
    """Record the scores of the answers of a log: `result` is measure -> value, and "datasets" group ->
    measures, each with the number of its "questions"."""
    found = {**result["datasets"], ALL: result}
    record = AnswerRecord(
        at=time.time(),
        of=of,
        groups={name: {key: one[key] for key in SHOWN if key in one} for name, one in found.items()},
        counts={name: one["questions"] for name, one in found.items()},
        engines=tuple(dict.fromkeys(row.engine for row in rows if row.engine)),
        judge=judge or "",
    )
    AnswerRecords(log.path.parent).keep(log.path.stem, record)
