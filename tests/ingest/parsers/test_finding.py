"""Finding text: margins are not looked at, halves see the same lines as the whole page, none is lost."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.media.ocr_networks import best_engine
from core.ingest.parsers.media.text_finder import Corners, in_order, lines_in, parts_of, strips_of


def page(lines: int, *, left: int = 60, top: int = 60, step: int = 40) -> Image.Image:
    picture = Image.new("RGB", (800, 1056), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(24)
    for number in range(lines):
        draw.text((left, top + step * number), f"Line {number + 1} of the log", fill="black", font=font)
    return picture


def pixels(picture: Image.Image) -> np.ndarray:
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def boxes_of(picture: np.ndarray) -> list[Corners]:
    return in_order([box for part in parts_of(picture, best_engine()) for box in part])


def test_an_empty_page_is_not_looked_at() -> None:
    assert strips_of(pixels(Image.new("RGB", (320, 640), (250, 250, 249)))) == []
    assert boxes_of(pixels(Image.new("RGB", (300, 200), "white"))) == []


def test_one_line_on_a_large_page_is_looked_at_without_the_rest() -> None:
    written = pixels(page(1, left=400, top=700)).copy()
    (strip,) = strips_of(written)
    assert (strip.bottom - strip.top) * (strip.right - strip.left) < 0.05 * 800 * 1056
    assert all(edge % 32 == 0 for edge in (strip.top, strip.bottom, strip.left, strip.right))
    (box,) = boxes_of(written)
    assert box[:, 0].min() == pytest.approx(400, abs=10)
    assert box[:, 1].min() == pytest.approx(704, abs=10)


def test_a_full_page_is_cut_where_nothing_is_written_and_every_row_is_asked_for_once() -> None:
    written = pixels(page(24))
    first, second = strips_of(written)
    assert first.last == second.first
    assert len(np.unique(written[first.last])) == 1
    assert first.bottom > first.last > second.top
    assert 0.35 < (first.last - first.first) / (second.last - first.first) < 0.65


def test_no_line_is_lost_or_read_twice_at_the_cut() -> None:
    for step in (29, 36, 40):
        found = [line.text for line in PictureOcr(most=1, pixels=4_000_000).lines_of(page(24, step=step))]
        assert found == [f"Line {number + 1} of the log" for number in range(24)]


def test_a_page_without_a_blank_row_is_looked_at_as_a_whole() -> None:
    ruled = page(24)
    ImageDraw.Draw(ruled).line([(20, 20), (20, 1030)], fill="black", width=3)
    assert len(strips_of(pixels(ruled))) == 1


def test_a_small_scan_of_a_large_page_gives_boxes_in_its_own_pixels() -> None:
    large = page(3).resize((2000, 2640))
    tops = [float(box[:, 1].min()) for box in boxes_of(pixels(large))]
    assert tops == pytest.approx([(64 + 40 * number) * 2.5 for number in range(3)], abs=20)


def test_a_box_is_wider_than_what_is_likely_text_and_thin_or_doubtful_areas_have_none() -> None:
    likely = np.zeros((96, 320), dtype=np.float32)
    likely[40:50, 60:160] = 0.9
    likely[70:80, 60:160] = 0.4  # above the threshold of a pixel, below that of a line
    likely[20:21, 60:160] = 0.9
    (box,) = lines_in(likely)
    beyond = 1.6 * (100 * 10) / (2 * (100 + 10))  # the area over the circumference
    assert box[0] == pytest.approx((60 - beyond, 40 - beyond), abs=1.5)
    assert box[2] == pytest.approx((160 + beyond, 50 + beyond), abs=1.5)


def test_boxes_are_those_rapidocr_itself_would_draw() -> None:
    from rapidocr.ch_ppocr_det.utils import DBPostProcess

    written = page(6, step=70).rotate(4, fillcolor="white")
    given = (pixels(written).astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[None]
    likely = best_engine().find(np.ascontiguousarray(given))
    theirs, _ = DBPostProcess(0.3, 0.5, 1000, 1.6, use_dilation=True)(likely[None, None], likely.shape)
    ours = lines_in(likely)
    assert len(ours) == len(theirs) >= 6
    for box, other in zip(in_order(ours), in_order(list(theirs)), strict=True):
        assert box == pytest.approx(other, abs=2.1)  # they round to whole pixels on the way


def test_boxes_run_down_the_page_and_those_of_one_height_from_the_left() -> None:
    def box(x: float, y: float) -> np.ndarray:
        return np.array([(x, y), (x + 50, y), (x + 50, y + 20), (x, y + 20)], dtype=np.float32)

    found = in_order([box(300, 96), box(10, 200), box(100, 100), box(10, 20)])
    assert [tuple(corners[0]) for corners in found] == [(10, 20), (100, 100), (300, 96), (10, 200)]
    assert in_order([]) == []
