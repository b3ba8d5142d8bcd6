"""Lets the reader see a forecast as if something happened: a dated event of the sources, or one typed in."""

from functools import partial

from core.domain import DatedEvent, Forecast, Report, Scenario
from core.forecast.dated_events import effect, quoted
from core.forecast.scenarios import read_date, suppose
from core.i18n.escaping import join, layout, line
from core.i18n.messages import plain, t
from core.text.tokens import detect_language
from core.ui.shared import display_text, st

MAX_EVENT_CHARACTERS = 60  # characters of an event in the list
MAX_EARLIER_EVENTS = 3  # earlier events that are named


def choose(made: Forecast, report: Report, key: str) -> Scenario | None:
    """Draw the choice and what it means; return the scenario to draw, None for the forecast as it is."""
    language = detect_language(report.question)
    typed: DatedEvent | None = st.session_state.get(f"typed_{key}")
    scenarios = made.scenarios if typed is None else (*made.scenarios, suppose(made, typed, language))
    chosen: int | None = None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if scenarios:
            chosen = st.selectbox(
                t("As if"),
                range(len(scenarios)),
                index=None,
                placeholder=plain("Nothing changes"),
                format_func=lambda n: _named(scenarios[n].event),
                key=f"scenario_{key}",
            )
        _suppose(made, key, first=len(made.scenarios))
    if chosen is None or chosen >= len(scenarios):
        return None
    _explained(scenarios[chosen], made, report, language)
    return scenarios[chosen]


def _named(event: DatedEvent) -> str:
    text = quoted(event)
    short = text if len(text) <= MAX_EVENT_CHARACTERS else text[: MAX_EVENT_CHARACTERS - 1].rstrip() + "…"
    return f"{display_text.period(event.period)}: {short}"


def _cited(event: DatedEvent, report: Report) -> str:
    """Return the words of the source with its number among the sources of the answer."""
    held = (n for n, passage in enumerate(report.passages, 1) if passage.chunk.id == event.chunk_id)
    number = next(held, None)
    said = f"{display_text.period(event.period)}: {quoted(event)}"
    return said if number is None else f"{said} [{number}]"


def _suppose(made: Forecast, key: str, first: int) -> None:
    """Let the reader type an event of their own."""
    with st.popover(t("Suppose a change")), st.form(f"suppose_{key}", border=False):
        what = st.text_input(
            t("What happens"), placeholder=plain("In the words of the sources"), key=f"what_{key}"
        )
        when = st.text_input(
            t("When"), placeholder=display_text.period(made.points[0].period), key=f"when_{key}"
        )
        last = made.series.points[-1].period
        if st.form_submit_button(t("Show"), on_click=partial(_typed, key, last, first)) and not (
            what.strip() and read_date(when, last)
        ):
            st.warning(t("Say what happens, and a date after the last value."))


def _typed(key: str, last: str, first: int) -> None:
    """Keep what the reader typed and choose it, before the page is drawn anew."""
    what, period = st.session_state[f"what_{key}"].strip(), read_date(st.session_state[f"when_{key}"], last)
    if what and period:
        st.session_state[f"typed_{key}"] = DatedEvent(period=period, text=what)
        st.session_state[f"scenario_{key}"] = first


def _explained(scenario: Scenario, made: Forecast, report: Report, language: str) -> None:
    """Say what the event would change, on which sentence of which source, and after which earlier ones."""
    st.caption(line(effect(scenario, made, language)))
    if scenario.event.chunk_id:
        st.caption(layout("- {text}", text=_cited(scenario.event, report)))
    if scenario.like:
        named = [
            layout("- {text}", text=_cited(event, report)) for event in scenario.like[:MAX_EARLIER_EVENTS]
        ]
        st.caption(join("\n", [t("Earlier such events:"), layout(""), *named]))
