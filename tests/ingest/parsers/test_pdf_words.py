"""Words put together from characters, and grids from lines, each at its place on the page."""

import io

import pypdfium2
import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from core.ingest.parsers.pdf.page import Page
from core.ingest.parsers.pdf.tables.grids import RulingLine, grids_of
from core.ingest.parsers.pdf.words import read_page


def written(turn: int = 0, scale: float = 1.0) -> Page:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=(600, 800))
    page.scale(scale, scale)
    page.setFont("Helvetica", 12)
    page.drawString(60, 500, "edge ring")
    page.setFont("Helvetica-Bold", 20)
    page.drawString(60, 450, "worn")
    page.drawString(150, 450, "out")
    page.rotate(90)
    page.drawString(300, -400, "upward")
    page.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        sheet = document[0]
        sheet.set_rotation(turn)
        return read_page(sheet, 0)


def test_words_end_at_white_space_and_at_wide_gaps() -> None:
    words = written().words
    assert [word.text for word in words] == ["edge", "ring", "worn", "out", "upward"]
    assert [word.size for word in words] == [12, 12, 20, 20, 20]
    assert [word.bold for word in words] == [False, False, True, True, True]
    assert [word.upright for word in words] == [True, True, True, True, False]


def test_a_word_stands_where_it_is_seen() -> None:
    first, _, third, *_ = written().words
    assert (first.x0, third.x0) == (pytest.approx(60, abs=0.1), pytest.approx(60, abs=0.1))
    assert first.y0 < 800 - 500 < first.y1
    assert written(scale=0.5).words[0].size == 6


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_words_turn_with_their_page(turn: int) -> None:
    straight, turned = written(), written(turn)
    word = straight.words[0]
    same = next(other for other in turned.words if other.text == word.text)
    x0, y0, x1, y1 = word[1:5]
    seen = {
        90: (800 - y1, x0, 800 - y0, x1),
        180: (600 - x1, 800 - y1, 600 - x0, 800 - y0),
        270: (y0, 600 - x1, y1, 600 - x0),
    }
    assert same[1:5] == pytest.approx(seen[turn], abs=0.01)
    assert (turned.width, turned.height) == ((600, 800) if turn == 180 else (800, 600))


def test_chinese_is_one_word_until_a_gap() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.setFont("STSong-Light", 12)
    page.drawString(60, 500, "刻蚀速率")
    page.drawString(160, 500, "压力")
    page.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        assert [word.text for word in read_page(document[0], 0).words] == ["刻蚀速率", "压力"]


def lines(xs: tuple[float, ...], ys: tuple[float, ...]) -> list[RulingLine]:
    upright = [RulingLine(x, ys[0], x, ys[-1]) for x in xs]
    return upright + [RulingLine(xs[0], y, xs[-1], y) for y in ys]


def test_lines_that_cross_make_a_grid_of_cells() -> None:
    (grid,) = grids_of(lines((0, 50, 90), (0, 20, 40)))
    assert grid.rows == [[(0, 0, 50, 20), (50, 0, 90, 20)], [(0, 20, 50, 40), (50, 20, 90, 40)]]
    assert grid.bbox == (0, 0, 90, 40)


def test_a_cell_over_two_columns_is_one_with_nothing_beside_it() -> None:
    edges = [edge for edge in lines((0, 50, 90), (0, 20, 40)) if edge.x0 != 50 or edge.x1 != 50]
    (grid,) = grids_of([*edges, RulingLine(50, 20, 50, 40)])
    assert grid.rows[0] == [(0, 0, 90, 20), None]


def test_pieces_of_a_line_and_lines_beside_each_other_are_one() -> None:
    broken = [RulingLine(0, 20, 30, 20.6), RulingLine(31, 21, 90, 21)]
    edges = [edge for edge in lines((0, 50, 90), (0, 20, 40)) if edge.y0 != 20 or edge.y1 != 20]
    (grid,) = grids_of([*edges, *broken])
    assert [len(row) for row in grid.rows] == [2, 2]
    assert 20 < grid.rows[1][0][1] < 21  # type: ignore[index]


def test_tables_apart_are_grids_apart_and_a_frame_is_none() -> None:
    low = [RulingLine(x0, y0 + 300, x1, y1 + 300) for x0, y0, x1, y1 in lines((0, 50), (0, 20, 40))]
    grids = grids_of([*low, *lines((0, 50, 90), (0, 20)), *lines((200, 300), (0, 100))])
    assert [len(grid.cells) for grid in grids] == [2, 2]
    assert [grid.bbox[1] for grid in grids] == [0, 300]
