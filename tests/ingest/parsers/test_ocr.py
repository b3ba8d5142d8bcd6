"""Reading pictures: every line in its own box, in order, in English and Chinese."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.ingest.limits import Limits
from core.ingest.parsers import read
from core.ingest.parsers.media.ocr import OcrLine, PictureOcr, cut_out
from core.ingest.parsers.media.upright_columns import with_upright_columns

CJK_FONT = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
LINES = (
    "Lot 4711 was held at station 9",
    "because",
    "the chamber pressure rose to 35 mTorr",
    "for",
    "eleven minutes",
)


def lines_of(picture: Image.Image) -> list[OcrLine]:
    return PictureOcr(most=1, pixels=4_000_000).lines_of(picture)


def corners(*points: tuple[float, float]) -> np.ndarray:
    return np.array(points, dtype=np.float32)


@pytest.fixture
def gradient() -> np.ndarray:
    """A picture of 60 × 80 pixels in which each tells its row (red) and its column (green)."""
    rows, columns = np.mgrid[0:60, 0:80]
    return np.stack([rows, columns, np.zeros_like(rows)], axis=2).astype(np.uint8)


def test_an_upright_box_is_cut_out_pixel_for_pixel(gradient: np.ndarray) -> None:
    part = cut_out(gradient, corners((10, 20), (50, 20), (50, 32), (10, 32)))
    assert np.array_equal(part, gradient[20:32, 10:50])


def test_a_line_written_downwards_is_turned_upright(gradient: np.ndarray) -> None:
    part = cut_out(gradient, corners((10, 5), (20, 5), (20, 55), (10, 55)))
    assert part.shape == (10, 50, 3)
    assert np.array_equal(part, np.rot90(gradient[5:55, 10:20]))


def test_a_slanted_box_is_straightened(gradient: np.ndarray) -> None:
    part = cut_out(gradient, corners((10, 20), (50, 30), (47, 42), (7, 32)))
    assert part.shape == (12, 41, 3)
    assert abs(int(part[0, 0, 1]) - 10) <= 1
    assert abs(int(part[0, 0, 0]) - 20) <= 1


@pytest.mark.parametrize("turn", [-90, -75, 30, 45, 60, 75, 90])
def test_words_that_slant_or_run_up_or_down_are_read(turn: int) -> None:
    picture, font = Image.new("RGB", (700, 320), "white"), ImageFont.load_default(22)
    for at, word in enumerate(("Pressure (mTorr)", "Gas box", "PPTX")):
        label = Image.new("L", (round(font.getlength(word)) + 8, 36), 0)
        ImageDraw.Draw(label).text((4, 2), word, fill=255, font=font)
        turned = label.rotate(turn, expand=True, resample=Image.Resampling.BICUBIC)
        picture.paste("black", (40 + 220 * at, 40), turned)
    assert {line.text for line in lines_of(picture)} == {"Pressure (mTorr)", "Gas box", "PPTX"}


def test_long_and_short_lines_come_back_in_order_each_in_its_box() -> None:
    picture = Image.new("RGB", (1000, 500), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(40)
    for number, line in enumerate(LINES):
        draw.text((40, 40 + 85 * number), line, fill="black", font=font)
    found = lines_of(picture)
    assert [line.text for line in found] == list(LINES)
    for number, (line, text) in enumerate(zip(found, LINES, strict=True)):
        left, top, right, bottom = draw.textbbox((40, 40 + 85 * number), text, font=font)
        assert line.x0 * 1000 == pytest.approx(left, abs=15)
        assert line.x1 * 1000 == pytest.approx(right, abs=15)
        assert line.y0 * 500 == pytest.approx(top, abs=15)
        assert line.y1 * 500 == pytest.approx(bottom, abs=15)


@pytest.mark.parametrize("ink", ["black", "white"])
@pytest.mark.parametrize("mode", ["RGBA", "P"])
def test_words_on_a_transparent_ground_are_read(ink: str, mode: str) -> None:
    picture = Image.new("RGBA", (600, 100), (0, 0, 0, 0) if ink == "black" else (255, 255, 255, 0))
    ImageDraw.Draw(picture).text((40, 20), LINES[0], fill=ink, font=ImageFont.load_default(36))
    assert [line.text for line in lines_of(picture.convert(mode))] == [LINES[0]]


def test_a_picture_without_text_has_no_lines() -> None:
    assert lines_of(Image.new("RGB", (300, 200), "white")) == []


def test_chinese_is_read(bench_data: Path) -> None:
    path = bench_data / "docs" / "image" / "chi_sim_image.jpeg"
    text = "".join(block.text for block in read(path, path.name, Limits()).blocks)
    for phrase in (
        "新鲜甘草黄酮养分",
        "力，帮助肌肤完美吸收后续营养",
        "适合任何肌肤，尤其适用毛孔粗大",
        "希望美白的皮肤",
    ):
        assert phrase in text


def test_a_picture_of_a_page_reads_as_the_page(bench_data: Path) -> None:
    """The same page exists as a picture of 595 × 842 pixels and as a PDF with its text."""

    def words(name: str) -> Counter[str]:
        path = bench_data / "docs" / name
        parsed = read(path, path.name, Limits())
        return Counter(re.findall(r"\w+", " ".join(block.text for block in parsed.blocks).lower()))

    wanted, found = words("pdf/DA-1p.pdf"), words("image/DA-1p.jpg")
    assert (wanted & found).total() >= 0.97 * wanted.total()


def test_a_table_drawn_in_a_picture_is_read_by_its_lines(tmp_path: Path) -> None:
    rows = (("Cause", "Cure"), ("ring worn", "ring changed"), ("no flow", "valve cleaned"))
    picture = Image.new("RGB", (900, 320), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(30)
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            draw.rectangle((30 + 420 * x, 20 + 90 * y, 450 + 420 * x, 110 + 90 * y), outline="black", width=2)
            draw.text((45 + 420 * x, 45 + 90 * y), cell, fill="black", font=font)
    path = tmp_path / "a.png"
    picture.save(path)
    (table,) = read(path, "a.png").tables
    assert [column.name for column in table.columns] == ["Cause", "Cure"]
    assert table.rows == rows[1:]


def test_columns_of_upright_japanese_are_read_from_the_right() -> None:
    statement = ("文字を上から下へ進め", "行を右から左へ並べる", "横書きの字体はない。")
    found = [OcrLine(text, 0.2 * at, 0.1, 0.2 * at + 0.1, 0.9) for at, text in enumerate(reversed(statement))]
    title = OcrLine("Writing", 0.1, 0.02, 0.5, 0.06)
    first, column = with_upright_columns([title, *found], 0.5)
    assert first == title
    assert column == ("".join(statement), 0.0, 0.1, 0.5, 0.9)
    assert with_upright_columns(found, 3.0) == found  # wider than high: lines


@pytest.mark.skipif(not CJK_FONT.is_file(), reason="fonts-noto-cjk is not installed")
def test_lines_of_a_script_the_networks_do_not_know_are_said_not_guessed(tmp_path: Path) -> None:
    picture = Image.new("RGB", (700, 260), "white")
    font = ImageFont.truetype(CJK_FONT, 30)
    statement = (
        "Write your own opening message first:",
        "안녕하세요, 저희는 YGE소속 그룹 멤버",
        "일을 통해 저희의 의혹을 전달하여 진지한 고",
    )
    for row, line in enumerate(statement):
        ImageDraw.Draw(picture).text((15, 20 + 70 * row), line, fill="black", font=font)
    picture.save(tmp_path / "a.png")
    parsed = read(tmp_path / "a.png", "a.png", Limits())
    assert [block.text for block in parsed.blocks] == [statement[0]]
    assert any("could not be read" in sentence and "know: 2." in sentence for sentence in parsed.skipped)
