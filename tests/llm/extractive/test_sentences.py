"""Which sentence of the evidence answers: what the rules look for, and what they leave unsaid."""

import pytest

from core.llm.extractive.matching import likeness
from core.llm.extractive.questions import expected_kind
from core.tasks import (
    Answered,
    AnswerPart,
    Evidence,
    Query,
    QuestionAnswer,
    Reform,
    Reformed,
    Synthesise,
    WriteQuery,
    Written,
)

SAFETY = Evidence(
    n=1,
    source="PE-300 manual",
    text="PE-300 manual > 1 Safety\nSwitch off the generator before a chamber is opened. Two persons must be "
    "present during every chamber opening. When the seal band wears, helium leaks into the chamber.",
)
PARTS = Evidence(
    n=2,
    source="SOP-12 Wet clean",
    text="SOP-12 Wet clean > 2 Material\nTable 1. Material.\nItem | Part number | Quantity\n"
    "Isopropanol | CH-21 | 2 litres\nWipes | CH-22 | 40",
)
STEPS = Evidence(
    n=3,
    source="SOP-12 Wet clean",
    text="SOP-12 Wet clean > 3 Procedure\n1. Run the recipe for 20 minutes.\n"
    "4. Wipe the liner with isopropanol until a white wipe stays clean.\n"
    "6. The focus ring must be replaced every 400 hours.",
)
DATA = Evidence(
    n=4,
    source="PE-300 manual",
    text="PE-300 manual > 2 Data\nProperty | Value\nWafer diameter | 300 mm\n"
    "RF generator | 13.56 MHz, 2500 W",
)
MEETING = Evidence(
    n=5,
    source="Yield meeting, 18 March",
    text="Yield meeting, 18 March > 2. Decisions\n1. Hold all lots of chamber B.\n2. Replace the chuck.\n"
    "3. Open a report with the supplier.",
)
PRESENT = Evidence(
    n=6,
    source="Yield meeting, 18 March",
    text="Yield meeting, 18 March\nPresent: Mei Lin (etch), Jonas Weber (equipment)\nChair: Mei Lin",
)
EVERY = (SAFETY, PARTS, STEPS, DATA, MEETING, PRESENT)


def said(engine, question, evidence=EVERY, parts=()):
    return engine.run(Synthesise(question=question, evidence=evidence, parts=parts), Written).text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How much isopropanol is needed?", "2 litres"),
        ("How many persons must be present when the chamber is opened?", "Two persons"),
        ("What happens when the seal band wears?", "helium leaks into the chamber"),
        ("What wafer size does the PE-300 process?", "300 mm"),
        ("What is the RF generator's power?", "2500 W"),
        ("Who took part in the yield meeting?", "Jonas Weber"),
        (
            "What did the meeting decide?",
            "Hold all lots of chamber B [5]. Replace the chuck [5]. Open a report",
        ),
    ],
)
def test_the_sentence_that_answers_is_found_by_what_is_asked_for(engine, question, words):
    assert words in said(engine, question)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the price of isopropanol?", "Costs\nPart | Price [EUR]\nPump | 340\nValve | 120"),
        ("What is the helium leak of ETCH-77?", "The helium leak of the chamber is 1.5 sccm."),
        ("Who is the plant manager?", "Owner: Jonas Weber."),
    ],
)
def test_what_is_said_of_other_things_is_no_answer(engine, question, text):
    evidence = (Evidence(n=1, source="Notes", text=text), PARTS)
    assert not engine.run(AnswerPart(question=question, evidence=evidence), Answered).found


def test_a_rule_about_more_persons_is_no_yes_for_one(engine):
    text = said(engine, "Can the chamber be opened by one person?")
    assert "Two persons" in text and "Yes" not in text


def test_what_is_not_known_is_no_yes(engine):
    evidence = (Evidence(n=1, source="Notes", text="Nobody knows whether ETCH-05 has the same chuck batch."),)
    reply = engine.run(
        AnswerPart(question="Does ETCH-05 have the same chuck batch?", evidence=evidence), Answered
    )
    assert reply.answer != "yes"


def test_a_list_of_what_is_asked_for_comes_before_rows_that_say_some_of_it(engine):
    record = Evidence(
        n=1,
        source="recipes",
        text="recipes > recipe P-09\nid: P-09\nproduct: B12\nlayer: Gate\nrevision: 3\n"
        "gas in its steps: CF4, HBr, Cl2",
    )
    row = Evidence(n=2, source="recipes", text="recipes\nrecipe | product | gas\nP-09 | B12 | O2 6 sccm")
    assert "CF4, HBr, Cl2" in said(engine, "Which gases does recipe B12 use?", (row, record))


def test_a_whole_question_asked_again_in_other_words_is_one_question(engine):
    question = "What did the meeting decide?"
    parts = (
        QuestionAnswer(id=1, question=question, answer=""),
        QuestionAnswer(id=2, question="meeting decide (resolved)", answer=""),
    )
    text = said(engine, question, parts=parts)
    assert "Replace the chuck" in text and "does not say" not in text


ALARMS = """TABLE "alarms_1": alarm-log (60 rows)
- "Time" datetime: 2025-01-01 02:29:41, 2025-01-03 06:56:15
- "Tool" text: 'ETCH-03', 'ETCH-05'
- "Alarm" text: 'E-217', 'E-305'
- "RF hours since clean" real: 120, 400"""
YIELDS = """TABLE "yield_2": Monthly yield (60 rows)
- "Month" date: 2024-01-01, 2024-02-01
- "Product" text: 'A77', 'B12'
- "Yield" real [%]: 93.1, 92.8
- "Price" integer [EUR]: 100, 200"""


def sql_of(engine, question, card):
    return engine.run(WriteQuery(question=question, tables=(card,)), Query).sql


def test_how_often_something_must_be_done_is_an_interval_and_how_often_it_was_a_count(engine):
    assert "count" not in sql_of(engine, "How often must alarm E-217 be raised?", ALARMS)
    assert "count(*)" in sql_of(engine, "How often was alarm E-217 raised?", ALARMS)


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("Within how many hours must alarm E-217 be cleared?", ALARMS),  # rows are no hours
        ("How many RF hours may pass before a clean?", ALARMS),  # a counter adds up to nothing
        ("Which shift raised the most alarms?", ALARMS),  # no column of shifts
        ("What was the yield of A77 in week 15?", YIELDS),  # months only
    ],
)
def test_a_table_that_lacks_what_is_asked_for_computes_nothing(engine, question, card):
    assert sql_of(engine, question, card) == ""


def test_how_much_something_is_sums_up_no_whole_table_and_what_it_is_means_now(engine):
    assert "sum(" not in sql_of(engine, "How much does a widget cost, what price?", YIELDS)
    now = sql_of(engine, "What is the yield of A77?", YIELDS)
    assert "ORDER BY" in now and now.endswith("DESC LIMIT 1")


def test_names_of_a_row_about_something_else_do_not_get_into_the_question(engine):
    rows = Evidence(
        n=1, source="parts", text="parts\nPart number | Part | Price\nPN-5101 | Turbo pump TP-2200 | 21400"
    )
    again = engine.run(Reform(question="What is the price of the part isopropanol?", found=(rows,)), Reformed)
    assert "PN-5101" not in again.question


@pytest.mark.parametrize(
    ("question", "sentence", "alike"),
    [
        ("How often must the ring be replaced?", "The focus ring must be replaced every 400 hours.", True),
        ("How often must the pump be replaced?", "The focus ring must be replaced every 400 hours.", False),
        ("When must the ring be replaced?", "The focus ring must be replaced every 400 hours.", False),
        ("静电吸盘的供应商是谁？", "静电吸盘由 Nordvak 供货。", True),
        ("How many wafers were lost in 2024?", "152 wafers were lost.", False),
    ],
)
def test_two_questions_are_alike_by_their_words_and_what_they_ask_for(question, sentence, alike):
    assert (likeness(question, sentence, "") >= 0.6) is alike


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("At what chuck temperature may the chamber be opened?", "number"),
        ("What wafer size does it take?", "number"),
        ("Which pressure gauge is mounted?", "thing"),
        ("静电吸盘的供应商是谁？", "organisation"),
        ("What does E-160 mean and what should be done?", "definition"),
    ],
)
def test_a_quantity_that_is_asked_for_wants_a_figure(question, kind):
    assert expected_kind(question) == kind
