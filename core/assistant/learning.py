"""What a page or a terminal may do with what was learnt: see it, undo it, ask again, test the library."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import Feedback
from core.errors import FeedbackError, mark
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change, ChangeStatus
from core.knowledge.learned.gaps import Gap, GapStatus, Update
from core.knowledge.learned.tag_pairs import LearntPair
from core.knowledge.learned.verified_answers import VerifiedAnswer
from core.learning.effects import checked_set
from core.learning.feedback import Learner
from core.learning.gap_finder import Backlog
from core.learning.self_update import Updater
from core.learning.selftest import Fall, SelfTest, SelfTester, falls
from core.learning.tag_classes import TagClassifier
from core.learning.training_workspace import TrainingWorkspace
from core.retrieval.gatherer import Gatherer
from core.tasks import TagClass
from core.text.tokens import normal
from core.work.runs.background_reasking import Reasker

MAX_TAGS = 2000  # of the library, the most used, that a phrase may stand for


@dataclass(frozen=True)
class Learning:
    """The learning side of the assistant."""

    knowledge: KnowledgeBase
    learner: Learner
    updater: Updater
    backlog: Backlog
    tester: SelfTester
    reasker: Reasker
    training_workspace: TrainingWorkspace  # trajectories, training data and training runs
    gatherer: Callable[[], Gatherer]  # the search of a question, outside of a run
    tag_classes: TagClassifier

    def give_feedback(self, feedback: Feedback) -> tuple[Change, ...]:
        """Keep feedback and make the changes it asks for. Raises FeedbackError, NotFound."""
        return self.learner.take(feedback)

    def feedback(self, run: str) -> list[Feedback]:
        """Return the feedback given to a run and not taken back."""
        return list(self.knowledge.feedback.list(run))

    def taught(self, run: str) -> list[Change]:
        """Return the changes in force that feedback on this run made."""
        numbers = [entry.number for entry in self.knowledge.feedback.history(run) if not entry.undone]
        changes = self.knowledge.learned.changes
        return [change for number in numbers for change in changes.list("active", feedback=number)]

    def tag_pairs(self) -> list[LearntPair]:
        """Return how words are read: what was said, what the library calls it, who taught it."""
        return self.knowledge.tag_pairs()

    def keep_pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Let words be read by these (said, meant) pairs and by no others. Raises FeedbackError.

        Nothing is changed where one of them is no pair.
        """
        if wrong := [
            phrase for phrase, meant in pairs if not phrase or not meant or normal(phrase) == normal(meant)
        ]:
            raise FeedbackError(
                mark("{said!r} is no pair.").format(said=wrong[0]),
                hint=mark("A pair needs two different terms, what is said and what is meant: said = meant"),
            )
        known = {(pair.said, pair.meant) for pair in self.tag_pairs()}
        for phrase, meant in known - set(pairs):
            self.knowledge.unlearn_tag_pair(phrase, meant)
        for phrase, meant in pairs:
            if (phrase, meant) not in known:
                self.knowledge.learn_tag_pair(phrase, meant, "reader")

    def classes(self) -> tuple[TagClass, ...]:
        """Return the classes of tags."""
        return self.knowledge.enrichment.classes()

    def factors(self) -> dict[str, tuple[str, ...]]:
        """Return chunk id -> the key factors a model named in it when the classes were made last."""
        return self.knowledge.enrichment.factors()

    def keep_classes(self, classes: Sequence[TagClass]) -> None:
        """Let tags fall into these classes, those among their terms at once. Raises FeedbackError."""
        names = [normal(one.name) for one in classes]
        if any(not one.name or not one.terms for one in classes) or len(set(names)) < len(names):
            raise FeedbackError(
                mark("A class needs a name of its own and terms."),
                hint=mark("A class a line: its name, a colon, its terms parted by semicolons."),
            )
        self.knowledge.enrichment.set_classes(classes)

    def learn_words(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Learn from (question, answer) pairs what the library calls what people say. Raises LLMError."""
        gatherer = self.gatherer()
        gatherer.term_mapper.learn(pairs, gatherer.tags(MAX_TAGS))

    def learn_tags(self, pairs: Sequence[tuple[str, str]] = ()) -> tuple[TagClass, ...]:
        """Make the classes of tags anew, from (question, answer) pairs and accepted answers, too; words are
        learnt from both. Raises LLMError.
        """
        samples = [*pairs, *self._accepted()]
        classes = self.tag_classes.learn(samples)
        if samples:
            self.learn_words(samples)
        return classes

    def _accepted(self) -> list[tuple[str, str]]:
        """Return question and answer of what readers accepted or corrected and its passages still say."""
        verified = self.knowledge.learned.verified.list()
        return [(each.question, each.answer) for each in verified if not self.learner.outdated_reason(each)]

    def undo(self, change: str) -> Change:
        """Take a change back. Raises NotFound, FeedbackError."""
        return self.learner.undo(change)

    def retract(self, run: str, target: str) -> tuple[Change, ...]:
        """Take back what was said of something in a run. Raises NotFound."""
        return self.learner.retract(run, target)

    def changes(self, status: ChangeStatus | None = None) -> list[Change]:
        """Return changes, newest first; verified answers whose evidence changed are ended before."""
        self.learner.refresh()
        return list(self.knowledge.learned.changes.list(status))

    def verified(self, question: str) -> VerifiedAnswer | None:
        """Return the verified answer of a question, if it still holds."""
        answer = self.knowledge.learned.verified.find(question)
        return answer if answer is not None and not self.learner.outdated_reason(answer) else None

    def questions(self) -> tuple[str, ...]:
        """Return the question set that is asked before and after a change."""
        return self.learner.effects.questions()

    def keep_questions(self, questions: Sequence[str]) -> tuple[str, ...]:
        """Save the question set. Raises FeedbackError if it is empty, too long or asks twice."""
        saved = checked_set(questions)
        self.knowledge.learned.keep_questions(saved)
        return saved

    def gaps(self, status: GapStatus | None = None) -> list[Gap]:
        """Return the questions the library could not answer, the latest first."""
        self.backlog.collect()
        return list(self.knowledge.learned.gaps.list(status))

    def dismiss(self, gap: str) -> Gap:
        """Take a gap off the list. Raises NotFound."""
        return self.backlog.dismiss(gap)

    def updates(self, limit: int = 20) -> list[Update]:
        """Return the times of asking again, the latest first."""
        return list(self.knowledge.learned.updates.list(limit))

    def update(self) -> Update | None:
        """Ask gaps and verified answers again now and wait for it; None if there are none."""
        return self.reasker.update_now()

    def cancel(self, number: int) -> Update:
        """End an update that runs. Raises NotFound."""
        return self.reasker.cancel(number)

    def accept(self, number: int, difference: str) -> Change:
        """Let a new answer be the verified one. Raises NotFound, FeedbackError."""
        return self.updater.accept(number, difference)

    def reject(self, number: int, difference: str) -> None:
        """Keep what was before. Raises NotFound, FeedbackError."""
        self.updater.reject(number, difference)

    def self_test(self, count: int = 40, renew: bool = False) -> tuple[SelfTest, tuple[Fall, ...]]:
        """Test the library with its own questions; return the result and what fell since the last time."""
        result = self.tester.run(count, renew=renew)
        return result, falls(self.tester.history())

    def self_tests(self) -> list[SelfTest]:
        """Return all self-tests, oldest first."""
        return self.tester.history()

    def close(self) -> None:
        """End what runs in the background."""
        self.reasker.close()
