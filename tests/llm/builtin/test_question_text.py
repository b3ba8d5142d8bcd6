"""Which sentence of a question asks, what "it" with a whole answer behind it means, and counted nouns."""

import pytest

from core.domain import Evidence
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.question_text import (
    asking_sentence,
    is_in_another_language,
    points_to_passage,
)
from core.tasks import Answer, Written

TOLD = "The old gauges are from 2013. Ms. Vale showed two offers, one of Orval and one of Ruiz"


@pytest.mark.parametrize(
    ("question", "asking"),
    [
        ("The end was flushed on 11 March. Did that have to be reported?", "Did that have to be reported?"),
        ("What did Dr. Vale say of No. 5?", "What did Dr. Vale say of No. 5?"),
        ("Who is it? And where?", "Who is it? And where?"),  # both ask
    ],
)
def test_the_sentence_that_asks_is_told_from_what_goes_before(question, asking):
    assert asking_sentence(question) == asking


def test_the_kind_of_answer_is_that_of_the_sentence_that_asks():
    assert read("When it rains the yard floods. Is it drained?").kind == "yesno"
    assert read("It floods. How long does draining take?").kind == "duration"


@pytest.mark.parametrize(
    ("question", "points"),
    [
        (f"On which day was it ({TOLD})?", True),
        ("On which day was it (pump P-7) serviced?", False),
        ("On which day was the pump serviced (see the list of all pumps that were bought in hall 3)?", False),
        (f"那么这 ({TOLD})?", True),
    ],
)
def test_it_with_a_whole_answer_behind_points_to_a_passage(question, points):
    assert points_to_passage(question) is points


def test_what_points_to_a_passage_is_not_answered_by_that_passage(engine):
    piece = Evidence(n=1, source="Minutes", text=f"{TOLD}.")
    reply = engine.run(Answer(question=f"In which year was it ({TOLD})?", evidence=(piece,)), Written)
    assert reply.outcome.value == "closest passages"


@pytest.mark.parametrize(
    ("language", "text", "other"),
    [
        ("en", "Herr Haas hat am Montag den Durchfluss gemessen.", True),
        ("en", "The flow was measured by Herr Haas on Monday.", False),
        ("fr", "Version 1.1 (26-Oct-2013) - traduction Georges Khaznadar", False),  # too little grammar
        ("de", "The pump in hall 3 is serviced by the team.", True),
    ],
)
def test_a_sentence_in_another_language_is_told_by_its_grammar(language, text, other):
    assert is_in_another_language(language, text) is other


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("How many kiln stops did Mei report?", "stop"),
        ("How many new pumps failed?", "pump"),
        ("How many gas bottles are left?", "bottl"),
        ("How many people work there?", "peopl"),
        ("How many findings did the audit have?", "find"),
    ],
)
def test_the_plural_behind_how_many_is_counted(question, counted):
    assert read(question).counted == counted
