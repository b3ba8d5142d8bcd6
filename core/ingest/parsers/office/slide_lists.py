"""Marks of list items on slides: said by the paragraph, or handed down by its shape, layout and master."""

from collections.abc import Iterator
from typing import Any

from core.ingest.parsers.xml_namespaces import DRAWINGML

_NUMBERED, _BULLETS = DRAWINGML + "buAutoNum", (DRAWINGML + "buChar", DRAWINGML + "buBlip")
_NONE = DRAWINGML + "buNone"


class ListMarks:
    """Tells the marks of one shape's paragraphs in their order, so that numbers continue."""

    def __init__(self, shape: Any) -> None:
        self._styles = [style for style in _styles(shape) if style is not None]
        self._counts: dict[int, int] = {}

    def of(self, paragraph: Any) -> str:
        """Return "- ", "3. ", or "" for a paragraph that is no item."""
        level = int(paragraph.level)
        kind, start = self._kind(paragraph, level)
        for deeper in [
            each for each in self._counts if each > level or (kind != _NUMBERED and each == level)
        ]:
            del self._counts[deeper]
        if kind == _NUMBERED:
            self._counts[level] = self._counts.get(level, start - 1) + 1
            return f"{self._counts[level]}. "
        return "- " if kind in _BULLETS else ""

    def _kind(self, paragraph: Any, level: int) -> tuple[str, int]:
        """Return the tag of the first mark that is said, and the number it begins with."""
        own = paragraph._p.find(f"{DRAWINGML}pPr")
        handed = (style.find(f"{DRAWINGML}lvl{level + 1}pPr") for style in self._styles)
        for properties in (own, *handed):
            for mark in properties if properties is not None else ():
                if mark.tag in (_NUMBERED, _NONE, *_BULLETS):
                    return str(mark.tag), int(mark.get("startAt") or 1)
        return "", 1


def _styles(shape: Any) -> Iterator[Any]:
    """Yield the list styles that hold for a shape, the nearest first."""
    yield _list_style(shape)
    if not shape.is_placeholder:
        return
    try:
        wanted, layout = shape.placeholder_format, shape.part.slide.slide_layout
        below = [one for one in layout.placeholders if one.placeholder_format.idx == wanted.idx]
        above = [
            one for one in layout.slide_master.placeholders if one.placeholder_format.type == wanted.type
        ]
        master = layout.slide_master._element.find(".//{*}txStyles/{*}bodyStyle")
    except damaged_layout_errors():
        return  # only what the shape says itself holds
    yield from map(_list_style, (*below, *above))
    if "TITLE" not in str(wanted.type):
        yield master


def damaged_layout_errors() -> tuple[type[Exception], ...]:
    """Return what python-pptx raises where a slide's layout or master is damaged or gone."""
    from pptx.exc import PythonPptxError

    return KeyError, AttributeError, ValueError, TypeError, SyntaxError, PythonPptxError


def _list_style(shape: Any) -> Any:
    return shape._element.find(f".//{DRAWINGML}lstStyle")
