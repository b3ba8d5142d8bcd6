"""Headers and footers of OpenDocument files: they are in the styles of pages, apart from the body."""

from typing import TYPE_CHECKING

from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.word_margins import PAGE
from core.ingest.parsers.xml_namespaces import ODF_PRESENTATION, ODF_STYLE, ODF_TEXT

if TYPE_CHECKING:
    from lxml.etree import _Element

_PAGES = ("", "-left", "-first")  # every page, left ones, the first
_SET_ANEW = ("page-number", "page-count", "sheet-name", "date", "time", "file-name")  # fields


def leave_out_running(draft: Draft, parts: "list[_Element]") -> None:
    """Leave out, by name, what headers and footers say in the parts of a file: its text and its styles."""
    for kind in ("header", "footer"):
        tags = [f"{ODF_STYLE}{kind}{pages}" for pages in _PAGES]
        paragraphs = [
            paragraph
            for part in parts
            for margin in part.iter(*tags)
            for paragraph in margin.iter(ODF_TEXT + "p")
        ]
        paragraphs += [element for part in parts for element in part.iter(f"{ODF_PRESENTATION}{kind}-decl")]
        texts = list(dict.fromkeys(filter(None, map(_words, paragraphs))))
        draft.leave_out_margin([line for line in texts if not PAGE.fullmatch(line)], top=kind == "header")


def _words(element: "_Element") -> str:
    """Return the words of a paragraph but for fields that differ from page to page."""
    parts = [element.text or ""]
    for child in element:
        name = str(child.tag).removeprefix(ODF_TEXT)
        parts.append(
            " " if name in ("tab", "s", "line-break") else "" if name in _SET_ANEW else _words(child)
        )
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())
