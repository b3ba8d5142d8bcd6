"""The value of a field ends where the next field begins."""

from core.domain import Evidence
from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.passage_readings import ReadingScores
from core.llm.builtin.answer.quoting import value_span
from core.llm.builtin.answer.scorer import Scored

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
