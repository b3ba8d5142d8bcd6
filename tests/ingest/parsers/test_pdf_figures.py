"""Figures of PDFs: found by their captions, cut out of the page, described by a model that sees."""

import base64
import io

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from core.domain import Picture
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.illustrated import picture
from tests.ingest.parsers.test_pictures_inside import SAW, described

WORDS = "The chamber was opened twice and the ring was measured."


class Sheet:
    """A PDF in the making, A4 upright (595 × 842 points)."""

    def __init__(self) -> None:
        self.held = io.BytesIO()
        self.page = canvas.Canvas(self.held, pagesize=(595, 842))

    def write(self, y: float, text: str = WORDS) -> None:
        self.page.drawString(60, y, text)

    def show(
        self, y: float, shade: str = "white", wide: float = 210, high: float = 60, x: float = 60
    ) -> None:
        self.page.drawImage(ImageReader(io.BytesIO(picture(shade=shade))), x, y, wide, high)

    def done(self) -> bytes:
        self.page.save()
        return self.held.getvalue()


def colour(shown: Picture) -> tuple[int, ...]:
    image = Image.open(io.BytesIO(base64.b64decode(shown.image)))
    pixel = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(pixel, tuple)
    return tuple(round(level / 85) for level in pixel)


RED, GREEN, BLUE = (3, 0, 0), (0, 2, 0), (0, 0, 3)


def one_figure() -> bytes:
    sheet = Sheet()
    sheet.write(780)
    sheet.show(600, "red")
    sheet.write(580, "Figure 3: The worn edge ring")
    sheet.write(500, "After it the tool ran again.")
    return sheet.done()


def test_a_figure_is_described_with_its_caption_where_it_stands(reads: Reads) -> None:
    descriptions, seen = described(reads("a.pdf", one_figure(), pictures=3))
    assert texts(descriptions, "figure") == [f"Figure 3: The worn edge ring\nWhat it shows: {SAW}"]
    assert "The worn edge ring" in seen[0].user
    assert [block.kind for block in descriptions.blocks] == ["paragraph", "figure", "paragraph"]


def test_the_picture_handed_on_is_the_figure_and_knows_its_place(reads: Reads) -> None:
    (shown,) = reads("a.pdf", one_figure(), pictures=3).pictures
    assert colour(shown) == RED
    (box,) = shown.location.boxes
    assert (box.page, box.x0, box.y1) == (
        0,
        pytest.approx(60 / 595, abs=0.01),
        pytest.approx(242 / 842, abs=0.01),
    )


def test_no_picture_leaves_a_pdf_where_no_model_sees(reads: Reads) -> None:
    parsed = reads("a.pdf", one_figure())
    assert parsed.pictures == ()
    assert texts(parsed, "figure") == ["Figure 3: The worn edge ring"]


def drawn(sheet: Sheet) -> None:
    for step in range(8):
        sheet.page.line(200 + 20 * step, 600, 220 + 20 * step, 620 + 15 * step)
    sheet.page.rect(200, 600, 180, 130)
    sheet.page.drawString(160, 650, "40 nm")
    sheet.write(570, "Fig. 2. Thickness over the wafer")


def test_a_drawing_is_a_figure_with_what_is_written_on_its_axes(reads: Reads) -> None:
    sheet = Sheet()
    sheet.write(780)
    drawn(sheet)
    parsed = reads("a.pdf", sheet.done(), pictures=3)
    (shown,) = parsed.pictures
    assert shown.caption == "Fig. 2. Thickness over the wafer"
    (box,) = shown.location.boxes
    assert (box.x0, box.x1) == (pytest.approx(160 / 595, abs=0.01), pytest.approx(380 / 595, abs=0.02))
    assert parsed.blocks[shown.block or 0].location.boxes[0] == box


def test_the_words_on_a_drawing_are_no_text_of_the_body(reads: Reads) -> None:
    sheet = Sheet()
    sheet.write(770)
    sheet.write(756, "It was left so.")  # short, but the end of a paragraph
    drawn(sheet)
    for text, x in (("0", 200), ("50", 260), ("100", 320), ("150", 365)):
        sheet.page.drawString(x, 588, text)
    parsed = reads("a.pdf", sheet.done())
    assert [block.kind for block in parsed.blocks] == ["paragraph", "figure", "figure"]
    assert parsed.blocks[0].text.split("\n")[-1].endswith("It was left so.")
    assert parsed.blocks[1].text.split() == ["40", "nm", "0", "50", "100", "150"]
    assert parsed.blocks[2].text == "Fig. 2. Thickness over the wafer"


def test_figures_with_captions_come_first_and_equal_ones_once(reads: Reads) -> None:
    sheet = Sheet()
    sheet.write(800)
    sheet.show(700, "green")
    sheet.show(500, "blue", wide=400, high=120)
    sheet.page.showPage()
    sheet.write(800)
    sheet.show(600, "red")
    sheet.write(580, "Figure 1: The ring")
    sheet.show(300, "green")
    content = sheet.done()
    shades = [[colour(each) for each in reads("a.pdf", content, pictures=n).pictures] for n in (1, 2, 9)]
    assert shades == [[RED], [BLUE, RED], [BLUE, GREEN, RED]]


def test_a_picture_without_caption_is_told_on_its_page_or_not_at_all(reads: Reads) -> None:
    sheet = Sheet()
    sheet.write(780)
    sheet.show(600, "red")
    sheet.page.showPage()
    sheet.write(780, "The second page of the report has its own words.")
    content = sheet.done()
    parsed = reads("a.pdf", content, pictures=3)
    descriptions, _ = described(parsed)
    assert [block.text for block in descriptions.blocks] == [
        WORDS,
        f"What it shows: {SAW}",
        parsed.blocks[-1].text,
    ]
    assert descriptions.blocks[1].location.page == 0
    assert described(parsed, "")[0].blocks == parsed.blocks
    assert parsed.skipped == ()
    assert reads("a.pdf", content).skipped == ("Pictures without a caption that were not read: 1.",)


def test_logos_and_backgrounds_are_no_figures(reads: Reads) -> None:
    sheet = Sheet()
    for number in range(3):
        sheet.show(780, "red", wide=120, high=50)
        sheet.show(0, "blue", wide=595, high=842, x=0) if number == 1 else None
        sheet.show(595, "green")
        sheet.write(620, f"Chapter {number + 1} on rings")
        sheet.page.showPage()
    assert reads("a.pdf", sheet.done(), pictures=9).pictures == ()


def test_a_page_that_is_a_photograph_is_described(reads: Reads) -> None:
    sheet = Sheet()
    sheet.show(0, "red", wide=595, high=842, x=0)
    parsed = reads("a.pdf", sheet.done(), pictures=2)
    descriptions, _ = described(parsed)
    assert texts(descriptions, "figure") == [f"What it shows: {SAW}"]
    assert parsed.skipped == ("Page 1 is a picture without text.",)


def test_a_picture_inside_a_form_stands_where_it_is_shown(reads: Reads) -> None:
    sheet = Sheet()
    sheet.write(780)
    sheet.page.beginForm("stamp")
    sheet.show(0, "red", x=0)
    sheet.page.endForm()
    sheet.page.translate(300, 400)
    sheet.page.doForm("stamp")
    (shown,) = reads("a.pdf", sheet.done(), pictures=2).pictures
    assert colour(shown) == RED
    assert shown.location.boxes[0].x0 == pytest.approx(300 / 595, abs=0.01)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_figure_of_a_turned_page_is_cut_out_as_it_is_seen(reads: Reads, turn: int) -> None:
    sheet = Sheet()
    sheet.page.setPageRotation(turn)
    sheet.write(560)
    sheet.show(400, "red")
    (shown,) = reads("a.pdf", sheet.done(), pictures=2).pictures
    assert colour(shown) == RED


def test_what_lies_off_the_page_is_no_figure(reads: Reads) -> None:
    sheet = Sheet()
    sheet.write(780)
    sheet.show(600, "red", x=-300)
    sheet.show(300, "blue", x=-100)
    (shown,) = reads("a.pdf", sheet.done(), pictures=2).pictures
    assert (colour(shown), shown.location.boxes[0].x0) == (BLUE, 0.0)


def test_labels_of_a_drawing_without_a_caption_head_nothing(reads: Reads) -> None:
    sheet = Sheet()
    for row in range(8):
        sheet.write(780 - 14 * row)
    sheet.page.setFont("Helvetica-Bold", 15)
    for at, name in enumerate(("Inlet", "Chamber", "Pump", "Outlet")):
        x, y = 80 + 230 * (at % 2), 580 - 50 * at
        sheet.page.rect(x, y, 120, 50)
        sheet.page.drawString(x + 15, y + 20, name)
    for line in ((200, 605, 310, 555), (310, 550, 200, 505), (200, 500, 310, 455)):
        sheet.page.line(*line)
    sheet.page.drawString(60, 380, "How it is vented")
    sheet.page.setFont("Helvetica", 12)
    for row in range(8):
        sheet.write(350 - 14 * row)
    parsed = reads("a.pdf", sheet.done())
    assert texts(parsed, "heading") == ["How it is vented"]
    assert all(any(name in block.text for block in parsed.blocks) for name in ("Inlet", "Outlet"))


def test_labels_in_a_picture_head_nothing(reads: Reads) -> None:
    drawn = Image.new("RGB", (900, 420), "white")
    for at, (name, size) in enumerate((("Inlet valve", 30), ("PUMP", 64), ("Outlet", 30), ("Filter", 34))):
        ImageDraw.Draw(drawn).text((60 + 430 * (at % 2), 20 + 100 * at), name, fill="black", font_size=size)
    buffer = io.BytesIO()
    drawn.save(buffer, "PNG")
    parsed = reads("a.png", buffer.getvalue())
    assert not texts(parsed, "heading")
    assert "PUMP" in " ".join(block.text for block in parsed.blocks)
