"""Words cut at the ends of lines: by a hyphen, a part of them or not ("high-dimensional"), or without."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from core.text.english_words import common_words
from core.text.tokens import stem

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
HANGUL = re.compile("[\uac00-\ud7a3]+")
_KOREAN_END = re.compile("(?<![^\\W\\d_])[\uac00-\ud7a3]+$")
_MIN_WORD_LETTERS = 3  # letters of a part that stands as its own word
_MIN_ENGLISH_SHARE = 0.5  # of the words of an English text are common ones


@dataclass(frozen=True)
class KnownWords:
    """How often each word stands inside the lines of a document, so that one cut at a line's end is known."""

    words: Counter[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "KnownWords":
        """Count the words of texts, in lower case."""
        return cls(Counter(word.lower() for text in texts for word in _WORD.findall(text)))

    def keeps_hyphen(self, head: str, tail: str) -> bool:
        """Say whether "head-" at a line's end and "tail" on the next one are parts of a compound.

        They are where the document has the compound oftener than the word without hyphen; and where nobody
        knows that word, neither the document nor English, but both parts are English words.
        """
        if len(head) == 1 or "-" in head:
            return True
        whole, compound = self.words[head + tail], self.words[f"{head}-{tail}"]
        if whole or compound:
            return compound > whole
        first = tail.split("-")[0]
        return (
            self._is_english
            and min(len(head), len(first)) >= _MIN_WORD_LETTERS
            and {head, first} <= common_words()
            and not {head + first, stem(head + first)} & common_words()
            and stem(head + first) not in self._stems
        )

    def is_cut(self, text: str, after: str) -> bool:
        """Say whether a line ends within a Korean word, as the joined word occurs elsewhere in the document.

        Where the parts have been seen apart, too, they are words.
        """
        head, tail = _KOREAN_END.search(text), HANGUL.match(after)
        if head is None or tail is None:
            return False
        apart = min(self.words[head[0]], self.words[tail[0]])  # once each at the ends of these two lines
        return apart <= 1 and self.words[head[0] + tail[0]] > 0

    @cached_property
    def _stems(self) -> set[str]:
        return set(map(stem, self.words))

    @cached_property
    def _is_english(self) -> bool:
        known = sum(often for word, often in self.words.items() if word in common_words())
        return known >= _MIN_ENGLISH_SHARE * max(1, self.words.total())
