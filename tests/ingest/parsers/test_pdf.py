"""PDF: made with nothing but the format's own grammar, so that every position is known."""

import io
from pathlib import Path

import pytest
from reportlab.pdfgen import canvas

from core.domain import Parsed
from core.errors import LimitExceeded, ParseError
from core.ingest.limits import Limits
from core.ingest.parsers import read
from tests.ingest.parsers.conftest import Reads, texts

Text = tuple[float, float, float, str, str]  # x, y from the bottom, size, font (F1 plain, F2 bold), words


# As TeX's fonts of bitmaps: nothing says what a number stands for.
BITMAPS = (
    "<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs"
    f"<<{' '.join(f'/a{code} 3 0 R' for code in range(256))}>>"
    f"/Encoding<</Differences[0 {''.join(f'/a{code}' for code in range(256))}]>>"
    f"/FirstChar 0/LastChar 255/Widths[{'500 ' * 256}]>>"
)


def pdf(*pages: list[Text], extra: str = "") -> bytes:
    """Return a PDF of 600 × 800 points a page with the given texts and drawing operators."""
    bitmap = "500 0 0 0 500 700 d1 50 0 400 700 re f"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", f"<</Length {len(bitmap)}>>stream\n{bitmap}\nendstream"]
    font_of = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica"
    typed = "<</Type/Font/Subtype/Type1/BaseFont/Courier>>"
    fonts = f"<</F1{font_of}>>/F2{font_of}-Bold>>/F3{typed}/F4{BITMAPS}>>"
    kids = []
    for page in pages:
        shown = (
            "".join(f"BT /{font} {size} Tf {x} {y} Td ({words}) Tj ET\n" for x, y, size, font, words in page)
            + extra
        )
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font{fonts}>>"
            f"/Contents {len(objects) + 2} 0 R>>"
        )
        objects.append(f"<</Length {len(shown)}>>stream\n{shown}\nendstream")
    objects[1] = f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(kids)}]>>"
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size, start = len(objects) + 1, len(out)
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>"
    tail += f"\nstartxref\n{start}\n%%EOF"
    return out + tail.encode()


def lines(x: float, y: float, *words: str) -> list[Text]:
    return [(x, y - 12 * i, 10, "F1", line) for i, line in enumerate(words)]


PROSE = (
    "The etch rate of the chamber fell over the last three",
    "weeks because the edge ring was worn out and the gas",
    "flow through the shower head was no longer uni-",
    "form across the wafer as the sensors show clearly.",
)


def test_headings_are_found_by_size_weight_and_number(reads: Reads) -> None:
    page = [(50, 750, 20, "F2", "Etch manual"), (50, 700, 14, "F2", "1 Scope"), *lines(50, 680, *PROSE)]
    page += [(50, 610, 14, "F2", "2 Limits"), (50, 590, 10, "F2", "2.1 Pressure"), *lines(50, 570, *PROSE)]
    parsed = reads("a.pdf", pdf(page))
    found = [(b.text, b.level) for b in parsed.blocks if b.kind == "heading"]
    assert [text for text, _ in found] == ["Etch manual", "1 Scope", "2 Limits", "2.1 Pressure"]
    levels = [level for _, level in found]
    assert levels[0] < levels[1] == levels[2] < levels[3]


def test_lines_are_joined_and_hyphens_undone(reads: Reads) -> None:
    assert texts(reads("a.pdf", pdf(lines(50, 700, *PROSE))), "paragraph") == [
        " ".join(PROSE).replace("uni- form", "uniform")
    ]


def test_columns_are_read_one_after_the_other(reads: Reads) -> None:
    left = lines(50, 700, *(f"left column line number {i} goes on to here" for i in range(8)))
    right = lines(320, 700, *(f"right column line number {i} goes on to here" for i in range(8)))
    mixed = [each for pair in zip(left, right, strict=True) for each in pair]
    text = " ".join(block.text for block in reads("a.pdf", pdf(mixed)).blocks)
    assert text.index("left column line number 7") < text.index("right column line number 0")


def test_boxes_are_fractions_of_the_page_from_its_top_left(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf(lines(60, 720, "Alone on this page.")))
    (box,) = parsed.blocks[0].location.boxes
    assert box.page == 0
    assert box.x0 == pytest.approx(0.1, abs=0.01)
    assert box.y0 == pytest.approx(0.09, abs=0.01)
    assert box.y0 < 0.1 < box.y1


def test_headers_and_page_numbers_are_taken_off_and_said(reads: Reads) -> None:
    pages = [
        [
            (50, 780, 8, "F1", "Confidential - Fab 7"),
            *lines(50, 600, *PROSE),
            (300, 20, 8, "F1", f"Page {i + 1} of 3"),
        ]
        for i in range(3)
    ]
    parsed = reads("a.pdf", pdf(*pages))
    assert all("Confidential" not in block.text and "Page 1" not in block.text for block in parsed.blocks)
    assert any("Confidential" in sentence for sentence in parsed.skipped)
    assert parsed.pages == 3


def test_a_line_of_the_text_that_comes_again_is_no_margin(reads: Reads) -> None:
    pages = [
        [
            (50, 788, 8, "F1", "Fab 7 handbook"),
            *lines(
                50,
                50,
                "The pump must be stopped before the lid is opened, as said,",
                f"because of {cause} in the line.",
            ),
            *lines(50, 600, *PROSE),
        ]
        for cause in ("wear", "a leak", "noise")
    ]
    parsed = reads("a.pdf", pdf(*pages))
    text = " ".join(block.text for block in parsed.blocks)
    assert text.count("The pump must be stopped") == 3
    assert "Fab 7 handbook" not in text


def table_texts() -> list[Text]:
    rows = [("Lot", "Wafer", "Yield (%)"), ("A101", "3", "93.5"), ("A102", "7", "88"), ("A103", "9", "91.2")]
    return [
        (60 + 120 * x, 700 - 20 * y, 10, "F1", cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    ]


def test_a_ruled_table_becomes_a_typed_table(reads: Reads) -> None:
    grid = "".join(f"50 {715 - 20 * i} m 410 {715 - 20 * i} l S\n" for i in range(5))
    grid += "".join(f"{50 + 120 * i} 715 m {50 + 120 * i} 635 l S\n" for i in range(4))
    parsed = reads("a.pdf", pdf(table_texts(), extra=grid))
    assert parsed.tables[0].rows == (("A101", 3, 93.5), ("A102", 7, 88.0), ("A103", 9, 91.2))
    assert parsed.tables[0].columns[2].unit == "%"
    assert parsed.blocks[0].location.boxes[0].x0 == pytest.approx(50 / 600, abs=0.01)


def test_a_borderless_table_is_found_by_its_columns(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf([*lines(60, 760, "The lots of this week:"), *table_texts()]))
    assert parsed.tables[0].rows == (("A101", 3, 93.5), ("A102", 7, 88.0), ("A103", 9, 91.2))


def test_two_columns_of_running_text_are_no_table(reads: Reads) -> None:
    left = [f"in 20{i} the rate fell by {i} %" for i in range(10, 22)]
    right = [f"on tool {i} the seal was changed" for i in range(10, 22)]
    parsed = reads("a.pdf", pdf([*lines(50, 700, *left), *lines(320, 700, *right)]))
    assert parsed.tables == ()
    text = " ".join(block.text for block in parsed.blocks)
    assert text.index(left[-1]) < text.index(right[0])


def test_a_blank_page_is_said(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf(lines(50, 700, "Something is here to read."), []))
    assert parsed.skipped == ("Page 2 is blank.",)


def test_too_many_pages_are_refused(reads: Reads) -> None:
    with pytest.raises(LimitExceeded, match=r"a\.pdf has 3 pages, more than 2"):
        reads("a.pdf", pdf([], [], []), pages=2)


def test_a_damaged_file_is_one_clear_error(reads: Reads) -> None:
    with pytest.raises(ParseError, match=r"a\.pdf is a damaged PDF"):
        reads("a.pdf", b"%PDF-1.7\n" + b"garbage " * 50)


def test_what_was_filled_into_a_form_is_read_with_what_it_answers(reads: Reads) -> None:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.drawString(80, 750, "Request for a chamber clean, to be filled in by the shift leader.")
    form = page.acroForm
    form.textfield(name="tool", tooltip="Tool", value="ETCH-03", x=80, y=700, borderStyle="inset")
    form.textfield(name="why", tooltip="Reason", value="Particles, 42 per wafer", x=80, y=660)
    form.textfield(name="empty", tooltip="Remarks", value="", x=80, y=620)
    form.checkbox(name="stopped", tooltip="Tool is stopped", checked=True, x=80, y=580)
    form.checkbox(name="released", tooltip="Tool is released", checked=False, x=80, y=540)
    page.save()
    table = reads("a.pdf", buffer.getvalue()).tables[-1]
    assert table.name == "Form fields"
    assert dict(table.rows) == {
        "Tool": "ETCH-03",
        "Reason": "Particles, 42 per wafer",
        "Tool is stopped": "Yes",
    }


def test_a_scanned_page_is_read_by_ocr(tmp_path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (900, 400), "white")
    ImageDraw.Draw(picture).text(
        (60, 120), "Chamber pressure 35 mTorr", fill="black", font=ImageFont.load_default(56)
    )
    picture.save(tmp_path / "scan.pdf")
    parsed = read(tmp_path / "scan.pdf", "scan.pdf", Limits())
    assert "35 mTorr" in " ".join(block.text for block in parsed.blocks)
    assert parsed.blocks[0].location.boxes[0].y0 == pytest.approx(0.33, abs=0.1)
    unread = read(tmp_path / "scan.pdf", "scan.pdf", Limits(ocr_pages=0))
    assert "was not read by OCR" in unread.skipped[0]


@pytest.mark.parametrize("name", ["multi-column-2p.pdf", "layout-parser-paper-fast.pdf"])
def test_a_real_paper_in_columns_is_read_in_order(name: str, bench_data: Path) -> None:
    parsed: Parsed = read(bench_data / "docs" / "pdf" / name, name)
    text = " ".join(block.text for block in parsed.blocks)
    assert text.index("Abstract") < text.index("Introduction")
    assert any(block.kind == "heading" and "Introduction" in block.text for block in parsed.blocks)


def numbered(*words: str) -> list[Text]:
    numbers = [(40, 700 - 20 * i, 10, "F1", str(i + 1)) for i in range(len(words))]
    return numbers + [(90, 700 - 20 * i, 10, "F1", text) for i, text in enumerate(words) if text]


def test_the_numbers_of_the_lines_of_a_transcript_are_no_words_of_it(reads: Reads) -> None:
    stated = [
        "STEVEN E. MERCER, ESQ., Deputy Attorney General, Los",
        "Angeles, Cal.; on behalf of the Petitioner.",
    ]
    parsed = reads("a.pdf", pdf(numbered("Washington, D.C.", "", *stated, *[""] * 8)))
    assert "General, Los Angeles, Cal." in " ".join(texts(parsed, "paragraph"))
    assert any("numbers of its lines" in sentence for sentence in parsed.skipped)


def test_the_first_column_of_a_table_is_no_count_of_lines(reads: Reads) -> None:
    parsed = reads("a.pdf", pdf(numbered(*(f"Pump {n} was found in order" for n in range(40, 55)))))
    assert not any("numbers of its lines" in sentence for sentence in parsed.skipped)
