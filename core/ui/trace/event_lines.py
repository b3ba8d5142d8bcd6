"""Says each event in one line. A new event without its words is a type error at the last line."""

from typing import NamedTuple, assert_never

from core.text.escaping import shorten
from core.text.kept import told_plain
from core.text.messages import mark, plain, plain_n, say_plain
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
from core.ui.shared import display_text


class Line(NamedTuple):
    """An event as a reader reads it: what happened, and the foreign text it is about (not escaped)."""

    label: str
    text: str = ""


STEPS = {
    "revise": mark("Reading your changes"),
    "heed": mark("Taking up what you said"),
    "understand": mark("Reading the question"),
    "look_up": mark("Looking up what is known"),
    "gather": mark("Gathering evidence"),
    "next_wave": mark("Choosing the next parts"),
    "work": mark("Working on a part"),
    "bridge": mark("Answering the parts others wait for"),
    "walk": mark("Walking step by step"),
    "aggregate": mark("Joining the evidence"),
    "forecast": mark("Forecasting"),
    "convene": mark("Holding the council"),
    "reason": mark("Reading the evidence"),
    "synthesise": mark("Writing the answer"),
    "verify": mark("Checking every sentence"),
    "extend": mark("Looking for what is missing"),
    "present": mark("Laying out the answer"),
}

INSTRUCTIONS = {
    "heard": mark("You said meanwhile"),
    "part": mark("Taken up as a further part"),
    "restriction": mark("Taken up as a restriction"),
    "late": mark("Came too late for this answer"),
}

TOOLS = {
    "search": mark("Decided to search again"),
    "table": mark("Decided to query a table"),
    "entity": mark("Decided to look up a name"),
    "enough": mark("Decided that enough was found"),
}

SEARCHES = {
    "plain": mark("Searched"),
    "topics": mark("Searched within topics"),
    "reform": mark("Searched again, in other words"),
    "table": mark("Looked for tables"),
    "entity": mark("Looked up a name"),
    "summary": mark("Searched the summaries"),
}


def step(name: str) -> str:
    """Name a step; a suffix such as "gather#2" belongs to its sub-question."""
    base = name.split("#", 1)[0]
    return say_plain(STEPS[base]) if base in STEPS else base.replace("_", " ").capitalize()


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
            return Line(plain("Asked"), event.question)
        case FollowedUp():
            return Line(plain("Read as"), event.read_as)
        case RouteChosen():
            level = say_plain(display_text.LEVELS[event.level][0])
            return Line(
                plain("Level {level} (chosen by you)", level=level)
                if event.overridden
                else plain("Level {level}", level=level),
                told_plain(event.reason),
            )
        case GateDecided():
            return Line(
                plain("Composite question") if event.composite else plain("Simple question"), event.reason
            )
        case Planned():
            return Line(
                plain("Planned {parts}", parts=plain_n("{n:,} part", "{n:,} parts", len(event.plan.parts))),
                event.plan.intent,
            )
        case WaveStarted():
            asked = " · ".join(part.question for part in event.parts)
            return Line(plain("Wave {wave}", wave=event.wave), asked)
        case Instructed():
            return Line(say_plain(INSTRUCTIONS[event.way]), event.text)
        case _:
            assert_never(event)


def _searching(event: Searching) -> Line:
    match event:
        case Searched():
            cached = plain(", from the cache") if event.cached else ""
            found = plain_n("{n:,} passage", "{n:,} passages", len(event.passages))
            return Line(f"{say_plain(SEARCHES[event.kind])}: {found}{cached}", event.query)
        case WordsMapped():
            return Line(
                plain("Read words as the library's terms"),
                ", ".join(f"{p.said} → {p.meant}" for p in event.pairs),
            )
        case ToolChosen():
            return Line(
                say_plain(TOOLS[event.tool])
                if event.tool in TOOLS
                else plain("Used {tool}", tool=event.tool),
                f"{event.argument} {told_plain(event.reason)}".strip(),
            )
        case TableQueried():
            found = event.failure or plain_n("{n:,} row", "{n:,} rows", len(event.rows))
            return Line(
                plain(
                    "Queried the table {table}: {found}",
                    table=shorten(event.table, 60),
                    found=shorten(found, 120),
                ),
                event.sql,
            )
        case Reranked():
            return Line(
                plain(
                    "Reranked {passages} with {reranker}",
                    passages=plain_n("{n:,} passage", "{n:,} passages", len(event.passages)),
                    reranker=event.reranker,
                ),
                event.question,
            )
        case EvidenceTrimmed():
            left = plain_n("{n:,} passage", "{n:,} passages", len(event.left_out))
            return Line(
                plain(
                    "Left out {left} so that the rest fits the model's window; {kept} kept",
                    left=left,
                    kept=event.kept,
                )
            )
        case Proposed():
            chosen = (
                plain("nothing chosen")
                if event.chosen is None
                else plain("chose number {chosen}", chosen=event.chosen + 1)
            )
            proposed = plain_n("{n:,} proposal", "{n:,} proposals", len(event.questions))
            return Line(
                plain(
                    "Round {round}: {proposed}, {chosen}", round=event.round, proposed=proposed, chosen=chosen
                ),
                told_plain(event.reason),
            )
        case _:
            assert_never(event)


def _debating(event: Debating) -> Line:
    match event:
        case RolesPlanned():
            names = ", ".join(role.name for role in event.roles)
            return Line(
                plain(
                    "Called {points} of view", points=plain_n("{n:,} point", "{n:,} points", len(event.roles))
                ),
                f"{names}. {told_plain(event.reason)}",
            )
        case PerspectiveGiven():
            held = event.perspective
            made = plain_n("{n:,} proposal", "{n:,} proposals", len(held.proposals))
            return Line(
                plain("{name} argued and made {made}", name=shorten(held.role.name, 60), made=made),
                held.failure,
            )
        case Moderated():
            said = " · ".join(raised.text for raised in event.raised)
            return Line(
                plain(
                    "The moderator raised {points}",
                    points=plain_n("{n:,} point", "{n:,} points", len(event.raised)),
                ),
                said,
            )
        case Criticised():
            against = plain_n("{n:,} objection", "{n:,} objections", len(event.objections))
            return Line(
                plain(
                    "{critic} read {of}: {against}",
                    critic=shorten(event.critic, 60),
                    of=shorten(event.of, 60),
                    against=against,
                ),
                event.failure,
            )
        case Settled():
            ranked = plain_n("{n:,} proposal", "{n:,} proposals", len(event.council.proposals))
            apart = plain_n("{n:,} disagreement", "{n:,} disagreements", len(event.council.disagreements))
            return Line(plain("Settled: {ranked}, {apart}", ranked=ranked, apart=apart))
        case _:
            assert_never(event)


def _forecasting(event: Forecasting) -> Line:
    match event:
        case RowsStructured():
            return Line(
                plain(
                    "Read {values}", values=plain_n("{n:,} dated value", "{n:,} dated values", event.total)
                ),
                ", ".join(event.sources),
            )
        case SeriesInduced():
            steps = plain_n("{n:,} step", "{n:,} steps", len(event.series.points))
            return Line(
                plain("Made a series of {steps}", steps=steps),
                f"{event.series.name}, {event.series.aggregate}",
            )
        case Forecasted():
            if event.forecast is None:
                return Line(plain("No forecast"), told_plain(event.reason))
            steps = plain_n("{n:,} step", "{n:,} steps", len(event.forecast.points))
            return Line(plain("Forecast {steps} ahead", steps=steps), event.forecast.model)
        case _:
            assert_never(event)


def _answering(event: Answering) -> Line:
    match event:
        case PartAnswered():
            answer = event.answer
            found = answer.answer if answer.found else answer.failure or plain("nothing found")
            return Line(
                plain("Part {id} answered", id=answer.id)
                if event.sub_question
                else plain("Read the evidence"),
                found,
            )
        case Reused():
            return _reused(event)
        case InstructionFlagged():
            return Line(plain("A passage tries to give orders; it is treated as data"), event.text)
        case Wrote():
            return Line(plain("Wrote"), event.text)
        case Synthesised():
            return Line(
                plain(
                    "Wrote {sentences}",
                    sentences=plain_n("{n:,} sentence", "{n:,} sentences", len(event.sentences)),
                )
            )
        case Verified():
            outcome = say_plain(display_text.OUTCOMES[event.verdict.outcome][0])
            return Line(plain("Checked"), f"{outcome}. {' '.join(event.verdict.notes)}")
        case Warned():
            return Line(plain("Note"), f"{event.message} {event.hint}")
        case Failed():
            return Line(plain("Failed"), f"{event.message} {event.hint}")
        case Finished():
            return Line(plain("Finished"), say_plain(display_text.OUTCOMES[event.report.outcome][0]))
        case _:
            assert_never(event)


def _reused(event: Reused) -> Line:
    """Say what was taken from an earlier run."""
    if event.answer is None:
        said = (
            plain("Pinned by you")
            if event.cause == "revise"
            else plain("Found in the run before, nothing has changed")
        )
        return Line(f"{said}: {plain_n('{n:,} passage', '{n:,} passages', len(event.passages))}")
    answer = event.answer
    found = answer.answer if answer.found else plain("nothing found")
    return Line(plain("Part {id} is as in the run before", id=answer.id), found)
