"""An answer is read into sentences with their citations and numbers."""

import pytest

from core.answering.citations import cited, in_order, numbers
from core.answering.same_rows import resting_on
from core.domain import Column, Location, Passage, Sentence
from core.retrieval.evidence_pieces import as_evidence
from core.ui.chat import answer_layout
from tests.making import part, passage


@pytest.mark.parametrize(
    "text",
    ["The limit is 5 Pa [1][2]. It rose in 2024 [3].", "The limit is 5 Pa. [1] [2] It rose in 2024. [3]"],
)
def test_citations_belong_to_their_sentence_before_or_after_the_stop(text):
    found = cited(text)
    assert [(s.text, s.citations) for s in found] == [
        ("The limit is 5 Pa.", (1, 2)),
        ("It rose in 2024.", (3,)),
    ]


def test_chinese_sentences_keep_their_citations():
    found = cited("上限为5帕[1]。该值在2024年上升[2，3]。")
    assert [s.citations for s in found] == [(1,), (2, 3)]


def test_a_citation_on_a_line_of_its_own_joins_the_sentence_before():
    assert [s.citations for s in cited("The pump failed.\n[2]")] == [(2,)]


def test_what_columns_are_called_is_no_sentence_and_a_row_is_one():
    table = "| | B | C |\n|---|---|---|\n| limit | 3 Pa [1] | 2 Pa [2] |\n| since | 2023 [1] | 2025 |"
    assert [(s.text, s.citations) for s in cited(f"Lower [1].\n\n{table}")] == [
        ("Lower.", (1,)),
        ("| limit | 3 Pa | 2 Pa |", (1, 2)),
        ("| since | 2023 | 2025 |", (1,)),
    ]


def test_numbers_are_equal_in_any_spelling():
    assert numbers("1,250.50 wafers, +3 or −4 %, 0.0750 mm [7]") == {"1250.5", "3", "-4", "0.075"}


def test_digits_inside_a_code_are_no_numbers():
    assert numbers("ETCH-03 and EX7 and #12 in 2021-2025") == {"2021", "2025"}


def test_numbers_are_found_between_chinese_characters():
    assert numbers("上限为5帕，第12条") == {"5", "12"}


def test_evidence_is_numbered_with_its_source_and_date():
    given = passage("Text.", title="SOP").model_copy(update={"date": "2024-05-01"})
    (evidence,) = as_evidence([given])
    assert (evidence.n, evidence.source, evidence.date) == (1, "SOP", "2024-05-01")


def test_citations_are_numbered_in_the_order_they_appear():
    evidence = tuple(passage(text) for text in "abcd")
    outcome = (Sentence(text="Two.", citations=(4,)), Sentence(text="One [2].", citations=(2, 4)))
    text, result, ordered = in_order("Two [4]. One [2, 4]. See [9].", outcome, evidence)
    assert text == "Two [1]. One [2, 1]. See [9]."
    assert [(one.text, one.citations) for one in result] == [("Two.", (1,)), ("One [2].", (2, 1))]
    assert [one.chunk.text for one in ordered] == list("dbac")
    assert in_order("", (), evidence) == ("", (), evidence)


def test_the_check_and_the_page_read_the_same_citations():
    for marks in ("[1, 2]", "[1; 2]", "[1，2]", "[1、2]"):
        text = f"The pump stands {marks}."
        assert [(one.text, one.citations) for one in cited(text)] == [("The pump stands.", (1, 2))]
        assert answer_layout.numbers(text) == (1, 2)
        assert answer_layout.uncited(text) == "The pump stands."


def test_the_same_rows_of_a_table_are_one_source_however_many_queries_brought_them():
    def row(at: int, **cells: str) -> Passage:
        found = passage("; ".join(f"{name}: {cell}" for name, cell in cells.items()), table=1.0)
        place = Location(rows=(at, at))
        chunk = found.chunk.model_copy(update={"table_id": "parts", "location": place, "kind": "table"})
        columns = tuple(Column(name=name) for name in cells)
        return found.model_copy(update={"chunk": chunk, "columns": columns, "rows": (tuple(cells.values()),)})

    evidence = (row(0, Part="P1", Time="14"), row(1, Part="P2", Time="9"), row(0, Part="P1", Price="7"))
    outcome = (Sentence(text="14 and 7", citations=(1, 3)), Sentence(text="9", citations=(2,)))
    text, result, passages = in_order("14 and 7 [1] [3]. 9 [2].", outcome, evidence)
    assert text == "14 and 7 [1]. 9 [2]."
    assert [sentence.citations for sentence in result] == [(1,), (2,)]
    assert [each.chunk.text for each in passages] == ["Part: P1; Time: 14; Price: 7", "Part: P2; Time: 9"]
    answer = part(1, "What is the price of P1?", "7", evidence[2])
    (kept,) = resting_on([answer], passages)
    assert [each.chunk.id for each in kept.passages] == [passages[0].chunk.id]
