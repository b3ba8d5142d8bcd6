"""The type a Word document sets its text in: by the run, its styles, and what the document begins with."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from core.ingest.parsers.office.ooxml import W, is_boxed, runs
from core.ingest.parsers.type_headings import LARGE_SIZE_RATIO

if TYPE_CHECKING:
    from lxml.etree import _Element

_DEFAULT_POINTS = 10.0  # where nothing says it (ECMA-376 part 1, 17.3.2.38)
_MAX_DEPTH = 10  # styles that are based on each other
_OFF = ("0", "false", "off")


class Emphasis(TypedDict):
    """How a paragraph stands out; `large` is its size in points where that is more than the body's."""

    bold: bool
    large: float


class WordType:
    """Tells the size (points) and weight of paragraphs, `styles` by their ids."""

    def __init__(self, root: "_Element", styles: Mapping[str, Any]) -> None:
        self._styles = styles
        self._first = next((key for key, style in styles.items() if _is_first(style)), "")
        sizes: Counter[float] = Counter()
        self._default = _size_by_default(styles) or _DEFAULT_POINTS
        for paragraph in root.iter(W + "p"):
            for run, letters in runs(paragraph):
                sizes[self._size(run, paragraph)] += letters
        self.body = sizes.most_common(1)[0][0] if sizes else self._default

    def emphasis(self, paragraph: "_Element") -> "Emphasis":
        """Return how a paragraph stands out: in bold, or in large type (its size)."""
        return Emphasis(bold=self.is_bold(paragraph), large=self.large(paragraph))

    def large(self, paragraph: "_Element") -> float:
        """Return the size of a paragraph all of whose words are larger than the body's, else 0."""
        if is_boxed(paragraph):
            return 0.0
        sizes = [self._size(run, paragraph) for run, _ in runs(paragraph)]
        return min(sizes) if sizes and min(sizes) >= LARGE_SIZE_RATIO * self.body else 0.0

    def is_bold(self, paragraph: "_Element") -> bool:
        """Say whether all words are bold; the label of a box in a drawing is not looked at."""
        weights = [self._is_bold(run, paragraph) for run, _ in runs(paragraph)]
        return bool(weights) and all(weights) and not is_boxed(paragraph)

    def _size(self, run: "_Element", paragraph: "_Element") -> float:
        sizes = (_points(properties.find(W + "sz")) for properties in self._properties(run, paragraph))
        return next(filter(None, sizes), self._default)

    def _is_bold(self, run: "_Element", paragraph: "_Element") -> bool:
        marks = (properties.find(W + "b") for properties in self._properties(run, paragraph))
        mark = next((mark for mark in marks if mark is not None), None)
        return mark is not None and mark.get(W + "val") not in _OFF

    def _properties(self, run: "_Element", paragraph: "_Element") -> Iterator["_Element"]:
        """Yield what is said of a run: by itself, its style, its paragraph's; the nearest first."""
        own = run.find(W + "rPr")
        if own is not None:
            yield own
        for named in (run.find(f"{W}rPr/{W}rStyle"), paragraph.find(f"{W}pPr/{W}pStyle")):
            if named is not None:
                yield from self._of_style(named.get(W + "val") or "")
        yield from self._of_style(self._first)

    def _of_style(self, key: str) -> Iterator["_Element"]:
        style = self._styles.get(key)
        for _ in range(_MAX_DEPTH):
            if style is None:
                return
            properties = style.element.find(W + "rPr")
            if properties is not None:
                yield properties
            style = getattr(style, "base_style", None)


def _is_first(style: Any) -> bool:
    """Say whether a style is that of paragraphs which name none."""
    element = style.element
    return element.get(W + "type") == "paragraph" and element.get(W + "default") in ("1", "true", "on")


def _size_by_default(styles: Mapping[str, Any]) -> float:
    """Return the size that holds where neither run nor style says one."""
    root = next((style.element.getparent() for style in styles.values()), None)
    return _points(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}sz")) if root is not None else 0.0


def _points(size: "_Element | None") -> float:
    """Return a size, which is written in half points, 0 where it is none."""
    half_points = size.get(W + "val") or "" if size is not None else ""
    return float(half_points) / 2 if half_points.isdecimal() else 0.0
