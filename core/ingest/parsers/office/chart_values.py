"""Charts of Office documents: the values they were drawn from, as the file keeps them.

Every kind of chart in DrawingML (ECMA-376, part 1, section 21.2) keeps the values it last showed beside the
cells they came from, so no kind has to be known. The kinds of 2016 and later keep them in another element.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from core.domain import Location
from core.ingest.parsers.cells import plain
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.raw_tables import NO_LOCATION
from core.ingest.parsers.xml_namespaces import DRAWINGML

if TYPE_CHECKING:
    from lxml.etree import _Element

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_MAX_POINTS = 20_000  # points of a series
Points = dict[int, str]


def name_chart(draft: Draft, root: "_Element", place: Location = NO_LOCATION) -> None:
    """Add the title of a chart and the names of its series; their values are in the document's own sheets."""
    series = [_name(each, number) for number, each in enumerate(root.iter(f"{_C}ser"))]
    draft.add("figure", ": ".join(filter(None, [_title(root) or "Chart", ", ".join(series)])), place)


def is_drawn_from(root: "_Element", sheets: Sequence[str]) -> bool:
    """Say whether all values of a chart come from sheets of the same workbook."""
    cells = [formula.text or "" for formula in root.iter(f"{_C}f")]
    return bool(cells) and all(
        cell.rpartition("!")[0].strip("'").replace("''", "'") in sheets for cell in cells
    )


def add_chart(draft: Draft, root: "_Element", where: str, place: Location = NO_LOCATION) -> None:
    """Add a chart's title as a caption and its values as a table, called by where it stands."""
    title = _title(root) or "Chart"
    rows = list(_rows(root))
    draft.add("caption", title, place)
    if len(rows) > 1:
        draft.rows(f"{where}, {title}", rows, caption=title, location=place, header=1)
    else:
        draft.skipped.append(f"{where}: the chart “{title}” keeps no values.")


def _title(root: "_Element") -> str:
    chart = next(root.iter(f"{_C}chart", f"{_CX}chart"), None)
    children = [] if chart is None else [*chart]
    title = next((child for child in children if str(child.tag).endswith("}title")), None)
    if title is None:
        return ""
    written = "".join(text.text or "" for text in title.iter(f"{DRAWINGML}t"))
    return " ".join((written or "".join(v.text or "" for v in title.iter(f"{_C}v"))).split())


def _rows(root: "_Element") -> Iterator[list[object]]:
    """Yield the names of the series, then a row for each category."""
    series = [*root.iter(f"{_C}ser")]
    if not series:
        yield from _rows_of_2016(root)
        return
    names = [_name(each, number) for number, each in enumerate(series)]
    found = [_points(each, "val", "yVal") for each in series]
    across = [_points(each, "cat", "xVal") for each in series]
    if all(categories in ({}, across[0]) for categories in across):
        yield ["category", *names]
        for index in sorted({index for points in (*found, across[0]) for index in points}):
            yield [across[0].get(index, index + 1), *(points.get(index) for points in found)]
        return
    yield ["series", "x", "y"]
    for name, xs, ys in zip(names, across, found, strict=True):
        for index in sorted({*xs, *ys}):
            yield [name, xs.get(index), ys.get(index)]


def _name(series: "_Element", number: int) -> str:
    text_element = series.find(f"{_C}tx")
    texts = [v.text or "" for v in text_element.iter(f"{_C}v")] if text_element is not None else []
    return " ".join(filter(None, texts)) or f"Series {number + 1}"


def _points(series: "_Element", *tags: str) -> Points:
    """Return the values of a series by their place; the levels of a category are joined."""
    source = next((found for tag in tags if (found := series.find(f"{_C}{tag}")) is not None), None)
    points: Points = {}
    if source is None:
        return points
    levels = [*source.iter(f"{_C}lvl")] or [source]
    for level in reversed(levels):  # the innermost comes first in the file
        known = {int(point.get("idx") or 0): _shown(point) for point in level.iter(f"{_C}pt")}
        points = known if not points else _under(points, known)
    return dict(list(points.items())[:_MAX_POINTS])


def _shown(point: "_Element") -> str:
    """Return the value of a point as text: a date where the number format of point or series is one.

    Dates are stored as days since the epoch of the workbook (1900, or 1904 where `date1904` is set).
    """
    from openpyxl.styles.numbers import is_date_format
    from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

    text = (point.findtext(f"{_C}v") or "").strip()
    parent = point.getparent()
    of_all = parent.findtext(f"{_C}formatCode") if parent is not None else None
    if not is_date_format(point.get("formatCode") or of_all or ""):
        return text
    old = next(point.getroottree().getroot().iter(f"{_C}date1904"), None)
    epoch = MAC_EPOCH if old is not None and old.get("val", "1") in ("1", "true") else WINDOWS_EPOCH
    try:
        return str(plain(from_excel(float(text), epoch)))
    except (ValueError, OverflowError):
        return text


def _under(outer: Points, inner: Points) -> Points:
    """Return the inner names, each prefixed by the outer name that spans its index."""
    joined: Points = {}
    above = ""
    for index in sorted({*outer, *inner}):
        above = outer.get(index, above)
        if index in inner:
            joined[index] = f"{above} {inner[index]}".strip()
    return joined


def _rows_of_2016(root: "_Element") -> Iterator[list[object]]:
    for data in root.iter(f"{_CX}data"):
        columns = [
            {int(point.get("idx") or 0): (point.text or "").strip() for point in dimension.iter(f"{_CX}pt")}
            for dimension in data
        ]
        yield ["category", *(f"Values {number}" for number in range(1, len(columns)))]
        for index in sorted({index for column in columns for index in column}):
            yield [column.get(index) for column in columns]
        return


def diagram_texts(root: "_Element") -> list[str]:
    """Return what is written in the shapes of a diagram (SmartArt)."""
    points = [point for point in root.iter("{*}pt") if point.get("type") in (None, "node", "asst")]
    texts = ["".join(text.text or "" for text in point.iter(f"{DRAWINGML}t")).strip() for point in points]
    return [text for text in texts if text]
