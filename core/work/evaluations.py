"""Evaluations of retrieval: their records, and runs of them beside the other work of a process.

A record is one JSON file in the library's folder, so that the terminal can write it without opening the
library, and two can be compared whenever they were made.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from core.domain import Document, Value, identify
from core.errors import EmptyFile, KnowledgeError, NotFound, ParseError, Stopped, StrataError
from core.evaluation.retrieval_scores import (
    Question,
    RetrievalEvaluator,
    RetrievalScores,
    changes,
    read_questions,
)

_BUG = "This is a fault in Strata: please report it with what stands in the log."
State = Literal["idle", "running", "done", "stopped", "failed"]


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
    found: RetrievalScores, evaluator: RetrievalEvaluator, began: float, corpus: str, asked: str, over: str
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
        asked=asked,
        over=over,
    )


def grown(before: EvaluationRecord, after: EvaluationRecord) -> dict[str, dict[str, float]]:
    """Return leg -> measure -> how much it grew."""
    return changes(before.scores(), after.scores())


def asked_of(questions: Iterable[Question]) -> str:
    """Return the fingerprint of a set of questions with their gold, whatever their order."""
    return identify(*sorted(f"{each.text}\x1f{chr(31).join(sorted(each.gold))}" for each in questions))


def over_file(corpus: Path) -> str:
    """Return the fingerprint of a corpus' file."""
    with corpus.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:20]


def differences(before: EvaluationRecord, after: EvaluationRecord) -> tuple[str, ...]:
    """Return why the figures of two records must not be compared as they stand; () where they may.

    Two evaluations measure the same only over the same questions and the same passages. Records of older
    versions do not say which; then the names and the numbers are compared, and that is told.
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
        self.folder.mkdir(parents=True, exist_ok=True)
        base = f"{datetime.fromtimestamp(record.at):%Y%m%d-%H%M%S}-{stem or 'library'}"
        name, more = base, 2
        while (self.folder / f"{name}.json").exists():
            name, more = f"{base}-{more}", more + 1
        named = record.model_copy(update={"name": name})
        (self.folder / f"{name}.json").write_text(named.model_dump_json(indent=2), "utf-8")
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
        kept = self.folder / f"{Path(name).name.removesuffix('.json')}.json"
        path = kept if kept.is_file() else Path(name)
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


class Evaluation(Value):
    """How far an evaluation is. `done` and `total` count searches."""

    state: State = "idle"
    leg: str = ""
    done: int = 0
    total: int = 0
    record: str = ""  # the name of what was kept
    message: str = ""
    hint: str = ""
    started: float = 0.0


class Evaluator:
    """Runs one evaluation at a time in a thread of its own; every method may be called from any thread."""

    def __init__(self, make: Callable[[], RetrievalEvaluator], records: EvaluationRecords) -> None:
        self._make = make
        self.records = records
        self._lock = threading.Lock()
        self._state = Evaluation()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def state(self) -> Evaluation:
        """Return how far the last evaluation is."""
        return self._state

    def start(self, questions: Path, corpus: str | None = None, most: int | None = None) -> None:
        """Evaluate the questions of a JSONL file over the library.

        `corpus` is the id of a document that is a JSONL of records: then gold ids are the ids of its
        records. Without it they are names, titles or ids of documents. Raises ParseError, EmptyFile,
        NotFound; KnowledgeError while one is running.
        """
        given = read_questions(questions)[:most]
        evaluator = self._make()
        known, asked, about, over = self._known(evaluator, corpus, given)
        with self._lock:
            if self._state.state == "running":
                raise KnowledgeError("An evaluation is running.", hint="Wait for its end, or stop it.")
            self._ending.clear()
            self._state = Evaluation(state="running", started=time.time())
            self._thread = threading.Thread(
                target=self._run, args=(evaluator, asked, known, about, over), name="evaluation", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """End the evaluation; nothing of it is kept."""
        self._ending.set()

    def close(self) -> None:
        """Stop and wait for the thread; closing twice does no harm."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def wait(self, timeout: float | None = None) -> Evaluation:
        """Return the state at the evaluation's end, or after `timeout` seconds."""
        if self._thread is not None:
            self._thread.join(timeout)
        return self._state

    def _known(
        self, evaluator: RetrievalEvaluator, corpus: str | None, asked: Sequence[Question]
    ) -> tuple[dict[str, str], Sequence[Question], str, str]:
        """Return chunk id -> record id, the questions with their gold as record ids, the name of what is
        searched and its fingerprint."""
        library = evaluator.knowledge
        if corpus is not None:
            path = library.original(corpus)
            if path is None:
                raise NotFound("The file of this corpus is no longer kept.")
            return evaluator.records(path), asked, library.document(corpus).name, over_file(path)
        documents = library.documents()
        called = {
            name.casefold(): document.id for document in reversed(documents) for name in _names(document)
        }
        read = [
            question._replace(gold=frozenset(called.get(g.casefold(), "") for g in question.gold) - {""})
            for question in asked
        ]
        read = [question for question in read if question.gold]
        if not read:
            raise EmptyFile(
                "None of the gold ids is the name, the title or the id of a document in the library.",
                hint="Each line is an object with question and gold_ids, for example "
                '{"question": "…", "gold_ids": ["manual.pdf"]}.',
            )
        known = {
            chunk.id: document.id
            for document in documents
            for chunk in library.chunks(document_id=document.id)
        }
        return known, read, "library", identify(*sorted(document.id for document in documents))

    def _run(
        self,
        evaluator: RetrievalEvaluator,
        asked: Sequence[Question],
        known: dict[str, str],
        about: str,
        over: str,
    ) -> None:
        began = self._state.started

        def told(leg: str, done: int, total: int) -> None:
            if self._ending.is_set():
                raise Stopped("the evaluation was stopped")
            self._state = self._state.model_copy(update={"leg": leg, "done": done, "total": total})

        try:
            found = evaluator.score(asked, known, told=told)
            kept = self.records.keep(record_of(found, evaluator, began, about, asked_of(asked), over))
        except Stopped:
            self._state = self._state.model_copy(update={"state": "stopped"})
        except StrataError as error:
            self._state = self._state.model_copy(
                update={"state": "failed", "message": str(error), "hint": error.hint}
            )
        else:
            total = self._state.total
            self._state = self._state.model_copy(update={"state": "done", "done": total, "record": kept.name})


def _names(document: Document) -> tuple[str, str, str]:
    return document.id, document.name, document.title
