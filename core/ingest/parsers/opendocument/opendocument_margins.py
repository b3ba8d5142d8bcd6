"""Headers and footers of OpenDocument files: they stand in the styles of pages, apart from the body."""

from typing import TYPE_CHECKING

from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.word_margins import PAGE

if TYPE_CHECKING:
    from lxml.etree import _Element

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_PAGES = ("", "-left", "-first")  # every page, left ones, the first
_SET_ANEW = ("page-number", "page-count", "sheet-name", "date", "time", "file-name")  # fields


def leave_out_running(draft: Draft, parts: "list[_Element]") -> None:
    """Leave out, by name, what headers and footers say in the parts of a file: its text and its styles."""
    for kind in ("header", "footer"):
        tags = [f"{_STYLE}{kind}{pages}" for pages in _PAGES]
        held = [
            paragraph
            for part in parts
            for margin in part.iter(*tags)
            for paragraph in margin.iter(_TEXT + "p")
        ]
        held += [said for part in parts for said in part.iter(f"{_PRESENTATION}{kind}-decl")]
        said = list(dict.fromkeys(filter(None, map(_words, held))))
        draft.leave_out_margin([line for line in said if not PAGE.fullmatch(line)], top=kind == "header")


def _words(element: "_Element") -> str:
    """Return the words of a paragraph but for fields that differ from page to page."""
    parts = [element.text or ""]
    for child in element:
        name = str(child.tag).removeprefix(_TEXT)
        parts.append(
            " " if name in ("tab", "s", "line-break") else "" if name in _SET_ANEW else _words(child)
        )
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())
