"""Descriptions of columns elsewhere in a file: a data dictionary on another sheet, a legend, notes.

`pn` is found by "nominal power" where a row "pn | Nominal power in kW" or a line "pn = nominal power" of the
same file explains it. An explanation counts only in company: at least two columns of one table are explained
together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import mean

from core.domain import Block, Cell, Column, Parsed, TableData
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.header_units import split_unit, unit_at_end
from core.text.tokens import word_set, words

MAX_NOTE_CHARACTERS = 160  # characters of a note
_MOST_ROWS = 2000  # of a data dictionary
_MIN_COLUMNS = 2  # columns explained together
_LEAST_WORDS = 1.5  # of an explanation, on average
_UNITS = word_set("unit units uom einheit einheiten unité unités unidad unidades 单位")
_LINE = re.compile(
    r"^[\s\-*•·▪#]*[`\"'“]?(?P<name>[^\W_][\w .%/#-]{0,39}?)[`\"'”]?\s*(?:\[(?P<unit>[^\[\]]{1,20})\])?\s*"
    r"(?:[:：=]|\s[-–—]\s)\s*(?P<says>\S.*)$"
)
_EXPLAINS = re.compile(
    r"\b(?:legend|dictionary|glossary|abbreviations?|notations?|nomenclature|(?:columns?|fields?|variables?|"
    r"attributes?|features?)(?:\s+(?:descriptions?|definitions?|names?|information|list))?)\b"
    r"|图例|字段|列名|变量|说明",
    re.IGNORECASE,
)
_SHORT_NAME = re.compile(r"\w*[_\d]\w*|[^\W\d_aeiouyAEIOUY]+|[a-z]+[A-Z]\w*|\w{1,3}")
_PARTS = re.compile(r"\s*[;；\n]\s*")
_GIVEN = re.compile(r"column \d+")
_NOT_FOLDED = re.compile(r"[\W_]+")
Notes = dict[str, tuple[str, str]]  # folded column name -> what is said of it, unit


def with_column_notes(parsed: Parsed) -> Parsed:
    """Return the document with what its own tables and lines say of its columns, on these columns."""
    notes: list[Notes] = [{} for _ in parsed.tables]
    for found in (*_dictionaries(parsed.tables), *_legends(parsed)):
        for at, table in enumerate(parsed.tables):
            explained = {_folded(column.name) for column in table.columns} & found.keys()
            if _is_explained(explained, table, found):
                for name in explained:
                    notes[at].setdefault(name, found[name])
    if not any(notes):
        return parsed
    tables = tuple(noted(table, table_notes) for table, table_notes in zip(parsed.tables, notes, strict=True))
    return parsed.model_copy(update={"tables": tables})


def explain_last(draft: Draft, remarks: Mapping[str, str]) -> None:
    """Put what is remarked of columns, by name, on those of the last table of a draft."""
    if draft.tables and remarks:
        notes = {_folded(name): (remark, "") for name, remark in remarks.items()}
        draft.tables[-1] = noted(draft.tables[-1], notes)


def noted(table: TableData, notes: Notes) -> TableData:
    """Return the table with these notes on its columns; what only says the name again is left out."""
    return table.model_copy(update={"columns": tuple(_with(c, notes) for c in table.columns)})


def _with(column: Column, notes: Notes) -> Column:
    explanation, unit = notes.get(_folded(column.name), ("", ""))
    note = " ".join(explanation.split())[:MAX_NOTE_CHARACTERS].rstrip(" .;")
    if column.note or not note:
        return column
    if not unit and column.type in ("integer", "real"):
        unit = split_unit(note)[1] or unit_at_end(note)
    again = _folded(note) == _folded(column.name)
    return column.model_copy(update={"note": "" if again else note, "unit": column.unit or unit})


def _is_explained(explained: set[str], table: TableData, found: Notes) -> bool:
    """Say whether the columns are explained together: several, and most of the table's or of the notes."""
    count = len(explained)
    return count >= _MIN_COLUMNS and 2 * count >= min(len(table.columns), len(found))


# -- tables whose rows explain columns ----------------------------------------------------------


def _dictionaries(tables: Sequence[TableData]) -> Iterator[Notes]:
    """Yield what tables say of the columns of others: one column holds their names, one explains them."""
    columns = [{_folded(column.name) for column in table.columns} for table in tables]
    for at, table in enumerate(tables):
        if len(table.columns) < 2 or len(table.rows) > _MOST_ROWS:
            continue
        others = set().union(*(names for place, names in enumerate(columns) if place != at), set())
        rows = [tuple(c.name for c in table.columns), *table.rows]  # its first row may be read as header
        keyed = _keys(rows, others)
        if keyed is None:
            continue
        known = [row for row in rows if _folded(row[keyed]) in others]
        explaining = _explaining(known, keyed)
        if explaining is None:
            continue
        unit = next((x for x, c in enumerate(table.columns) if c.name.lower() in _UNITS), None)
        yield {
            _folded(row[keyed]): (_text(row[explaining]), _text(row[unit]) if unit is not None else "")
            for row in known
            if _text(row[explaining])
        }


def _keys(rows: Sequence[Sequence[Cell]], names: set[str]) -> int | None:
    """Return the column that holds names of columns in most of its rows, each once."""
    best: tuple[int, int] | None = None
    for at in range(len(rows[0])):
        folded = [_folded(row[at]) for row in rows if isinstance(row[at], str)]
        known = [name for name in folded if name in names]
        if len(known) >= _MIN_COLUMNS and len(set(known)) == len(known) and 2 * len(known) >= len(folded) - 1:
            best = max(best or (0, 0), (len(known), -at))
    return -best[1] if best else None


def _explaining(rows: Sequence[Sequence[Cell]], keyed: int) -> int | None:
    """Return the column with the most words in a cell, beside the one that holds the names."""
    rated = [
        (mean(_words(_text(row[at])) for row in rows), -at)
        for at in range(len(rows[0]))
        if at != keyed and all(row[at] is None or isinstance(row[at], str) for row in rows)
    ]
    most, place = max(rated, default=(0.0, 0))
    return -place if most >= _LEAST_WORDS else None


def _words(text: str) -> int:
    """Count the words; the name a column without one was given says nothing."""
    return 0 if _GIVEN.fullmatch(text) else len(words(text))


# -- lines that explain columns -----------------------------------------------------------------


def _legends(parsed: Parsed) -> Iterator[Notes]:
    """Yield what lines that follow each other say: "pn = nominal power", "- `vw`: wind speed in m/s"."""
    names = {_folded(column.name) for table in parsed.tables for column in table.columns}
    if not names:
        return
    for explains, run in groupby(_lines(parsed.blocks, names), key=lambda line: line[:2]):
        matches = [(match, _folded(match["name"])) for *_, match in run if match is not None]
        explained = {name: (match["says"], match["unit"] or "") for match, name in matches}
        if len(explained) < _MIN_COLUMNS or len(explained) < len(matches):
            continue
        length = mean(_words(text) for text, _ in explained.values())
        coded = sum(bool(_SHORT_NAME.fullmatch(match["name"])) for match, _ in matches)
        if length >= _LEAST_WORDS and (explains[1] or 2 * coded > len(matches)):
            yield explained


def _lines(blocks: Iterable[Block], names: set[str]) -> Iterator[tuple[int, bool, re.Match[str] | None]]:
    """Yield the lines that begin with a column's name, numbered by the run they are in, and whether what
    leads the run says that it explains."""
    run, explains, before = 0, False, False
    for block in blocks:
        if block.kind in ("table", "code", "figure"):
            run, before = run + 1, False
            continue
        for line in _PARTS.split(block.text):
            match = _LINE.match(line) if block.kind != "heading" else None
            if (
                match is not None
                and _folded(match["name"]) in names
                and re.search(r"[^\W\d_]", match["says"])
            ):
                before = True
                yield run, explains, match
                continue
            if before or block.kind == "heading":
                run, before = run + 1, False
            explains = bool(_EXPLAINS.search(line)) and len(line) <= MAX_NOTE_CHARACTERS


def _folded(name: Cell) -> str:
    return _NOT_FOLDED.sub("", str(name)).casefold() if name is not None else ""


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell).strip()
