import pytest

from core.answering.comparison_table import GAP, ComparisonRow, comparison
from core.answering.open_parts import answered_by_sentences
from core.domain import PartAnswer, Passage, Plan, Sentence, SubQuestion, Support
from tests.making import part, passage


def _table(asked: dict[str, str], *, last: str = "How do they compare?"):
    """Return the table of a plan that asks these questions, answered so ("" for not at all)."""
    parts = tuple(SubQuestion(id=n, question=question) for n, question in enumerate(asked, 1))
    sides = tuple(part.id for part in parts)
    end = SubQuestion(id=len(parts) + 1, question=last, type="comparative", depends_on=sides)
    answers = [
        PartAnswer(id=n, question=question, answer=text, found=bool(text))
        for n, (question, text) in enumerate(asked.items(), 1)
    ]
    return comparison(Plan(question="Compare them", parts=(*parts, end)), answers)


def test_each_thing_is_a_column_and_each_question_of_them_a_row():
    table = _table(
        {
            "What is the flow rate of pump P-101?": "42 m³/h",
            "What is the flow rate of pump P-204?": "",
            "Which seal does pump P-101 need?": "S-7",
            "Which seal does pump P-204 need?": "S-9",
        }
    )
    assert table is not None
    assert table.things == ("P-101", "P-204")
    assert [row.asked for row in table.rows] == [
        f"What is the flow rate of pump {GAP}?",
        f"Which seal does pump {GAP} need?",
    ]
    stated = [
        [cell.answer if cell is not None and cell.found else None for cell in row.cells] for row in table.rows
    ]
    assert stated == [["42 m³/h", None], ["S-7", "S-9"]]


def test_several_things_asked_in_one_form_of_words_are_the_columns_and_what_is_asked_is_none():
    asked = [(what, thing) for thing in ("PN-1", "PN-2", "PN-3") for what in ("lead time", "price")]
    table = _table(
        {f"What is the {what} of {thing}?": f"{what} {thing}" for what, thing in asked},
        last="How do PN-1 (#1), PN-2 (#3) and PN-3 (#5) compare in lead time and price?",
    )
    assert table is not None
    assert table.things == ("PN-1", "PN-2", "PN-3")
    assert [row.asked for row in table.rows] == [f"What is the {w} of {GAP}?" for w in ("lead time", "price")]
    assert all(cell is not None for row in table.rows for cell in row.cells)


@pytest.mark.parametrize(
    ("asked", "last", "things"),
    [
        (
            "What is the yield of Example {}?",
            "Which yields more, Example 2 (#1) or Example 5 (#2)?",
            "Example {}",
        ),
        ("{}年的产量是多少？", "2（#1）和5（#2）哪个更多？", "{}"),
        ("{}年的产量是多少？", "2年（#1）和5年（#2）哪个更多？", "{}年"),
    ],
)
def test_a_thing_is_called_with_the_word_that_stands_beside_each(asked, last, things):
    table = _table({asked.format("2"): "14", asked.format("5"): "9"}, last=last)
    assert table is not None and table.things == (things.format("2"), things.format("5"))


def test_chinese_questions_are_told_apart_by_their_characters():
    table = _table({"水泵一号的额定流量是多少？": "42", "水泵二号的额定流量是多少？": "38"})
    assert table is not None
    assert (table.things, len(table.rows)) == (("一", "二"), 1)


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        ("What is the lead time of …?", "Lead time"),
        ("What is the yield of … in 2024?", "Yield in 2024"),
        ("What is …'s price?", "Price"),
        ("How many alarms does … have in May?", "Alarms in May"),
        ("How heavy is …?", "How heavy"),
        ("When was … released?", "When released"),
        ("Which seal does pump … need?", "Which seal does pump … need?"),
        ("…的交货期是多少？", "交货期"),
        ("…有多少库存？", "库存"),
        ("…的供应商是什么？", "供应商"),
    ],
)
def test_a_row_is_labelled_by_what_is_asked_and_not_by_the_question(asked, label):
    assert ComparisonRow(asked, ()).label == label


def test_no_table_where_nothing_is_compared_or_nothing_was_found():
    assert _table({"What is the mass of A?": "", "What is the mass of B?": ""}) is None
    assert _table({"Who owns the mill?": "Ms Ray", "When did the bakery burn down?": "1921"}) is None
    plan = Plan(question="Compare them", parts=(SubQuestion(id=1, question="What is the mass of A?"),))
    assert (
        comparison(plan, [PartAnswer(id=1, question="What is the mass of A?", answer="3", found=True)])
        is None
    )


def test_a_sentence_with_its_value_in_bold_is_plain_text_in_a_cell():
    found = passage("The seal of pump P-101 is S-7.")
    asked = PartAnswer(id=1, question="Which seal does pump P-101 need?", open=True, passages=(found,))
    statement = Sentence(text="The seal of pump P-101 is **S-7**.", citations=(1,), support=Support.SUPPORTED)
    (result,) = answered_by_sentences([asked], [statement], [found])
    assert result.answer == "The seal of pump P-101 is S-7."


def test_one_sentence_quoted_for_every_thing_is_no_table_and_like_values_of_two_places_are():
    plan = Plan(
        question="Compare P-101 and P-204",
        parts=(
            SubQuestion(id=1, question="What is known about P-101?"),
            SubQuestion(id=2, question="What is known about P-204?"),
            SubQuestion(id=3, question="How do P-101 and P-204 compare?", type="comparative"),
        ),
    )
    both, other = passage("P-101 and P-204 have one seal."), passage("P-204 has one seal.")

    def answers(second: Passage) -> list[PartAnswer]:
        return [part(n, plan.parts[n - 1].question, "one seal", p) for n, p in ((1, both), (2, second))]

    assert comparison(plan, answers(both)) is None
    assert comparison(plan, answers(other)) is not None
