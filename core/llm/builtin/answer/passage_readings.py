"""What the span extractor says of each piece: how likely the answer is in it, and where."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.llm.builtin.answer.evidence_units import Unit
from core.llm.encoders.span_extractor import AnswerSpan, SpanExtractor, SpanLogits
from core.text.brackets import with_whole_brackets
from core.text.english import other_script

# Share of letters that are not Latin above which a question or passage is not read
MAX_OTHER_SCRIPT_SHARE = 0.3
MAX_PASSAGES = 12  # that are read for a question, in the order they come
MIN_SPAN_CHANCE = 0.2  # chance from which what stands at an answer's place is weighed, whatever words it says


@dataclass(frozen=True)
class ReadingScores:
    """The chance (0 to 1) that the answer is in a piece, and in its passage; and where in the piece."""

    chance: float = 0.0
    passage: float = 0.0
    span: tuple[int, int] | None = None


NOT_READ = ReadingScores()


@dataclass(frozen=True)
class Readings:
    """The readings of a question's passages, by the number of the evidence: text and reading of each."""

    by_evidence: Mapping[int, tuple[str, SpanLogits]]

    @classmethod
    def of(cls, extractor: SpanExtractor | None, question: str, pieces: Sequence[Unit]) -> "Readings":
        """Read the passages of the pieces; neither they nor the question in another script."""
        if extractor is None or other_script(question) > MAX_OTHER_SCRIPT_SHARE:
            return cls({})
        texts = _texts(pieces)
        read = extractor.read(question, list(texts.values()))
        return cls({n: (text, reading) for (n, text), reading in zip(texts.items(), read, strict=True)})

    def read(self, piece: Unit) -> ReadingScores:
        """Return what reading a piece gave, `NOT_READ` for one that was not read."""
        if piece.evidence.n not in self.by_evidence:
            return NOT_READ
        text, reading = self.by_evidence[piece.evidence.n]
        start = _place(piece, text)
        here = reading.best(start, start + len(piece.text)) if start >= 0 else None
        span = with_whole_brackets(piece.text, here.start - start, here.end - start) if here else None
        return ReadingScores(span_chance(here), span_chance(reading.best()), span)

    def likely(self, pieces: Sequence[Unit]) -> list[Unit]:
        """Return of each passage that likely holds the answer the shortest piece it is in."""
        found = []
        for n, (text, reading) in self.by_evidence.items():
            best = reading.best()
            if best is None or span_chance(best) < MIN_SPAN_CHANCE:
                continue
            around = []
            for piece in (one for one in pieces if one.evidence.n == n):
                start = _place(piece, text)
                if 0 <= start <= best.start and best.end <= start + len(piece.text):
                    around.append(piece)
            found += [min(around, key=lambda one: len(one.text))] if around else []
        return found


def _texts(pieces: Sequence[Unit]) -> dict[int, str]:
    """Return passages as the span extractor was trained on them: headings, then the text or the rows."""
    found: dict[int, str] = {}
    for evidence in {piece.evidence.n: piece.evidence for piece in pieces}.values():
        rows = [one.text for one in pieces if one.evidence.n == evidence.n and one.kind == "row"]
        body = "\n".join(rows) if rows else evidence.text
        if len(found) < MAX_PASSAGES and other_script(body) <= MAX_OTHER_SCRIPT_SHARE:
            heading = " > ".join(dict.fromkeys((evidence.source, *evidence.heading)))
            found[evidence.n] = f"{' '.join(heading.split())}\n{body}"
    return found


def _place(piece: Unit, text: str) -> int:
    """Return where a piece begins in the text that was read, -1 where it does not stand there."""
    body = text.index("\n") + 1
    if piece.kind == "sentence" and text.endswith(piece.evidence.text):
        return body + piece.start
    return text.find(piece.text, body)


def span_chance(span: AnswerSpan | None) -> float:
    """Return the logistic of how far an answer is ahead of "not here"."""
    return 0.0 if span is None else 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, span.score / 2))))
