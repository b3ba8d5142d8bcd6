"""A text of another revision, letter or count than the question, of no rate, or of now answers nothing."""

import pytest

from core.domain import Column, Evidence
from core.llm.builtin.answer.clause_values import in_best_clause
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.stated_conditions import contradicted
from tests.llm.builtin.test_stated_relation import missed


@pytest.mark.parametrize(
    ("question", "text", "above", "expected"),
    [
        ("When did revision 6 become valid?", "Revision 7 is valid from 24 March.", "", True),
        ("When did revision 6 become valid?", "Revision 7 replaces revision 6 of 8 May.", "", False),
        ("What was found in kiln B?", "Cracks were found in kiln A.", "", True),
        ("What was found in kiln B?", "Cracks were found in kiln B, none in kiln A.", "", False),
        ("What does step 3 ask for?", "Go on with step 5.", "3 Glazing", False),
        ("How long does it take with one potter?", "It takes 6.5 hours with two potters.", "1 Glazing", True),
        ("How long does it take with two potters?", "It takes 6.5 hours with two potters.", "", False),
        ("What must be done within 24 hours?", "Report it within 48 hours.", "", True),
        ("Which two kilns cracked?", "Of three kilns K-1 and K-2 cracked.", "", False),
        ("When was bay 4b swept?", "Only bay 4a, on 24 September.", "", True),
        ("When was bay 4b swept?", "Bays 4a and bay 4b, on 24 September.", "", False),
        ("What happened in 2024?", "In 2023 the kiln cracked.", "", False),  # years are seen to elsewhere
    ],
)
def test_a_thing_named_by_a_number_or_a_letter_is_no_other_of_its_kind(question, text, above, expected):
    assert bool(contradicted(read(question), text, above)) is expected


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How much did the moulds cost per piece?", "152 moulds cost 129,200 EUR.", True),
        ("How much did the moulds cost per piece?", "The moulds cost 850 EUR per piece.", False),
        ("How many bowls are fired per day?", "300 bowls are fired daily.", False),
        ("How many bowls are fired per day?", "300 bowls were fired, 12 cracks a day.", True),
        ("Until when are the kiln rules valid?", "The kiln rules are valid from 1 March 2019.", True),
        ("Until when are the kiln rules valid?", "The kiln rules are valid until 1 March 2019.", False),
        ("What was the glaze interval before?", "The glaze interval is 400 hours.", True),
        ("What was the glaze interval before?", "Shorten the glaze interval to 400 hours.", True),
        ("What was the glaze interval before?", "The glaze interval was previously 500 hours.", False),
        ("What is the glaze interval?", "The glaze interval is 400 hours.", False),
        ("How many firings is Ola short of?", "Ola needs 30 firings, of which 5 in kiln B.", True),
        ("How many firings has Ola left?", "Ola has 12 firings left of 30.", False),
    ],
)
def test_a_total_is_no_rate_and_what_is_so_now_was_not_before(question, text, expected):
    assert missed(question, Evidence(n=1, text=text, source="Minutes")) is expected


def test_a_row_of_another_letter_does_not_answer():
    columns = (Column(name="Kiln"), Column(name="Chamber"), Column(name="Cracks"))
    piece = Evidence(n=1, text="", source="Kilns", columns=columns, rows=(("K-2", "A", "7"),))
    assert missed("How many cracks has chamber B of K-2?", piece)
    assert not missed("How many cracks has chamber A of K-2?", piece)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What happens with cracks shorter than 40 mm?", "Cracks longer than 40 mm are reported.", True),
        ("What happens with cracks shorter than 40 mm?", "Cracks below 40 mm are filled.", False),
        ("What happens with cracks longer than 40 mm?", "Cracks not longer than 40 mm are filled.", True),
        ("What happens with cracks longer than 40 mm?", "Cracks longer than 50 mm are reported.", False),
        ("How long does glazing four bowls take?", "Glazing takes 45 minutes a bowl.", True),
        ("How long does glazing a bowl take?", "Glazing takes 45 minutes a bowl.", False),
        ("What would 24 moulds have cost?", "The 24 moulds at 5,900 EUR each were not ordered.", True),
        ("When was K-7 turned?", "K-7 was to be turned on 6 March.", True),
    ],
)
def test_the_other_side_of_a_bound_one_of_several_and_a_plan_answer_nothing(question, text, expected):
    assert missed(question, Evidence(n=1, text=text, source="Minutes")) is expected


@pytest.mark.parametrize(
    ("question", "text", "now", "value"),
    [
        (
            "When was kiln 4012 towed home?",
            "Kiln 4012 had cracks on 2 March; it was stopped in Lund and towed home on 4 March.",
            "2 March",
            "4 March",
        ),
        (
            "How many cracks were there at 2.4 bar?",
            "from 24 cracks at 1.1 bar to 164 cracks at 2.4 bar",
            "24",
            "164",
        ),
        (
            "Which revision of G-12 is valid?",
            "Revision 7 of G-12, valid from 2025.",
            "Revision 7",
            "Revision 7",
        ),
        ("What was the target yield?", "The yield fell to 84 %; the target is 92 %.", "84 %", "92 %"),
        (
            "What was the yield in week 15?",
            "It rose from 84 % in week 11 to 91 % in week 15.",
            "84 %",
            "91 %",
        ),
        (
            "What was the yield in week 11?",
            "It rose from 84 % in week 11 to 91 % in week 15.",
            "84 %",
            "84 %",
        ),
        ("第15周的良率是多少？", "良率从第11周的 84% 回升到第15周的 91%。", "84%", "91%"),
    ],
)
def test_of_two_values_in_a_clause_the_one_beside_the_figure_that_is_asked_for_is_meant(
    question, text, now, value
):
    start = text.index(now)
    found = in_best_clause(read(question), text, (start, start + len(now)))
    assert text[slice(*found)].strip(".") == value


def test_the_value_is_that_of_the_sentence_that_names_the_revision():
    text = "Revision 7, valid from 24 March 2025. Replaces revision 6 of 8 May 2023."
    start = text.index("24 March")
    found = in_best_clause(read("When did revision 6 become valid?"), text, (start, start + 13))
    assert text[slice(*found)] == "8 May 2023"
