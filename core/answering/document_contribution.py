"""How much of an answer rests on each document: take one away and see what falls (leave-one-out)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.answering.answer_checking import AnswerChecker
from core.answering.citations import numbers
from core.domain import PartAnswer, Passage, Report, Sentence, Support, Value
from core.text.tokens import content_words

Method = Literal["written again", "checked again"]  # the first is in runs of earlier versions
MIN_SHARED_WORDS_SHARE = 0.6  # share of a sentence's words that a sentence of the other answer must hold


class Share(Value):
    """A document's share (0 to 1) of the supported sentences, and which of them fall without it."""

    document_id: str
    title: str
    passages: int
    share: float
    lost: tuple[int, ...] = ()  # 0-based


class Attribution(Value):
    """Shares, largest first. They add up to less than 1 where documents say the same, else to about 1.

    `left_out` counts the documents that were not tried, because only the best `most` are.
    """

    method: Method
    supported: int  # sentences that stand on all evidence together, by the same method
    shares: tuple[Share, ...] = ()
    left_out: int = 0


@dataclass(frozen=True)
class Attributor:
    """Drops each document's evidence in turn.

    A sentence has fallen if the rest of the evidence no longer supports it. The cost is bounded by `most`
    documents, one check each.
    """

    checker: AnswerChecker
    most: int = 12

    def attribute(self, report: Report, language: str) -> Attribution:
        """Return the shares. Raises LLMError."""
        claimed = [n for n, s in enumerate(report.sentences) if s.support is Support.SUPPORTED]
        whole = self._supported_by(report.passages, report, claimed, language) if claimed else set()
        supported = [n for n in claimed if n in whole]
        documents = list(dict.fromkeys(p.chunk.document_id for p in _by_use(report)))
        shares = [self._share(report, number, supported, language) for number in documents[: self.most]]
        ordered = sorted(shares, key=lambda share: (-share.share, -share.passages, share.title))
        left_out = max(0, len(documents) - self.most)
        return Attribution(
            method="checked again", supported=len(supported), shares=tuple(ordered), left_out=left_out
        )

    def _share(self, report: Report, document: str, supported: Sequence[int], language: str) -> Share:
        own = [p for p in report.passages if p.chunk.document_id == document]
        others = [p for p in report.passages if p.chunk.document_id != document]
        without = report.model_copy(
            update={"parts": tuple(_without(p, document, others) for p in report.parts)}
        )
        remaining = (
            self._supported_by(others, without, supported, language) if others and supported else set()
        )
        lost = tuple(n for n in supported if n not in remaining)
        return Share(
            document_id=document,
            title=own[0].document_title,
            passages=len(own),
            share=len(lost) / len(supported) if supported else 0.0,
            lost=lost,
        )

    def _supported_by(
        self, passages: Sequence[Passage], report: Report, claimed: Sequence[int], language: str
    ) -> set[int]:
        """Return the numbers of the claimed sentences that these passages of the report support.

        Each is checked against those of its citations that are among them, or else against all of them.
        """
        places = {p.chunk.id: n for n, p in enumerate(passages, 1)}
        claims: list[Sentence] = []
        for n in claimed:
            sentence = report.sentences[n]
            cited = [report.passages[c - 1].chunk.id for c in sentence.citations if c <= len(report.passages)]
            left = tuple(places[chunk] for chunk in cited if chunk in places)
            claims.append(sentence.model_copy(update={"citations": left or tuple(places.values())}))
        question = report.read_as or report.question
        checked = self.checker.check(question, claims, report.parts, passages, language)
        judged = zip(claimed, checked.sentences, strict=True)
        return {n for n, sentence in judged if sentence.support is Support.SUPPORTED}


def _without(part: PartAnswer, document: str, others: Sequence[Passage]) -> PartAnswer:
    """Return the part as not found where it rests on this document and nothing else says its answer."""
    rests = bool(part.passages) and part.passages[0].chunk.document_id == document
    if not rests or any(_supports(passage.chunk.passage_text(), part.answer) for passage in others):
        return part
    return part.model_copy(update={"found": False, "answer": ""})


def _by_use(report: Report) -> list[Passage]:
    """Return the passages, those the answer cites first."""
    cited = {n for sentence in report.sentences for n in sentence.citations}
    numbered = list(enumerate(report.passages, 1))
    return [p for n, p in numbered if n in cited] + [p for n, p in numbered if n not in cited]


def _supports(text: str, sentence: str) -> bool:
    """Say whether the text holds most words of the sentence, and all its numbers."""
    wanted = set(content_words(sentence))
    text_words = set(content_words(text))
    return (
        bool(wanted)
        and numbers(sentence) <= numbers(text)
        and len(wanted & text_words) / len(wanted) >= MIN_SHARED_WORDS_SHARE
    )
