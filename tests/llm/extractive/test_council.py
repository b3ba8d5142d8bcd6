import pytest

from core.domain import Evidence
from core.llm.extractive.council import argue, criticise, plan_roles, settle
from core.tasks import Argue, Claim, Criticise, PlanRoles, Settle

CARDS = (
    "cost | Cost controller | money | cost price spare stock",
    "safety | Safety officer | nobody is hurt | danger lock warning",
    "quality | Statistician | numbers | yield defect particles",
)
EVIDENCE = (
    Evidence(
        n=1,
        source="8D",
        text="Replace the electrostatic chuck to stop edge particles on the wafer. "
        "After the exchange edge particles fell from 164 to 19 on every wafer. "
        "Danger: lock the generator before the electrostatic chuck is lifted.",
    ),
    Evidence(
        n=2,
        source="Stock list",
        place="row 4",
        text="The electrostatic chuck costs 18,400 EUR and only two are in stock.",
    ),
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How could we cut the price of spare parts?", "cost"),
        ("How could we get fewer defect particles?", "quality"),
        ("What could make the danger smaller?", "safety"),
    ],
)
def test_the_role_comes_first_whose_lens_meets_the_question(question, first):
    chosen = plan_roles(PlanRoles(question=question, roles=CARDS, most=2)).roles
    assert chosen[0].id == first
    assert len(chosen) == 2


def test_two_lenses_quote_different_sentences_first():
    question = "How could we reduce edge particles with the electrostatic chuck?"
    said = [
        argue(Argue(question=question, perspective=card, evidence=EVIDENCE)).argument[0] for card in CARDS[:2]
    ]
    assert said[0].citations == (2,)
    assert said[1].text.startswith("Danger")


def test_a_measure_becomes_a_proposal_with_its_effect_and_price_quoted():
    question = "How could we reduce edge particles?"
    made = argue(Argue(question=question, perspective=CARDS[0], evidence=EVIDENCE)).proposals[0]
    assert "“Replace the electrostatic chuck to stop edge particles on the wafer.”" in made.text
    assert made.effect == "After the exchange edge particles fell from 164 to 19 on every wafer."
    assert made.effort == "The electrostatic chuck costs 18,400 EUR and only two are in stock."
    assert made.citations == (1, 2)


def test_without_evidence_nothing_is_argued():
    empty = argue(Argue(question="How?", perspective=CARDS[0]))
    assert not empty.argument
    assert not empty.proposals


def test_a_limit_of_the_same_thing_is_held_against_a_proposal():
    claim = Claim(index=4, text="Build on what X says: “Replace the electrostatic chuck”", citations=(1,))
    found = criticise(
        Criticise(question="?", perspective=CARDS[0], proposals=(claim,), evidence=EVIDENCE)
    ).objections
    assert [(one.proposal, one.citations, one.fatal) for one in found] == [(4, (2,), False)]


def test_what_the_evidence_forbids_does_not_survive():
    claim = Claim(index=1, text="Open the chamber lid under pressure", citations=(1,))
    rule = Evidence(n=1, source="SOP", text="The chamber lid must not be opened under pressure.")
    found = criticise(
        Criticise(question="?", perspective=CARDS[1], proposals=(claim,), evidence=(rule,))
    ).objections
    assert found[0].fatal


def test_nothing_is_held_against_a_proposal_about_something_else():
    claim = Claim(index=1, text="Train the new technicians on Mondays", citations=(1,))
    task = Criticise(question="?", perspective=CARDS[0], proposals=(claim,), evidence=EVIDENCE)
    assert not criticise(task).objections


def test_common_ground_is_what_two_roles_cite():
    statements = (
        Claim(index=0, text="Edge particles fell.", citations=(1,)),
        Claim(index=1, text="The chuck stops particles.", citations=(1,)),
        Claim(index=1, text="It is dear.", citations=(2,)),
    )
    common = settle(Settle(question="particles?", statements=statements, evidence=EVIDENCE)).common
    assert {one.text for one in common} == {"Edge particles fell.", "The chuck stops particles."}


def test_a_proposal_nearer_to_the_question_ranks_first_and_an_objection_costs():
    near = Claim(index=1, text="Replace the chuck against edge particles", citations=(1,))
    far = Claim(index=2, text="Paint the wall", citations=(1,))
    task = Settle(question="How to stop edge particles?", proposals=(far, near), evidence=EVIDENCE)
    assert settle(task).order == (1, 2)
    twin = near.model_copy(update={"index": 3})
    against = Claim(index=1, text="Only two are in stock.", citations=(2,))
    task = Settle(
        question="How to stop edge particles?",
        proposals=(near, twin),
        objections=(against,),
        evidence=EVIDENCE,
    )
    settled = settle(task)
    assert settled.order == (3, 1)
    assert [one.proposal for one in settled.disagreements] == [1]
    assert "Stock list" in settled.disagreements[0].decides
