"""Writes the answer from the evidence, sentence by sentence, each with its citations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.answering.citations import cited
from core.answering.refusals import declined
from core.domain import Outcome, PartAnswer, Passage, Sentence
from core.ports import LLM
from core.retrieval.evidence_pieces import as_evidence
from core.tasks import Answer, QuestionAnswer, Written

MAX_PIECES_PER_PART = 4  # pieces named with a part: those that rank best for it; the writer reads them all


@dataclass(frozen=True)
class AnswerDraft:
    """The answer as written and its sentences.

    `outcome` and `confidence` (0 to 1) are the writer's own, where it says them.
    """

    text: str
    sentences: tuple[Sentence, ...]
    outcome: Outcome | None = None
    confidence: float | None = None


@dataclass
class _Receiver:
    """Forwards each streamed piece of the reply."""

    wrote: Callable[[str], None]
    received_so_far: list[str] = field(default_factory=list)

    def received(self, text: str) -> None:
        self.received_so_far.append(text)
        self.wrote(text)

    def check(self) -> None:
        """Nothing ends a synthesis from here; the run's budget listens for itself."""


@dataclass(frozen=True)
class Synthesiser:
    """Addresses every part, cites every sentence, names disagreements."""

    llm: LLM
    read: int = 0  # passages of a question without parts that are read, the best; 0: all that were found

    def synthesise(
        self,
        question: str,
        parts: Sequence[PartAnswer],
        evidence: Sequence[Passage],
        language: str,
        wrote: Callable[[str], None],
        most: int = 0,
    ) -> AnswerDraft:
        """Write the answer, telling `wrote` each piece, and keep its first `most` sentences (0: all).

        Raises LLMError, Stopped or BudgetExceeded.
        """
        task = Answer(
            question=question,
            parts=as_parts(parts, evidence),
            evidence=as_evidence(evidence if parts or not self.read else evidence[: self.read]),
            language=language,
        )
        receiver = _Receiver(wrote)
        written = self.llm.run(task, Written, receiver)
        received = "".join(receiver.received_so_far)
        if written.text.startswith(received) and len(written.text) > len(received):
            wrote(written.text[len(received) :])
        last = len(evidence)
        sentences = tuple(
            sentence.model_copy(update={"citations": tuple(n for n in sentence.citations if 0 < n <= last)})
            for sentence in (written.sentences or cited(written.text))
        )
        if 0 < most < len(sentences):
            text, sentences = joined(sentences[:most], language), sentences[:most]
            return AnswerDraft(text, sentences, written.outcome, written.confidence)
        if written.outcome is None:
            outcome = declined(sentences, parts)
            return AnswerDraft(written.text.strip(), sentences, outcome, written.confidence)
        stated = () if written.outcome in (Outcome.CLOSEST, Outcome.NOTHING) else sentences
        return AnswerDraft(written.text.strip(), stated, written.outcome, written.confidence)


def as_parts(parts: Sequence[PartAnswer], evidence: Sequence[Passage]) -> tuple[QuestionAnswer, ...]:
    """Return the parts with their answers; citations are numbers of the evidence, the best first."""
    numbers = {passage.chunk.id: n for n, passage in enumerate(evidence, 1)}
    return tuple(
        QuestionAnswer(
            id=part.id,
            question=part.question,
            answer=part.answer if part.found else "",
            open=part.open,
            computed=part.computed,
            lines=tuple(_numbered(line, part, numbers) for line in part.lines),
            side=not part.computed and _is_side(part, parts),
            citations=tuple(numbers[p.chunk.id] for p in part.passages if p.chunk.id in numbers)[
                :MAX_PIECES_PER_PART
            ],
        )
        for part in parts
    )


def _is_side(part: PartAnswer, parts: Sequence[PartAnswer]) -> bool:
    """Say whether a part is a side of a comparison that reports what was found for it."""
    if part.facts:
        return any(other.lines for other in parts)
    computed = {passage.chunk.id for other in parts if other.computed for passage in other.passages}
    return bool(part.found and part.passages) and part.passages[0].chunk.id in computed


def _numbered(line: Sentence, part: PartAnswer, numbers: Mapping[str, int]) -> Sentence:
    """Return a line of a part with the numbers that what it cites has among the evidence."""
    cited = (part.passages[n - 1].chunk.id for n in line.citations)
    return line.model_copy(update={"citations": tuple(numbers[c] for c in cited if c in numbers)})


def joined(sentences: Sequence[Sentence], language: str) -> str:
    """Return sentences as running text with their citations."""
    marked = [s.text + "".join(f" [{n}]" for n in s.citations) for s in sentences]
    return ("" if language == "zh" else " ").join(marked)
