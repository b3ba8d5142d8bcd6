"""Machine files read through a CIM mapping: one typed table, its entities named, what did not fit said."""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.domain import Cell, Column, Location, Parsed, TableData
from core.errors import MappingError, ParseError
from core.ingest.parsers.cells import Kind, typed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.fab.mapping import MappedColumn, Mapping, span_of
from core.ingest.parsers.source import text_of

_MAX_NAMED_LINES = 5  # lines that did not fit, named one by one
_MOST_ENTITIES = 200


@dataclass(frozen=True)
class MappedParser:
    """Reads a file as its mapping says."""

    mapping: Mapping
    media_types: tuple[str, ...] = ("text/x-cim",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        draft.metadata["mapping"] = self.mapping.name
        draft.heading(f"{self.mapping.name}: {Path(name).stem}", 1)
        table = _table(draft, self.mapping, text_of(path, draft))
        for index, column in enumerate(self.mapping.columns):
            if column.entity:
                _entities(draft, column, [row[index] for row in table.rows])
        draft.table(table)
        return draft.parsed()


def _table(draft: Draft, mapping: Mapping, text: str) -> TableData:
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"))
        if number >= mapping.skip
        and line.strip()
        and not (mapping.comment and line.startswith(mapping.comment))
    ]
    if mapping.regex:
        cut = _by_regex(mapping)
    else:
        cut = _by_width(mapping) if mapping.fixed else _by_delimiter(mapping, lines)
    if mapping.header:
        lines = lines[1:]
    rows: list[list[Cell]] = []
    places: list[int] = []  # the line of each row
    odd: list[int] = []
    for number, line in lines:
        cells = cut(line)
        if cells is None:
            odd.append(number + 1)
            draft.paragraph(line, Location(lines=(number, number)))
        else:
            rows.append(cells)
            places.append(number)
    if not rows:
        raise ParseError(
            f"No line of {draft.name} fits the mapping {mapping.name}.",
            hint="Try the mapping on a sample on the Corpus page.",
        )
    if odd:
        listed, more = ", ".join(map(str, odd[:_MAX_NAMED_LINES])), len(odd) - _MAX_NAMED_LINES
        if more > 0:
            draft.skipped.append(f"Lines {listed} and {more} more did not fit the mapping and stand as text.")
        else:
            draft.skipped.append(
                f"Line {listed} did not fit the mapping and stands as text."
                if len(odd) == 1
                else f"Lines {listed} did not fit the mapping and stand as text."
            )
    return _typed(draft, mapping, rows, places)


def _by_regex(mapping: Mapping) -> Callable[[str], list[Cell] | None]:
    pattern = re.compile(mapping.regex)

    def cut(line: str) -> list[Cell] | None:
        match = pattern.search(line)
        return None if match is None else [match[column.source] for column in mapping.columns]

    return cut


def _by_width(mapping: Mapping) -> Callable[[str], list[Cell] | None]:
    spans = [span_of(column) for column in mapping.columns]

    def cut(line: str) -> list[Cell] | None:
        cells: list[Cell] = [line[span].strip() or None for span in spans]
        return cells if any(cell is not None for cell in cells) else None

    return cut


def _by_delimiter(mapping: Mapping, lines: list[tuple[int, str]]) -> Callable[[str], list[Cell] | None]:
    header = _fields(mapping, lines[0][1]) if mapping.header and lines else []
    places = [_place(column, header, mapping) for column in mapping.columns]

    def cut(line: str) -> list[Cell] | None:
        fields = _fields(mapping, line)
        return None if len(fields) <= max(places) else [fields[place] or None for place in places]

    return cut


def _fields(mapping: Mapping, line: str) -> list[str]:
    if len(mapping.delimiter) == 1 and not mapping.delimiter.isspace():
        return [field.strip() for field in next(csv.reader([line], delimiter=mapping.delimiter))]
    parts = (
        line.split(mapping.delimiter)
        if mapping.delimiter.strip() or mapping.delimiter == "\t"
        else line.split()
    )
    return [part.strip() for part in parts]


def _place(column: MappedColumn, header: list[str], mapping: Mapping) -> int:
    if isinstance(column.source, int):
        return column.source - 1
    if column.source not in header:
        raise MappingError(
            f"{mapping.name} wants a column “{column.source}”; the file has {', '.join(header)}."
        )
    return header.index(column.source)


def _typed(draft: Draft, mapping: Mapping, rows: list[list[Cell]], places: list[int]) -> TableData:
    """Give every column the type asked for, and say which values are not of it."""
    columns: list[Column] = []
    values: list[list[Cell]] = []
    for index, column in enumerate(mapping.columns):
        raw = [row[index] for row in rows]
        kind, found = _converted(draft, column, raw, places)
        columns.append(Column(name=column.name, type=kind, unit=column.unit))
        values.append(found)
    place = Location(rows=(0, len(rows) - 1))
    return TableData(
        name=mapping.name, columns=tuple(columns), rows=tuple(zip(*values, strict=True)), location=place
    )


def _converted(
    draft: Draft, column: MappedColumn, raw: list[Cell], places: list[int]
) -> tuple[Kind, list[Cell]]:
    """Return a column's type and values. Single values of another type are left empty and said with their
    lines; where half of them are, the column stays text: then the mapping is wrong, not the file."""
    if column.type == "text":
        return "text", raw
    filled = [at for at, cell in enumerate(raw) if cell is not None]
    kind, found, _ = typed(raw)
    if not filled or _fits(kind, column.type):
        return column.type, _reals(found) if column.type == "real" else found
    kinds: dict[Cell, Kind] = {cell: typed([cell])[0] for cell in dict.fromkeys(raw) if cell is not None}
    odd = [at for at in filled if not _fits(kinds[raw[at]], column.type)]
    unfit = set(odd)
    kind, found, _ = typed([None if at in unfit else cell for at, cell in enumerate(raw)])
    if len(odd) * 2 > len(filled) or not _fits(kind, column.type):
        draft.skipped.append(f"Column {column.name} is not all of type {column.type}; it stays text.")
        return "text", raw
    shown = ", ".join(f"line {places[at] + 1}: “{raw[at]}”" for at in odd[:_MAX_NAMED_LINES])
    more = f" and {len(odd) - _MAX_NAMED_LINES} more" if len(odd) > _MAX_NAMED_LINES else ""
    counted = "1 value is" if len(odd) == 1 else f"{len(odd)} values are"
    draft.skipped.append(
        f"{column.name}: {counted} not of type {column.type} and left empty ({shown}{more})."
    )
    return column.type, _reals(found) if column.type == "real" else found


def _reals(cells: list[Cell]) -> list[Cell]:
    return [float(cell) if isinstance(cell, int) else cell for cell in cells]


def _fits(found: Kind, wanted: Kind) -> bool:
    return wanted in ("text", found) or (found, wanted) in (("integer", "real"), ("date", "datetime"))


def _entities(draft: Draft, column: MappedColumn, values: list[Cell]) -> None:
    """Name the things a column holds, so that they are found as entities."""
    names = list(dict.fromkeys(str(value) for value in values if value is not None))[:_MOST_ENTITIES]
    draft.metadata[f"entity:{column.name}"] = column.entity
    draft.paragraph(f"{column.entity.capitalize()}: {', '.join(names)}.")
