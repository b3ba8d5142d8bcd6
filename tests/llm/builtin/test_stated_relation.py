"""What was planned, is done as a rule, is only a bound, or is so, does not answer what was, or is not so."""

import pytest

from core.domain import Column, Evidence
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.stated_relation import misses_relation


def missed(question: str, piece: Evidence) -> bool:
    parsed = read(question)
    scored = Scorer(Meaning(None)).score(parsed, units([piece]))
    return misses_relation(parsed, scored[0])


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("When was the kiln delivered?", "Delivery of the kiln was promised for 26 May.", True),
        ("When is the kiln to be delivered?", "Delivery of the kiln was promised for 26 May.", False),
        ("When was the kiln delivered?", "The kiln was delivered on 30 June, promised for May.", False),
        ("When was Orval trained?", "Orval will be trained on 24 September.", True),
        ("Who declined the offer?", "The offer of Brixen was declined.", True),
        ("Who declined the offer?", "The offer of Brixen was declined by Orval.", False),
        ("Who declined the offer?", "Orval declined the offer of Brixen.", False),
        ("Who wrote the glaze book?", "The author of the glaze book is Orval.", False),
        ("Which moulds were destroyed?", "Spare moulds are kept for a year and are then destroyed.", True),
        ("Which moulds were destroyed?", "The moulds of the spring glaze were destroyed.", False),
        ("Which moulds are destroyed?", "Spare moulds are kept for a year and are then destroyed.", False),
        ("Were the moulds destroyed?", "Spare moulds are kept for a year and are then destroyed.", True),
        ("Were the moulds destroyed?", "The moulds of the spring glaze were destroyed.", False),
        ("How high was the error at 900 °C?", "The error at 900 °C exceeds the tolerance of 4 K.", True),
        ("How high was the error at 900 °C?", "The error at 900 °C was 5 K.", False),
        ("What loss did the test show?", "A kiln is shut if the test shows a loss of more than 8 %.", True),
        ("What loss did the test show?", "In May the test showed a loss of 2 %.", False),
        ("What loss did the test show?", "The test showed a loss of 2 %, if only on K-2.", False),
        ("What loss may the test show?", "A kiln is shut if the test shows a loss of more than 8 %.", False),
        ("On what date does the summer firing end?", "The summer firing opens on 8 June.", True),
        ("On what date does the summer firing begin?", "The summer firing opens on 8 June.", False),
        ("On what date does the summer firing end?", "It begins on 8 June and ends on 2 July.", False),
        ("How often is the lining replaced?", "Bricks are checked every 3 months, then replaced.", False),
        (
            "How often is the lining replaced?",
            "The lid is checked every 3 months. Linings are replaced.",
            True,
        ),
        ("炉衬多久更换一次？", "炉盖每3个月检查一次。炉衬开裂时更换。", True),
        ("炉衬多久更换一次？", "炉衬每3个月更换一次。", False),
        ("What is the firing time of cups?", "The firing time of a plate is 9 h.", True),
        ("What is the firing time of cups?", "The firing time of a plate is 9 h, that of cups 7 h.", False),
        ("What is the firing time of cups?", "The firing time of small cups is 9 h.", False),
        ("What is the firing time of Orval?", "The firing time of the cup is 9 h.", False),
        ("What is the firing time of cups?", "The firing time of it is 9 h.", False),
        ("How many days was the kiln rented?", "The kiln was fired for 3 days and is shut now.", True),
        ("How many days was the kiln rented?", "The kiln was rented for 3 days.", False),
        ("How many days did the repair of the kiln take?", "The repair of the kiln: 3 days.", False),
        ("How many potters did not reply in time?", "12 potters were asked; 9 replied in time.", True),
        ("How many potters did not reply in time?", "Of 12 potters 3 did not reply in time.", False),
    ],
)
def test_a_sentence_has_to_state_what_is_asked_of_the_event(question, text, expected):
    assert missed(question, Evidence(n=1, text=text, source="Minutes")) is expected


@pytest.mark.parametrize(("last", "expected"), [("Comment", True), ("Carried out", False)])
def test_a_row_that_holds_only_a_planned_day_tells_no_other(last, expected):
    piece = Evidence(
        n=1,
        text="",
        source="Plan",
        columns=(Column(name="Kiln"), Column(name="Planned"), Column(name=last)),
        rows=(("K-2", "2025-10-06", "2025-10-09" if last == "Carried out" else "internal"),),
    )
    assert missed("When was K-2 calibrated?", piece) is expected


def test_of_several_names_in_a_row_none_is_who_is_asked_for():
    columns = tuple(Column(name=name) for name in ("Kiln", "Maker", "Supplier"))
    piece = Evidence(n=1, text="", source="Kilns", columns=columns, rows=(("K-2", "Orval", "Brixen"),))
    assert missed("Who bought K-2?", piece)
    assert not missed("Who is the supplier of K-2?", piece)


PARTS = Evidence(
    n=1,
    text="",
    source="Parts",
    columns=(Column(name="Part"), Column(name="Maker"), Column(name="Price", type="integer")),
    rows=(("Gate valve", "Orval", 670), ("Turbo pump", "Orval", 2140)),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which parts cost more than the gate valve?", (True, True)),
        ("Which part other than the gate valve does Orval make?", (True, False)),
        ("哪些零件的价格比Gate valve高？", (True, True)),
        ("Which parts have a price of more than 700 EUR?", (False, False)),
        ("How much more does the turbo pump cost than the gate valve?", (False, False)),
        ("Is the turbo pump dearer than the gate valve?", (False, False)),
    ],
)
def test_what_others_are_compared_with_is_not_asked_for(question, expected):
    parsed = read(question)
    scored = {one.unit.row: one for one in Scorer(Meaning(None)).score(parsed, units([PARTS]))}
    assert tuple(misses_relation(parsed, scored[row]) for row in (0, 1)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("The gate valve weighs 12 kg.", True), ("The turbo pump is heavier than the gate valve.", False)],
)
def test_a_sentence_on_the_thing_compared_with_says_nothing_of_others(text, expected):
    assert (
        missed("Which part is heavier than the gate valve?", Evidence(n=1, text=text, source="M")) is expected
    )
