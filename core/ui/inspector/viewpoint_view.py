"""One viewpoint of a council: what it cares about, argues, proposes and read."""

import streamlit as st

from core.ui.inspector import course_view, told
from core.ui.inspector.selection import Viewpoint
from core.ui.shared import safe, session

LONG = 700


def show(chosen: Viewpoint) -> None:
    """Show what the role said and what it rests on."""
    run = session.assistant().questions.run(chosen.run)
    story = told.story(run)
    given = next((one for one in story.perspectives if one.perspective.role.id == chosen.role), None)
    if given is None:
        st.caption("This viewpoint has not spoken.")
        return
    held = given.perspective
    st.markdown(f"## {safe.line(held.role.name, 80)}", anchors=False)
    cares = held.role.cares or held.role.voice
    if cares:
        st.caption(safe.line(cares, LONG))
    if held.failure:
        st.badge("Could not take part", color="orange")
        st.markdown(safe.line(held.failure, LONG), anchors=False)
        return
    said = [f"- {safe.line(statement.text, LONG)}" for statement in held.argument]
    said += [f"- **Proposes** {safe.line(proposal.text, LONG)}" for proposal in held.proposals]
    if said:
        st.markdown("\n".join(said), anchors=False)
    else:
        st.caption("The library says nothing to this from here.")
    if given.passages:
        st.caption(f"Passages it read · {len(given.passages)}")
        report = run.report
        numbers = {p.chunk.id: n for n, p in enumerate(report.passages, 1)} if report is not None else {}
        course_view.sources(given.passages[: course_view.PASSAGES], numbers, run.id, "inspector_role_found")
