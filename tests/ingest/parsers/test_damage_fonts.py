"""Damage to the fonts of a PDF costs at most what is set in them; numbers of signs are no text."""

import io
import re

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from bench.data import data_folder
from core.domain import Parsed
from core.ingest.limits import Limits
from tests.ingest.parsers.test_damage import outcome
from tests.ingest.parsers.test_damage_elsewhere import words

SAID = "Pump 4711 was found in order"
BESIDE = ("The next paragraph is set in a font of every reader, and it is long.",) * 4
OUTLINES, LETTERS = rb"/FontFile2 (\d+) 0 R", rb"/ToUnicode (\d+) 0 R"


def paper(beside: tuple[str, ...] = ()) -> bytes:
    """Return a PDF with SAID in its own font, and another text in one of every reader."""
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf", asciiReadable=False))
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pageCompression=1)
    page.setFont("Vera", 14)
    page.drawString(60, 700, SAID)
    page.setFont("Helvetica", 10)
    for number, line in enumerate(beside):
        page.drawString(60, 600 - 12 * number, line)
    page.save()
    return buffer.getvalue()


def with_part(data: bytes, named: bytes, kept: float) -> bytes:
    """Return a PDF in which a packed part holds so much of its bytes and no more."""
    number = re.search(named, data)
    assert number
    begin = data.index(b"stream\n", data.index(b"\n" + number[1] + b" 0 obj")) + 7
    end = data.index(b"endstream", begin)
    return data[: begin + int(kept * (end - begin))].ljust(end, b"\0") + data[end:]


@pytest.mark.parametrize("kept", [0, 0.2, 0.6])
def test_where_the_letters_of_a_font_are_lost_the_page_is_read_by_ocr(kept: float) -> None:
    found = outcome("a.pdf", with_part(paper(), LETTERS, kept), Limits())
    assert words(found) == SAID


def test_where_no_ocr_may_be_made_the_words_of_such_a_font_are_left_out() -> None:
    found = outcome("a.pdf", with_part(paper(BESIDE), LETTERS, 0))
    assert isinstance(found, Parsed), found
    assert words(found) == " ".join(BESIDE)
    assert any(message.startswith("Page 1: what is set in a font") for message in found.skipped)


@pytest.mark.parametrize("kept", [0, 0.1, 0.3, 0.5, 0.7])
def test_damaged_outlines_cost_no_text_that_a_font_tells(kept: float) -> None:
    found = outcome("a.pdf", with_part(paper(BESIDE), OUTLINES, kept))
    assert words(found) == " ".join([SAID, *BESIDE])


def test_outlines_gone_astray_part_no_words() -> None:
    real = data_folder() / "docs" / "pdf" / "interface-config-guide-p93.pdf"
    if not real.exists():
        pytest.skip("the public documents are not here (STRATA_BENCH_DATA)")
    data = real.read_bytes()
    for named in sorted({*re.findall(rb"/FontFile\d?\s+(\d+)\s+0\s+R", data)}):
        data = with_part(data, rb"/FontFile\d?\s+(" + named + rb")\s+0\s+R", 1 / 3)
    assert "Multiple PXCs on the same underlying cross-connect configuration" in words(outcome("a.pdf", data))
