"""Words near a word that the library does not know: what a slip of the hand was meant to be, and a number or
code that is written with more or less around it ("6442728" in "US06442728B1"); and two words as one."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.text.tokens import STOP_WORDS, query_words

MIN_WORD_LETTERS = 4  # letters of a word that may have been mistyped
MIN_CODE_SIGNS = 5  # signs of a number or code that may stand within another
TWO_SLIPS_LETTERS = 8  # letters from which on two slips are allowed
COMPOUND_LIKENESS = 0.6  # of two words and the one they make
_BESIDE = re.compile(r"\b(?=([^\W\d_]{3,})[ -]([^\W\d_]{3,})\b)")  # two words of letters beside each other


class SpellingIndex:
    """The words of a library by their first letter, which hardly anybody mistypes."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(words)

    @cached_property
    def _initials(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for word in self._words:
            if len(word) >= MIN_WORD_LETTERS and word.isalpha():
                found.setdefault(word[0], []).append(word)
        return found

    def near(self, word: str, most: int = 3) -> list[tuple[str, float]]:
        """Return the words of the library nearest to the word and how alike they are (0 to 1), best first.

        Letters left out, added, changed or swapped with the next (optimal string alignment) count as slips:
        one is allowed, in a word of at least `TWO_SLIPS_LETTERS` letters two.
        """
        if not word.isalpha():
            return self._around(word, most) if len(word) >= MIN_CODE_SIGNS and word.isascii() else []
        if len(word) < MIN_WORD_LETTERS:
            return []
        slips = 1 if len(word) < TWO_SLIPS_LETTERS else 2
        hits = process.extract(
            word, self._initials.get(word[0], ()), scorer=OSA.distance, score_cutoff=slips, limit=most
        )
        least = min((int(distance) for _, distance, _ in hits), default=0)
        return [(near, 1 - distance / len(word)) for near, distance, _ in hits if distance == least]

    def near_each(self, words: Iterable[str]) -> list[tuple[str, float]]:
        """Return what is `near` each of several words."""
        return [near for word in words for near in self.near(word)]

    def _around(self, code: str, most: int) -> list[tuple[str, float]]:
        """Return the shortest words that a code is the end, the beginning or the middle of, with the share
        of each that it is: at least half."""
        containing = [word for word in self._words if code in word and len(word) <= 2 * len(code)]
        return [
            (word, len(code) / len(word)) for word in sorted(containing, key=lambda w: (len(w), w))[:most]
        ]


def compounds(query: str, knows: Callable[[str], bool]) -> list[tuple[str, float]]:
    """Return the words that the library writes as one and the query as two ("windspeed" of "wind speed"), and
    how alike they are (0 to 1); words of grammar make none."""
    found = []
    for match in _BESIDE.finditer(query):
        joined = query_words(match[1] + match[2])
        grammar = match[1].lower() in STOP_WORDS or match[2].lower() in STOP_WORDS
        if not grammar and len(joined) == 1 and knows(joined[0]):
            found.append((joined[0], COMPOUND_LIKENESS))
    return found
