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
    """Let the reader set another run beside this one; one that was worked on again stands there by itself."""
    assistant = session.assistant()
    parent = story.asked.parent if story.asked is not None else ""
    known = {held.id: held for held in assistant.questions.runs(limit=50) if held.id != run.id}
    for wanted in (parent, session.param(session.WITH)):
        if wanted and wanted not in known and wanted != run.id:
            try:
                known[wanted] = assistant.questions.run(wanted)
            except NotFound:
                continue
    if not known:
        return
    given = session.param(session.WITH) or parent
    names = list(known)
    labels = display_text.distinct(
        {
            name: f"{'the run before: ' if name == parent else ''}"
            f"{safe.shorten(held.question, 90)}  ·  {display_text.moment(held.started)}"
            for name, held in known.items()
        }
    )
    chosen = st.selectbox(
        "Compare with",
        names,
        index=names.index(given) if given in known else None,
        format_func=lambda name: labels[name],
        placeholder="Another run",
        key=f"with_{run.id}",
    )
    if chosen is not None:
        first, second = sorted((known[chosen], run), key=lambda held: held.started)
        _show(assistant.questions.compare(first.id, second.id), run.id)


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
