"""The different values of columns, kept beside their texts in small letters, to look words up in."""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

MOST_BYTES = 32 << 20  # of all columns together
MOST_OF_ONE = 4 << 20  # of one column; what is larger is not kept

Pair = tuple[object, str]  # a value, and its text in small letters as DuckDB makes them


@dataclass(frozen=True)
class _Texts:
    """The values of one column in their order; `joined` holds every text of `small`."""

    values: tuple[str, ...]
    small: tuple[str, ...]
    joined: str
    size: int


class ColumnTexts:
    """Answers which values of a column hold a word, and reads each column once. Safe to call from threads.

    At most MOST_BYTES are kept; the column unused for longest goes first.
    """

    def __init__(self, most: int = MOST_BYTES, most_of_one: int = MOST_OF_ONE) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._lock = threading.Lock()
        self._cache: dict[tuple[str, str], _Texts | None] = {}  # None: too large
        self._dropped = 0

    @property
    def size(self) -> int:
        """Return the bytes kept."""
        with self._lock:
            return sum(texts.size for texts in self._cache.values() if texts)

    def holding(
        self, table: str, column: str, words: Sequence[str], limit: int, read: Callable[[], Iterable[Pair]]
    ) -> list[str] | None:
        """Return the first values whose text holds one of the words; None where the column is too large.

        `read` yields the different values in their order; it is called where they are not kept.
        """
        texts = self._texts((table, column), read)
        if texts is None:
            return None
        there = [word for word in words if word in texts.joined]
        found: list[str] = []
        for value, small in zip(texts.values, texts.small, strict=True) if there else ():
            if len(found) == limit:
                break
            if any(word in small for word in there):
                found.append(value)
        return found

    def forget(self, tables: Iterable[str]) -> None:
        """Drop what was read of the tables, and what is being read now."""
        dropped = set(tables)
        with self._lock:
            self._dropped += 1
            self._cache = {key: texts for key, texts in self._cache.items() if key[0] not in dropped}

    def _texts(self, key: tuple[str, str], read: Callable[[], Iterable[Pair]]) -> _Texts | None:
        with self._lock:
            if key in self._cache:
                self._cache[key] = texts = self._cache.pop(key)
                return texts
            dropped = self._dropped
        texts = self._read(read())
        with self._lock:
            if dropped == self._dropped:  # nothing was written meanwhile
                self._cache[key] = texts
                self._shrink()
        return texts

    def _shrink(self) -> None:
        size = sum(texts.size for texts in self._cache.values() if texts)
        for key in list(self._cache):
            if size <= self._most:
                return
            if removed := self._cache[key]:
                size -= removed.size
                del self._cache[key]

    def _read(self, pairs: Iterable[Pair]) -> _Texts | None:
        values: list[str] = []
        small: list[str] = []
        size = 200
        for value, text in pairs:
            values.append(str(value))
            small.append(values[-1] if text == values[-1] else text)
            size += 2 * sys.getsizeof(text) + sys.getsizeof(values[-1]) + 16
            if size > self._most_of_one:
                return None
        return _Texts(tuple(values), tuple(small), "\n".join(small), size)
