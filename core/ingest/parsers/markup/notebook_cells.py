"""The cells of a Jupyter notebook, of nbformat 4 or 3, and what is left of them in a damaged one."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

from core.errors import DamagedFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.trees.broken_json import repaired_json
from core.ingest.parsers.trees.tree_line_numbers import JsonPlace, Lines

_CELL = re.compile(  # where one begins: an object that is no member's value
    r"(?<!:)(?<!: )\{\s*"
    r'"(?:attachments|cell_type|collapsed|execution_count|id|input|language|level|metadata|outputs|source)"'
)
_DECODER = json.JSONDecoder(strict=False)
Fields = dict[str, Any]


class NotebookCell(NamedTuple):
    """A cell, and where it stands."""

    value: Any
    place: JsonPlace


def notebook_cells(draft: Draft, text: str) -> tuple[Any, list[NotebookCell] | None]:
    """Return a notebook and its cells, None for the cells where the text is JSON of another kind.

    Raises DamagedFile where nothing of it can be read.
    """
    try:
        value = json.loads(text)
    except ValueError as error:
        if cells := list(_cells_alone(text)):
            draft.skipped.append(
                f"The notebook is broken ({error}); what could be read of its cells was kept."
            )
            return None, cells
        if repaired_json(text) is not None:
            return None, None
        raise DamagedFile(
            f"{draft.name} is a damaged notebook, and nothing in it can be read ({error}).",
            hint="Save it again in Jupyter, or mend the JSON at that line, then add it once more.",
        ) from error
    return value, list(_cells(value, JsonPlace.of(text))) if _contains_cells(value) else None


def _contains_cells(value: Any) -> bool:
    return isinstance(value, dict) and any(
        isinstance(value.get(key), list) for key in ("cells", "worksheets")
    )


def _cells(notebook: Fields, place: JsonPlace) -> Iterator[NotebookCell]:
    """Yield the cells of a notebook, of nbformat 3 those of its worksheets."""
    for key, value, inner in members(notebook, place):
        if key == "cells" and isinstance(value, list):
            yield from map(NotebookCell, value, inner.inside(value))
        elif key == "worksheets" and isinstance(value, list):
            for sheet, beneath in zip(value, inner.inside(value), strict=True):
                if isinstance(sheet, dict):
                    yield from _cells(sheet, beneath)


def _cells_alone(text: str) -> Iterator[NotebookCell]:
    """Yield the cells of a text that is no JSON as a whole: those that are, and what is left of others."""
    lines, position = Lines(text), 0
    for whole in _whole_cells(text, lines):
        yield from _broken_cells(text, position, whole.place.start, lines)
        yield whole
        position = whole.place.end
    yield from _broken_cells(text, position, len(text), lines)


def _whole_cells(text: str, lines: Lines) -> Iterator[NotebookCell]:
    position = 0
    while found := _CELL.search(text, position):
        try:
            value, position = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            position = found.end()
            continue
        if _is_cell(value):
            yield NotebookCell(value, JsonPlace(lines, found.start(), found.start(), position))


def _broken_cells(text: str, start: int, end: int, lines: Lines) -> Iterator[NotebookCell]:
    """Yield what can be read of the cells between two that are whole."""
    begins = [found.start() for found in _CELL.finditer(text, start, end)]
    begins = begins or [place for place in [text.find("{", max(1, start), end)] if place >= 0]
    for begin, until in pairwise([*begins, end]):
        with suppress(RecursionError):
            repaired = repaired_json(text[begin:until].rstrip().rstrip(","))
            if repaired is not None and _is_cell(repaired.value):
                yield NotebookCell(repaired.value, JsonPlace.of(repaired.text, lines.of(begin)))


def _is_cell(value: Any) -> bool:
    return isinstance(value, dict) and not value.keys().isdisjoint(("cell_type", "source", "input"))


def members(value: Fields, place: JsonPlace) -> Iterator[tuple[str, Any, JsonPlace]]:
    """Yield the members of an object, each with its place."""
    for (key, member), inner in zip(value.items(), place.inside(value), strict=True):
        yield key, member, inner
