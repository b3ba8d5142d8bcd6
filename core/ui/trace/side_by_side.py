"""Two runs side by side: what both answers say, what changed, and why."""

from core.domain import Passage
from core.errors import NotFound
from core.i18n.escaping import Safe, join, layout, line, shorten
from core.i18n.messages import plain, t, tn
from core.i18n.recorded_messages import translated
from core.knowledge.stores.records import Run, RunFilter
from core.ui.inspector.selection import Source, select
from core.ui.shared import components, display_text, session, st
from core.ui.trace import run_differences, trace_charts
from core.ui.trace.run_trace import RunTrace
from core.work.runs.run_changes import RunComparison

MAX_OTHERS = 50  # runs that can be chosen, the newest
CHOICE_PIXELS = 460  # of the list: the time and most of a question can be read
MAX_UNFOLDED = 3  # entries of a list that stand open


def choose(run: Run, trace: RunTrace) -> None:
    """Let the reader set another run beside this one."""
    cards, _ = session.assistant().questions.find_runs(RunFilter(), limit=MAX_OTHERS)
    others = {card.id: card for card in cards if card.id != run.id}
    if not others:
        return
    parent = trace.asked.parent if trace.asked is not None else ""
    named = {
        name: f"{display_text.moment(card.started)}  ·  {shorten(card.question, 90)}"
        for name, card in others.items()
    }
    if parent in named:
        named[parent] = plain("the run before: {run}", run=named[parent])
    labels = display_text.distinct(named)
    key = f"with_{run.id}"

    def compare() -> None:
        chosen = st.session_state[key]
        if chosen is not None:
            session.go(**{session.RUN: run.id, session.WITH: chosen, session.AT: "changes"})

    key_open = f"compare_{run.id}_{session.param(session.WITH)}"  # another one once chosen: it opens closed
    with st.popover(t("Compare with …"), type="tertiary", icon=":material/compare_arrows:", key=key_open):
        st.selectbox(
            t("Another run"),
            list(others),
            index=None,
            format_func=lambda name: labels[name],
            placeholder=plain("Another run"),
            key=key,
            on_change=compare,
            width=CHOICE_PIXELS,
        )


def show(run: Run, trace: RunTrace) -> None:
    """Show what changed since the run beside this one: the chosen one, else the one it works on again."""
    questions = session.assistant().questions
    wanted = session.param(session.WITH) or (trace.asked.parent if trace.asked is not None else "")
    try:
        other = questions.run(wanted)
    except NotFound:
        st.info(t("The run before is no longer in the library."), icon=":material/info:")
        return
    first, second = sorted((other, run), key=lambda each: each.started)
    compared(questions.compare(first.id, second.id), run.id)


def compared(found: RunComparison, run: str) -> None:
    """Show what a comparison found; `run` is the one the page is about."""
    summary = plain("The answers say the same.") if found.same else run_differences.summary(found)
    st.markdown(layout("**{said}**", said=summary), anchors=False)
    st.markdown(join("\n", [layout("- {why}", why=translated(why)) for why in found.why]), anchors=False)
    components.compare(
        run_differences.answers(found, run), key=f"compare_{run}_{found.before.run}_{found.after.run}"
    )
    plan = run_differences.plan(found)
    if plan["rows"]:
        with _list(t("What became of each part of the plan"), len(found.parts)):
            components.compare(plan, key=f"compare_plan_{run}_{found.before.run}_{found.after.run}")
    for way, passages in (("gained", found.gained), ("lost", found.lost)):
        _evidence(way, passages, run, found.before.run)
    if found.kept:
        st.caption(tn("{n:,} passage in both.", "{n:,} passages in both.", found.kept))


def _list(title: Safe, entries: int) -> st.Container:
    """Return what holds a list under its title: folded where it would push the next ones out of sight."""
    if entries > MAX_UNFOLDED:
        return st.expander(title, type="compact")
    st.caption(title)
    return st.container()


def _evidence(way: str, passages: tuple[Passage, ...], run: str, other: str) -> None:
    if not passages:
        return
    title = (
        tn("Evidence gained: {n:,} passage", "Evidence gained: {n:,} passages", len(passages))
        if way == "gained"
        else tn("Evidence lost: {n:,} passage", "Evidence lost: {n:,} passages", len(passages))
    )
    with _list(title, len(passages)), st.container(gap="xxsmall", key=f"sources_{way}_{run}_{other}"):
        for passage in passages:
            name = line(trace_charts.name(passage), 100)
            st.button(
                name,
                key=f"source_{way}_{run}_{other}_{passage.chunk.id}",
                type="tertiary",
                on_click=select,
                args=(Source(passage=passage, run=run),),
            )
