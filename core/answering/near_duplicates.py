"""Collapses passages that differ only in their figures (rows of a log, mostly) into a few, with a count.

Compared by the Jaccard overlap of their words (Broder, "On the resemblance and containment of documents",
1997), without figures and codes; what the question itself names keeps two passages apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Passage
from core.text.tokens import words

# Jaccard similarity of the words from which on two passages count as near-duplicates
DUPLICATE_WORDS_SHARE = 0.9
# Near-duplicates that are kept: a single one would make its figures look like those of all
DUPLICATES_KEPT = 3
MIN_WORDS = 3  # words below which nothing is compared


@dataclass(frozen=True)
class _Wording:
    """The words of a passage, those with a digit apart."""

    words: frozenset[str]
    figures: frozenset[str]

    def repeats(self, other: "_Wording", named: frozenset[str]) -> bool:
        """Say whether both have the same words, and differ in nothing that is `named`."""
        if min(len(self.words), len(other.words)) < MIN_WORDS:
            return False
        both = len(self.words & other.words) / len(self.words | other.words)
        differ = (self.words ^ other.words) | (self.figures ^ other.figures)
        return both >= DUPLICATE_WORDS_SHARE and not differ & named


def folded(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages in order, of those alike in one document the first few, the last with how many more
    it stands for.

    What the reader pinned, and what a query computed, stays as it is.
    """
    named = frozenset(words(question))
    unique: list[tuple[Passage, _Wording]] = []
    for passage in passages:
        wording = _wording(passage)
        like = [n for n, (one, other) in enumerate(unique) if _alike(one, passage, other, wording, named)]
        if len(like) < DUPLICATES_KEPT:
            unique.append((passage, wording))
        else:
            last, other = unique[like[-1]]
            unique[like[-1]] = (last.model_copy(update={"alike": last.alike + passage.alike + 1}), other)
    return [passage for passage, _ in unique]


def _alike(one: Passage, passage: Passage, other: _Wording, wording: _Wording, named: frozenset[str]) -> bool:
    if passage.pinned or "table" in passage.scores or "table" in one.scores:
        return False
    return one.chunk.document_id == passage.chunk.document_id and other.repeats(wording, named)


def _wording(passage: Passage) -> _Wording:
    found = frozenset(words(passage.chunk.text))
    figures = frozenset(word for word in found if any(sign.isdigit() for sign in word))
    return _Wording(found - figures, figures)
