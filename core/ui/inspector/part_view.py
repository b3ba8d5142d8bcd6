"""One part of a plan: what was asked, what was found, by which searches, and on which passages."""

import streamlit as st

from core.trace import TableQueried
from core.ui.chat import feedback_form, prose
from core.ui.inspector import course_view, told
from core.ui.inspector.selection import PlanPart
from core.ui.shared import display_text, safe, session
from core.ui.trace import event_lines

STATES: dict[str, tuple[str, display_text.Colour]] = {
    "waiting": ("waits", "gray"),
    "running": ("working", "blue"),
    "found": ("found", "green"),
    "missing": ("not found", "orange"),
    "failed": ("failed", "red"),
}
SHOWN = 6


def show(chosen: PlanPart) -> None:
    """Show the part as far as it has come."""
    run = session.assistant().questions.run(chosen.run)
    story = told.story(run)
    asked = next((part for part in story.planned_parts() if part.id == chosen.part), None)
    if asked is None:
        st.caption("The plan no longer has this part.")
        return
    part = story.part(chosen.part)
    st.markdown(f"#### Part {asked.id}", anchors=False)
    st.markdown(safe.escape(part.asked or asked.question), anchors=False)
    word, colour = STATES[part.status()]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspector_state"):
        st.badge(word, color=colour)
        needs = f" · needs part {', '.join(map(str, asked.depends_on))}" if asked.depends_on else ""
        st.caption(f"{asked.type}{needs}")
    answer = part.answer
    if answer is not None:
        said = prose.plain(answer.answer) if answer.found else answer.failure or answer.near_miss
        if said:
            st.markdown(
                f"**{'Found' if answer.found else 'Nearest'}**\u2002{safe.line(said, 600)}", anchors=False
            )
    lines = [event_lines.say(step.event) for step in part.steps]
    if lines:
        st.caption("Searches")
        rows = [f"- {safe.line(row.label)}: {safe.line(row.text, 200)}" for row in lines]
        st.markdown("\n".join(rows), anchors=False)
    for query in (step.event for step in part.steps if isinstance(step.event, TableQueried)):
        st.code(query.sql, language="sql", wrap_lines=True)
    passages = part.passages() or (answer.passages if answer is not None else ())
    if passages:
        st.caption(f"Passages · {len(passages)}")
        report = run.report
        numbers = {p.chunk.id: n for n, p in enumerate(report.passages, 1)} if report is not None else {}
        course_view.sources(passages[:SHOWN], numbers, run.id, "inspector_part_found")
    if answer is not None:
        feedback_form.part(run.id, asked.id)
