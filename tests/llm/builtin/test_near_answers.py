"""What says many words of a question and does not answer it is not told: another thing's figure, another
edition's row, one of several rows alike, a sentence that the network doubts."""

import pytest

from core.domain import Column, Evidence, Outcome, Support
from core.llm.builtin import BuiltinLLM
from core.tasks import Answer, Claim, Review, Reviewed, Written

MINUTES = Evidence(
    n=1,
    source="Minutes of the yard meeting",
    text="While the crane is away there is no spare one. Mr. Orval asked for a rental crane. It was refused "
    "as too dear (1,150 EUR a week). Dr. Vale of the safety board will visit the yard on 22 May at 10:00. "
    "Ms. Ruiz showed two offers: Haven, model HV-30, at 2,480 EUR each, and Norr, at 3,150 EUR each with ten "
    "weeks of delivery time. Decided: two HV-30 for the gates, with one spare lamp each.",
    scores={"rerank": 1.0},
)
CLEANING = Evidence(
    n=1,
    source="Cleaning of the pasteurisers",
    text="The acid step is part of every cleaning on PA-1 and PA-2. After yoghurt milk on PA-2 the caustic "
    "step is extended to 35 minutes, since protein burns on at the higher temperature.",
    scores={"rerank": 1.0},
)


def outcome(engine: BuiltinLLM, question: str, *evidence: Evidence) -> Outcome | None:
    return engine.run(Answer(question=question, evidence=evidence), Written).outcome


@pytest.mark.parametrize(
    "question",
    [
        "What did Dr. Vale criticise during the visit on 22 May?",
        "Which company offered the rental crane?",
        "What does Norr charge for a spare lamp of its model?",
    ],
)
def test_a_sentence_that_the_network_doubts_is_not_told(reader, question):
    assert outcome(reader, question, MINUTES) is Outcome.CLOSEST


def test_a_sentence_that_it_does_not_doubt_is(reader):
    assert (
        outcome(reader, "When will Dr. Vale of the safety board visit the yard?", MINUTES) is Outcome.ANSWER
    )


def test_a_sentence_about_what_goes_before_the_question_answers_nothing(reader):
    question = "Dr. Vale will visit the yard on 22 May. Which records have to be prepared for that?"
    assert outcome(reader, question, MINUTES) is Outcome.CLOSEST


@pytest.mark.parametrize(("thing", "expected"), [("PA-1", Outcome.CLOSEST), ("PA-2", Outcome.ANSWER)])
def test_the_figure_of_another_thing_of_its_kind_is_not_told(reader, thing, expected):
    question = f"How many minutes does the caustic step take on {thing} after yoghurt milk?"
    assert outcome(reader, question, CLEANING) is expected


OFFER = Evidence(
    n=1,
    source="Minutes of the yard meeting",
    text="Ms. Ruiz presented the offer of Haven of 7 March. The tread of a wheel is at least 5.5 mm in the "
    "winter period.",
    scores={"rerank": 1.0},
)


def test_the_day_of_an_offer_is_not_the_day_until_which_it_is_valid(reader):
    assert outcome(reader, "Until when is the offer of Haven valid?", OFFER) is Outcome.CLOSEST


def test_what_is_so_inside_something_is_not_so_outside(reader):
    question = "How high is the tread of a wheel at least {} the winter period?"
    assert outcome(reader, question.format("outside"), OFFER) is Outcome.CLOSEST
    assert outcome(reader, question.format("in"), OFFER) is Outcome.ANSWER


CABINET = Evidence(
    n=1,
    source="Minutes of the foundry",
    text="- Near miss of 22 March at F2 (damp ingots, splash): nobody was hurt. The preheating cabinet had "
    "been out of order since the afternoon and no one had told the night shift. The wall of F3 was 35 mm on "
    "3 April and must be measured every week.",
    scores={"rerank": 1.0},
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was the preheating cabinet repaired?", Outcome.CLOSEST),
        ("How often must the wall of F3 be measured?", Outcome.ANSWER),
    ],
)
def test_an_event_near_the_thing_is_not_the_event_asked_for(reader, question, expected):
    assert outcome(reader, question, CABINET) is expected


def test_how_often_is_not_told_by_how_much(reader):
    piece = CABINET.model_copy(update={"text": CABINET.text.replace(" every week", "")})
    assert outcome(reader, "How often must the wall of F3 be measured?", piece) is Outcome.CLOSEST


def table(source: str, name: str, columns: tuple[str, ...], *rows: tuple[str, ...]) -> Evidence:
    text = "\n".join("; ".join(f"{c}: {v}" for c, v in zip(columns, row, strict=True)) for row in rows)
    made = tuple(Column(name=column) for column in columns)
    return Evidence(n=1, source=source, name=name, text=text, kind="table", columns=made, rows=rows)


def test_a_row_of_another_edition_is_no_answer(engine):
    rows = (("Valid from", "12 February 2024"), ("Approved by", "Rolf Amann"))
    held = table("Work instruction WI-31", "WI-31_rev_C.docx", ("Document", "WI-31"), *rows)
    result = held.model_copy(update={"kind": "result", "rows": rows[:1]})
    for piece in (held, result):
        assert outcome(engine, "From which date is rev. E of WI-31 valid?", piece) is not Outcome.ANSWER
    assert outcome(engine, "From which date is rev. C of WI-31 valid?", result) is Outcome.ANSWER


def test_one_of_several_rows_alike_is_not_told(reader):
    columns = ("id", "place", "equipment", "action")
    rows = (
        ("D-6", "Hill mast", "Radio link", "came back by itself"),
        ("D-9", "Hill mast", "Radio link", "reset"),
    )
    question = "What was done about the radio link of the Hill mast?"
    both, one = (table("Log", "log.csv", columns, *rows[:n]) for n in (2, 1))
    stated = [
        outcome(reader, question, piece.model_copy(update={"scores": {"rerank": 1.0}}))
        for piece in (both, one)
    ]
    assert stated == [Outcome.CLOSEST, Outcome.ANSWER]


def test_what_an_empty_cell_would_say_is_not_answered_by_the_rest_of_the_row(engine):
    result = Evidence(
        n=1,
        source="Laboratory",
        text="",
        kind="result",
        columns=(Column(name="point"), Column(name="free_chlorine_mg_l", unit="mg/L"), Column(name="date")),
        rows=(("Well 5", "", "2025-01-14"),),
    )
    question = "How much free chlorine did Well 5 have in January 2025?"
    assert outcome(engine, question, result) is not Outcome.ANSWER


def test_a_row_is_not_contradicted_by_what_another_of_its_columns_denies(engine):
    held = table(
        "Dosing",
        "dosing.md",
        ("Station", "Normal setpoint", "Limit without approval"),
        ("South", "0.50 mg/L", "0.70 mg/L"),
    )
    claim = Claim(index=1, text="Normal setpoint of South: **0.50 mg/L** [1]", citations=(1,))
    reply = engine.run(Review(question="Setpoint of South?", claims=(claim,), evidence=(held,)), Reviewed)
    assert reply.claims[0].support is Support.SUPPORTED
