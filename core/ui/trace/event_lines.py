"""Says each event in one line. A new event without its words is a type error at the last line."""

from typing import NamedTuple, assert_never

from core.trace import (
    Asked,
    Criticised,
    Event,
    EvidenceTrimmed,
    Failed,
    Finished,
    FollowedUp,
    Forecasted,
    GateDecided,
    Instructed,
    InstructionFlagged,
    Moderated,
    PartAnswered,
    PerspectiveGiven,
    Planned,
    Proposed,
    Reranked,
    Reused,
    RolesPlanned,
    RouteChosen,
    RowsStructured,
    Searched,
    SeriesInduced,
    Settled,
    StepFinished,
    StepStarted,
    Synthesised,
    TableQueried,
    ToolChosen,
    Verified,
    Warned,
    WaveStarted,
    WordsMapped,
    Wrote,
)
from core.ui.shared import display_text, safe


class Line(NamedTuple):
    """An event as a reader reads it: what happened, and the foreign text it is about (not escaped)."""

    label: str
    text: str = ""


STEPS = {
    "revise": "Reading your changes",
    "heed": "Taking up what you said",
    "understand": "Reading the question",
    "look_up": "Looking up what is known",
    "gather": "Gathering evidence",
    "next_wave": "Choosing the next parts",
    "work": "Working on a part",
    "walk": "Walking step by step",
    "aggregate": "Joining the evidence",
    "forecast": "Forecasting",
    "convene": "Holding the council",
    "reason": "Reading the evidence",
    "synthesise": "Writing the answer",
    "verify": "Checking every sentence",
    "extend": "Looking for what is missing",
    "present": "Laying out the answer",
}

INSTRUCTIONS = {
    "heard": "You said meanwhile",
    "part": "Taken up as a further part",
    "restriction": "Taken up as a restriction",
    "late": "Came too late for this answer",
}

TOOLS = {
    "search": "Decided to search again",
    "table": "Decided to query a table",
    "entity": "Decided to look up a name",
    "enough": "Decided that enough was found",
}

SEARCHES = {
    "plain": "Searched",
    "topics": "Searched within topics",
    "reform": "Searched again, in other words",
    "table": "Looked for tables",
    "entity": "Looked up a name",
    "summary": "Searched the summaries",
}


def step(name: str) -> str:
    """Name a step; a suffix such as "gather#2" belongs to its sub-question."""
    base = name.split("#", 1)[0]
    return STEPS.get(base, base.replace("_", " ").capitalize())


Planning = Asked | FollowedUp | RouteChosen | GateDecided | Planned | WaveStarted | Instructed
Searching = Searched | WordsMapped | ToolChosen | TableQueried | Reranked | EvidenceTrimmed | Proposed
Debating = RolesPlanned | PerspectiveGiven | Moderated | Criticised | Settled
Forecasting = RowsStructured | SeriesInduced | Forecasted
Answering = (
    PartAnswered | Reused | InstructionFlagged | Wrote | Synthesised | Verified | Warned | Failed | Finished
)


def say(event: Event) -> Line:
    """Return the event's line."""
    match event:
        case (
            Asked() | FollowedUp() | RouteChosen() | GateDecided() | Planned() | WaveStarted() | Instructed()
        ):
            return _planning(event)
        case StepStarted():
            return Line(f"{step(event.step)} …")
        case StepFinished():
            return Line(f"{step(event.step)}: done")
        case (
            Searched()
            | WordsMapped()
            | ToolChosen()
            | TableQueried()
            | Reranked()
            | EvidenceTrimmed()
            | Proposed()
        ):
            return _searching(event)
        case RowsStructured() | SeriesInduced() | Forecasted():
            return _forecasting(event)
        case RolesPlanned() | PerspectiveGiven() | Moderated() | Criticised() | Settled():
            return _debating(event)
        case (
            PartAnswered()
            | Reused()
            | InstructionFlagged()
            | Wrote()
            | Synthesised()
            | Verified()
            | Warned()
            | Failed()
            | Finished()
        ):
            return _answering(event)
        case _:
            assert_never(event)


def _planning(event: Planning) -> Line:
    match event:
        case Asked():
            return Line("Asked", event.question)
        case FollowedUp():
            return Line("Read as", event.read_as)
        case RouteChosen():
            level = display_text.LEVELS[event.level][0]
            return Line(f"Level {level}{' (chosen by you)' if event.overridden else ''}", event.reason)
        case GateDecided():
            return Line("Composite question" if event.composite else "Simple question", event.reason)
        case Planned():
            return Line(f"Planned {display_text.count(len(event.plan.parts), 'part')}", event.plan.intent)
        case WaveStarted():
            asked = " · ".join(part.question for part in event.parts)
            return Line(f"Wave {event.wave}", asked)
        case Instructed():
            return Line(INSTRUCTIONS[event.way], event.text)
        case _:
            assert_never(event)


def _searching(event: Searching) -> Line:
    match event:
        case Searched():
            cached = ", from the cache" if event.cached else ""
            found = display_text.count(len(event.passages), "passage")
            return Line(f"{SEARCHES[event.kind]}: {found}{cached}", event.query)
        case WordsMapped():
            return Line(
                "Read words as the library's terms", ", ".join(f"{p.said} → {p.meant}" for p in event.pairs)
            )
        case ToolChosen():
            return Line(
                TOOLS.get(event.tool, f"Used {event.tool}"), f"{event.argument} {event.reason}".strip()
            )
        case TableQueried():
            found = event.failure or display_text.count(len(event.rows), "row")
            return Line(
                f"Queried the table {safe.shorten(event.table, 60)}: {safe.shorten(found, 120)}", event.sql
            )
        case Reranked():
            return Line(
                f"Reranked {display_text.count(len(event.passages), 'passage')} with {event.reranker}",
                event.question,
            )
        case EvidenceTrimmed():
            left = display_text.count(len(event.left_out), "passage")
            return Line(f"Left out {left} so that the rest fits the model's window; {event.kept} kept")
        case Proposed():
            chosen = "nothing chosen" if event.chosen is None else f"chose number {event.chosen + 1}"
            proposed = display_text.count(len(event.questions), "proposal")
            return Line(f"Round {event.round}: {proposed}, {chosen}", event.reason)
        case _:
            assert_never(event)


def _debating(event: Debating) -> Line:
    match event:
        case RolesPlanned():
            names = ", ".join(role.name for role in event.roles)
            return Line(
                f"Called {display_text.count(len(event.roles), 'point')} of view", f"{names}. {event.reason}"
            )
        case PerspectiveGiven():
            held = event.perspective
            made = display_text.count(len(held.proposals), "proposal")
            return Line(f"{safe.shorten(held.role.name, 60)} argued and made {made}", held.failure)
        case Moderated():
            said = " · ".join(raised.text for raised in event.raised)
            return Line(f"The moderator raised {display_text.count(len(event.raised), 'point')}", said)
        case Criticised():
            against = display_text.count(len(event.objections), "objection")
            return Line(
                f"{safe.shorten(event.critic, 60)} read {safe.shorten(event.of, 60)}: {against}",
                event.failure,
            )
        case Settled():
            ranked = display_text.count(len(event.council.proposals), "proposal")
            apart = display_text.count(len(event.council.disagreements), "disagreement")
            return Line(f"Settled: {ranked}, {apart}")
        case _:
            assert_never(event)


def _forecasting(event: Forecasting) -> Line:
    match event:
        case RowsStructured():
            return Line(f"Read {display_text.count(event.total, 'dated value')}", ", ".join(event.sources))
        case SeriesInduced():
            steps = display_text.count(len(event.series.points), "step")
            return Line(f"Made a series of {steps}", f"{event.series.name}, {event.series.aggregate}")
        case Forecasted():
            if event.forecast is None:
                return Line("No forecast", event.reason)
            steps = display_text.count(len(event.forecast.points), "step")
            return Line(f"Forecast {steps} ahead", event.forecast.model)
        case _:
            assert_never(event)


def _answering(event: Answering) -> Line:
    match event:
        case PartAnswered():
            answer = event.answer
            found = answer.answer if answer.found else answer.failure or "nothing found"
            return Line(f"Part {answer.id} answered" if event.sub_question else "Read the evidence", found)
        case Reused():
            return _reused(event)
        case InstructionFlagged():
            return Line("A passage tries to give orders; it is treated as data", event.text)
        case Wrote():
            return Line("Wrote", event.text)
        case Synthesised():
            return Line(f"Wrote {display_text.count(len(event.sentences), 'sentence')}")
        case Verified():
            outcome = display_text.OUTCOMES[event.verdict.outcome][0]
            return Line("Checked", f"{outcome}. {' '.join(event.verdict.notes)}")
        case Warned():
            return Line("Note", f"{event.message} {event.hint}")
        case Failed():
            return Line("Failed", f"{event.message} {event.hint}")
        case Finished():
            return Line("Finished", display_text.OUTCOMES[event.report.outcome][0])
        case _:
            assert_never(event)


def _reused(event: Reused) -> Line:
    """Say what was taken from an earlier run."""
    if event.answer is None:
        said = "Pinned by you" if event.cause == "revise" else "Found in the run before, nothing has changed"
        return Line(f"{said}: {display_text.count(len(event.passages), 'passage')}")
    answer = event.answer
    found = answer.answer if answer.found else "nothing found"
    return Line(f"Part {answer.id} is as in the run before", found)
