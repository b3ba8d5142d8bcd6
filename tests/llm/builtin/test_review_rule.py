"""A quotation is stated by the passage it is taken from, whatever marks it was quoted without."""

import pytest

from core.domain import Evidence, Support
from core.llm.builtin.answer.quoting import quoted
from core.tasks import Claim, Review, Reviewed

NUMBERED = (
    "Routes for pilots. Initiated by: AJR-1\n\n1. PURPOSE.\n\nThis circular tells how 9 routes are coded."
)
MARKED = "Two writers joined the list: Ted Byfield [11] and Gary Stock [12]. They write of 3 topics [1]."


@pytest.mark.parametrize("text", [NUMBERED, MARKED])
def test_a_quotation_without_the_marks_of_its_passage_is_supported(engine, text):
    held = Evidence(n=1, source="Circular", text=text)
    claim = Claim(index=1, text=f"{quoted(text, 1).text} [1]", citations=(1,))
    told = engine.run(Review(question="Who joined the routes?", claims=(claim,), evidence=(held,)), Reviewed)
    assert told.claims[0].support is Support.SUPPORTED


def test_another_figure_is_no_quotation(engine):
    held = Evidence(n=1, source="Circular", text=NUMBERED)
    claim = Claim(index=1, text="This circular tells how 8 routes are coded. [1]", citations=(1,))
    told = engine.run(Review(question="How many routes?", claims=(claim,), evidence=(held,)), Reviewed)
    assert told.claims[0].support is not Support.SUPPORTED
