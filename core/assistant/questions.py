"""What may be asked of questions: ask, stop, work again, read what happened, write it down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.answering.answer_checking import AnswerChecker
from core.answering.document_contribution import Attribution, Attributor
from core.answering.understand import QuestionAnalysis
from core.domain import Edits, Effort, Level, Report, Scope
from core.errors import NotFound, QuestionError, StrataError
from core.export.run_export import Exporter
from core.flow.nodes import Nodes
from core.flow.preview import Preview
from core.flow.short_answers import exam_answer, short_answer
from core.forecast.extraction import NO_EXTRACTION, Extraction
from core.forecast.forecaster import Outlook
from core.forecast.induce import Grouping
from core.knowledge.stores.activity.conversations import ConversationStore
from core.knowledge.stores.activity.run_search import RunSearch
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.documents import visibility
from core.knowledge.stores.records import AT_WORK, Conversation, Run, RunCard, RunFilter
from core.tasks import Written
from core.text.tokens import detect_language
from core.trace import Asked, ProseExtracted, Stamped
from core.work.runs.compare_runs import compare, since_parent
from core.work.runs.run_changes import RunComparison
from core.work.runs.run_request import Request, Strategy
from core.work.runs.runner import Runner

STOP_SECONDS = 10.0  # seconds a run is given to end before its conversation is deleted


@dataclass(frozen=True)
class Questions:
    """Questions asked of the library, and the runs that answered them."""

    runner: Runner
    store: RunStore
    exporter: Exporter
    steps: Callable[[], Nodes]  # the steps of a question outside of a run: without events and budget

    # -- asking ----------------------------------------------------------------------------

    def ask(
        self,
        question: str,
        *,
        level: Level | None = None,
        scope: Scope | None = None,
        conversation: str | None = None,
        strategy: Strategy = "auto",
        effort: Effort | None = None,
        model: str = "",
        roles: Sequence[str] = (),
    ) -> str:
        """Start a run and return its id at once. `roles` speak in a council (L4). Raises QuestionError.

        `model`: the name of a served one, "built-in" for rules alone, "" for what the settings say.
        """
        if conversation and self.store.database.owner is not None and not self.owns(conversation):
            conversation = ""  # somebody else's, or one that is not there: this question begins one
        request = Request(
            question=question,
            level=level,
            scope=scope or Scope(),
            conversation=conversation or "",
            strategy=strategy,
            effort=effort,
            model=model,
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
        return self.runner.preview(run, edits, self.max_parts())

    def max_parts(self) -> int:
        """Return how many parts a plan has at most."""
        return self.steps().understander.max_parts

    def instruct(self, run: str, text: str) -> bool:
        """Tell a run in progress something more; False if it has ended. Raises QuestionError."""
        return self.runner.instruct(run, text)

    def compare(self, before: str, after: str) -> RunComparison:
        """Return the differences between two runs, and their reasons. Raises NotFound."""
        return compare(self.run(before), self.run(after), self.events(before), self.events(after))

    def shares(self, run: str) -> Attribution:
        """Return how much of a run's answer rests on each document. Raises NotFound, LLMError.

        What is left is checked by the built-in engine, without a call to a model.
        """
        report = self.run(run).report or Report(run=run, question="")
        attributor = Attributor(AnswerChecker(self.runner.plain))
        return attributor.attribute(report, detect_language(report.question))

    def events(self, run: str, after: int = -1) -> list[Stamped]:
        """Return the run's events after the one numbered `after`. Raises NotFound."""
        return self.store.events(run, after)

    def run(self, run: str) -> Run:
        """Return the run as it stands. Raises NotFound."""
        return self.store.get(run)

    def runs(self, conversation: str | None = None, limit: int = 50) -> list[Run]:
        """Return runs, newest first; those of one conversation oldest first, as it is read."""
        return self.store.list(conversation=conversation, limit=limit)

    def heads(self, conversation: str, limit: int = 50) -> Sequence[Run]:
        """Return a conversation's runs without their reports, oldest first."""
        return self.store.heads(conversation, limit)

    def find_runs(self, wanted: RunFilter, limit: int = 20, offset: int = 0) -> tuple[Sequence[RunCard], int]:
        """Return a page of the runs that are wanted, newest first, and how many there are."""
        return RunSearch(self.store.database).find(wanted, limit, offset)

    def engines(self) -> Sequence[str]:
        """Return the engines that answered so far."""
        return RunSearch(self.store.database).engines()

    def conversations(self, limit: int = 50, words: str = "") -> list[Conversation]:
        """Return conversations, the one spoken last first; with words, those that hold each of them."""
        return list(ConversationStore(self.store.database).list(limit, words))

    def title(self, conversation: str) -> str:
        """Return a conversation's title. Raises NotFound."""
        return ConversationStore(self.store.database).title(conversation)

    def rename(self, conversation: str, title: str) -> None:
        """Call a conversation by this title; with "", by its first question again. Raises NotFound."""
        self._must_own(conversation)
        ConversationStore(self.store.database).rename(conversation, title)

    def delete_conversation(self, conversation: str) -> None:
        """Delete a conversation and its runs; what they taught stays. One that is going is stopped first.

        Raises QuestionError where a run does not end in time.
        """
        self._must_own(conversation)
        for run in self.heads(conversation, limit=1000):
            if run.status in AT_WORK:
                self.runner.stop(run.id)
                self._ended(run.id)
        ConversationStore(self.store.database).delete(conversation)

    def owns(self, conversation: str) -> bool:
        """Say whether it is one's own conversation, to be gone on with, named, shared and deleted."""
        return visibility.owns(self.store.database, conversation)

    def share(self, conversation: str, on: bool = True) -> None:
        """Let others read a conversation, those who see all that it could see. Raises NotFound."""
        self._must_own(conversation)
        visibility.share(self.store.database, conversation, on)

    def shared(self, conversation: str) -> bool:
        """Say whether others may read a conversation."""
        return visibility.shared(self.store.database, conversation)

    def _must_own(self, conversation: str) -> None:
        if self.store.database.owner is not None and not self.owns(conversation):
            raise NotFound(f"there is no conversation {conversation} of yours")

    def _ended(self, run: str) -> None:
        try:
            self.runner.wait(run, STOP_SECONDS)
        except TimeoutError as error:
            raise QuestionError("A run of it is still going.", hint="Try again in a moment.") from error
        except StrataError:  # it failed, so it has ended
            return

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
        earlier = self.run(run)
        asked = next((e.event for e in self.events(run) if isinstance(e.event, Asked)), None)
        question = earlier.report.read_as or earlier.question if earlier.report else earlier.question
        passages = earlier.report.passages if earlier.report else ()
        scope = asked.scope if asked else Scope()
        forecaster, language = self.steps().forecaster, detect_language(question)
        read = [e.event for e in self.events(run) if isinstance(e.event, ProseExtracted)]
        known = Extraction(read[-1].rows, read[-1].events) if read else NO_EXTRACTION
        return forecaster.forecast(question, passages, scope, language, grouping, known=known)

    # -- written down ----------------------------------------------------------------------

    def export_markdown(self, run: str) -> str:
        """Return the run's report and trace as Markdown."""
        return self.exporter.markdown(self.run(run), self.events(run), since_parent(self.store, run))

    def export_html(self, run: str) -> str:
        """Return the run as one HTML file that opens offline."""
        return self.exporter.html(self.run(run), self.events(run), since_parent(self.store, run))

    # -- single steps, to be looked at and scored --------------------------------------------

    def read(self, question: str, effort: Effort = "balanced") -> QuestionAnalysis:
        """Say how the question would be read, without asking it. Raises LLMError."""
        understander = self.steps().understander
        return understander.read(question, (), Scope(), detect_language(question), effort)

    def short_answer(self, question: str) -> str:
        """Return a name, a number or a phrase, "" for nothing, without keeping a run. Raises LLMError."""
        return short_answer(self.steps(), question)

    def examination_answer(self, instruction: str, question: str) -> Written:
        """Return an answer in the form the instruction asks for, "" for none. Raises LLMError."""
        return exam_answer(self.steps(), instruction, question)

    def close(self) -> None:
        """End the runs that still go; what they found is kept."""
        self.runner.close()
