"""On which lines the values of a JSON or YAML tree are written, found only for values that are asked for."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from core.domain import Location

_SPACE = re.compile(r"[ \t\n\r]*")
_MAX_DEPTH = 100  # nodes in nodes that are followed to a last line
_DECODER = json.JSONDecoder(strict=False)
Span = tuple[int, int]  # first and last line, both included, from 0


class Place(Protocol):
    """Where a value stands, with its key."""

    @property
    def lines(self) -> Span:
        """Return the first and the last line, from 0."""

    def inside(self, value: Any) -> "Sequence[Place]":
        """Return the places of the items of a list or of a mapping, in the order of `value`."""


def at(*places: Place) -> Location:
    """Return the lines from the first of the places to the last of them."""
    spans = [place.lines for place in places]
    return Location(lines=(min(first for first, _ in spans), max(last for _, last in spans)))


@dataclass(frozen=True)
class Lines:
    """A text and where its lines end; it is a whole file or what is in one from its line `first` on."""

    text: str
    first: int = 0
    ends: Sequence[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", [found.start() for found in re.finditer("\n", self.text)])

    def of(self, position: int) -> int:
        """Return the line of a character."""
        return self.first + bisect_left(self.ends, position)


class JsonPlace(NamedTuple):
    """A value in a JSON text known to be well-formed: its key begins at `key`, itself at `start`."""

    source: Lines
    key: int
    start: int
    end: int  # behind its last character

    @classmethod
    def of(cls, text: str, first: int = 0) -> Self:
        """Return the place of the whole text's value; the text is in a file from its line `first` on."""
        start = _next(text, 0)
        return cls(Lines(text, first), start, start, len(text.rstrip()))

    @property
    def lines(self) -> Span:
        return self.source.of(self.key), self.source.of(self.end - 1)

    def inside(self, value: Any) -> "list[JsonPlace]":
        """Read over the value once more; what its items hold is skipped at the speed of the C decoder."""
        if isinstance(value, dict):
            named = dict(self._pairs())  # of a key that is given twice the last value counts
            return [named[key] for key in value]
        return list(self._items())

    def _pairs(self) -> "Iterator[tuple[str, JsonPlace]]":
        text, at = self.source.text, _next(self.source.text, self.start + 1)
        while text[at] != "}":
            begin = at
            key, at = _DECODER.raw_decode(text, begin)
            start = _next(text, _next(text, at) + 1)
            end = _DECODER.raw_decode(text, start)[1]
            yield key, JsonPlace(self.source, begin, start, end)
            at = _after(text, end)

    def _items(self) -> "Iterator[JsonPlace]":
        text, at = self.source.text, _next(self.source.text, self.start + 1)
        while text[at] != "]":
            end = _DECODER.raw_decode(text, at)[1]
            yield JsonPlace(self.source, at, at, end)
            at = _after(text, end)


def _next(text: str, at: int) -> int:
    """Return where the next character stands that is not white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _after(text: str, at: int) -> int:
    """Return where the next item of a list or mapping begins, or its closing bracket stands."""
    at = _next(text, at)
    return _next(text, at + 1) if text[at] == "," else at


@dataclass(frozen=True)
class YamlPlace:
    """A value in a YAML text: its node, and the lines from its key to its end.

    A value that is only named here (an alias, a merged key) stands where it is named.
    """

    loader: Any
    text: Sequence[str]
    node: Any
    lines: Span

    @classmethod
    def of(cls, loader: Any, text: Sequence[str], node: Any) -> Self:
        """Return the place of a document."""
        first = node.start_mark.line
        return cls(loader, text, node, (first, _last(node, text)))

    def inside(self, value: Any) -> "list[YamlPlace]":
        pairs = self.node.value if isinstance(self.node.value, list) else []
        if isinstance(value, dict):
            named = {self._name(key): self._at(key, node) for key, node in filter(_is_pair, pairs)}
            return [named.get(key, self) for key in value]
        if len(pairs) != len(value):
            return [self] * len(value)
        return [self._at(*pair) if _is_pair(pair) else self._at(pair, pair) for pair in pairs]

    def _name(self, key: Any) -> str:
        """Return a key as the tree calls it."""
        return str(self.loader.construct_object(key)) if isinstance(key.value, str) else ""

    def _at(self, key: Any, node: Any) -> "YamlPlace":
        first, until = key.start_mark.line, self.lines[1]
        if not self.lines[0] <= first <= until:
            return YamlPlace(self.loader, self.text, node, self.lines)
        last = _last(node, self.text) if first <= node.start_mark.line <= until else first
        return YamlPlace(self.loader, self.text, node, (first, max(first, last)))


def _is_pair(item: Any) -> bool:
    return isinstance(item, tuple)


def _last(node: Any, text: Sequence[str]) -> int:
    """Return the last line of a node; what the parser counts to it of blank lines is left out."""
    for _ in range(_MAX_DEPTH):  # an alias may lead back to where it stands
        if not isinstance(node.value, list) or not node.value or node.flow_style:
            break
        item = node.value[-1]
        key, inner = item if _is_pair(item) else (item, item)
        if not node.start_mark.line <= key.start_mark.line <= inner.start_mark.line:
            return max(int(node.start_mark.line), int(key.start_mark.line))
        node = inner
    return _end(node, text)


def _end(node: Any, text: Sequence[str]) -> int:
    first, mark = int(node.start_mark.line), node.end_mark
    last = int(mark.line) if mark.column > 0 else int(mark.line) - 1
    while last > first and not (last < len(text) and text[last].strip()):
        last -= 1
    return max(first, last)
