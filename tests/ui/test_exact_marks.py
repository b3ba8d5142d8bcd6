"""What of a passage says a sentence: the line or row with its rarer words, not all that was found."""

import pandas as pd

from core.domain import Chunk, Passage, Report, Row, Sentence, Span
from core.ui.chat import answer_layout
from core.ui.inspector import exact_marks
from core.ui.inspector.source_view import written
from tests.ui.test_forecast_chart import MADE

ROWS = [
    "2025-01-01 | A77 | 91.3",
    "2025-01-01 | B12 | 93.7",
    "2025-03-01 | A77 | 86.2",
    "2025-03-01 | B12 | 94.8",
]


def passage(text: str, *marks: tuple[int, int]) -> Passage:
    chunk = Chunk(id="c", document_id="d", section_id="s", text=text, heading_path=(), order=0, tokens=9)
    spans = tuple(Span(start=start, end=end) for start, end in marks)
    return Passage(chunk=chunk, document_title="", query="", score=1.0, highlights=spans)


def test_the_row_with_all_its_values_is_the_one() -> None:
    assert exact_marks.saying(ROWS, "The yield of A77 was 86.2 % on 2025-03-01.") == [2]


def test_a_sentence_of_two_rows_marks_both() -> None:
    assert exact_marks.saying(ROWS, "A77 fell from 91.3 to 86.2.") == [0, 2]


def test_where_nothing_is_said_of_it_nothing_is_marked() -> None:
    assert exact_marks.saying(ROWS, "Nobody knows the supplier.") == []


def test_of_a_passage_the_sentence_is_marked_not_what_the_search_lit() -> None:
    text = "The clean is due every 500 hours.\nIt takes 6.5 hours with two persons."
    lit = passage(text, (0, 33))
    assert [text[a:b] for a, b in exact_marks.exact(lit, "The wet clean takes 6.5 hours.")] == [
        "It takes 6.5 hours with two persons."
    ]
    assert exact_marks.exact(lit, "") == [(0, 33)]
    assert exact_marks.exact(lit, "Chess is a game.") == [(0, 33)]


def test_chinese_sentences_are_found_too() -> None:
    text = "A77 的周良率从第11周的 84.1% 回升到第15周的 91.6%。\n目标仍为 92%。"
    assert [text[a:b] for a, b in exact_marks.exact(passage(text), "目标为 92%。")] == ["目标仍为 92%。"]


def test_an_empty_cell_of_a_column_of_whole_numbers_is_drawn_empty():
    held = pd.DataFrame({"people": pd.array([38_928_000, None], dtype="Int64")})
    assert [written(cell) for cell in held["people"]] == ["38928000", ""]


def test_no_row_is_to_say_what_a_forecast_computed_of_all():
    prose = passage("The chuck was replaced on 21 March.")
    rows = prose.model_copy(update={"chunk": prose.chunk.model_copy(update={"table_id": "t"})})
    statement = "The interval held 89 % of the values [1]."
    ahead, plain = Report(run="r", question="q", forecast=MADE), Report(run="r", question="q")
    assert answer_layout.claim(ahead, statement, rows) == ""
    whole = "The interval held 89 % of the values."
    assert (
        answer_layout.claim(ahead, statement, prose) == answer_layout.claim(plain, statement, rows) == whole
    )


def test_the_rows_of_a_point_that_a_sentence_states_are_known_by_the_series():
    read = [Row(entity="A", attribute="v", period="2025", value=n, table_id="t", row=n) for n in range(9)]
    other = read[0].model_copy(update={"table_id": "else"})
    points = tuple(
        point.model_copy(update={"rows": (read[n % 9], other)}) for n, point in enumerate(MADE.series.points)
    )
    series = MADE.series.model_copy(update={"points": points})
    ahead = Report(run="r", question="q", forecast=MADE.model_copy(update={"series": series}))
    held = passage("rows")
    held = held.model_copy(update={"chunk": held.chunk.model_copy(update={"table_id": "t"})})
    stated = Sentence(text="Unusual values.", points=(points[2].period, points[1].period))
    assert answer_layout.rows(ahead, stated, held) == (1, 2)
    assert answer_layout.rows(ahead, Sentence(text="The mean is 1."), held) == ()
    assert answer_layout.rows(ahead, stated, passage("prose")) == ()


def test_of_a_row_the_cells_in_bold_are_stated() -> None:
    cells = ("PN-4410", "Electrostatic chuck", "14", "")
    claim = "Part number: **PN-4410**; Lead time [weeks]: **14**"
    assert exact_marks.stated(cells, claim) == [0, 2]
    assert exact_marks.stated(cells, "The lead time of PN-4410 is 14 weeks.") == []
