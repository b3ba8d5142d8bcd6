"""What a label says is looked up, where the label is asked for whole and says one thing."""

import pytest

from core.domain import Column, Evidence
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.labelled_values import looked_up
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scorer


def answered(question: str, *evidence: Evidence) -> str:
    parsed = read(question)
    scored = Scorer(Meaning(None)).score(parsed, units(evidence))
    found = looked_up(parsed, scored, evidence)
    return found.unit.text if found else ""


def form(n: int, *rows: tuple[str, ...]) -> Evidence:
    columns = tuple(Column(name=name) for name in ("Tool", "column 2", "Service", "column 4"))
    text = "\n".join(" ".join(row) for row in rows)
    return Evidence(n=n, source="Work order 7", document="d", text=text, columns=columns, rows=rows)


ORDER = form(1, ("Name", "ETCH-03", "Shift", "Night"), ("Model", "PE-300", "Service technician", "Ann Dahl"))
QUESTION = "Who is the service technician of ETCH-03 in work order 7?"


def test_the_cell_beside_its_label_is_told():
    assert "Ann Dahl" in answered(QUESTION, ORDER)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the service technician of ETCH-05 in work order 7?",  # another tool
        "Who is the assistant of the service technician of ETCH-03?",  # the label is not what is sought
        "Which technician does ETCH-03 have?",  # the label is not said whole
        "How many service technicians does ETCH-03 have?",  # a name is no number
    ],
)
def test_what_the_label_does_not_say_is_not_looked_up(question):
    assert answered(question, ORDER) == ""


def test_a_label_with_two_values_in_its_document_answers_nothing():
    other = form(2, ("Name", "ETCH-04", "Shift", "Day"), ("Model", "PE-310", "Service technician", "Bo Berg"))
    assert answered(QUESTION, ORDER, other) == ""


def test_a_field_is_told_in_a_document_whose_title_says_what_it_is():
    report = Evidence(n=1, source="Stock report of hall 3", text="Total variance cost: $4,287\nItems: 12")
    assert "$4,287" in answered("What is the total variance cost in the stock report of hall 3?", report)
    assert answered("What is the total variance cost in the stock report of hall 4?", report) == ""
