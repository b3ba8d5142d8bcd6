"""Runs evaluations of retrieval beside the other work of a process, and keeps a record of each."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from core.domain import Document, Value, identify
from core.errors import EmptyFile, KnowledgeError, NotFound, Stopped, StrataError
from core.evaluation.retrieval_scores import (
    GoldQuestion,
    RetrievalEvaluator,
    read_questions,
)
from core.work.checks.evaluation_records import EvaluationRecords, over_file, question_set_digest, record_of

State = Literal["idle", "running", "done", "stopped", "failed"]


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
    """Runs one evaluation at a time in its own thread; every method may be called from any thread."""

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
        gold = read_questions(questions)[:most]
        evaluator = self._make()
        known, asked, about, over = self._known(evaluator, corpus, gold)
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
        self, evaluator: RetrievalEvaluator, corpus: str | None, questions: Sequence[GoldQuestion]
    ) -> tuple[dict[str, str], Sequence[GoldQuestion], str, str]:
        """Return chunk id -> record id, the questions with their gold as record ids, the name of what is
        searched and its fingerprint."""
        library = evaluator.knowledge
        if corpus is not None:
            path = library.original(corpus)
            if path is None:
                raise NotFound("The file of this corpus is no longer kept.")
            return evaluator.records(path), questions, library.document(corpus).name, over_file(path)
        documents = library.documents()
        called = {
            name.casefold(): document.id for document in reversed(documents) for name in _names(document)
        }
        read = [
            question._replace(gold=frozenset(called.get(g.casefold(), "") for g in question.gold) - {""})
            for question in questions
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
        questions: Sequence[GoldQuestion],
        known: dict[str, str],
        about: str,
        over: str,
    ) -> None:
        began = self._state.started

        def on_progress(leg: str, done: int, total: int) -> None:
            if self._ending.is_set():
                raise Stopped("the evaluation was stopped")
            self._state = self._state.model_copy(update={"leg": leg, "done": done, "total": total})

        try:
            found = evaluator.score(questions, known, on_progress=on_progress)
            record = self.records.keep(
                record_of(found, evaluator, began, about, question_set_digest(questions), over)
            )
        except Stopped:
            self._state = self._state.model_copy(update={"state": "stopped"})
        except StrataError as error:
            self._state = self._state.model_copy(
                update={"state": "failed", "message": str(error), "hint": error.hint}
            )
        else:
            total = self._state.total
            self._state = self._state.model_copy(
                update={"state": "done", "done": total, "record": record.name}
            )


def _names(document: Document) -> tuple[str, str, str]:
    return document.id, document.name, document.title
