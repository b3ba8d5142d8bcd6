"""Shapes of a slide are read as the file has them, unless their places say otherwise."""

import pytest

from core.ingest.parsers.office.slide_order import Edges, in_reading_order
from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.test_office import saved

LIST, PICTURE = (8, 18, 36, 21), (62, 13, 40, 38)


@pytest.mark.parametrize(
    ("shapes", "order"),
    [
        ([LIST, PICTURE], [0, 1]),  # the right one begins a little higher
        ([PICTURE, LIST], [1, 0]),
        ([(0, 50, 90, 20), (0, 10, 90, 30)], [1, 0]),  # made last, put on top
        ([(0, 10, 40, 20), (0, 40, 40, 20), (50, 10, 40, 20), (50, 40, 40, 20)], [0, 1, 2, 3]),  # columns
        ([(0, 10, 40, 20), (50, 10, 40, 20), (0, 40, 40, 20), (50, 40, 40, 20)], [0, 1, 2, 3]),  # rows
        ([(10, 10, 50, 50), (20, 5, 50, 50)], [0, 1]),  # one lies on the other
        ([(None, None, None, None), (0, 0, 10, 10)], [0, 1]),
    ],
)
def test_places_decide_only_where_they_are_clear(shapes: list[Edges], order: list[int]) -> None:
    assert in_reading_order(shapes) == order


def test_a_drawing_of_many_shapes_stays_as_it_is() -> None:
    shapes: list[Edges] = [(0, -at, 1, 1) for at in range(2000)]
    assert in_reading_order(shapes) == list(range(2000))


def test_a_list_and_the_picture_beside_it_are_read_from_left_to_right(reads: Reads) -> None:
    from pptx import Presentation
    from pptx.util import Inches

    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    for words, left, top in (("Right", 6, 1.2), ("Left", 1, 1.5), ("Below", 1, 5)):
        box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(2))
        box.text_frame.text = words
    texts = [block.text for block in reads("a.pptx", saved(show)).blocks if block.kind == "paragraph"]
    assert texts == ["Left", "Right", "Below"]
