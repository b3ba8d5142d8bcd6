"""All runs as a list that can be narrowed: by words, outcome, level, effort, engine and day."""

from datetime import date, datetime, time, timedelta
from typing import get_args

from core.domain import Effort, Level, Outcome
from core.i18n.escaping import join, line
from core.i18n.messages import plain, say, say_plain, t, tn
from core.knowledge.stores.records import RunCard, RunFilter
from core.ui.shared import display_text, session, st

RUNS_PER_PAGE = 15
EFFORTS: tuple[str, ...] = ("", *get_args(Effort))
OUTCOME_WIDTH_PIXELS = 165  # pixels, so that what stands behind the outcomes is in a column


def show() -> None:
    """Show the filters and the runs they leave."""
    st.title(t("Trace"), anchor=False)
    questions = session.assistant().questions
    _, all_count = questions.find_runs(RunFilter(), limit=1)
    if not all_count:
        st.markdown(t("No question has been asked yet. Each one leaves its whole trace here."))
        st.page_link(session.CHAT, label=t("Ask the first one"), icon=":material/forum:")
        return
    wanted = _filters(list(questions.engines()))
    _, total = questions.find_runs(wanted, limit=1)
    if wanted == RunFilter():
        st.caption(tn("{n:,} run, newest first", "{n:,} runs, newest first", total))
    else:
        st.caption(
            tn(
                "{n:,} of {all:,} run, newest first",
                "{n:,} of {all:,} runs, newest first",
                total,
                all=all_count,
            )
        )
    if not total:
        st.markdown(t("No run fits these filters."))
        st.button(t("Clear the filters"), icon=":material/filter_alt_off:", on_click=_clear)
        return
    pages = -(-total // RUNS_PER_PAGE)
    at = st.session_state.get("runs.page", 1) if pages > 1 else 1
    cards, _ = questions.find_runs(wanted, RUNS_PER_PAGE, (min(int(at), pages) - 1) * RUNS_PER_PAGE)
    with st.container(gap="xxsmall", key="run_list"):
        for card in cards:
            _row(card)
    if pages > 1:
        st.pagination(pages, key="runs.page")


def _filters(engines: list[str]) -> RunFilter:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="run_filters"):
        text = st.text_input(
            t("Words"), key="runs.text", placeholder=plain("Words of the question"), width=190
        )
        outcomes = st.multiselect(
            t("Outcome"),
            list(Outcome),
            format_func=lambda value: say_plain(display_text.OUTCOMES[value][0]),
            key="runs.outcomes",
            placeholder=plain("Any"),
            width=150,
        )
        levels = st.multiselect(
            t("Level"),
            list(Level),
            format_func=lambda value: say_plain(display_text.LEVELS[value][0]),
            key="runs.levels",
            placeholder=plain("Any"),
            width=120,
        )
        efforts = st.multiselect(
            t("Effort"),
            EFFORTS,
            format_func=lambda value: display_text.effort(value) or plain("As set"),
            key="runs.efforts",
            placeholder=plain("Any"),
            width=115,
        )
        chosen = (
            st.multiselect(
                t("Engine"),
                engines,
                key="runs.engines",
                format_func=display_text.engine,
                placeholder=plain("Any"),
                width=125,
            )
            if len(engines) > 1
            else []
        )
        days = st.date_input(t("Asked on"), value=[], key="runs.days", format="YYYY-MM-DD", width=245)
    since, until = _span(days if isinstance(days, tuple) else (days,) if days else ())
    return RunFilter(
        text=text.strip(),
        outcomes=tuple(map(str, outcomes)),
        levels=tuple(map(str, levels)),
        efforts=tuple(efforts),
        engines=tuple(chosen),
        since=since,
        until=until,
    )


def _span(days: tuple[date, ...]) -> tuple[float | None, float | None]:
    """Return the first moment of the first day and the end of the last; one day is from then on."""
    if not days:
        return None, None
    since = datetime.combine(days[0], time.min).timestamp()
    if len(days) < 2:
        return since, None
    return since, datetime.combine(days[1] + timedelta(days=1), time.min).timestamp()


def _clear() -> None:
    for name in ("runs.text", "runs.outcomes", "runs.levels", "runs.efforts", "runs.engines", "runs.days"):
        st.session_state.pop(name, None)


def _row(card: RunCard) -> None:
    with st.container(key=f"run_row_{card.id}"):
        left, right = st.columns([5, 4], vertical_alignment="center", gap="small")
        left.button(
            line(card.question, 160),
            type="tertiary",
            wrap=False,
            width="stretch",
            key=f"run_open_{card.id}",
            on_click=session.go,
            kwargs={session.RUN: card.id},
        )
        with right.container(horizontal=True, vertical_alignment="center", gap="small"):
            if card.outcome:
                word, colour, _ = display_text.OUTCOMES[Outcome(card.outcome)]
            else:
                word, colour = display_text.RUN_STATUS[card.status]
            with st.container(width=OUTCOME_WIDTH_PIXELS):
                st.badge(say(word), color=colour)
            facts = [
                card.level,
                line(display_text.effort(card.effort)),
                line(display_text.engine(card.engine), 40),
                display_text.seconds(card.seconds) if card.seconds is not None else "",
                plain("worked on again") if card.parent else "",
                display_text.moment(card.started),
            ]
            st.caption(join(" · ", filter(None, facts)), width="content")
