"""One viewpoint of a council: what it cares about, argues, proposes and read."""

from core.i18n import recorded_messages
from core.i18n.escaping import join, layout, line
from core.i18n.messages import t
from core.ui.inspector import live_trace, run_progress
from core.ui.inspector.selection import ChosenViewpoint
from core.ui.shared import session, st

MAX_CHARACTERS = 700


def show(chosen: ChosenViewpoint) -> None:
    """Show what the role said and what it rests on."""
    run = session.assistant().questions.run(chosen.run)
    trace = live_trace.trace_of(run)
    viewpoint = next((one for one in trace.perspectives if one.perspective.role.id == chosen.role), None)
    if viewpoint is None:
        st.caption(t("This viewpoint has not spoken."))
        return
    perspective = viewpoint.perspective
    st.markdown(layout("## {name}", name=line(perspective.role.name, 80)), anchors=False)
    cares = perspective.role.cares or perspective.role.voice
    if cares:
        st.caption(line(cares, MAX_CHARACTERS))
    if perspective.failure:
        st.badge(t("Could not take part"), color="orange")
        st.markdown(recorded_messages.translated(perspective.failure, MAX_CHARACTERS), anchors=False)
        return
    lines = [
        layout("- {text}", text=line(statement.text, MAX_CHARACTERS)) for statement in perspective.argument
    ]
    lines += [
        t("- **Proposes** {text}", text=line(proposal.text, MAX_CHARACTERS))
        for proposal in perspective.proposals
    ]
    if lines:
        st.markdown(join("\n", lines), anchors=False)
    else:
        st.caption(t("The library says nothing to this from here."))
    if viewpoint.passages:
        st.caption(t("Passages it read · {passages}", passages=len(viewpoint.passages)))
        report = run.report
        numbers = {p.chunk.id: n for n, p in enumerate(report.passages, 1)} if report is not None else {}
        run_progress.sources(
            viewpoint.passages[: run_progress.MAX_PASSAGES], numbers, run.id, "inspector_role_found"
        )
