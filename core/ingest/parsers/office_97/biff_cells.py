"""The cells of a workbook of Excel 97 to 2003 that cannot be opened as a whole, record by record.

Source: [MS-XLS] 2.4. Records that are damaged are passed over: what else is in the stream is found by its
kind and length. Formats are not looked at, so dates are numbers.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.domain import Cell
from core.ingest.parsers.office_97.ole_words import ole_stream

_BOF = b"\x09\x08\x10\x00\x00\x06"
_PASSWORD = b"\x2f\x00\x36\x00"
_RECORD = re.compile(
    rb"(?P<sheet>\x09\x08\x10\x00\x00\x06\x10\x00.{12})"
    rb"|(?P<name>\x85\x00.\x00.{4}.\x00(?P<long>.)(?P<wide>[\x00\x01]))"
    rb"|(?P<shared>\xfd\x00\x0a\x00.{10})"
    rb"|(?P<number>\x03\x02\x0e\x00.{14})"
    rb"|(?P<packed>\x7e\x02\x0a\x00.{10})"
    rb"|(?P<row>\xbd\x00(?P<bytes>..))"
    rb"|(?P<formula>\x06\x00..(?P<result>.{14}))",
    re.DOTALL,
)
_STRINGS = re.compile(rb"\xfc\x00(..)", re.DOTALL)
_CONTINUED = b"\x3c\x00"
_MAX_ROW, _MAX_COLUMN = 65_535, 255
_LARGEST = 1e15
_Cells = dict[tuple[int, int], Cell]


def sheets_of_records(path: Path) -> Iterator[tuple[str, list[list[Cell]]]]:
    """Yield name and rows of the sheets whose cells are found; none of a workbook with a password."""
    data = ole_stream(path, "Workbook", _BOF)
    if _PASSWORD in data[:200]:
        return
    strings = _strings(data)
    names: list[str] = []
    sheets: list[_Cells] = []
    last = (-1, -1)
    for found in _RECORD.finditer(data):
        if found["name"]:
            names.append(_name(data, found))
        elif found["sheet"]:
            sheets.append({})
            last = (-1, -1)
        for place, value in _cells(data, found, strings).items():
            if not sheets or place <= last:  # the record that begins a sheet is lost
                sheets.append({})
            sheets[-1][place] = value
            last = place
    filled = [cells for cells in sheets if cells]
    called = names if len(names) == len(filled) else [f"Sheet {n + 1}" for n in range(len(filled))]
    for name, cells in zip(called, filled, strict=True):
        yield name, _rows(cells)


def _name(data: bytes, found: re.Match[bytes]) -> str:
    wide = found["wide"] == b"\x01"
    raw = data[found.end() : found.end() + found["long"][0] * (2 if wide else 1)]
    return raw.decode("utf-16-le" if wide else "latin-1", "replace")


def _cells(data: bytes, found: re.Match[bytes], strings: Mapping[int, str]) -> _Cells:
    """Return the cells of one record, none where it is no cell or cannot be one."""
    cells: _Cells = {}
    if record := found["shared"] or found["number"] or found["packed"]:
        row, column, form = struct.unpack_from("<HHH", record, 4)
        if found["shared"]:
            value: Cell = strings.get(*struct.unpack_from("<I", record, 10))
        else:
            value = (
                _plain(struct.unpack_from("<d", record, 10)[0]) if found["number"] else _packed(record[10:14])
            )
        cells[row, column] = value
    elif found["formula"]:
        row, column, form = struct.unpack_from("<HHH", found["result"], 0)
        if found["result"][12:14] != b"\xff\xff":  # else a text, truth or error
            cells[row, column] = _plain(struct.unpack_from("<d", found["result"], 6)[0])
    elif found["row"]:
        long = int.from_bytes(found["bytes"], "little")
        record = data[found.end() : found.end() + long]
        if long < 12 or (long - 6) % 6 or len(record) < long:
            return {}
        row, column, form = struct.unpack_from("<HHH", record, 0)
        for n in range((long - 6) // 6):
            cells[row, column + n] = _packed(record[6 + 6 * n : 10 + 6 * n])
    else:
        return {}
    likely = form < 4096 and all(place[1] <= _MAX_COLUMN for place in cells)
    return cells if likely else {}


def _packed(raw: bytes) -> Cell:
    """Return the number in four bytes ([MS-XLS] 2.5.217): an integer or half a double, or its hundredth."""
    (bits,) = struct.unpack("<i", raw)
    value = (
        bits >> 2 if bits & 2 else struct.unpack("<d", b"\0\0\0\0" + struct.pack("<I", bits & 0xFFFFFFFC))[0]
    )
    return _plain(value / 100 if bits & 1 else value)


def _plain(value: float) -> Cell:
    if not abs(value) < _LARGEST or 0 < abs(value) < 1 / _LARGEST**2:
        return None  # no number that was written
    return int(value) if float(value).is_integer() else value


def _rows(cells: _Cells) -> list[list[Cell]]:
    """Return the rows that hold a cell, all of one width."""
    width = 1 + max(column for _, column in cells)
    rows: dict[int, list[Cell]] = {}
    for (row, column), value in sorted(cells.items()):
        rows.setdefault(row, [None] * width)[column] = value
    return list(rows.values())


def _strings(data: bytes) -> dict[int, str]:
    """Return the shared texts by number, up to the first that is damaged."""
    begun = _STRINGS.search(data)
    if begun is None:
        return {}
    parts, at = [], begun.start()
    while at == begun.start() or data[at : at + 2] == _CONTINUED:
        long = int.from_bytes(data[at + 2 : at + 4], "little")
        parts.append(data[at + 4 : at + 4 + long])
        at += 4 + long
    joined, breaks = b"".join(parts), set()
    for before in range(1, len(parts)):
        breaks.add(sum(map(len, parts[:before])))
    found: dict[int, str] = {}
    at = 8
    while at + 3 <= len(joined):
        count, flags = struct.unpack_from("<HB", joined, at)
        if flags & ~0x0D:
            break
        runs, more = (struct.unpack_from("<H", joined, at + 3)[0] if flags & 8 else 0), 0
        at += 5 if flags & 8 else 3
        if flags & 4:
            (more,) = struct.unpack_from("<I", joined, at)
            at += 4
        text, at = _signs(joined, at, count, flags & 1, breaks)
        found[len(found)] = text
        at += 4 * runs + more
    return found


def _signs(data: bytes, at: int, count: int, wide: int, breaks: set[int]) -> tuple[str, int]:
    """Return a text and where it ends; after a break in it stands anew how wide its signs are."""
    text = ""
    edges = [*sorted(edge for edge in breaks if edge >= at), len(data)]
    for edge in edges:
        size = 2 if wide else 1
        stop = min(edge, at + size * (count - len(text)))
        text += data[at:stop].decode("utf-16-le" if wide else "latin-1", "replace")
        at = stop
        if len(text) >= count or at + 1 >= len(data):
            break
        wide, at = data[at] & 1, at + 1
    return text, at
