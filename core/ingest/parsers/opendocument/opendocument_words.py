"""The words of a paragraph of an OpenDocument file, without what is read apart or not at all."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.ingest.parsers.xml_namespaces import ODF_DRAWING, ODF_OFFICE, ODF_SVG, ODF_TEXT

if TYPE_CHECKING:
    from lxml.etree import _Element

HIDDEN = (
    ODF_TEXT + "tracked-changes",
    ODF_TEXT + "sequence-decls",
    ODF_OFFICE + "forms",
    ODF_OFFICE + "annotation",
    ODF_TEXT + "note",
)
_SHAPES = (
    "rect", "custom-shape", "ellipse", "circle", "polygon", "polyline", "path", "line", "connector",
    "caption",
)  # fmt: skip
SHAPES = frozenset(ODF_DRAWING + shape for shape in _SHAPES)


def words(element: "_Element") -> str:
    """Return the text of a paragraph; notes, text boxes and pictures are read apart."""
    return "".join(_pieces(element)).strip()


def _pieces(element: "_Element") -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = str(child.tag)
        if tag == ODF_TEXT + "s":
            yield " "
        elif tag in (ODF_TEXT + "tab", ODF_TEXT + "line-break"):
            yield "\t" if tag.endswith("tab") else "\n"
        elif tag in (ODF_SVG + "title", ODF_SVG + "desc") and element.find(ODF_DRAWING + "image") is not None:
            pass  # said of a picture, which is read apart
        elif tag not in HIDDEN and tag != ODF_DRAWING + "text-box" and tag not in SHAPES:
            yield from _pieces(child)
        yield child.tail or ""
