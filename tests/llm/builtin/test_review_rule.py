"""A quotation is stated by the passage it is taken from, whatever marks it was quoted without."""

import pytest

from core.domain import Column, Evidence, Support
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.quoting import quoted, row_quote
from core.tasks import Claim, Review, Reviewed

NUMBERED = (
    "Routes for pilots. Initiated by: AJR-1\n\n1. PURPOSE.\n\nThis circular tells how 9 routes are coded."
)
MARKED = "Two writers joined the list: Ted Byfield [11] and Gary Stock [12]. They write of 3 topics [1]."


@pytest.mark.parametrize("text", [NUMBERED, MARKED])
def test_a_quotation_without_the_marks_of_its_passage_is_supported(engine, text):
    evidence = Evidence(n=1, source="Circular", text=text)
    claim = Claim(index=1, text=f"{quoted(text, 1).text} [1]", citations=(1,))
    reply = engine.run(
        Review(question="Who joined the routes?", claims=(claim,), evidence=(evidence,)), Reviewed
    )
    assert reply.claims[0].support is Support.SUPPORTED


def test_another_figure_is_no_quotation(engine):
    evidence = Evidence(n=1, source="Circular", text=NUMBERED)
    claim = Claim(index=1, text="This circular tells how 8 routes are coded. [1]", citations=(1,))
    reply = engine.run(Review(question="How many routes?", claims=(claim,), evidence=(evidence,)), Reviewed)
    assert reply.claims[0].support is not Support.SUPPORTED


SIEVE = Evidence(
    n=1,
    source="Sieves",
    text="designation: 0.075; old_designation: No. 200; opening: 0.075; samples: 250",
    kind="table",
    columns=tuple(Column(name=name) for name in ("designation", "old_designation", "opening", "samples")),
    rows=(("0.075", "No. 200", "0.075", "250"),),
)


@pytest.mark.parametrize(
    "question, columns",
    [
        ("old designation of the sieve with 0.075 mm opening", ["old_designation"]),
        ("old designation and samples of sieve 0.075", ["old_designation", "samples"]),
    ],
)
def test_of_a_row_the_columns_asked_for_are_told_and_no_number_denies(engine, question, columns):
    result = row_quote(read(question), units([SIEVE])[0])[:-1]
    assert [sentence.text.split(" of ")[0] for sentence in result] == columns
    claim = Claim(index=0, text=result[0].text, citations=(1,))
    task = Review(question=question, claims=(claim,), evidence=(SIEVE,))
    assert engine.run(task, Reviewed).claims[0].support is Support.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        ("The permit holder is Ada Orval.", Support.SUPPORTED),
        ("The permit holder is not Ada Orval.", Support.CONTRADICTED),
        ("The gas test is required.", Support.CONTRADICTED),
    ],
)
def test_what_a_form_denies_in_another_field_contradicts_nothing(engine, claim, support):
    text = "Permit number: WP-31\nWork: a new valve\nPermit holder: Ada Orval\nGas test: not required"
    evidence = Evidence(n=1, source="Permit form", text=text)
    task = Review(
        question="Who is the permit holder, and is a gas test required?",
        claims=(Claim(index=1, text=f"{claim} [1]", citations=(1,)),),
        evidence=(evidence,),
    )
    assert engine.run(task, Reviewed).claims[0].support is support
