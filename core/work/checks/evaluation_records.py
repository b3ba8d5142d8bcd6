"""Records of evaluations of retrieval: one JSON file each in the library's folder.

So the terminal can write one without opening the library, and two can be compared whenever they were made.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from core.domain import Value, identify
from core.errors import NotFound, ParseError, StrataError
from core.evaluation.retrieval_scores import (
    GoldQuestion,
    RetrievalEvaluator,
    RetrievalScores,
    changes,
)
from core.knowledge.stores.whole_files import write_whole


class EvaluationRecord(Value):
    """What one evaluation found. `name` is that of its file; `legs` is leg -> measure -> value."""

    name: str = ""
    at: float = 0.0  # seconds since the epoch
    corpus: str = ""
    questions: int
    legs: dict[str, dict[str, float]]
    chunks: int = 0
    embedder: str = ""
    reranker: str = ""
    seconds: float = 0.0
    asked: str = ""  # fingerprint of the questions and their gold; "" in records of older versions
    over: str = ""  # fingerprint of the corpus' file, or of the documents of the library

    def scores(self) -> dict[str, object]:
        """Return only what was measured: {"questions": n, "legs": {leg: measures}}."""
        return self.model_dump(include={"questions", "legs"})


def record_of(
    found: RetrievalScores, evaluator: RetrievalEvaluator, began: float, corpus: str, question: str, over: str
) -> EvaluationRecord:
    """Return the record of an evaluation that `began` (seconds since the epoch) and has just ended."""
    return EvaluationRecord(
        at=began,
        corpus=corpus,
        questions=found.questions,
        legs=found.legs,
        chunks=found.chunks,
        embedder=evaluator.retriever.embedder.name,
        reranker=evaluator.reranker.name,
        seconds=round(time.time() - began, 3),
        asked=question,
        over=over,
    )


def grown(before: EvaluationRecord, after: EvaluationRecord) -> dict[str, dict[str, float]]:
    """Return leg -> measure -> how much it grew."""
    return changes(before.scores(), after.scores())


def question_set_digest(questions: Iterable[GoldQuestion]) -> str:
    """Return the fingerprint of a set of questions with their gold, whatever their order."""
    return identify(*sorted(f"{each.text}\x1f{chr(31).join(sorted(each.gold))}" for each in questions))


def over_file(corpus: Path) -> str:
    """Return the fingerprint of a corpus' file."""
    with corpus.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:20]


def differences(before: EvaluationRecord, after: EvaluationRecord) -> tuple[str, ...]:
    """Return why the figures of two records must not be compared as they stand; () where they may.

    Two evaluations measure the same only over the same questions and the same passages. Records of older
    versions do not say which; then names and numbers are compared, and the reason says so.
    """
    found = []
    if (before.asked and after.asked and before.asked != after.asked) or before.questions != after.questions:
        counts = f"{before.questions:,} then, {after.questions:,} now"
        found.append(
            f"The questions are not the same ({counts})."
            if before.questions != after.questions
            else f"The questions are not the same, though both times {after.questions:,} were asked."
        )
    if before.over and after.over:
        if before.over != after.over:
            same = before.corpus == after.corpus
            names = (
                f"{after.corpus} has changed since" if same else f"{before.corpus} then, {after.corpus} now"
            )
            found.append(f"The passages searched are not the same ({names}).")
        elif before.chunks != after.chunks:
            found.append(
                f"The corpus is cut otherwise ({before.chunks:,} chunks then, {after.chunks:,} now)."
            )
    elif before.corpus != after.corpus or before.chunks != after.chunks:
        found.append(
            f"The passages searched are not the same ({before.corpus or '?'} with {before.chunks:,} chunks "
            f"then, {after.corpus or '?'} with {after.chunks:,} now)."
        )
    if not found and not (before.asked and after.asked and before.over and after.over):
        found.append("An older record does not say what was asked; questions and corpus may differ.")
    return tuple(found)


@dataclass(frozen=True)
class EvaluationRecords:
    """The records kept in a folder."""

    folder: Path

    def keep(self, record: EvaluationRecord) -> EvaluationRecord:
        """Write a record; return it with its name."""
        stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in Path(record.corpus).stem)[:60]
        base = f"{datetime.fromtimestamp(record.at):%Y%m%d-%H%M%S}-{stem or 'library'}"
        name, more = base, 2
        while (self.folder / f"{name}.json").exists():
            name, more = f"{base}-{more}", more + 1
        named = record.model_copy(update={"name": name})
        write_whole(self.folder / f"{name}.json", named.model_dump_json(indent=2))
        return named

    def list(self) -> "Sequence[EvaluationRecord]":
        """Return the records, newest first; a file that is none is passed over."""
        found = []
        for path in self.folder.glob("*.json"):
            try:
                found.append(read_record(path))
            except StrataError:
                continue
        return sorted(found, key=lambda record: (-record.at, record.name))

    def get(self, name: str) -> EvaluationRecord:
        """Return a record by its name, or by the path of a file. Raises NotFound, ParseError."""
        stored = self.folder / f"{Path(name).name.removesuffix('.json')}.json"
        path = stored if stored.is_file() else Path(name)
        if not path.is_file():
            raise NotFound(f"there is no record {name}", hint="`strata eval records` lists those there are.")
        return read_record(path)

    def drop(self, name: str) -> None:
        """Delete a record; raises NotFound."""
        path = self.folder / f"{Path(name).name}.json"
        if not path.is_file():
            raise NotFound(f"there is no record {name}")
        path.unlink()


def read_record(path: Path) -> EvaluationRecord:
    """Return the record in a file. Raises ParseError for a file that holds none."""
    try:
        value = json.loads(path.read_text("utf-8"))
        record = EvaluationRecord.model_validate(value)
    except (ValueError, ValidationError) as error:
        raise ParseError(
            f"{path.name} is no record of an evaluation.", hint="Give a file that --record wrote."
        ) from error
    return record if record.name else record.model_copy(update={"name": path.stem})
