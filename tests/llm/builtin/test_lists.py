"""Lists are told whole: the items beside the one that was read, as many as are asked for."""

import pytest

from core.domain import Column, Evidence, Outcome
from core.llm.builtin.answer.answer_or_abstain import COMPUTED_CONFIDENCE
from core.llm.builtin.answer.evidence_units import Unit, units
from core.llm.builtin.answer.lists import (
    Listing,
    asks_list,
    enumerates,
    is_announced,
    is_introduced,
    list_around,
)
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.passage_readings import ReadingScores
from core.llm.builtin.answer.quoting import answer_sentences
from core.llm.builtin.answer.scorer import Scored
from core.tasks import Answer, Written

TOOLS = (
    "The kit came in May.\n\nIt holds three tools\n- a torque wrench\n- a feeler gauge\n"
    "  in millimetres\n- a puller\n\nIt weighs 4 kg.\n\n- not of it\n- nor this"
)


def unit_of(text: str, words: str) -> Unit:
    found = [unit for unit in units([Evidence(n=1, text=text, source="Kit")]) if words in unit.text]
    return min(found, key=lambda unit: len(unit.text))


@pytest.mark.parametrize("words", ["torque wrench", "feeler gauge", "puller"])
def test_an_item_is_told_with_its_list_and_the_line_over_it(words: str) -> None:
    listing = list_around(unit_of(TOOLS, words))
    assert listing.lead == "It holds three tools"
    assert [item for _, item in listing.items] == [
        "- a torque wrench",
        "- a feeler gauge in millimetres",
        "- a puller",
    ]


def test_what_stands_in_no_list_has_none_around_it() -> None:
    assert list_around(unit_of(TOOLS, "4 kg")) == Listing()
    assert list_around(unit_of("- the only one\n\nNo list.", "only")) == Listing()


def test_a_list_that_another_piece_goes_on_with_is_told_with_its_rest() -> None:
    first = Evidence(
        n=1, text="The kit holds:\n- a wrench\n- a gauge", source="Kit", rest=((2, "- a puller"),)
    )
    wrench = next(unit for unit in units([first]) if unit.text.endswith("wrench"))
    assert list_around(wrench).items == ((1, "- a wrench"), (1, "- a gauge"), (2, "- a puller"))
    result = first.model_copy(update={"text": f"{first.text}\n\nIt weighs 4 kg."})
    ended = next(unit for unit in units([result]) if unit.text.endswith("wrench"))
    assert list_around(ended).items == ((1, "- a wrench"), (1, "- a gauge"))


def read_in(question: str, text: str, words: str, answer: str = "") -> bool:
    """Say whether the shortest piece with the words enumerates, the answer read in it."""
    unit = unit_of(text, words)
    span = (unit.text.index(answer), unit.text.index(answer) + len(answer)) if answer else None
    scored = Scored(unit, 0.9, {}, read=ReadingScores(0.9, 0.9, span))
    return enumerates(read(question), scored)


@pytest.mark.parametrize(
    "question, words, held",
    [
        ("Which tools are in the kit?", "puller", True),
        ("Which three tools are in the kit?", "puller", True),
        ("Which four tools are in the kit?", "puller", False),
        ("Which tools are in the kit?", "4 kg", False),
        ("Which sizes of feeler gauge in millimetres are there?", "feeler gauge", False),
    ],
)
def test_a_list_answers_only_with_as_many_items_as_are_asked_for(
    question: str, words: str, held: bool
) -> None:
    assert read_in(question, TOOLS, words) is held


def test_a_sentence_enumerates_where_the_answer_was_read() -> None:
    question, text = "Which metals are in the alloy?", "The alloy is made of tin and lead."
    assert read_in(question, text, "tin", "tin and lead")
    assert not read_in(question, text, "tin", "lead")


def test_a_cell_enumerates_in_the_column_that_is_sought() -> None:
    columns = (Column(name="Alloy", type="text"), Column(name="Metals", type="text"))
    rows = (("A-1", "tin, lead"), ("A-2, old", "tin"))
    table = Evidence(n=1, text="", source="Alloys", columns=columns, rows=rows)
    question = read("Which metals are in the alloy A-1 or A-2?")
    assert [enumerates(question, Scored(unit, 0.9, {})) for unit in units([table])] == [True, False]


def test_what_leads_to_a_list_says_what_is_sought() -> None:
    assert is_introduced(read("Which tools are in the kit?"), unit_of(TOOLS, "puller"))
    notes = "- the kit has tools for two\n- the kit is lent for a week"
    piece = Evidence(n=1, text=notes, source="Kit", heading=("Tools of the kit", "Notes"))
    assert not is_introduced(read("Which tools are in the kit?"), units([piece])[0])


@pytest.mark.parametrize(
    "question, several",
    [
        ("Which officers may sign the form?", True),
        ("authors of the report", True),
        ("Which two seals leak?", True),
        ("哪些泵漏油？", True),
        ("Which officer may sign the forms?", False),
        ("torque of the lid screws", False),
    ],
)
def test_a_plural_that_is_sought_asks_for_a_list(question: str, several: bool) -> None:
    assert asks_list(read(question)) is several


def test_a_list_under_a_heading_that_says_all_that_is_asked_is_the_answer(engine) -> None:
    stock = Evidence(
        n=1, text="- tin\n- lead\n- silver", source="Norvac", heading=("Current metals",), document="d"
    )
    melts = Evidence(n=2, text="Norvac melts metals in two kilns.", source="Norvac", document="d")
    asked = Answer(question="What are the current metals of Norvac?", evidence=(stock, melts), language="en")
    reply = engine.run(asked, Written)
    assert (reply.outcome, reply.confidence) == (Outcome.ANSWER, COMPUTED_CONFIDENCE)
    assert [sentence.text for sentence in reply.sentences] == ["- tin", "- lead", "- silver"]


def test_what_a_label_announces_is_told_and_not_the_list_beside_it() -> None:
    text = (
        "1. Lock the switch.\n2. Scrape the bowl.\n3. Dry the bowl.\n\nPrecautions: no hand below the guard."
    )
    piece = Evidence(n=1, text=text, source="Handbook", heading=("Cleaning of the mixer",))
    start = text.index("Precautions")
    labelled = Unit(piece, "sentence", text[start:], start, len(text))
    step = Unit(piece, "sentence", text[3:19], 3, 19)
    asked = read("What precautions apply when cleaning the mixer?")
    assert is_announced(asked, labelled) and not is_announced(asked, step)
    told = answer_sentences(asked, Scored(labelled, 0.9, {"untyped": 0.0}))
    assert "hand below the guard" in told[0].text and "Scrape" not in told[0].text
