"""Says each event in one line. A new event without its words is a type error at the last line."""

from typing import assert_never

from core.i18n.escaping import shorten
from core.i18n.messages import plain, plain_n, say_plain
from core.i18n.recorded_messages import translated_plain
from core.trace import (
    AnswerChecked,
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
    ProseExtracted,
    Queued,
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
    Warned,
    WaveStarted,
    WordsMapped,
    Wrote,
)
from core.ui.shared import display_text
from core.ui.trace import council_lines
from core.ui.trace.event_words import INSTRUCTIONS, SEARCHES, TOOLS, Line, doing, gate_reason, step

Planning = Asked | Queued | FollowedUp | RouteChosen | GateDecided | Planned | WaveStarted | Instructed
Searching = Searched | WordsMapped | ToolChosen | TableQueried | Reranked | EvidenceTrimmed | Proposed
Forecasting = ProseExtracted | RowsStructured | SeriesInduced | Forecasted
Answering = (
    PartAnswered
    | Reused
    | InstructionFlagged
    | Wrote
    | Synthesised
    | AnswerChecked
    | Warned
    | Failed
    | Finished
)


def event_line(event: Event) -> Line:
    """Return the event's line."""
    match event:
        case (
            Asked()
            | Queued()
            | FollowedUp()
            | RouteChosen()
            | GateDecided()
            | Planned()
            | WaveStarted()
            | Instructed()
        ):
            return _planning(event)
        case StepStarted():
            return Line(f"{step(event.step)} …")
        case StepFinished():
            return Line(plain("{step}: done", step=step(event.step)))
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
        case ProseExtracted() | RowsStructured() | SeriesInduced() | Forecasted():
            return _forecasting(event)
        case RolesPlanned() | PerspectiveGiven() | Moderated() | Criticised() | Settled():
            return council_lines.council_line(event)
        case (
            PartAnswered()
            | Reused()
            | InstructionFlagged()
            | Wrote()
            | Synthesised()
            | AnswerChecked()
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
        case Queued():
            return Line(doing("", event.ahead))
        case FollowedUp():
            return Line(plain("Read as"), event.read_as)
        case RouteChosen():
            level = say_plain(display_text.LEVELS[event.level][0])
            return Line(
                plain("Level {level} (chosen by you)", level=level)
                if event.overridden
                else plain("Level {level}", level=level),
                translated_plain(event.reason),
            )
        case GateDecided():
            asked = plain("Composite question") if event.composite else plain("Simple question")
            return Line(asked, gate_reason(event.reason))
        case Planned():
            return Line(
                plain("Planned {parts}", parts=plain_n("{n:,} part", "{n:,} parts", len(event.plan.parts))),
                event.plan.intent if " " in event.plan.intent else "",  # else the name of a kind of answer
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
                f"{event.argument} {translated_plain(event.reason)}".strip(),
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
                translated_plain(event.reason),
            )
        case _:
            assert_never(event)


def _forecasting(event: Forecasting) -> Line:
    match event:
        case ProseExtracted():
            values = plain_n("{n:,} dated value", "{n:,} dated values", len(event.rows))
            events = plain_n("{n:,} dated event", "{n:,} dated events", len(event.events))
            dropped = plain_n(
                "{n:,} did not stand there and was dropped",
                "{n:,} did not stand there and were dropped",
                len(event.dropped),
            )
            return Line(
                plain("Read {values} and {events} in prose", values=values, events=events),
                dropped if event.dropped else "",
            )
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
                return Line(plain("No forecast"), translated_plain(event.reason))
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
        case AnswerChecked():
            outcome = say_plain(display_text.OUTCOMES[event.verdict.outcome][0])
            notes = " ".join(map(translated_plain, event.verdict.notes))
            return Line(plain("Checked"), plain("{outcome}. {notes}", outcome=outcome, notes=notes))
        case Warned():
            return Line(plain("Note"), f"{translated_plain(event.message)} {translated_plain(event.hint)}")
        case Failed():
            return Line(plain("Failed"), f"{translated_plain(event.message)} {translated_plain(event.hint)}")
        case Finished():
            return Line(plain("Finished"), say_plain(display_text.OUTCOMES[event.report.outcome][0]))
        case _:
            assert_never(event)


def _reused(event: Reused) -> Line:
    """Say what was taken from an earlier run."""
    if event.answer is None:
        origin = (
            plain("Pinned by you")
            if event.cause == "revise"
            else plain("Found in the run before, nothing has changed")
        )
        return Line(f"{origin}: {plain_n('{n:,} passage', '{n:,} passages', len(event.passages))}")
    answer = event.answer
    found = answer.answer if answer.found else plain("nothing found")
    return Line(plain("Part {id} is as in the run before", id=answer.id), found)
