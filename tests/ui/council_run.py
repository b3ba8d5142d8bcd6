"""A run of level 4, made by hand: three viewpoints, three ideas, one of them refused, one dissent."""

from core.domain import (
    CouncilReport,
    CouncilRole,
    Disagreement,
    Level,
    Objection,
    Outcome,
    Perspective,
    Proposal,
    Report,
    Statement,
)
from core.knowledge.stores.records import Run
from core.trace import Asked, Event, Finished, PerspectiveGiven, RouteChosen, Settled, Stamped
from tests.ui.sample import PASSAGES

RUN = "councilrun01"
QUESTION = "How could we keep edge particles off chamber B for the rest of the year?"
ENGINE = "qwen3:8b"
FIRST, SECOND, THIRD, FOURTH = (passage.chunk.id for passage in PASSAGES)
IDEAS = (
    Proposal(
        id=1,
        role="engineer",
        text="Inspect the seal band of the chuck every 1,000 RF hours instead of 2,000",
        effect="A worn band is seen before it sheds particles",
        risk="Twice the openings of the chamber",
        effort="Two hours a month",
        first_step="Add the inspection to the wet clean of 21 March",
        chunks=(FOURTH, SECOND),
        criticised_by=("planner",),
        objections=(Objection(role="planner", proposal=1, text="Each opening costs a qualification run"),),
    ),
    Proposal(
        id=2,
        role="sceptic",
        text="Count edge particles on every tenth wafer of A77",
        effect="The next excursion is seen within a day",
        first_step="Agree the limit with the defect laboratory",
        chunks=(FIRST,),
    ),
    Proposal(
        id=3,
        role="planner",
        text="Move A77 to another tool",
        chunks=(THIRD,),
        criticised_by=("engineer",),
        objections=(Objection(role="engineer", proposal=3, text="No other tool is released", fatal=True),),
    ),
)
ROLES = (
    CouncilRole(id="engineer", name="Process engineer", cares="a stable process"),
    CouncilRole(id="planner", name="Production planner", cares="throughput and dates"),
    CouncilRole(id="sceptic", name="Sceptic", cares="what is not proven", sceptic=True),
)
PERSPECTIVES = tuple(
    Perspective(
        role=role,
        chunks=(FIRST, SECOND),
        argument=(Statement(text="The chuck was replaced on 21 March.", chunks=(SECOND,)),),
        proposals=tuple(idea for idea in IDEAS if idea.role == role.id),
        engine=ENGINE,
    )
    for role in ROLES
)
COUNCIL = CouncilReport(
    perspectives=PERSPECTIVES,
    common=(
        Statement(text="Chamber B of ETCH-03 caused the excursion.", chunks=(FIRST,)),
        Statement(text="The chuck was replaced according to SOP-ETCH-015.", chunks=(SECOND,)),
    ),
    disagreements=(
        Disagreement(
            claim="The seal band caused the particles.",
            sides=(
                Statement(text="Wear of the band fits the signature.", chunks=(FIRST,), roles=("engineer",)),
                Statement(text="The root cause is not confirmed.", chunks=(SECOND,), roles=("sceptic",)),
            ),
            decides="The supplier's report on the removed chuck.",
        ),
    ),
    proposals=IDEAS,
    engine=ENGINE,
)
REPORT = Report(
    run=RUN,
    question=QUESTION,
    level=Level.CREATIVE,
    engine=ENGINE,
    outcome=Outcome.ANSWER,
    answer="\n".join(f"- {idea.text}" for idea in IDEAS),
    passages=PASSAGES,
    council=COUNCIL,
    seconds=64.0,
)


def events() -> list[Stamped]:
    """Return the run, an event each eight seconds."""
    stated: list[Event] = [
        Asked(question=QUESTION, effort="thorough", library="14 documents, 312 chunks"),
        RouteChosen(level=Level.CREATIVE, reason="asks for ideas"),
        *(PerspectiveGiven(perspective=given, passages=PASSAGES[:2]) for given in PERSPECTIVES),
        Settled(council=COUNCIL),
        Finished(report=REPORT),
    ]
    return [Stamped(seq=n, at=8.0 * n, event=event) for n, event in enumerate(stated)]


def run() -> Run:
    """Return the run as the library keeps it."""
    return Run(
        id=RUN,
        conversation="council",
        question=QUESTION,
        status="done",
        started=1_763_700_000.0,
        finished=1_763_700_064.0,
        report=REPORT,
    )
