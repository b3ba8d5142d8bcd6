"""Lets the reader see a forecast as if something happened: dated events of the sources, or typed in."""

from collections.abc import Sequence
from functools import partial

from core.domain import DatedEvent, Forecast, JointScenario, Report, Scenario
from core.forecast.dated_events import effect, joint_effect, quoted, signed
from core.forecast.scenarios import alike, read_date, suppose, suppose_all
from core.i18n.escaping import Safe, join, layout, line
from core.i18n.messages import plain, t
from core.text.tokens import detect_language
from core.ui.shared import display_text, st

MAX_EARLIER_EVENTS = 3  # earlier events that are named


def choose(made: Forecast, report: Report, key: str, run: str) -> JointScenario | None:
    """Draw the choice and what it means; return what to draw, None for the forecast as it is.

    What is ticked and typed is the run's: it is the same in the chat and in the trace.
    """
    language = detect_language(report.question)
    typed: tuple[DatedEvent, ...] = st.session_state.get(f"typed_{run}", ())
    scenarios = (*made.scenarios, *(suppose(made, event, language) for event in typed))
    if scenarios:
        st.caption(t("As if these events came; the steps of those ticked add up, each from its date on."))
    asked = frozenset(scenario.event for scenario in made.scenarios if scenario.asked)
    ticked: frozenset[DatedEvent] = st.session_state.get(f"ticked_{run}", asked)
    for n, scenario in enumerate(scenarios):
        st.session_state.setdefault(f"scenario_{key}_{n}", scenario.event in ticked)
    with st.container(gap="xsmall"):
        chosen = [
            scenario
            for n, scenario in enumerate(scenarios)
            if st.checkbox(line(_dated(scenario.event)), key=f"scenario_{key}_{n}")
        ]
    st.session_state[f"ticked_{run}"] = frozenset(scenario.event for scenario in chosen)
    _suppose(made, key, run)
    if not chosen:
        return None
    joint = suppose_all(made, chosen, language)
    _explained(chosen, joint, made, report)
    return joint


def _dated(event: DatedEvent) -> str:
    return f"{display_text.period(event.period)}: {quoted(event)}"


def _cited(event: DatedEvent, report: Report) -> str:
    """Return the words of the source with its number among the sources of the answer."""
    numbers = (n for n, passage in enumerate(report.passages, 1) if passage.chunk.id == event.chunk_id)
    number = next(numbers, None)
    return _dated(event) if number is None else f"{_dated(event)} [{number}]"


def _suppose(made: Forecast, key: str, run: str) -> None:
    """Let the reader type an event of their own."""
    with st.popover(t("Suppose a change")), st.form(f"suppose_{key}", border=False):
        what = st.text_input(
            t("What happens"), placeholder=plain("In the words of the sources"), key=f"what_{key}"
        )
        when = st.text_input(
            t("When"), placeholder=display_text.period(made.points[0].period), key=f"when_{key}"
        )
        if st.form_submit_button(t("Show"), on_click=partial(_typed, made, key, run)) and not (
            what.strip() and read_date(when, made.series.points[-1].period)
        ):
            st.warning(t("Say what happens, and a date after the last value."))


def _typed(made: Forecast, key: str, run: str) -> None:
    """Keep what the reader typed, unless it is listed, and tick it before the page is drawn anew."""
    what = st.session_state[f"what_{key}"].strip()
    period = read_date(st.session_state[f"when_{key}"], made.series.points[-1].period)
    if not (what and period):
        return
    event = DatedEvent(period=period, text=what)
    typed: tuple[DatedEvent, ...] = st.session_state.get(f"typed_{run}", ())
    listed = [*(scenario.event for scenario in made.scenarios), *typed]
    same = (n for n, other in enumerate(listed) if other.period == period and alike(other, event))
    number = next(same, len(listed))
    if number == len(listed):
        st.session_state[f"typed_{run}"] = (*typed, event)
    st.session_state[f"scenario_{key}_{number}"] = True


def _explained(chosen: Sequence[Scenario], joint: JointScenario, made: Forecast, report: Report) -> None:
    """Say what the events would change, on which sentences of which sources, and after which earlier ones."""
    language = detect_language(report.question)
    if len(chosen) == 1:
        st.caption(line(effect(chosen[0], made, language)))
    elif len(joint.events) > 1:
        st.caption(line(joint_effect(joint, made, language)))
    st.caption(join("\n", [each for scenario in chosen for each in _points(scenario, made, report, chosen)]))


def _points(scenario: Scenario, made: Forecast, report: Report, chosen: Sequence[Scenario]) -> list[Safe]:
    """Return the event, among several with what it would change by itself, and its earlier likes."""
    text = _cited(scenario.event, report)
    if len(chosen) > 1:
        text += " — " + _alone(scenario, made)
    like = scenario.like[:MAX_EARLIER_EVENTS]
    earlier = [layout("    - {text}", text=t("earlier: {event}", event=_cited(e, report))) for e in like]
    return [layout("- {text}", text=text), *earlier]


def _alone(scenario: Scenario, made: Forecast) -> str:
    """Say what one of several events would change by itself; what has no effect is not added."""
    if not scenario.points:
        return plain("not added. {reason}", reason=scenario.reason)
    return plain("by itself {effect}", effect=signed(scenario.effect or 0.0, made))
