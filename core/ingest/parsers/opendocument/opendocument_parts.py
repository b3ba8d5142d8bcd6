"""Parts of an OpenDocument text that stand for themselves: embedded tables and formulas, styles of lists."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.slide_order import Edges
from core.ingest.parsers.opendocument.opendocument_rows import rows_of
from core.ingest.parsers.opendocument.opendocument_words import words
from core.ingest.parsers.trees.safe_xml import parse_xml
from core.ingest.parsers.xml_namespaces import (
    ODF_DRAWING,
    ODF_STYLE,
    ODF_SVG,
    ODF_TABLE,
    ODF_TEXT,
    XLINK_HREF,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

_MATH = "{http://www.w3.org/1998/Math/MathML}"
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(mm|cm|in|pt|px)")
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "px": 25.4 / 96}


@dataclass(frozen=True)
class Objects:
    """Documents inside a document; `member` returns the bytes of a part of the file, None for a lost one."""

    member: Callable[[str], bytes | None]

    def read(self, draft: Draft, frame: "_Element") -> bool:
        """Add the tables or the formula of the object in a frame; False where it holds none that is known."""
        link = frame.find(ODF_DRAWING + "object")
        data = self.member(f"{link.get(XLINK_HREF)}/content.xml") if link is not None else None
        if data is None:
            return False
        root = parse_xml(data)
        formula = root if root.tag == _MATH + "math" else root.find(f".//{_MATH}math")
        if formula is not None:
            formula_text = " ".join(str(formula.findtext(f".//{_MATH}annotation") or words(formula)).split())
            draft.add("formula", formula_text)
            return bool(formula_text)
        found = False
        for table in root.iter(ODF_TABLE + "table"):
            name = str(frame.get(ODF_DRAWING + "name") or f"Table {len(draft.tables) + 1}")
            rows = rows_of(draft, table, name)
            if any(cell is not None for row in rows for cell in row):
                draft.rows(name, rows)
                found = True
        return found


def edges(shape: "_Element") -> Edges:
    """Return left, top, width and height of a shape in millimetres, each None where it is not said."""
    x, y, width, height = (_length(shape.get(ODF_SVG + side)) for side in ("x", "y", "width", "height"))
    return x, y, width, height


def _length(value: str | None) -> float | None:
    match = _LENGTH.fullmatch(value or "")
    return float(match[1]) * _MILLIMETRES[match[2]] if match else None


def numbered_lists(*parts: "_Element") -> frozenset[tuple[str, int]]:
    """Return the styles of numbered lists, each with the depths (from 1) it numbers."""
    return frozenset(
        (str(style.get(ODF_STYLE + "name")), int(level.get(ODF_TEXT + "level") or 1))
        for part in parts
        for style in part.iter(ODF_TEXT + "list-style")
        for level in style.iter(ODF_TEXT + "list-level-style-number")
    )
