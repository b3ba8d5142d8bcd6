"""What a question asks for, read from how it is put."""

import pytest

from core.llm.builtin.answer.parsed_question import attribute, read, sought


@pytest.mark.parametrize(
    "question, kind",
    [
        ("How many rules does part 9 change, per that safety overview?", "count"),
        ("Give me a short overview of the safety rules", "summary"),
        ("An overview of part 9", "summary"),
        ("What colour has pump P-2, per the list of pumps?", "other"),
        ("Show me the list of pumps in hall 3", "list"),
        ("Full list of pumps", "list"),
        ("onde fica a sede da associação de bombas?", "place"),
        ("Why do people avoid pump P-2 according to the comparison table?", "cause"),
        ("¿Por qué no se pueden comparar las bombas?", "cause"),
        ("Which has the higher yield, pump P-1 or pump P-2?", "compare"),
        ("Which pump runs at 5 bar or more?", "other"),
        ("Compare pump P-1 with pump P-2", "compare"),
        ("How does the limit of pump P-1 differ from that of pump P-2?", "compare"),
        ("What are the two seals going to cost?", "amount"),
        ("Was hat der Umbau der Pumpe gekostet?", "amount"),
        ("Hoeveel pompen staan er in de grote hal?", "count"),
    ],
)
def test_what_is_named_as_the_source_is_not_what_is_asked_for(question: str, kind: str) -> None:
    assert read(question).kind == kind


def test_what_stands_in_brackets_is_no_word_an_answer_must_say() -> None:
    stated = [word.text for word in read("pumps built in 1946 (thousands please, type P-7)").words]
    assert stated == ["pumps", "built", "1946", "P-7"]
    assert [word.text for word in read("(pumps in hall)").words] == ["pumps", "hall"]


def test_a_mean_is_computed_where_nothing_else_is() -> None:
    assert read("What was the median wait?").statistic
    assert read("What was the median wait?").computed
    mixed = read("By how much did the median wait rise?")
    assert mixed.computed
    assert not mixed.statistic


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("谁编制了种子规程？", ["编制"]),
        ("种子规程的编制人是谁？", ["编制", "人"]),
        ("谁的规程需要批准？", None),
    ],
)
def test_where_the_doer_is_asked_first_what_is_done_is_sought(
    question: str, wanted: list[str] | None
) -> None:
    found = [word.text for word in sought(read(question))]
    assert found == (wanted or [word.text for word in read(question).words][-2:])
    assert wanted is None or [word.text for word in attribute(read(question))][-1:] == wanted[-1:]
