"""Drafts the named changes that feedback asks for; nothing is applied here."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import (
    Chunk,
    Feedback,
    Level,
    PartAnswer,
    Passage,
    Report,
    Scope,
    Sentence,
    Support,
    identify,
)
from core.errors import FeedbackError
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change, new_change
from core.knowledge.learned.gaps import Gap, gap_id
from core.knowledge.learned.verified_answers import Ground, VerifiedAnswer, digest, question_key
from core.knowledge.stores.records import Run
from core.learning import passage_changes
from core.learning.feedback_targets import FeedbackTarget, is_empty_answer, part_of, sentence_of
from core.trace import Asked

Grounding = Callable[[str, str, Sequence[Passage]], tuple[Sentence, ...]]
_CITED = re.compile(r"\[(\d+)\]")
MOST_GROUNDS = 3  # passages an unsupported correction is tied to: it ends when they change


Drafted = tuple[str, tuple[Sentence, ...], tuple[Passage, ...], bool]  # text, sentences, passages, corrected


def scope_of(knowledge: KnowledgeBase, run: str) -> Scope:
    """Return the part of the library a run was asked of."""
    for stamped in knowledge.runs.events(run):
        if isinstance(stamped.event, Asked):
            return stamped.event.scope
    return Scope()


@dataclass(frozen=True)
class Drafter:
    """Reads feedback against the run it is about.

    `ground` ties a text to passages; `search` finds passages for it beyond those of the run.
    """

    knowledge: KnowledgeBase
    ground: Grounding
    search: Callable[[str], Sequence[Passage]]

    def draft(self, feedback: Feedback, target: FeedbackTarget, run: Run | None) -> list[Change]:
        """Return the changes, none where the feedback is only kept. Raises FeedbackError, NotFound.

        Tags and relations belong to the library and need no run.
        """
        if target.kind == "tag":
            return passage_changes.tag(self.knowledge, feedback, target)
        if target.kind == "relation":
            return passage_changes.relation(self.knowledge, feedback, target.name)
        if run is None:
            raise FeedbackError("The feedback names no run.", hint="Name the run whose answer it judges.")
        if run.report is None:
            raise FeedbackError("This run has no answer yet.", hint="Wait for its end, then say it again.")
        return self._judged(feedback, target, run.report)

    def _judged(self, feedback: Feedback, target: FeedbackTarget, report: Report) -> list[Change]:
        match target.kind:
            case "answer":
                return self._answer(feedback, report)
            case "sentence":
                return self._sentence(feedback, report, sentence_of(report, target.number))
            case "part":
                return self._part(feedback, report, part_of(report, target.number))
            case "passage":
                return [passage_changes.passage(self.knowledge, feedback, report, target.name)]
            case _:
                return [passage_changes.plan(self.knowledge, feedback, report)]

    # -- answers -----------------------------------------------------------------------------

    def _answer(self, feedback: Feedback, report: Report) -> list[Change]:
        question = report.read_as or report.question
        if feedback.verdict == "wrong":
            return [self._gap(question, report, report.answer, report.missing)]
        if report.level in (Level.PREDICTIVE, Level.CREATIVE):
            if feedback.verdict == "corrected":
                raise FeedbackError(
                    "Forecasts and councils are worked out anew each time and not kept as verified answers.",
                    hint="Say right or wrong, or ask for the fact itself and correct that.",
                )
            return []
        if feedback.verdict == "corrected":
            return [self._verified(question, report, self._corrected(question, feedback.correction, report))]
        if is_empty_answer(report):
            raise FeedbackError(
                "The answer says that nothing was found; there is nothing to verify.",
                hint="Write what it should have said, or add the documents that say it.",
            )
        changes = [self._verified(question, report, self._confirmed(report))]
        if report.plan is not None and len(report.plan.parts) > 1:
            changes.append(passage_changes.accepted(self.knowledge, question, report.plan))
        return changes

    def confirmed(self, question: str, report: Report) -> Change:
        """Return the change that verifies an answer as it stands. Raises FeedbackError."""
        return self._verified(question, report, self._confirmed(report))

    def _sentence(self, feedback: Feedback, report: Report, sentence: Sentence) -> list[Change]:
        question = report.read_as or report.question
        if feedback.verdict == "corrected":
            texts = [
                feedback.correction if current is sentence else current.text for current in report.sentences
            ]
            drafted = self._corrected(question, " ".join(texts), report)
            return [self._verified(question, report, drafted)]
        chunks = [report.passages[n - 1].chunk for n in sentence.citations if n <= len(report.passages)]
        if not chunks:
            return []
        return [passage_changes.useful(self.knowledge, question, chunks, feedback.verdict == "right")]

    def _part(self, feedback: Feedback, report: Report, part: PartAnswer) -> list[Change]:
        if feedback.verdict == "wrong":
            return [self._gap(part.question, report, part.answer, (part.question,))]
        text = feedback.correction or part.answer
        if feedback.verdict == "right" and not part.found:
            raise FeedbackError(
                "This part found nothing; there is nothing to verify.",
                hint="Write what it should have found, or say wrong so that it is asked again.",
            )
        asked = report.model_copy(
            update={"passages": part.passages, "sentences": (), "answer": part.answer if part.found else ""}
        )
        return [self._verified(part.question, report, self._corrected(part.question, text, asked))]

    def _confirmed(self, report: Report) -> Drafted:
        """Return the answer as it stands, its citations numbered by the passages that it cites."""
        numbers = sorted({n for s in report.sentences for n in s.citations if 0 < n <= len(report.passages)})
        if not numbers:
            raise FeedbackError(
                "The answer cites no passage, so nothing would tell when it ceases to hold.",
                hint="Correct it in your own words; Strata looks for the passages that say so.",
            )
        place = {n: at for at, n in enumerate(numbers, start=1)}
        numbered = tuple(
            s.model_copy(update={"citations": tuple(place[n] for n in s.citations if n in place)})
            for s in report.sentences
        )
        text = _CITED.sub(lambda m: f"[{place.get(int(m[1]), m[1])}]", report.answer)
        return text, numbered, tuple(report.passages[n - 1] for n in numbers), False

    def _corrected(self, question: str, text: str, report: Report) -> Drafted:
        """Return a text of the reader's with the passages that say it, or those the answer rested on."""
        cited = {n for s in report.sentences for n in s.citations}
        first = [p for n, p in enumerate(report.passages, 1) if n in cited]
        rest = [p for n, p in enumerate(report.passages, 1) if n not in cited]
        known = {p.chunk.id: p for p in [*first, *rest, *self.search(f"{question} {text}")]}
        candidates = list(known.values())
        if not candidates:
            raise FeedbackError(
                "The library holds no passage this correction could rest on.",
                hint="Add the document that says it, then correct the answer again.",
            )
        grounded = self.ground(question, text, candidates)
        numbers = sorted({n for s in grounded for n in s.citations})
        place = {n: at for at, n in enumerate(numbers, start=1)}
        grounded = tuple(
            s.model_copy(update={"citations": tuple(place[n] for n in s.citations)}) for s in grounded
        )
        grounds = [candidates[n - 1] for n in numbers] or candidates[:MOST_GROUNDS]
        answer = " ".join(s.text + "".join(f" [{n}]" for n in s.citations) for s in grounded)
        return answer, grounded, tuple(grounds), True

    def _verified(
        self,
        question: str,
        report: Report,
        drafted: Drafted,
    ) -> Change:
        text, sentences, passages, corrected = drafted
        grounds = [self._stored(passage.chunk) for passage in passages]
        verified = VerifiedAnswer(
            id=identify(grounds[0].id, "verified", question_key(question)),
            question=question,
            answer=text,
            sentences=sentences,
            grounds=tuple(Ground(chunk_id=chunk.id, digest=digest(chunk)) for chunk in grounds),
            corrected=corrected,
            replaced=_replaced(report) if corrected else (),
            run=report.run,
            at=time.time(),
        )
        sure = sum(s.support is Support.SUPPORTED for s in sentences)
        label = "Corrected" if corrected else "Confirmed"
        return new_change(
            "verified answer",
            f"Verified answer: {question}",
            f"{label}; {sure} of {len(sentences)} sentences supported by {len(passages)} passages. {text}",
            before={"answer": report.answer, "outcome": report.outcome.value},
            after={"answer": verified.model_dump(mode="json")},
        )

    def _stored(self, chunk: Chunk) -> Chunk:
        """Return the chunk, or for rows that a query put together the first piece of their table that holds
        any of them: its id goes with every change of the file."""
        if chunk.table_id is None or any(self.knowledge.chunks(ids=[chunk.id])):
            return chunk
        first, last = chunk.location.rows or (0, 0)
        pieces = [
            c for c in self.knowledge.chunks(document_id=chunk.document_id) if c.table_id == chunk.table_id
        ]
        matching = [
            c
            for c in pieces
            if c.location.rows and c.location.rows[0] <= last and first <= c.location.rows[1]
        ]
        return next(iter(matching or pieces), chunk)

    def _gap(self, question: str, report: Report, answer: str, missing: Sequence[str]) -> Change:
        scope = scope_of(self.knowledge, report.run)
        key = gap_id(question, scope)
        existing = {gap.id: gap for gap in self.knowledge.learned.gaps.list()}.get(key)
        gap = Gap(
            id=key,
            question=question,
            scope=scope,
            missing=tuple(missing),
            reason="said to be wrong",
            run=report.run,
            at=time.time(),
            answer=answer,
            outcome=report.outcome.value,
        )
        return new_change(
            "gap",
            f"To be asked again: {question}",
            "The answer was said to be wrong; it is asked again when documents come or go.",
            before={"gap": existing.model_dump(mode="json") if existing else None},
            after={"gap": gap.model_dump(mode="json")},
        )


def _replaced(report: Report) -> tuple[str, ...]:
    """Return what the answer said that is corrected; where nothing was found, nothing."""
    if is_empty_answer(report):
        return ()
    return tuple(sentence.text for sentence in report.sentences) or (
        (report.answer,) if report.answer else ()
    )
