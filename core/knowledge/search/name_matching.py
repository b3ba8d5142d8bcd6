"""Finds known names in a question: the longest match by words, Chinese and Japanese names by characters.

Capitals do not count; in passages they do, so titles are found there by `core.text.title_names`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.text.phrase_table import PhraseTable
from core.text.tokens import IS_CJK, RUNS, STOP_WORDS, fold, name_words, normal

MAX_NAME_WORDS = 12  # words, or signs, of a name that is looked for in a question

folded = lru_cache(maxsize=30_000)(fold)


class NameMatch(NamedTuple):
    """A name found: the ids it stands for and its words as the text has them."""

    ids: tuple[str, ...]
    surface: str


def keys_in(text: str) -> set[str]:
    """Return the normal forms that a name standing in the text may have: its runs of words, and of signs."""
    words = name_words(text)
    keys = {
        " ".join(words[at : at + length])
        for at in range(len(words))
        for length in range(1, min(MAX_NAME_WORDS, len(words) - at) + 1)
    }
    if IS_CJK.search(text):
        signs = "".join(fold(text).split())
        parts = (
            signs[at : at + length] for at in range(len(signs)) for length in range(2, MAX_NAME_WORDS + 1)
        )
        keys |= {normal(part) for part in parts if IS_CJK.search(part)}
    return keys


class NameIndex:
    """Names and what they stand for; several things may share a name."""

    def __init__(self) -> None:
        self._names: PhraseTable[tuple[str, ...]] = PhraseTable()
        self._signs: PhraseTable[tuple[str, ...]] = PhraseTable("")  # names with Chinese or Japanese signs

    def __len__(self) -> int:
        return len(self._names) + len(self._signs)

    def add(self, name: str, node_id: str, key: str | None = None) -> None:
        """Add a name, with its normal form where that is known already; names without a word, or of stop
        words only, are passed over."""
        if IS_CJK.search(name):
            signs = "".join(fold(name).split())
            if len(signs) >= 2:
                _add(self._signs, signs, node_id)
            return
        words = (normal(name) if key is None else key).split()
        if not all(word in STOP_WORDS for word in words):
            _add(self._names, words, node_id)

    def find(self, text: str) -> Iterator[NameMatch]:
        """Yield the names in the text; a name inside a longer one is not found on its own."""
        if len(self._names):
            yield from self._find_words(text)
        if len(self._signs) and IS_CJK.search(text):
            yield from self._find_signs("".join(text.split()))

    def _find_words(self, text: str) -> Iterator[NameMatch]:
        spans = [
            match.span()
            for match in RUNS.finditer(text)
            if not (match.group() in "sS" and match.start() and text[match.start() - 1] in "'’")
        ]
        words = [folded(text[start:end]) for start, end in spans]
        at = 0
        while at < len(words):
            step = 1
            if matches := self._names.at(words, at):
                ids, step = matches[0]
                yield NameMatch(ids, text[spans[at][0] : spans[at + step - 1][1]])
            at += step

    def _find_signs(self, text: str) -> Iterator[NameMatch]:
        signs = fold(text)
        at = 0
        while at < len(signs):
            step = 1
            if matches := self._signs.at(signs, at):
                ids, step = matches[0]
                yield NameMatch(ids, signs[at : at + step])
            at += step


def _add(table: PhraseTable[tuple[str, ...]], tokens: Sequence[str], node_id: str) -> None:
    ids = table.get(tokens) or ()
    if node_id not in ids:
        table.put(tokens, (*ids, node_id))
