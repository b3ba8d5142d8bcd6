"""Relevance extraction: marks the sentences of the evidence that matter for the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Passage, Span
from core.ports import LLM
from core.tasks import Call, Evidence, Picked, PickSentences
from core.text.tokens import sentence_spans


@dataclass(frozen=True)
class Extracted:
    """The passages, those that matter with highlights, and the call that chose them."""

    passages: tuple[Passage, ...]
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class RelevanceExtractor:
    """Asks which sentences matter and gives each its characters in the chunk's text."""

    llm: LLM

    def extract(self, question: str, passages: Sequence[Passage], language: str = "en") -> Extracted:
        """Return all passages in their order; one without a chosen sentence keeps no highlight."""
        if not passages:
            return Extracted(())
        # The bare text, without its headings: the numbers of its sentences must hold for the highlights.
        evidence = tuple(
            Evidence(n=n, text=p.chunk.text, source=p.document_title, place=p.chunk.location.label())
            for n, p in enumerate(passages, start=1)
        )
        task = PickSentences(question=question, evidence=evidence, language=language)
        reply = self.llm.run(task, into=Picked)
        chosen: dict[int, set[int]] = {}
        for pick in reply.sentences:
            chosen.setdefault(pick.evidence, set()).add(pick.sentence)
        marked = tuple(
            passage.model_copy(update={"highlights": _spans(passage.chunk.text, chosen.get(n, set()))})
            for n, passage in enumerate(passages, start=1)
        )
        return Extracted(marked, (reply.call,) if reply.call else ())


def _spans(text: str, chosen: set[int]) -> tuple[Span, ...]:
    """Return the chosen sentences as spans; numbers the text does not have are left out."""
    spans = sentence_spans(text)
    return tuple(Span(start=spans[i][0], end=spans[i][1]) for i in sorted(chosen) if 0 <= i < len(spans))
