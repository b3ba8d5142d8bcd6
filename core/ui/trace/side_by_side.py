"""Two runs side by side: what both answers say, what changed, and why."""

import streamlit as st

from core.domain import Passage
from core.errors import NotFound
from core.knowledge.stores.records import Run
from core.ui.chat import sources
from core.ui.shared import components, display_text, safe, session
from core.ui.trace import charts, differences
from core.ui.trace.story import Story
from core.work.comparison import Comparison


def choose(run: Run, story: Story) -> None:
    """Let the reader set another run beside this one."""
    others = {held.id: held for held in session.assistant().questions.runs(limit=50) if held.id != run.id}
    if not others:
        return
    parent = story.asked.parent if story.asked is not None else ""
    labels = display_text.distinct(
        {
            name: f"{'the run before: ' if name == parent else ''}"
            f"{safe.shorten(held.question, 90)}  ·  {display_text.moment(held.started)}"
            for name, held in others.items()
        }
    )
    key = f"with_{run.id}"

    def compare() -> None:
        chosen = st.session_state[key]
        if chosen is not None:
            session.go(**{session.RUN: run.id, session.WITH: chosen, session.AT: "changes"})

    with st.popover("Compare with …", type="tertiary", icon=":material/compare_arrows:"):
        st.selectbox(
            "Another run",
            list(others),
            index=None,
            format_func=lambda name: labels[name],
            placeholder="Another run",
            key=key,
            on_change=compare,
        )


def show(run: Run, story: Story) -> None:
    """Show what changed since the run beside this one: the chosen one, else the one it works on again."""
    questions = session.assistant().questions
    wanted = session.param(session.WITH) or (story.asked.parent if story.asked is not None else "")
    try:
        other = questions.run(wanted)
    except NotFound:
        st.info("The run before is no longer in the library.", icon=":material/info:")
        return
    first, second = sorted((other, run), key=lambda held: held.started)
    _show(questions.compare(first.id, second.id), run.id)


def _show(found: Comparison, run: str) -> None:
    said = "The answers say the same." if found.same else differences.summary(found)
    st.markdown(f"**{safe.line(said)}**", anchors=False)
    st.markdown("\n".join(f"- {safe.line(why)}" for why in found.why), anchors=False)
    components.compare(
        differences.answers(found, run), key=f"compare_{run}_{found.before.run}_{found.after.run}"
    )
    plan = differences.plan(found)
    if plan["rows"]:
        st.caption("What became of each part of the plan")
        components.compare(plan, key=f"compare_plan_{run}_{found.before.run}_{found.after.run}")
    for label, passages in (("Evidence gained", found.gained), ("Evidence lost", found.lost)):
        _evidence(label, passages, f"{run}_{found.before.run}")
    kept = display_text.count(found.kept, "passage")
    if found.kept:
        st.caption(f"{kept} in both.")


def _evidence(label: str, passages: tuple[Passage, ...], key: str) -> None:
    if not passages:
        return
    with st.container(gap="xxsmall", key=f"sources_{label[9:13].strip()}_{key}"):
        st.caption(f"{label}: {display_text.count(len(passages), 'passage')}")
        for passage in passages:
            name = safe.line(charts.name(passage), 100)
            if st.button(name, key=f"source_{label}_{key}_{passage.chunk.id}", type="tertiary"):
                sources.open_passage(passage)
