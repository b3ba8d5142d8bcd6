"""A table of phrases by their tokens: which known phrases stand at a place of a text, the longest first."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

V = TypeVar("V")


class PhraseTable(Generic[V]):
    """Values by runs of tokens. Looking at a place costs one look-up a length that begins with its token."""

    def __init__(self, separator: str = " ") -> None:
        self._separator = separator  # between the tokens of a key: none where a token is one sign
        self._values: dict[str, V] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}  # first token -> tokens of such phrases, most first

    def __len__(self) -> int:
        return len(self._values)

    def values(self) -> Iterable[V]:
        return self._values.values()

    def get(self, tokens: Sequence[str]) -> V | None:
        """Return the value of a phrase, None where it is not known."""
        return self._values.get(self._separator.join(tokens))

    def put(self, tokens: Sequence[str], value: V) -> None:
        """Keep a value for a phrase of one token or more."""
        self._values[self._separator.join(tokens)] = value
        lengths = self._lengths.get(tokens[0], ())
        if len(tokens) not in lengths:
            self._lengths[tokens[0]] = tuple(sorted((*lengths, len(tokens)), reverse=True))

    def at(self, tokens: Sequence[str], place: int) -> list[tuple[V, int]]:
        """Return (value, tokens it takes) of every phrase that begins at a place, the longest first."""
        lengths = self._lengths.get(tokens[place])
        if not lengths:
            return []
        found = []
        for length in lengths:
            if place + length <= len(tokens):
                value = self._values.get(self._separator.join(tokens[place : place + length]))
                if value is not None:
                    found.append((value, length))
        return found
