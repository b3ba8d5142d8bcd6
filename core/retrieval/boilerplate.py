"""Cover lines, disclaimers, headers, addresses: what many documents repeat, and titles that stand alone.

They are found by repetition and position, not by their words. A passage weighs less by the share of it that
other documents say, too; the first words of a document that has more to say are its cover.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.domain import Chunk
from core.knowledge.base import KnowledgeBase
from core.text.tokens import query_words

# Different words of a line that can be boilerplate: "Table 1" and "Results" are said by all
MIN_LINE_WORDS = 5
# Documents that say the same line; of n documents at least their square root: a few may be copies
MIN_REPEATING_DOCUMENTS = 5
BOILERPLATE_WEIGHT = 0.3  # what a passage weighs that is nothing but repeated
MAX_COVER_TOKENS = 30  # tokens of a first passage that is no more than a cover
COVER_WEIGHT = 0.6  # what a cover weighs

_FIGURES = re.compile(r"\d+")
_PARAGRAPHS = re.compile(r"\n\s*\n")
# Of what is repeated word for word, a wrapped line counts by itself: these are no sentences.
_ENDS = re.compile(r"\n+|(?<=[.!?])\s+|(?<=[。！？])")


@dataclass(frozen=True)
class Boilerplate:
    """Weights passages by how much of their text other documents repeat, in a library of so many documents.

    It caches the weights, so it is made anew for each generation of the library.
    """

    knowledge: KnowledgeBase
    documents: int
    _known: dict[str, float] = field(default_factory=dict)

    def weights(self, chunks: Sequence[Chunk]) -> dict[str, float]:
        """Return chunk id -> weight (`BOILERPLATE_WEIGHT` times `COVER_WEIGHT` to 1)."""
        new = [chunk for chunk in chunks if chunk.id not in self._known]
        repeated_lines = self._lines([chunk.text for chunk in new if chunk.kind != "table"])
        for chunk in new:  # the header of a table is in each of its passages
            self._known[chunk.id] = (
                1.0 if chunk.kind == "table" else self._weight(chunk, next(repeated_lines))
            )
        return {chunk.id: self._known[chunk.id] for chunk in chunks}

    def beside(self, question: str, chunk: Chunk, *, searched: bool = True) -> tuple[str, ...]:
        """Return the lines of a passage that many documents say and that hold no word of the question.

        There are none where they are half of a passage that was `searched` for, or more: then it was found
        for them; and none where they are all of it.
        """
        if chunk.kind == "table":
            return ()
        asked = set(query_words(question))
        lines = [line for line in next(self._lines([chunk.text])) if not asked & set(query_words(line))]
        most = 0.5 if searched else 1.0
        return tuple(lines) if sum(map(len, lines)) < most * sum(map(len, _lines(chunk.text))) else ()

    def outside(self, chunks: Sequence[Chunk]) -> dict[str, str]:
        """Return chunk id -> its text without the lines that many documents say, of tables all of it."""
        prose = [chunk for chunk in chunks if chunk.kind != "table"]
        texts = {chunk.id: chunk.text for chunk in chunks}
        for chunk, repeated in zip(prose, self._lines([chunk.text for chunk in prose]), strict=True):
            for line in repeated:
                texts[chunk.id] = texts[chunk.id].replace(line, "")
        return texts

    def only_repeats(self, chunks: Sequence[Chunk]) -> frozenset[str]:
        """Return the ids of the passages that are nothing but lines of many documents."""
        prose = [chunk for chunk in chunks if chunk.kind != "table"]
        repeated_lines = self._lines([chunk.text for chunk in prose])
        return frozenset(
            chunk.id
            for chunk, repeated in zip(prose, repeated_lines, strict=True)
            if repeated == _lines(chunk.text)
        )

    def _weight(self, chunk: Chunk, repeated: Sequence[str]) -> float:
        share = sum(map(len, repeated)) / max(1, sum(map(len, _lines(chunk.text)))) if repeated else 0.0
        weight = 1.0 - (1.0 - BOILERPLATE_WEIGHT) * share
        return COVER_WEIGHT * weight if self._is_cover(chunk) else weight

    def _is_cover(self, chunk: Chunk) -> bool:
        if chunk.order or chunk.tokens >= MAX_COVER_TOKENS:
            return False
        return len(self.knowledge.chunks_of([chunk.document_id], 2).get(chunk.document_id, ())) > 1

    def _lines(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """Yield of each text the lines that many documents say."""
        many = max(MIN_REPEATING_DOCUMENTS, math.isqrt(self.documents))
        paragraphs = [_PARAGRAPHS.split(text) if self.documents >= many else [] for text in texts]
        every = list({one for own in paragraphs for each in own for one in (each, *_lines(each))})
        plain = [_FIGURES.sub(" ", one) for one in every]
        flags = self.knowledge.occur_in_documents(plain, many, MIN_LINE_WORDS) if every else []
        repeated = {one for one, is_repeated in zip(every, flags, strict=True) if is_repeated}
        for own in paragraphs:  # short lines ("Uncontrolled when printed.") are recognised by their paragraph
            yield [line for each in own for line in _lines(each) if each in repeated or line in repeated]


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, _ENDS.split(text)) if line]
