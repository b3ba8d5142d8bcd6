"""Finds known names in a text: the longest match by words, Chinese and Japanese names by characters."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.text.tokens import IS_CJK, RUNS, STOP_WORDS, fold, name_words, normal

LONGEST = 12  # words, or signs, of a name that is looked for in a question

folded = lru_cache(maxsize=30_000)(fold)


class Found(NamedTuple):
    """A name found: the ids it stands for and its words as the text has them."""

    ids: tuple[str, ...]
    surface: str


def keys_in(text: str) -> set[str]:
    """Return the normal forms that a name standing in the text may have: its runs of words, and of signs."""
    words = name_words(text)
    keys = {
        " ".join(words[at : at + length])
        for at in range(len(words))
        for length in range(1, min(LONGEST, len(words) - at) + 1)
    }
    if IS_CJK.search(text):
        signs = "".join(fold(text).split())
        parts = (signs[at : at + length] for at in range(len(signs)) for length in range(2, LONGEST + 1))
        keys |= {normal(part) for part in parts if IS_CJK.search(part)}
    return keys


class NameIndex:
    """Names and what they stand for; several things may share a name."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._longest: dict[str, int] = {}  # first word -> most words of a name that begins with it
        self._signs: dict[str, tuple[str, ...]] = {}  # names with Chinese or Japanese signs
        self._lengths: dict[str, tuple[int, ...]] = {}  # first sign -> lengths, longest first

    def __len__(self) -> int:
        return len(self._names) + len(self._signs)

    def add(self, name: str, node_id: str, key: str | None = None) -> None:
        """Add a name, with its normal form where that is known already; names without a word, or of stop
        words only, are passed over."""
        if IS_CJK.search(name):
            self._add_signs("".join(fold(name).split()), node_id)
            return
        words = (normal(name) if key is None else key).split()
        if not words or all(word in STOP_WORDS for word in words):
            return
        key = " ".join(words)
        ids = self._names.get(key, ())
        if node_id not in ids:
            self._names[key] = (*ids, node_id)
        self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))

    def _add_signs(self, name: str, node_id: str) -> None:
        if len(name) < 2:
            return
        ids = self._signs.get(name, ())
        if node_id not in ids:
            self._signs[name] = (*ids, node_id)
        lengths = self._lengths.get(name[0], ())
        if len(name) not in lengths:
            self._lengths[name[0]] = tuple(sorted((*lengths, len(name)), reverse=True))

    def find(self, text: str) -> Iterator[Found]:
        """Yield the names in the text; a name inside a longer one is not found on its own."""
        if self._names:
            yield from self._find_words(text)
        if self._signs and IS_CJK.search(text):
            yield from self._find_signs("".join(text.split()))

    def _find_words(self, text: str) -> Iterator[Found]:
        spans = [
            match.span()
            for match in RUNS.finditer(text)
            if not (match.group() in "sS" and match.start() and text[match.start() - 1] in "'’")
        ]
        words = [folded(text[start:end]) for start, end in spans]
        at = 0
        while at < len(words):
            step = 1
            longest = self._longest.get(words[at])
            for length in range(min(longest, len(words) - at), 0, -1) if longest else ():
                ids = self._names.get(" ".join(words[at : at + length]))
                if ids is not None:
                    yield Found(ids, text[spans[at][0] : spans[at + length - 1][1]])
                    step = length
                    break
            at += step

    def _find_signs(self, text: str) -> Iterator[Found]:
        signs = fold(text)
        at = 0
        while at < len(signs):
            step = 1
            for length in self._lengths.get(signs[at], ()):
                ids = self._signs.get(signs[at : at + length])
                if ids is not None:
                    yield Found(ids, signs[at : at + length])
                    step = length
                    break
            at += step
