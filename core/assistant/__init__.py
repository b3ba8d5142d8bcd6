"""What a page or a terminal may ask: ingest, ask, stop, look through, give feedback, export."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.answering.answer import Synthesiser
from core.answering.attribution import Attribution, Attributor
from core.answering.review import Verifier
from core.answering.suggestions import Suggester
from core.assistant.learning import Learning
from core.domain import Box, Edits, Feedback, Level, Plan, Report, Scope
from core.evaluation.examiner import LEGS, Examined, Examiner, LegName
from core.export.page_image import Illustrator
from core.export.run_export import Exporter
from core.flow.nodes import Nodes
from core.flow.preview import Preview
from core.flow.short_answer import brief
from core.forecast.forecaster import Outlook
from core.forecast.induce import Grouping
from core.ingest.mappings import Mappings
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change
from core.knowledge.stores.records import Conversation, Job, Removal, Run
from core.learning.workshop import Workshop
from core.ports import PullProgress, Tell
from core.retrieval.retriever import Kind
from core.tasks import Gated
from core.text.tokens import detect_language
from core.trace import Asked, Stamped
from core.work.compare_runs import compare, since_parent
from core.work.comparison import Comparison
from core.work.evaluations import Evaluator
from core.work.health import Doctor, Health
from core.work.job_queue import JobRunner, Pace
from core.work.reembed import Reembedding
from core.work.runner import Request, Runner, Strategy, readable


@dataclass(frozen=True)
class Assistant:
    """The one door for every reader. It holds no conversation of its own and may be shared by threads."""

    library: KnowledgeBase
    runner: Runner
    queue: JobRunner
    doctor: Doctor
    illustrator: Illustrator
    exporter: Exporter
    suggester: Suggester
    nodes: Callable[[Tell], Nodes]  # steps outside of a run: for scoring, without a budget
    reembedding: Reembedding | None  # the library's change to another embedding model
    evaluator: Evaluator  # scores retrieval beside the other work, and keeps the records
    mappings: Mappings  # how machine files are read
    learning: Learning  # what readers taught, and what came of it
    workshop: Workshop  # walks, training data and training runs
    closing: Callable[[], None]

    # -- asking ----------------------------------------------------------------------------

    def ask(
        self,
        question: str,
        *,
        level: Level | None = None,
        scope: Scope | None = None,
        conversation: str | None = None,
        strategy: Strategy = "auto",
        roles: Sequence[str] = (),
    ) -> str:
        """Start a run and return its id at once; `roles` speak in a council (L4). Raises QuestionError."""
        request = Request(
            question=question,
            level=level,
            scope=scope or Scope(),
            conversation=conversation or "",
            strategy=strategy,
            roles=tuple(roles),
        )
        return self.runner.start(request)

    def rerun(self, run: str, edits: Edits) -> str:
        """Work on a run's question again with the reader's edits and return the new run's id at once.

        Only what an edit can reach is worked on anew. Raises NotFound, or QuestionError while it still goes.
        """
        return self.runner.rerun(run, edits)

    def preview(self, run: str, edits: Edits) -> Preview:
        """Say which parts `rerun` would work on anew; nothing is searched. Raises NotFound."""
        return self.runner.preview(run, edits, self._quiet().planner.most)

    def instruct(self, run: str, text: str) -> bool:
        """Tell a run in progress something more; False if it has ended. Raises QuestionError."""
        return self.runner.instruct(run, text)

    def compare(self, before: str, after: str) -> Comparison:
        """Say what differs between two runs, and why. Raises NotFound."""
        return compare(self.run(before), self.run(after), self.events(before), self.events(after))

    def shares(self, run: str) -> Attribution:
        """Return how much of a run's answer rests on each document. Raises NotFound, LLMError.

        An answer of the built-in engine is written again without each document; that of a model, where this
        would take long, is only checked again, by the built-in engine.
        """
        report = self.run(run).report or Report(run=run, question="")
        plain, written = self.runner.plain, report.engine == "built-in"
        again = Synthesiser(plain) if written and not (report.council or report.forecast) else None
        return Attributor(Verifier(plain), again).attribute(report, detect_language(report.question))

    def events(self, run: str, after: int = -1) -> list[Stamped]:
        """Return what happened in the run after the event numbered `after`. Raises NotFound."""
        return self.library.runs.events(run, after)

    def run(self, run: str) -> Run:
        """Return the run as it stands. Raises NotFound."""
        return self.library.runs.get(run)

    def runs(self, conversation: str | None = None, limit: int = 50) -> list[Run]:
        """Return runs, newest first; those of one conversation oldest first, as it is read."""
        return self.library.runs.list(conversation=conversation, limit=limit)

    def conversations(self, limit: int = 50) -> list[Conversation]:
        """Return conversations, the one spoken last first."""
        return list(self.library.runs.conversations(limit))

    def stop(self, run: str) -> None:
        """End the run; what was written so far is kept."""
        self.runner.stop(run)

    def answer_now(self, run: str) -> None:
        """Answer with the evidence found so far."""
        self.runner.answer_now(run)

    def wait(self, run: str, timeout: float | None = None) -> Report:
        """Wait for the run's end and return its report. Raises TimeoutError or the error that ended it."""
        return self.runner.wait(run, timeout)

    def forecast_again(self, run: str, grouping: Grouping) -> Outlook:
        """Forecast the run's question anew with another grouping or horizon. Raises NotFound, QueryError."""
        kept = self.run(run)
        asked = next((e.event for e in self.events(run) if isinstance(e.event, Asked)), None)
        question = kept.report.read_as or kept.question if kept.report else kept.question
        passages = kept.report.passages if kept.report else ()
        scope = asked.scope if asked else Scope()
        forecaster, language = self._quiet().forecaster, detect_language(question)
        return forecaster.forecast(question, passages, scope, language, grouping)

    # -- the library -----------------------------------------------------------------------

    def ingest(self, paths: Sequence[Path], collection: str = "default") -> list[str]:
        """Queue files and folders; return the ids of the jobs."""
        return self.queue.submit(paths, collection)

    def upload(self, name: str, stream: BinaryIO, collection: str = "default") -> str:
        """Keep the bytes in the library's folder and queue them under `name`; return the job's id."""
        return self.queue.upload(name, stream, collection)

    def jobs(self, limit: int = 100) -> list[Job]:
        """Return ingestion jobs, newest first; before them a change of the embedding model."""
        held = [self.reembedding.job()] if self.reembedding is not None else []
        return [*held, *self.queue.list(limit)]

    def coming(self) -> int:
        """Return how many files are on their way in and cannot be searched yet."""
        return self.queue.coming()

    def pace(self, job: str) -> Pace:
        """Return how fast the job goes, what its stage still takes, when it last moved. Raises NotFound."""
        return self.queue.pace(job)

    def cancel(self, job: str) -> None:
        self._worker(job).cancel(job)

    def pause(self, job: str) -> None:
        self._worker(job).pause(job)

    def resume(self, job: str) -> None:
        self._worker(job).resume(job)

    def retry(self, job: str) -> None:
        self._worker(job).retry(job)

    def _worker(self, job: str) -> JobRunner | Reembedding:
        change = self.reembedding
        return change if change is not None and change.job().id == job else self.queue

    def drop_old_vectors(self) -> int:
        """Delete the vectors of embedding models that serve no more; return of how many models."""
        old = self.library.embeddings.old()
        for model in old:
            self.library.embeddings.drop(model.digest)
        return len(old)

    def remove(self, document_id: str) -> Removal:
        """Remove the document and everything made from it. Raises NotFound."""
        return self.library.remove(document_id)

    def suggestions(self, n: int = 4) -> list[str]:
        """Return questions the library can answer."""
        return self.suggester.suggest(n)

    # -- reading ---------------------------------------------------------------------------

    def give_feedback(self, feedback: Feedback) -> tuple[Change, ...]:
        """Keep the feedback and return the changes it made. Raises FeedbackError, NotFound."""
        return self.learning.take(feedback)

    def feedback(self, run: str) -> list[Feedback]:
        return list(self.library.feedback.list(run))

    def page_image(
        self, document_id: str, page: int, boxes: Sequence[Box] = (), width: int = 900
    ) -> bytes | None:
        """Return the page (0-based) as PNG with the boxes drawn, or None if the format has no pages."""
        return self.illustrator.page(document_id, page, boxes, width)

    def export_markdown(self, run: str) -> str:
        """Return the run's report and trace as Markdown."""
        return self.exporter.markdown(self.run(run), self.events(run), since_parent(self.library.runs, run))

    def export_html(self, run: str) -> str:
        """Return the run as one HTML file that opens offline."""
        return self.exporter.html(self.run(run), self.events(run), since_parent(self.library.runs, run))

    # -- single steps, to be looked at and scored --------------------------------------------

    def search(
        self,
        question: str,
        limit: int = 10,
        scope: Scope | None = None,
        kind: Kind = "factual",
        without: Sequence[str] = (),
        legs: Sequence[LegName] = LEGS,
    ) -> Examined:
        """Return what each leg of retrieval finds for the question and why, with times; no run is kept.

        `without` names parts to leave out (`core.evaluation.examiner.PARTS`), to see what they are worth.
        Raises QuestionError, KnowledgeError, LLMError.
        """
        asked = readable(question)
        return Examiner(self._quiet().gatherer).examine(asked, limit, scope or Scope(), kind, without, legs)

    def evaluate(
        self, name: str, stream: BinaryIO, corpus: str | None = None, most: int | None = None
    ) -> None:
        """Score retrieval on a JSONL of questions in the background; `evaluator` says how far it is.

        `corpus` is the id of a document that is a JSONL of records the gold ids name; without it they name
        documents. Raises ParseError, EmptyFile, NotFound, KnowledgeError.
        """
        with tempfile.TemporaryDirectory(prefix="strata-questions-") as folder:
            path = Path(folder) / (Path(name).name or "questions.jsonl")
            path.write_bytes(stream.read())
            self.evaluator.start(path, corpus, most)

    def gate(self, question: str) -> Gated:
        """Say whether the question is composite. Raises LLMError."""
        return self._quiet().gatekeeper.decide(question, detect_language(question))

    def plan(self, question: str) -> Plan:
        """Return the plan of a question, whatever the gate would say. Raises LLMError."""
        return self._quiet().planner.plan(question, detect_language(question)).plan

    def short_answer(self, question: str) -> str:
        """Return a name, a number or a phrase, "" for nothing, without keeping a run. Raises LLMError."""
        return brief(self._quiet(), question)

    def _quiet(self) -> Nodes:
        return self.nodes(lambda event: None)

    # -- the house itself ------------------------------------------------------------------

    def health(self) -> Health:
        """Say what is set, what the model server offers and what is missing."""
        return self.doctor.examine()

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Fetch a model through Ollama, telling how far it is. Raises LLMError."""
        return self.doctor.pull(model)

    def close(self) -> None:
        """End the workers and give the library back."""
        self.learning.close()
        self.runner.close()
        self.queue.close()
        self.closing()
