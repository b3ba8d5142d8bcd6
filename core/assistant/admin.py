"""The installation: its health, its model server, its stores, its measurements."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.errors import LLMUnavailable
from core.evaluation.model_check import ModelCard
from core.evaluation.retrieval_scores import RetrievalEvaluator, evaluator_of
from core.knowledge.base import KnowledgeBase
from core.knowledge.maintenance.compaction import Compacted
from core.ports import PullProgress
from core.retrieval.gatherer import Gatherer
from core.tasks import ModelRole
from core.work.checks.answer_records import AnswerRecords
from core.work.checks.evaluation_records import EvaluationRecord
from core.work.checks.evaluations import Evaluation, Evaluator
from core.work.checks.health import Doctor, Health
from core.work.checks.model_cards import CheckProgress, ModelChecker
from core.work.checks.role_choices import RoleChoices


@dataclass(frozen=True)
class Admin:
    """What is set, what is there, what is missing, and how good the search is."""

    knowledge: KnowledgeBase
    doctor: Doctor
    evaluator: Evaluator  # scores retrieval beside the other work, and keeps the records
    gatherer: Callable[[], Gatherer]
    answer_records: AnswerRecords  # of evaluations of answers
    roles: RoleChoices
    checker: ModelChecker | None = None  # None where no model server is set

    def check_model(self, model: str) -> Iterator[CheckProgress]:
        """Probe a served model and ask it forty small tasks, telling how far it is. Raises LLMError."""
        if self.checker is None:
            raise LLMUnavailable(
                "No Ollama host is set.", hint="Set OLLAMA_HOST, for example http://127.0.0.1:11434."
            )
        return self.checker.check(model)

    def model_cards(self) -> tuple[ModelCard, ...]:
        """Return the cards of checked models, the newest first."""
        return self.checker.cards() if self.checker else ()

    def roles_named(self) -> dict[ModelRole, str]:
        """Return the models that the settings name, by role."""
        return dict(self.roles.named)

    def roles_chosen(self) -> dict[ModelRole, str]:
        """Return the models chosen on the Models page, by role."""
        return self.roles.chosen()

    def choose_role(self, role: ModelRole, model: str) -> None:
        """Let a served model do the role from the next call on; "" takes what the server has."""
        self.roles.choose(role, model)

    def health(self) -> Health:
        """Return the settings in effect, what the model server offers, and what is missing."""
        return self.doctor.check()

    def answering(self) -> tuple[str, tuple[str, ...]]:
        """Return the engine in use, "built-in" or a model's name, and the served models that could answer."""
        health = self.doctor.check()
        return health.engine, tuple(model.name for model in health.models if model.can("completion"))

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Fetch a model through Ollama, telling how far it is. Raises LLMError."""
        return self.doctor.pull(model)

    def compact(self) -> list[Compacted]:
        """Shrink the stores by the space deleted documents left; return each one's size before and after."""
        return self.knowledge.compact()

    def evaluate(
        self, name: str, stream: BinaryIO, corpus: str | None = None, most: int | None = None
    ) -> None:
        """Score retrieval on a JSONL of questions in the background; `evaluation` says how far it is.

        `corpus` is the id of a document that is a JSONL of records the gold ids name; without it they name
        documents. Raises ParseError, EmptyFile, NotFound, KnowledgeError.
        """
        with tempfile.TemporaryDirectory(prefix="strata-questions-") as folder:
            path = Path(folder) / (Path(name).name or "questions.jsonl")
            path.write_bytes(stream.read())
            self.evaluator.start(path, corpus, most)

    def evaluation(self) -> Evaluation:
        """Return how far the evaluation in the background is."""
        return self.evaluator.state()

    def evaluation_records(self) -> list[EvaluationRecord]:
        """Return the evaluations of retrieval that were kept, newest first."""
        return list(self.evaluator.records.list())

    def stop_evaluation(self) -> None:
        """End the evaluation in the background; nothing of it is kept."""
        self.evaluator.stop()

    def retrieval_scores(self) -> RetrievalEvaluator:
        """Return an evaluator of this library's search, for use in this thread."""
        return evaluator_of(self.gatherer())
