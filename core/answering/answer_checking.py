"""Checks every sentence against what it cites, and whether every part is answered."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.answer import as_parts
from core.answering.known_corrections import KnownCorrections
from core.answering.open_parts import answered_by_sentences
from core.answering.refusals import refusals
from core.answering.unfounded import unfounded
from core.answering.wording import report_sentence
from core.domain import Outcome, PartAnswer, Passage, Sentence, Support, Verdict
from core.ports import LLM
from core.retrieval.evidence_pieces import as_evidence
from core.tasks import Claim, ClaimVerdict, Review, Reviewed
from core.text.codes import designations


@dataclass(frozen=True)
class AnswerChecker:
    """Checks each sentence against its citations; numbers and names must occur in the evidence."""

    llm: LLM
    rules: LLM | None = None  # judges first; the model is asked only for what rules leave open
    corrections: KnownCorrections | None = None  # of readers, which an answer must not go against unsaid

    def check(
        self,
        question: str,
        sentences: Sequence[Sentence],
        parts: Sequence[PartAnswer],
        evidence: Sequence[Passage],
        language: str,
        unknown: Sequence[str] = (),
        outcome: Outcome | None = None,
        confidence: float | None = None,
        ideas: frozenset[int] | None = None,
    ) -> Verdict:
        """Return how far the answer may be trusted; `unknown` words of the question weaken it.

        An `outcome` of CLOSEST or NOTHING set by the writer is never upgraded; CLOSEST is checked by rules.
        Sentences whose index is in `ideas` are not checked; where there are ideas, the others are checked
        against their citations, not against the question. Raises LLMError.
        """
        refused = refusals(sentences) if outcome in (None, Outcome.CLOSEST) else frozenset()
        by_code = frozenset(i for i, sentence in enumerate(sentences) if sentence.made != "written")
        if outcome in (Outcome.CLOSEST, Outcome.NOTHING) and len(refused) == len(sentences):
            return Verdict(outcome=outcome, confidence=confidence, missing=(question,))
        task = Review(
            question=question,
            claims=tuple(
                Claim(index=i, text=sentence.text, citations=sentence.citations)
                for i, sentence in enumerate(sentences)
                if i not in refused and i not in by_code and i not in (ideas or ())
            ),
            parts=as_parts(parts, evidence),
            evidence=as_evidence(evidence),
            language=language,
        )
        stated = task.model_copy(update={"question": "", "parts": ()})  # it need not be what was asked
        if outcome is Outcome.CLOSEST:
            checked = (self.rules or self.llm).run(stated, Reviewed)
        else:
            checked = self._reviewed(task if ideas is None else stated)
        support = {claim.index: claim.support for claim in checked.claims}
        loose = unfounded(question, sentences, parts, evidence)
        loose = {i: found for i, found in loose.items() if i not in refused}
        judged = tuple(
            sentence.model_copy(
                update={
                    "support": Support.SUPPORTED
                    if i in refused or i in by_code
                    else _support_status(support.get(i, Support.MISSING), sentence, loose=i in loose)
                }
            )
            for i, sentence in enumerate(sentences)
        )
        notes = [report_sentence("loose", language, what=", ".join(sorted(loose[i]))) for i in sorted(loose)]
        against = {claim.index: claim.reason for claim in checked.claims if claim.reason}
        notes += [
            report_sentence("contradicted", language, n=i + 1, why=against[i].rstrip(".。"))
            for i, sentence in enumerate(judged)
            if sentence.support is Support.CONTRADICTED and i in against
        ]
        if unknown:
            notes.append(report_sentence("unknown", language, what=", ".join(unknown)))
        if self.corrections is not None:
            notes += self.corrections.notes(question, sentences, evidence, language)
        asked = {part.id: part.question for part in task.parts}
        answered = {asked[part.id] for part in answered_by_sentences(parts, judged, evidence)}
        open_parts = tuple(asked[part.id] for part in parts if not part.found)
        missing = tuple(
            one for one in dict.fromkeys((*open_parts, *checked.left_open)) if one not in answered
        )
        if outcome in (Outcome.ANSWER, Outcome.CONFLICT):
            # The writer claims to answer the whole question: of the open parts, only those count as missing
            # that name a code which the answer lacks.
            answer_text = " ".join(sentence.text for sentence in sentences)
            missing = tuple(one for one in missing if one in open_parts and _codes(one) - _codes(answer_text))
        if refused and not missing:
            missing = tuple(sentences[i].text for i in sorted(refused))
        accepted = [sentence for i, sentence in enumerate(judged) if i not in refused]
        reached = _weakened(_outcome(accepted, parts, missing, checked.conflicts, outcome), notes)
        closest = outcome is Outcome.CLOSEST
        return Verdict(
            outcome=Outcome.CLOSEST if closest else reached,
            sentences=judged,
            confidence=confidence,
            missing=(question,) if closest else missing,
            conflicts=checked.conflicts,
            notes=tuple(notes),
        )

    def _reviewed(self, task: Review) -> Reviewed:
        """Return the verdicts: by rules where these are sure, else by the model, which sees what is open."""
        if self.rules is None:
            return self.llm.run(task, Reviewed)
        sure = self.rules.run(task, Reviewed)
        left = {claim.index for claim in sure.claims if not claim.sure}
        if not left:
            return sure
        named = {n for claim in task.claims if claim.index in left for n in claim.citations}
        rest = task.model_copy(
            update={
                "claims": tuple(claim for claim in task.claims if claim.index in left),
                "evidence": tuple(piece for piece in task.evidence if piece.n in named),
            }
        )
        asked = self.llm.run(rest, Reviewed)
        verdicts: dict[int, ClaimVerdict] = {claim.index: claim for claim in sure.claims}
        verdicts |= {claim.index: claim for claim in asked.claims if claim.index in left}
        return asked.model_copy(update={"claims": tuple(verdicts.values()), "left_open": sure.left_open})


def _codes(text: str) -> set[str]:
    """Return the designations in a text: words of letters and digits, such as a part's number."""
    return {found.casefold() for found in designations(text)}


def _support_status(support: Support, sentence: Sentence, *, loose: bool) -> Support:
    """Return how a sentence stands: what cites nothing, or has a figure or a name from nowhere, is not."""
    if not sentence.citations or (loose and support is not Support.CONTRADICTED):
        return Support.MISSING
    return support


def _weakened(outcome: Outcome, notes: Sequence[str]) -> Outcome:
    return Outcome.CAVEAT if outcome is Outcome.ANSWER and notes else outcome


def _outcome(
    sentences: Sequence[Sentence],
    parts: Sequence[PartAnswer],
    missing: Sequence[str],
    conflicts: Sequence[str],
    written: Outcome | None = None,
) -> Outcome:
    """Return the rung of the ladder from the sentences: nothing, gap, conflict, caveat, answer."""
    if sentences and not any(sentence.support is Support.SUPPORTED for sentence in sentences):
        return Outcome.GAP  # nothing that is said is supported: then it is no answer
    if not sentences:
        return Outcome.NOTHING
    if written is None and parts and not any(part.found or part.open for part in parts):
        return Outcome.GAP
    if missing:
        return Outcome.GAP
    if conflicts or written is Outcome.CONFLICT:
        return Outcome.CONFLICT
    if written is Outcome.GAP:
        return Outcome.GAP
    if any(sentence.support is not Support.SUPPORTED for sentence in sentences):
        return Outcome.CAVEAT
    return Outcome.ANSWER
