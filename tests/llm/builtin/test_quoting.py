"""The value of a field is all of it, ends where the next field begins, and is quoted with its label alone."""

import pytest

from core.domain import Evidence
from core.llm.builtin.answer.clause_values import in_best_clause
from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.passage_readings import ReadingScores
from core.llm.builtin.answer.quoting import passage_quote, value_span
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.values import span_in

FORM = "Gas test: not required\nLock-out point: breaker Q7"


def test_a_value_that_was_read_across_fields_ends_with_its_own():
    unit = Unit(Evidence(n=1, text=FORM, source="Permit"), "sentence", FORM, 0, len(FORM))
    start = FORM.index("not required")
    span = (start, FORM.index(" point"))
    scored = Scored(unit, 0.9, {}, read=ReadingScores(0.9, 0.9, span))
    found = value_span(read("Is a permit needed?"), scored)
    assert found is not None and FORM[slice(*found)] == "not required"


def test_a_value_goes_on_over_a_line_that_only_wraps():
    text = "The pump was taken out because its shaft\nhad bent"
    unit = Unit(Evidence(n=1, text=text, source="Log"), "sentence", text, 0, len(text))
    span = (text.index("its"), len(text))
    found = value_span(read("Is a permit needed?"), Scored(unit, 0.9, {}, read=ReadingScores(0.9, 0.9, span)))
    assert found == span


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("Who are the inventors?", "Inventors: A. Orval; B. Brixen\nFiled: May 2022", "A. Orval; B. Brixen"),
        ("Who is the owner?", "Owner: Ada Orval; Room: 12", "Ada Orval"),
        ("How often is the starter fed?", "It is fed twice a day, at 05:00 and 17:00.", "twice a day"),
        ("How often is the kiln cleaned?", "At 400 °C, the kiln is cleaned every 300 h.", "every 300 h"),
        ("酵种多久喂一次？", "05:00 起，酵种每天喂两次，共2 kg。", "每天喂两次"),
        ("When does the shift begin from June on?", "The shift begins at 22:30 from 1 June on.", "22:30"),
        ("When was the kiln lit in June?", "The kiln was lit on 1 June at 22:30.", "1 June"),
        ("谁负责采购？", "采购备件，供应商为 Orval Keramik。负责人：李雪。", "李雪"),
        ("变更由谁批准？", "变更单：V-3。批准人：李雪。供应商：Orval", "李雪"),
    ],
)  # fmt: skip
def test_the_value_of_a_field_is_all_that_its_label_says(question, text, value):
    span = span_in(read(question), text)
    assert span is not None and text[slice(*span)] == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Owner: Ada Orval\nRoom: 12", "Owner: **Ada Orval**"),
        (
            "Owner: Ada Orval\nThe room is locked at night.",
            "Owner: **Ada Orval** The room is locked at night.",
        ),
    ],
)
def test_a_line_of_a_form_is_quoted_without_the_others(text, expected):
    line = text.split("\n")[0]
    unit = Unit(Evidence(n=1, text=text, source="Permit"), "sentence", line, 0, len(line))
    signals = {"untyped": 0.0, "lookup": 0.0}
    (sentence,) = passage_quote(read("Who is the owner?"), Scored(unit, 0.9, signals))
    assert sentence.text == expected


@pytest.mark.parametrize(
    ("question", "text", "read_as", "value"),
    [
        ("What loss did kiln B-12 have?", "A-7 had a loss of 71 % and B-12 of 84 %.", "71 %", "84 %"),
        ("What is the discount from 50 jars?", "From 20 jars 8 % are due, from 50 jars 12 %.", "8 %", "12 %"),
        ("How many potters replied in time?", "42 potters were asked; 39 replied in time.", "42", "39"),
        ("How many jars were sold on 3 May?", "10 jars and 2 cups sold on 3 May", "10", "10"),
        ("When was Orval trained?", "All were trained on 2 May but Orval on 5 May.", "2 May", "5 May"),
        ("When was Orval trained?", "All were trained on 2 May except Orval.", "2 May", "2 May"),
        ("What did Brixen find for B-12?", "For B-12 we gave 68 %. Brixen found 77 %.", "77 %", "77 %"),
        ("What is the weight?", "The jar has a weight of 3 kg.", "3 kg", "3 kg"),
    ],
)  # fmt: skip
def test_of_several_values_the_clause_that_is_meant_has_the_one(question, text, read_as, value):
    start = text.index(read_as)
    found = in_best_clause(read(question), text, (start, start + len(read_as)))
    assert text[slice(*found)].strip(".") == value


def test_nobody_is_called_by_a_code():
    text = "Die Firma Orval Nord prüft das Kältemittel R 134a"
    unit = Unit(Evidence(n=1, text=text, source="Log"), "sentence", text, 0, len(text))
    span = (text.index("R 134a"), len(text))
    scored = Scored(unit, 0.9, {}, read=ReadingScores(0.9, 0.9, span))
    assert value_span(read("Wer prüft das Kältemittel?"), scored) is None


@pytest.mark.parametrize(("name", "value"), [("Orval Brix", None), ("Tessa Lund", "Tessa Lund, Jena")])
def test_who_somebody_is_a_sentence_about_others_does_not_say(name, value):
    text = "Its contact is Orval Brix. Tessa Lund, Jena, makes glazes."
    start = text.index("Tessa")
    read_as = ReadingScores(chance=0.9, passage=0.9, span=(start, start + len("Tessa Lund, Jena")))
    unit = Unit(Evidence(n=1, text=text, source="Suppliers"), "sentence", text, 0, len(text))
    found = value_span(read(f"Who is {name}?"), Scored(unit, 0.9, {}, read=read_as))
    assert (text[slice(*found)] if found else None) == value
