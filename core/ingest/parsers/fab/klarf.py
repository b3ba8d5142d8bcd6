"""KLARF 1.2 and 1.8: the defects an inspection tool found on a wafer.

Coordinates and sizes are micrometres in 1.x up to 1.2 and nanometres in 1.8.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain import Column, Location, Parsed
from core.errors import DamagedFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.fab.klarf18 import Lists, Record, read_record
from core.ingest.parsers.raw_tables import rows_of_text
from core.ingest.parsers.source import text_of

_LENGTHS = frozenset({"X", "Y", "XREL", "YREL", "XSIZE", "YSIZE", "DSIZE", "GDSX", "GDSY"})
_AREAS = frozenset({"DEFECTAREA", "CRITICALAREA", "INSPAREA"})
_STATEMENT = re.compile(r'\s*([A-Za-z]\w*)((?:[^;"]|"[^"]*")*);', re.S)
_TOKEN = re.compile(r'"([^"]*)"|([^\s"]+)')
_LISTS = {"SampleTestPlan": ["XINDEX", "YINDEX"], "SampleDieMap": ["XINDEX", "YINDEX"]}
_SPECS = {"DefectRecordSpec": "DefectList", "SummarySpec": "SummaryList"}
_MAX_WAFERS_IN_TITLE = 5  # wafers named in a title
_QUIET = frozenset({"EndOfFile", "TiffSpec", "FileVersion"})


@dataclass(frozen=True)
class KlarfParser:
    """Reads .klarf; a row that has not the announced fields is kept as text, and said."""

    media_types: tuple[str, ...] = ("application/x-klarf",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        text = text_of(path, draft)
        if re.match(r'\s*Record\s+FileRecord\s+"', text):
            _write_records(draft, read_record(text, name), [])
        else:
            _Flat(draft).read(text)
        return draft.parsed()


def _unit(column: str, unit: str) -> str:
    """Return the header of a column with its unit."""
    if column.upper() in _LENGTHS:
        return f"{column} ({unit})"
    return f"{column} ({unit}²)" if column.upper() in _AREAS else column


def _tokens(text: str) -> list[str]:
    return [quoted or bare for quoted, bare in _TOKEN.findall(text)]


class _Flat:
    """Reads the statements of KLARF 1.0 to 1.2 in order: fields, specs, and the lists the specs describe."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.fields: list[str] = []
        self.specs: dict[str, list[str]] = {}
        self.lists: dict[str, list[list[object]]] = {}
        self.classes: dict[str, str] = {}
        self.about: dict[str, str] = {}
        self.wafers: dict[str, None] = {}
        self.wafer = ""  # the one the lists that follow are about
        self.odd: list[str] = []  # rows that have not the announced fields
        self.owners: dict[str, list[str]] = {}  # list -> the wafer of each of its rows

    def read(self, text: str) -> None:
        end = 0
        for match in _STATEMENT.finditer(text):
            if text[end : match.start()].strip():
                self.draft.skipped.append(
                    f"Not understood: {' '.join(text[end : match.start()].split())[:80]}"
                )
            end = match.end()
            self._statement(match[1], match[2])
        rest = text[end:].strip()
        if rest and not rest.startswith("EndOfFile"):
            raise DamagedFile(
                f"{self.draft.name} breaks off in the middle of a statement: {' '.join(rest.split())[:60]}"
            )
        self._write()

    def _statement(self, keyword: str, body: str) -> None:
        tokens = _tokens(body)
        if keyword in _SPECS:
            self.specs[_SPECS[keyword]] = tokens[1:]
        elif keyword in _SPECS.values():
            self._list(keyword, body)
        elif keyword == "ClassLookup":
            self.classes = dict(zip(tokens[1::2], tokens[2::2], strict=False))
        elif keyword in _LISTS:
            pairs = [list(pair) for pair in zip(tokens[1::2], tokens[2::2], strict=False)]
            self.lists.setdefault(keyword, []).extend([*pair] for pair in pairs)
        elif keyword not in _QUIET:
            if keyword == "WaferID":
                self.wafer = " ".join(tokens)
                self.wafers[self.wafer] = None
            self.about.setdefault(keyword, " ".join(tokens))
            self.fields.append(f"{keyword}: {' '.join(tokens)}" if "".join(tokens) else "")

    def _list(self, keyword: str, body: str) -> None:
        """Read the rows of a list by the spec before it; an image list at the end may be of any length."""
        spec = self.specs.get(keyword, [])
        rows = self.lists.setdefault(keyword, [])
        for line in body.strip().split("\n"):
            tokens = _tokens(line)
            if not tokens:
                continue
            if spec and spec[-1] == "IMAGELIST" and len(tokens) >= len(spec) - 1:
                tokens = [*tokens[: len(spec) - 1], " ".join(tokens[len(spec) - 1 :])]
            if rows and len(tokens) != len(spec) and _lacks_images(spec, rows[-1]):
                rows[-1][-1] = f"{rows[-1][-1]} {' '.join(tokens)}".strip()
                continue
            if len(tokens) != len(spec):
                self.draft.skipped.append(
                    f"A row of {keyword} has {len(tokens)} fields, not {len(spec)}: {line.strip()[:60]}"
                )
                self.odd.append(line)
                continue
            rows.append([*tokens])
            self.owners.setdefault(keyword, []).append(self.wafer)

    def _write(self) -> None:
        lot = self.about.get("LotID", "")
        self.draft.title = f"Defects of lot {lot}, {_named(self.wafers)}" if lot or self.wafers else ""
        _facts(self.draft, {**self.about, "WaferID": ", ".join(self.wafers)})
        self.draft.heading(self.draft.title or "Inspection", 1)
        self.draft.paragraph("\n".join(self.fields))
        for keyword, rows in self.lists.items():
            spec = self.specs.get(keyword) or _LISTS.get(keyword, [])
            owners = self.owners.get(keyword, []) if any(self.wafers) else []
            title = f"Defects of lot {lot}" if lot else "Defects"
            _table(self.draft, keyword, spec, rows, "µm", self.classes, owners, title)
        classes: list[list[object]] = [[number, label] for number, label in self.classes.items()]
        _table(self.draft, "ClassLookup", ["CLASSNUMBER", "CLASSNAME"], classes, "µm", {})
        for line in self.odd:
            self.draft.paragraph(line)


def _lacks_images(spec: Sequence[str], row: Sequence[object]) -> bool:
    """Say whether a defect announces more images (a number and a type each) than its line lists."""
    if spec[-1:] != ["IMAGELIST"]:
        return False
    listed = str(row[-1]).split()
    counted = str(row[list(spec).index("IMAGECOUNT")]) if "IMAGECOUNT" in spec else (listed or ["0"]).pop(0)
    return counted.isdigit() and len(listed) < 2 * int(counted)


def _named(wafers: Iterable[str]) -> str:
    """Return "wafer W03", or "wafers W03, W04" where a file holds several."""
    ids = list(wafers)
    more = f" and {len(ids) - _MAX_WAFERS_IN_TITLE} more" if len(ids) > _MAX_WAFERS_IN_TITLE else ""
    return f"wafer{'s' if len(ids) > 1 else ''} {', '.join(ids[:_MAX_WAFERS_IN_TITLE])}{more}"


def _facts(draft: Draft, about: dict[str, str]) -> None:
    for key in ("LotID", "WaferID", "DeviceID", "StepID", "InspectionStationID", "SetupID", "Slot"):
        draft.metadata[key] = about.get(key, "")


def _table(
    draft: Draft,
    name: str,
    spec: Sequence[str],
    rows: Sequence[Sequence[object]],
    unit: str,
    classes: Mapping[str, str],
    wafers: Sequence[str] = (),
    title: str = "Defects",
) -> None:
    """Put a list into the draft; defects under `title`, with the names of their classes and the wafer of each
    (`wafers`, one a row), and as a sentence a wafer that counts them by class."""
    if not rows:
        return
    header, rows = list(spec), [[*row] for row in rows]
    if "DEFECTID" in spec:
        name = title
        at = header.index("CLASSNUMBER") + 1 if "CLASSNUMBER" in header and classes else 0
        if at:
            header.insert(at, "CLASS")
            rows = [[*row[:at], classes.get(str(row[at - 1]), ""), *row[at:]] for row in rows]
        for line in _counted(header, rows, wafers):
            draft.paragraph(line)
    named: list[object] = [_unit(column, unit) for column in header]
    made = rows_of_text(name, [named, *rows], location=Location(rows=(0, len(rows) - 1)), header=1)
    if made is None or not wafers:
        draft.rows(name, [named, *rows], location=Location(rows=(0, len(rows) - 1)), header=1)
        return
    columns = (Column(name="Wafer", type="text"), *made.table.columns)  # "11" is a name
    cells = tuple((wafer, *row) for wafer, row in zip(wafers, made.table.rows, strict=True))
    written = tuple(one.model_copy(update={"column": one.column + 1}) for one in made.table.written)
    draft.table(made.table.model_copy(update={"columns": columns, "rows": cells, "written": written}))


def _counted(header: Sequence[str], rows: Sequence[Sequence[object]], wafers: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for all defects, then, where there are several wafers, one for each."""
    yield f"{len(rows)} defects." + _by_class(header, rows)
    if len(several := dict.fromkeys(wafers)) > 1:
        for wafer in several:
            own = [row for row, owner in zip(rows, wafers, strict=True) if owner == wafer]
            yield f"Wafer {wafer}: {len(own)} defects." + _by_class(header, own)


def _by_class(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    if "CLASSNUMBER" not in header:
        return ""
    number = header.index("CLASSNUMBER")
    counts = Counter((str(row[number]), str(row[number + 1]) if "CLASS" in header else "") for row in rows)
    named = [
        f"{label} ({number}): {n}" if label else f"class {number}: {n}"
        for (number, label), n in counts.items()
    ]
    return f" By class: {', '.join(named)}."


def _write_records(draft: Draft, record: Record, above: list[str]) -> None:
    """Write a KLARF 1.8 record with everything inside it."""
    path = [*above, f"{record.kind.removesuffix('Record')} {record.label}".strip()]
    lots = [inner for inner in record.inner if inner.kind == "LotRecord"]
    for lot in lots[:1]:
        wafers = [inner.label for inner in lot.inner if inner.kind == "WaferRecord"]
        draft.title = f"Defects of lot {lot.label}, {_named(wafers)}"
        _facts(draft, {**lot.fields, "LotID": lot.label, "WaferID": ", ".join(wafers)})
    draft.heading(path[-1], len(path))
    draft.paragraph("\n".join(f"{key}: {value}" for key, value in record.fields.items() if value))
    classes = _class_names(record.lists) or _class_names([found for lot in lots for found in lot.lists])
    for found in record.lists:
        for wrong in found.wrong:
            draft.skipped.append(f"A row of {found.name} is not of {len(found.columns)} fields: {wrong[:60]}")
        wafer = record.label if record.kind == "WaferRecord" else ""
        name = f"{found.name}, wafer {wafer}" if wafer else found.name
        title = f"Defects of wafer {wafer}" if wafer else "Defects"
        owners = [wafer] * len(found.rows) if wafer else []
        _table(draft, name, found.columns, found.rows, "nm", classes, owners, title)
    for inner in record.inner:
        _write_records(draft, inner, path)


def _class_names(lists: Sequence[Lists]) -> dict[str, str]:
    for found in lists:
        if found.name == "ClassLookupList" and len(found.columns) >= 2:
            return {str(row[0]): str(row[1]) for row in found.rows}
    return {}
