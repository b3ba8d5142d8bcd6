"""Self-test: questions generated from the library's atoms, scored locally and kept over time.

A question's atom is left out of the search, so what is measured is whether the passage is found by itself.
Gold passages are kept as words, so that the same set also scores a library that was chunked anew.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from core.domain import Atom, Chunk, Passage, Report, Value, identify
from core.errors import FeedbackError
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.verified_answers import question_key
from core.learning.cloze import Cloze, cloze
from core.learning.effects import supported
from core.text.tokens import content_words, words

SET = "self-test set"
DEPTHS = (1, 5, 10)
MIN_REPORTED_FALL = 0.02  # a measure that falls by more is reported


class TestQuestion(Value):
    """A question, what it asks for ("" if unknown), and the passage that answers it, by its words."""

    __test__ = False

    question: str
    answer: str = ""
    document_id: str
    text: str


class TestSet(Value):
    """The questions a library is tested with, until they are made anew."""

    __test__ = False

    id: str
    at: float
    questions: tuple[TestQuestion, ...]


class SelfTest(Value):
    """One self-test: shares (0 to 1) by name, what the library was like, and the set it was asked.

    recall@k: the passage is among the first k; mrr: one over its place; support: sentences that their
    citations support; found: answers that cite the passage; answered: answers with the words asked for.
    """

    number: int = 0
    at: float = 0.0
    set: str = ""
    questions: int = 0
    gone: int = 0  # questions whose document left the library
    asked: int = 0  # questions answered in full, for support
    scores: dict[str, float] = Field(default_factory=dict)
    fingerprint: dict[str, str] = Field(default_factory=dict)
    library: dict[str, int] = Field(default_factory=dict)
    seconds: float = 0.0


class Fall(Value):
    """A measure that fell, and what was different since the test before."""

    measure: str
    before: float
    after: float
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class SelfTester:
    """Makes the set, asks it, keeps the scores. `search` must not use atoms; `ask` keeps no run."""

    knowledge: KnowledgeBase
    search: Callable[[str, int], Sequence[Passage]]
    ask: Callable[[str], Report]
    fingerprint: Callable[[], Mapping[str, str]]

    def questions(self, count: int = 40) -> TestSet:
        """Return the set that is in use, made now if there is none. Raises FeedbackError."""
        stored = self.knowledge.learned.state(SET)
        return TestSet.model_validate_json(stored) if stored else self.renew(count)

    def renew(self, count: int = 40) -> TestSet:
        """Make the set anew from the atoms there are, evenly over the documents. Raises FeedbackError."""
        documents = sorted(self.knowledge.documents(), key=lambda d: identify("self-test", d.id))
        each = max(1, -(-count // max(1, len(documents))))
        found: dict[str, TestQuestion] = {}
        for document in documents:
            if len(found) >= count:
                break
            for question in self._of(document.id)[:each]:
                found.setdefault(question_key(question.question), question)
        if not found:
            raise FeedbackError(
                "The library holds no questions to test itself with.",
                hint="Add documents and wait until they are distilled, then test again.",
            )
        rows = tuple(found.values())[:count]
        made = TestSet(id=identify(*(row.question for row in rows)), at=time.time(), questions=rows)
        self.knowledge.learned.keep_state(SET, made.model_dump_json())
        return made

    def _of(self, document_id: str) -> list[TestQuestion]:
        """Return the questions of a document's atoms that stand alone, in a fixed pseudo-random order."""
        chunks = {chunk.id: chunk for chunk in self.knowledge.chunks(document_id=document_id)}
        atoms = [atom for atom in self.knowledge.atoms(list(chunks)) if not atom.verified_by]
        atoms.sort(key=lambda atom: (atom.kind == "statement", identify("self-test", atom.id)))
        made = [(atom, _as_question(atom)) for atom in atoms]
        return [
            TestQuestion(
                question=asked.question,
                answer=asked.answer,
                document_id=document_id,
                text=chunks[atom.chunk_id].text,
            )
            for atom, asked in made
            if asked is not None
        ]

    def run(self, count: int = 40, answers: int = 10, renew: bool = False) -> SelfTest:
        """Ask the set, keep the result and return it. Raises FeedbackError, KnowledgeError, LLMError."""
        began = time.monotonic()
        made = self.renew(count) if renew else self.questions(count)
        here = {document.id for document in self.knowledge.documents()}
        asked = [question for question in made.questions if question.document_id in here]
        if not asked:
            raise FeedbackError(
                "Every document the test asks about has left the library.",
                hint="Make the set anew: `strata eval self --renew`.",
            )
        places = [self._place(question) for question in asked]
        scores = {f"recall@{k}": _mean([float(0 < place <= k) for place in places]) for k in DEPTHS}
        scores["mrr"] = _mean([1 / place if place else 0.0 for place in places])
        reports = [(question, self.ask(question.question)) for question in asked[:answers]]
        if reports:
            scores["support"] = _mean([supported(report) for _, report in reports])
            scores["found"] = _mean([float(_cites(question, report)) for question, report in reports])
            gold = [(question.answer, report.answer) for question, report in reports if question.answer]
            scores["answered"] = _mean([float(answer in reported) for answer, reported in gold])
        counts = self.knowledge.counts()
        result = SelfTest(
            at=time.time(),
            set=made.id,
            questions=len(asked),
            gone=len(made.questions) - len(asked),
            asked=len(reports),
            scores=scores,
            fingerprint=dict(self.fingerprint()),
            library={name: counts.get(name, 0) for name in ("documents", "chunks", "atoms")},
            seconds=round(time.monotonic() - began, 2),
        )
        stored = self.knowledge.learned.keep_test(result.model_dump_json())
        return result.model_copy(update={"number": stored.number})

    def _place(self, question: TestQuestion) -> int:
        """Return the place (from 1) of the first passage with the gold words, 0 for none."""
        found = self.search(question.question, max(DEPTHS))
        return next((n for n, p in enumerate(found, start=1) if _contains(p.chunk, question)), 0)

    def history(self, limit: int = 100) -> list[SelfTest]:
        """Return the tests kept, oldest first."""
        return [
            SelfTest.model_validate_json(stored.body).model_copy(update={"number": stored.number})
            for stored in self.knowledge.learned.tests(limit)
        ]


def falls(history: Sequence[SelfTest]) -> tuple[Fall, ...]:
    """Return the measures of the last test that fell against the one before it with the same questions."""
    if not history:
        return ()
    last = history[-1]
    before = next((test for test in reversed(history[:-1]) if test.set == last.set), None)
    if before is None:
        return ()
    changed = differences(before, last)
    return tuple(
        Fall(measure=name, before=before.scores[name], after=value, changed=changed)
        for name, value in last.scores.items()
        if name in before.scores and before.scores[name] - value > MIN_REPORTED_FALL
    )


def differences(before: SelfTest, after: SelfTest) -> tuple[str, ...]:
    """Return the differences between two tests: settings by name, and how the library grew."""
    names = dict.fromkeys((*before.fingerprint, *after.fingerprint))
    lines = [
        f"{name}: {before.fingerprint.get(name, '-')} → {after.fingerprint.get(name, '-')}"
        for name in names
        if before.fingerprint.get(name) != after.fingerprint.get(name)
    ]
    lines += [
        f"{name}: {before.library[name]:,} → {count:,}"
        for name, count in after.library.items()
        if before.library.get(name, count) != count
    ]
    return tuple(lines)


def _contains(chunk: Chunk, question: TestQuestion) -> bool:
    """Say whether a chunk of the same document holds at least half of the shorter text's words."""
    if chunk.document_id != question.document_id:
        return False
    one, other = Counter(words(chunk.text)), Counter(words(question.text))
    shorter = min(one.total(), other.total())
    return shorter > 0 and (one & other).total() >= shorter / 2


def _as_question(atom: Atom) -> Cloze | None:
    """Return the atom as a question about one thing, None where it makes none."""
    if atom.kind == "statement":
        return cloze(atom.text)
    return Cloze(atom.text, "") if len(set(content_words(atom.text))) >= 3 else None


def _cites(question: TestQuestion, report: Report) -> bool:
    numbers = {n for sentence in report.sentences for n in sentence.citations}
    cited = [report.passages[n - 1].chunk for n in numbers if 0 < n <= len(report.passages)]
    return any(_contains(chunk, question) for chunk in cited)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
