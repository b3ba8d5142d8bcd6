"""Charts and text boxes of a workbook, which openpyxl leaves out, each on the sheet that shows it."""

import posixpath
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Location
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.chart_values import add_chart, is_drawn_from, name_chart
from core.ingest.parsers.office.sheet_objects import sheet_parts
from core.ingest.parsers.raw_tables import NO_LOCATION
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.trees.safe_xml import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_CHART = re.compile(r"xl/(?:charts/chart|chartEx/chartEx|charts/chartEx)(?P<number>\d*)\.xml")
_DRAWING = re.compile(r"xl/drawings/drawing\d*\.xml")


class Drawings:
    """Reads the drawings of one sheet after the other, then those that no sheet shows."""

    def __init__(self, draft: Draft, path: Path, sheets: Sequence[str]) -> None:
        self._draft = draft
        self._path = path
        self._sheets = sheets
        self._left: list[str] = []
        self._shown: dict[str, list[str]] = {}  # sheet -> its drawings and their charts
        with zipfile.ZipFile(path) as archive:
            members = archive.namelist()
            self._left = [each for each in members if _CHART.fullmatch(each) or _DRAWING.fullmatch(each)]
            with Part(draft, "The list of its drawings"):
                for sheet, part in sheet_parts(archive):
                    drawings = _targets(archive, part)
                    charts = [chart for drawing in drawings for chart in _targets(archive, drawing)]
                    self._shown[sheet] = [each for each in [*drawings, *charts] if each in self._left]

    def read(self, sheet: str, *, headed: bool) -> None:
        """Add what a sheet shows, under its name where nothing else of it has been read."""
        members = [each for each in self._shown.get(sheet, ()) if each in self._left]
        before = len(self._draft.blocks)
        if members and not headed:
            self._draft.heading(sheet, 1, Location(sheet=sheet))
        first = len(self._draft.blocks)
        self._read(members, Location(sheet=sheet))
        if len(self._draft.blocks) == first:
            del self._draft.blocks[before:]

    def read_rest(self) -> None:
        """Add what no sheet shows."""
        self._read([*self._left], NO_LOCATION)

    def _read(self, members: Sequence[str], place: Location) -> None:
        if not members:
            return
        with zipfile.ZipFile(self._path) as archive:
            for member in members:
                self._left.remove(member)
                with Part(self._draft, f"The drawing {member}"):
                    self._drawing(member, parse_xml(archive.read(member)), place)

    def _drawing(self, member: str, root: "_Element", place: Location) -> None:
        chart = _CHART.fullmatch(member)
        if chart and is_drawn_from(root, self._sheets):
            name_chart(self._draft, root, place)
        elif chart:
            add_chart(self._draft, root, f"Chart {chart['number']}", place)
        else:
            for box in root.iter("{*}txBody"):
                lines = ["".join(map(str, p.itertext())) for p in box.iter("{*}p")]
                self._draft.paragraph("\n".join(line for line in lines if line.strip()), place)


def _targets(archive: zipfile.ZipFile, part: str) -> list[str]:
    """Return the parts of the package that a part points to."""
    folder, name = posixpath.split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.NameToInfo:
        return []
    found = [each.get("Target") or "" for each in parse_xml(archive.read(relations)).iter("{*}Relationship")]
    return [posixpath.normpath(posixpath.join(f"/{folder}", each)).lstrip("/") for each in found]
