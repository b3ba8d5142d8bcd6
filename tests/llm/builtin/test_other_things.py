"""A sentence about another thing, or of another day, than the question names answers nothing."""

import pytest

from core.domain import Evidence, Outcome
from core.llm.builtin import BuiltinLLM
from core.tasks import Answer, Written

SEALS = Evidence(
    n=1,
    source="Upkeep of the autoclaves",
    document="upkeep",
    text="Door seals of AK-1 and AK-2 are replaced every 6 months or after 1,500 cycles, whichever comes "
    "first. The seal of AK-3 is replaced every 12 months. The strainers are cleaned on Wednesdays.",
    scores={"rerank": 1.0},
)
DRYER = Evidence(
    n=2,
    source="Upkeep of the autoclaves",
    document="upkeep",
    text="The drying cabinet DR-1 stands beside the door of the store and is emptied by the late shift.",
    scores={"rerank": 0.4},
)
ENTRY = Evidence(
    n=1,
    source="Gate book week 7",
    heading=(
        "Gate book week 7",
        "Monday 12 to Sunday 18 February 2024",
        "Saturday 17 February: on duty, J. Varga",
    ),
    text="Best day of the season so far: 6,412 visitors at the gates. Queue at the north gate 35 minutes "
    "around 10:30, since one gate stood still.",
    scores={"rerank": 1.0},
)


def outcome(engine: BuiltinLLM, question: str, *evidence: Evidence) -> Outcome | None:
    return engine.run(Answer(question=question, evidence=evidence), Written).outcome


@pytest.mark.parametrize(("thing", "expected"), [("DR-1", Outcome.CLOSEST), ("AK-3", Outcome.ANSWER)])
def test_a_passage_about_things_with_other_codes_is_not_told(reader, thing, expected):
    assert outcome(reader, f"How often does {thing} need a new door seal?", SEALS, DRYER) is expected


@pytest.mark.parametrize(
    ("day", "expected"), [("Sunday 18 February", Outcome.CLOSEST), ("Saturday 17 February", Outcome.ANSWER)]
)
def test_the_entry_of_another_day_is_not_told(reader, day, expected):
    assert outcome(reader, f"How many visitors were at the gates on {day}?", ENTRY) is expected


def test_a_day_named_in_the_entry_itself_is_the_day_asked_for(reader):
    entry = ENTRY.model_copy(
        update={"text": f"{ENTRY.text} On 18 February 5,950 visitors were at the gates."}
    )
    assert outcome(reader, "How many visitors were at the gates on 18 February?", entry) is Outcome.ANSWER


@pytest.mark.parametrize(("order", "expected"), [("PO-4711", Outcome.ANSWER), ("PO-4712", Outcome.CLOSEST)])
def test_a_code_may_be_written_without_its_last_part(reader, order, expected):
    piece = Evidence(
        n=1,
        source="Delivery note",
        text="The order PO-4711-2024 was placed on 3 May by Emilia Rojas.",
        scores={"rerank": 1.0},
    )
    assert outcome(reader, f"Who placed the order {order}?", piece) is expected


CUTTERS = Evidence(
    n=1,
    source="Mail about the cutters",
    text="CUT-1 stands beside the gate. I measured the beam of CUT-2 and it stands at 50.4 "
    "watts. The tube has 6,200 hours on it, and the maker says 10,000. The lenses of CUT-4 and CUT-5 are "
    "cleaned every 40 hours.",
    scores={"rerank": 1.0},
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many hours does the tube of CUT-1 have on it?", Outcome.CLOSEST),
        ("How many hours does the tube of CUT-2 have on it?", Outcome.ANSWER),
        ("How often are the lenses of CUT-4 cleaned?", Outcome.ANSWER),
    ],
)
def test_a_figure_belongs_to_the_codes_that_stand_together_nearest_before_it(reader, question, expected):
    assert outcome(reader, question, CUTTERS) is expected
