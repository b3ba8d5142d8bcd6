"""Tables as evidence: a schema card and groups of rows, each under the repeated header."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from core.domain import Block, Cell, Document, Location, Table, TableData, identify
from core.ingest.chunk_packing import Meter, pack, split, text_of, units

_NOT_SQL = re.compile(r"[^a-z0-9]+")
_PLAIN_NAME = re.compile(r"(?:sheet|table|worksheet|表|工作表)?\s*\d*", re.IGNORECASE)
CellTexts = dict[tuple[int, int], str]  # by row and column
_BATCH_ROWS = 256  # rows rendered and counted at once


@dataclass(frozen=True)
class TableText:
    """The text of one table chunk and the rows it shows."""

    text: str
    cost: int
    location: Location


def slug(text: str) -> str:
    """Return a lower-case ASCII identifier of at most 40 characters, "" where nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NOT_SQL.sub("_", plain)[:40].strip("_")


def card_of(document: Document, data: TableData, index: int) -> Table:
    """Return the table's card, its SQL name unique in the library and safe without quotes."""
    table_id = identify(document.id, "table", str(index), data.name)
    own = "" if _PLAIN_NAME.fullmatch(data.name) else data.name
    base = slug(own) or "_".join(
        part for part in (slug(document.name.rsplit(".", 1)[0]), slug(data.name)) if part
    )
    sql_name = f"{base or 'table'}_{table_id[:6]}"
    return Table(
        id=table_id,
        document_id=document.id,
        name=data.name or document.title,
        sql_name=sql_name if sql_name[0].isalpha() else f"t_{sql_name}",
        columns=data.columns,
        row_count=len(data.rows),
        caption=data.caption,
        location=data.location,
    )


def shown(cell: Cell) -> str:
    """Return a cell as a reader writes it: no line breaks, whole floats without ".0"."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return " ".join(str(cell).split())


def written_cells(data: TableData) -> CellTexts:
    """Return by row and column what the cells say whose values say less."""
    return {(cell.row, cell.column): cell.text for cell in data.written}


@dataclass(frozen=True)
class TableWriter:
    """Writes a table as chunks of at most `limit` tokens."""

    meter: Meter
    limit: int
    most: int = 400  # row chunks of a table with words in it
    most_numeric: int = 20  # of a table of numbers only: those are queried, not read

    def write(self, table: Table, data: TableData) -> tuple[list[TableText], int]:
        """Return the texts in order (the first holds the card) and the number of rows they show."""
        worded = any(column.type == "text" for column in data.columns)
        most = self.most if worded else self.most_numeric
        place = table.location
        whole = place.model_copy(update={"parts": ()})
        title = self._clip(table.called(), self.limit // 4)
        header = " | ".join(f"{c.name}{f' [{c.unit}]' if c.unit else ''}" for c in data.columns)
        card = table.card()
        head_cost, card_cost = self.meter.costs([f"{title}\n{header}", f"{card}\n{header}"])
        texts: list[TableText] = []
        head = f"{card}\n{header}"
        if card_cost > self.limit * 0.7:
            texts = [TableText(part, cost, whole) for part, cost in self._parts(card)]
            head, card_cost = "", 0
        wide = head_cost > self.limit * 0.5
        rows: list[str] = []
        cost, first, at = card_cost, 0, 0

        def flush() -> None:
            if rows or head:
                span = (first, first + len(rows) - 1) if rows else None
                texts.append(TableText("\n".join([head, *rows]).strip(), cost, _at_rows(place, span)))

        written = written_cells(data)
        turns = {part.rows[0] for part in place.parts}  # rows that begin a page: their chunk stands on one
        for line, line_cost in self._lines(data, written, wide):
            if len(texts) >= most:
                break
            if wide or head_cost + line_cost > self.limit:
                flush()
                texts.extend(
                    TableText(f"{title}\n{part}", part_cost, _at_rows(place, (at, at)))
                    for part, part_cost in self._parts(self._pairs(data, written, at), title)
                )
                rows, head, cost, first = [], "", 0, at + 1
            else:
                if not rows and not head:
                    head, cost = f"{title}\n{header}", head_cost
                if cost + line_cost > self.limit or (rows and at in turns):
                    flush()
                    head, rows, cost, first = f"{title}\n{header}", [], head_cost, at
                rows.append(line)
                cost += line_cost
            at += 1
        if len(texts) < most:
            flush()
            return texts, at
        return texts, first

    def _lines(self, data: TableData, written: CellTexts, wide: bool) -> Iterator[tuple[str, int]]:
        for start in range(0, len(data.rows), _BATCH_ROWS):
            part = enumerate(data.rows[start : start + _BATCH_ROWS], start)
            batch = [
                " | ".join(written.get((y, x)) or shown(cell) for x, cell in enumerate(row))
                for y, row in part
            ]
            yield from zip(batch, [0] * len(batch) if wide else self.meter.costs(batch), strict=True)

    def _pairs(self, data: TableData, written: CellTexts, at: int) -> str:
        """Return a row as "column: value; ..." without its empty cells."""
        texts = [written.get((at, x)) or shown(cell) for x, cell in enumerate(data.rows[at])]
        named = zip(data.columns, texts, strict=True)
        return "; ".join(f"{column.name}: {text}" for column, text in named if text)

    def _parts(self, text: str, title: str = "") -> Iterator[tuple[str, int]]:
        """Yield the text in parts that fit the limit together with the title."""
        title_cost, cost = self.meter.costs([title, text])
        limit = self.limit - title_cost
        block = Block(kind="paragraph", text=text)
        for run in pack(units([(block, cost)], limit, self.meter), limit, limit):
            yield text_of(run), sum(piece.cost for piece in run) + title_cost

    def _clip(self, text: str, limit: int) -> str:
        cost = self.meter.costs([text])[0]
        if cost <= limit:
            return text
        block = Block(kind="paragraph", text=text)
        first = split(block, cost, max(1, limit - 1), self.meter)[0]
        return text[: first.end].rstrip() + "…"


def _at_rows(place: Location, span: tuple[int, int] | None) -> Location:
    return place.model_copy(update={"parts": ()}) if span is None else place.at_rows(*span)
