"""Headers and footers of Word documents: those of the first page are text, those that come again are not."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office import ooxml
from core.ingest.parsers.office.ooxml import W

if TYPE_CHECKING:
    from docx.document import Document

PAGE = re.compile(r"[\W\d_]*(?:page|seite|p|第)?[\W\d_]*(?:of|von|sur|共)?[\W\d_]*页?", re.I)
_LONGEST = 500  # characters kept as metadata


def leave_out_running(draft: Draft, document: "Document") -> None:
    """Leave out what headers and footers say page after page, by name; it is kept as metadata."""
    for kind in ("header", "footer"):
        texts: list[str] = []
        for section in document.sections:
            part = getattr(section, kind)
            if not part.is_linked_to_previous:
                texts += [ooxml.words(paragraph) for paragraph in part._element.iter(W + "p")]
        distinct = list(dict.fromkeys(filter(None, texts)))
        draft.leave_out_margin([line for line in distinct if not PAGE.fullmatch(line)], top=kind == "header")
        draft.metadata[kind] = " · ".join(distinct)[:_LONGEST]


def on_first_page(document: "Document", kind: str) -> Iterator[Any]:
    """Yield the headers or footers that stand on the first page of a section only."""
    for section in document.sections:
        part = getattr(section, f"first_page_{kind}")
        if section.different_first_page_header_footer and not part.is_linked_to_previous:
            yield part
