"""Measures a change: the saved questions are asked before and after it, and the answers compared locally."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import Report, Support, Value
from core.errors import BudgetExceeded, FeedbackError, Stopped
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import ComparedAnswers, Effect
from core.knowledge.learned.verified_answers import question_key

MAX_QUESTIONS = 10  # questions of the set
STATE = "snapshot"


class RecordedAnswer(Value):
    """One question's answer at some moment."""

    question: str
    answer: str
    outcome: str
    support: float
    documents: tuple[str, ...] = ()


class SavedAnswers(Value):
    """The answers of the saved set while the library was at a generation."""

    generation: int
    said: tuple[RecordedAnswer, ...] = ()


def supported(report: Report) -> float:
    """Return the share of an answer's sentences that their citations support, 0 for no sentences."""
    sentences = report.sentences
    return sum(s.support is Support.SUPPORTED for s in sentences) / len(sentences) if sentences else 0.0


def cited_titles(report: Report) -> tuple[str, ...]:
    """Return the titles of the documents an answer cites, in the order of its citations."""
    numbers = dict.fromkeys(n for sentence in report.sentences for n in sentence.citations)
    titles = [report.passages[n - 1].document_title for n in numbers if 0 < n <= len(report.passages)]
    return tuple(dict.fromkeys(titles))


@dataclass(frozen=True)
class Effects:
    """Asks the saved set, for at most `seconds`; `ask` answers a question within so many and keeps no run."""

    knowledge: KnowledgeBase
    ask: Callable[[str, float], Report]
    seconds: float = 6.0

    def questions(self) -> tuple[str, ...]:
        """Return the saved set; while the reader saved none, the questions asked last."""
        saved = self.knowledge.learned.questions()
        if saved:
            return tuple(saved[:MAX_QUESTIONS])
        recent: dict[str, str] = {}
        for run in self.knowledge.runs.list(limit=50):
            if run.report is not None and not run.report.partial:
                question = run.report.read_as or run.question
                recent.setdefault(question_key(question), question)
        return tuple(recent.values())[:5]

    def before(self) -> SavedAnswers:
        """Return the answers as they are now: kept ones if nothing changed since, else asked anew."""
        generation = self.knowledge.generation()
        stored = self.knowledge.learned.state(STATE)
        saved = SavedAnswers.model_validate_json(stored) if stored else None
        asked = self.questions()
        if saved and saved.generation == generation and {s.question for s in saved.said} >= set(asked):
            return saved
        return self.take()

    def take(self) -> SavedAnswers:
        """Ask the set and keep the answers; what is not reached in time is left out."""
        until = time.monotonic() + self.seconds
        answers = []
        for question in self.questions():
            left = until - time.monotonic()
            if left <= 0:
                break
            try:
                answers.append(self._answer(question, left))
            except (BudgetExceeded, Stopped):
                break
        snapshot = SavedAnswers(generation=self.knowledge.generation(), said=tuple(answers))
        self.knowledge.learned.keep_state(STATE, snapshot.model_dump_json())
        return snapshot

    def _answer(self, question: str, seconds: float) -> RecordedAnswer:
        report = self.ask(question, seconds)
        return RecordedAnswer(
            question=question,
            answer=report.answer,
            outcome=report.outcome.value,
            support=round(supported(report), 3),
            documents=cited_titles(report),
        )

    def compare(self, before: SavedAnswers, after: SavedAnswers) -> Effect:
        """Return the answers before and after, question by question."""
        known = {answer.question: answer for answer in before.said}
        rows = [
            _compared(known[answer.question], answer) for answer in after.said if answer.question in known
        ]
        asked = set(known) | {answer.question for answer in after.said} | set(self.questions())
        return Effect(compared=tuple(rows), skipped=len(asked) - len(rows))


def _compared(before: RecordedAnswer, after: RecordedAnswer) -> ComparedAnswers:
    return ComparedAnswers(
        question=before.question,
        before=before.answer,
        after=after.answer,
        outcome_before=before.outcome,
        outcome_after=after.outcome,
        support_before=before.support,
        support_after=after.support,
        documents_before=before.documents,
        documents_after=after.documents,
    )


def checked_set(questions: Sequence[str]) -> tuple[str, ...]:
    """Return a question set as it can be saved. Raises FeedbackError with what is wrong with it."""
    plain = [" ".join(question.split()) for question in questions]
    plain = [question for question in plain if question]
    if not plain:
        raise FeedbackError("The question set is empty.", hint="Write one question a line, at least one.")
    if len(plain) > MAX_QUESTIONS:
        raise FeedbackError(
            f"The set has {len(plain)} questions; {MAX_QUESTIONS} are the most.",
            hint="They are asked at every change; keep those that matter.",
        )
    seen: dict[str, str] = {}
    for question in plain:
        key = question_key(question)
        if key in seen:
            raise FeedbackError(
                f"The set asks “{question}” twice.",
                hint=f"It is the same as “{seen[key]}”; leave one of them out.",
            )
        seen[key] = question
    return tuple(plain)
