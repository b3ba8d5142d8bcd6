"""PDF: what is written in pictures, stamps and check boxes on pages that have text as well."""

import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from core.domain import Parsed
from core.ingest.limits import Limits
from core.ingest.parsers import read
from tests.ingest.parsers.conftest import Reads, texts

SAID = "The report of the pumps was read and found to be in order."


def stamp(*lines: str, size: tuple[int, int] = (600, 160)) -> ImageReader:
    drawn = Image.new("RGB", size, "white")
    for number, line in enumerate(lines):
        ImageDraw.Draw(drawn).text((20, 20 + 60 * number), line, fill="darkgreen", font_size=40)
    return ImageReader(drawn)


def noise() -> ImageReader:
    """Return a photograph, as far as its colours go, with a word on it."""
    grains = [Image.effect_noise((600, 300), 90) for _ in range(3)]
    drawn = Image.merge("RGB", grains)
    ImageDraw.Draw(drawn).text(
        (20, 100), "Regatta", fill="white", stroke_fill="black", stroke_width=6, font_size=90
    )
    return ImageReader(drawn)


def page(draw: list[tuple[ImageReader, float, float]], pages: int = 1) -> bytes:
    """Return a PDF with a line of text and pictures (x, y from the bottom, 216 points wide) on each page."""
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(600, 800))
    for _ in range(pages):
        sheet.drawString(60, 700, SAID)
        for picture, x, y in draw:
            sheet.drawImage(picture, x, y, width=216, preserveAspectRatio=True, anchor="sw")
        sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def test_a_stamp_on_a_page_with_text_is_read_at_its_place(reads: Reads) -> None:
    parsed = reads("a.pdf", page([(stamp("Auditor: James Wilson", "Code 7842"), 300, 100)]))
    assert texts(parsed, "figure") == ["Auditor: James Wilson\nCode 7842"]
    box = next(block for block in parsed.blocks if block.kind == "figure").location.boxes[0]
    assert box.x0 == pytest.approx(0.5, abs=0.02)
    assert box.y1 == pytest.approx(0.875, abs=0.02)
    assert texts(parsed, "paragraph") == [SAID]


def test_photographs_cost_nothing_and_equal_pictures_count_once(reads: Reads, tmp_path: Path) -> None:
    parsed = reads("a.pdf", page([(noise(), 300, 100)]))
    assert texts(parsed, "figure") == []
    logo, other = stamp("Nordholm Pumps"), stamp("Plant 4, Oslo")
    path = tmp_path / "b.pdf"
    path.write_bytes(page([(logo, 300, 100)], pages=3))
    once = read(path, "b.pdf", Limits(ocr_pages=1))
    assert texts(once, "figure") == ["Nordholm Pumps"] * 3
    path.write_bytes(page([(stamp("Nordholm Tools"), 60, 100), (other, 300, 100)]))
    limited = read(path, "b.pdf", Limits(ocr_pages=1))
    assert any("not read by OCR: 1" in sentence for sentence in limited.skipped)


def drawn_form() -> bytes:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(600, 800))
    sheet.setFont("Helvetica", 10)
    for number, (text, tick) in enumerate(
        [("Access report", True), ("Safety plan", False), ("Closed", True)]
    ):
        y = 700 - 16 * number
        sheet.rect(60, y, 9, 9)
        if tick:
            sheet.line(60, y, 69, y + 9)
            sheet.line(60, y + 9, 69, y)
        sheet.drawString(84, y + 1, text)
    sheet.rect(60, 620, 9, 9)
    sheet.drawString(62, 621, "X")
    sheet.drawString(74, 621, "Approved")
    for number in range(3):  # the cells of a table are no boxes
        sheet.rect(60 + 12 * number, 560, 12, 12)
    sheet.drawString(100, 562, "of three")
    sheet.save()
    return buffer.getvalue()


def test_drawn_check_boxes_are_said_to_be_ticked_or_empty(reads: Reads) -> None:
    text = " ".join(block.text for block in reads("a.pdf", drawn_form()).blocks)
    assert text == "☒ Access report ☐ Safety plan ☒ Closed ☒ Approved of three"


def annotated() -> bytes:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(600, 800))
    sheet.drawString(60, 700, SAID)
    sheet.freeTextAnnotation("Approved by Kim Lee", (300, 600, 450, 630))
    sheet.textAnnotation("Please check the figure", (100, 500, 120, 520))
    sheet.save()
    return buffer.getvalue()


def test_text_boxes_and_comments_are_read(reads: Reads) -> None:
    parsed: Parsed = reads("a.pdf", annotated())
    assert "Approved by Kim Lee" in texts(parsed, "figure")
    assert texts(parsed, "footnote") == ["Comment: Please check the figure"]


def test_what_is_filled_in_larger_than_the_form_is_no_heading(reads: Reads) -> None:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(600, 800))
    y = 760.0
    for part in range(6):
        sheet.setFont("Helvetica", 8)
        for line in range(4):
            sheet.drawString(
                60, y, f"Instruction {part}.{line} of the form, which says at length what to fill in."
            )
            y -= 10
        sheet.setFont("Times-Roman", 10)
        for line in range(2):
            sheet.drawString(
                60, y, f"The agency wrote answer {part}.{line} here, in a larger type than the form has it."
            )
            y -= 12
        sheet.drawString(60, y - 4, "N/A")
        y -= 24
    sheet.save()
    assert texts(reads("a.pdf", buffer.getvalue()), "heading") == []
