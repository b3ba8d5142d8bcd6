"""Headers and footers of OpenDocument files are listed, not read as text."""

import io
import zipfile

import pytest

from core.domain import MARGINS
from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.test_damage_elsewhere import ODF, SPACES, open_document

SPACES_OF_PAGES = SPACES + ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
MASTER = (
    "<style:master-page><style:header><text:p>Pump<text:s/>manual</text:p></style:header>"
    "<style:footer><text:p>Page <text:page-number>7</text:page-number></text:p><text:p>In confidence</text:p>"
    "</style:footer></style:master-page>"
)


@pytest.mark.parametrize("suffix", ODF)
def test_headers_and_footers_are_listed_but_for_numbers_of_pages(reads: Reads, suffix: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(open_document(suffix).data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for each in old.infolist():
            if each.filename != "styles.xml":
                new.writestr(each.filename, old.read(each))
        styles = f"<office:document-styles {SPACES_OF_PAGES}>{MASTER}</office:document-styles>"
        new.writestr("styles.xml", styles)
    parsed = reads(f"a.{suffix}", buffer.getvalue())
    assert "confidence" not in " ".join(block.text for block in parsed.blocks)
    assert [message for message in parsed.skipped if "margin" in message] == [
        "The line “Pump manual” at the page margin was left out.",
        "The line “In confidence” at the page margin was left out.",
    ]
    assert "In confidence" in parsed.metadata[MARGINS]
