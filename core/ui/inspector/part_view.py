"""One part of a plan: what was asked, what was found, by which searches, and on which passages."""

from core.i18n.escaping import escape, join, layout, line
from core.i18n.messages import say, t
from core.trace import Searched, TableQueried, ToolChosen, WordsMapped
from core.ui.chat import answer_layout, feedback_form
from core.ui.inspector import live_trace, run_progress
from core.ui.inspector.selection import PlanPart
from core.ui.shared import display_text, session, st
from core.ui.trace import event_lines, run_tree

MAX_PASSAGES = 6


def show(chosen: PlanPart) -> None:
    """Show the part as far as it has come."""
    run = session.assistant().questions.run(chosen.run)
    trace = live_trace.trace_of(run)
    asked = next((part for part in trace.planned_parts() if part.id == chosen.part), None)
    if asked is None:
        st.caption(t("The plan no longer has this part."))
        return
    part = trace.part(chosen.part)
    st.markdown(t("## Part {id}", id=asked.id), anchors=False)
    st.markdown(escape(run_tree.part_words(trace, asked)), anchors=False)
    _, word, colour = run_tree.part_state(trace, part)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspector_state"):
        st.badge(line(word), color=colour)
        shown: list[str] = [say(display_text.PART_TYPES[asked.type])]
        if asked.depends_on:
            shown.append(t("needs part {parts}", parts=", ".join(map(str, asked.depends_on))))
        st.caption(join(" · ", shown))
    answer = part.answer
    if answer is not None:
        finding = answer_layout.plain(answer.answer) if answer.found else answer.failure or answer.near_miss
        if finding:
            st.markdown(
                layout(
                    "**{how}**\u2002{said}",
                    how=t("Found") if answer.found else t("Nearest"),
                    said=line(finding, 600),
                ),
                anchors=False,
            )
    events = [step.event for step in part.steps]
    lines = [event_lines.event_line(e) for e in events if isinstance(e, WordsMapped | ToolChosen | Searched)]
    if lines:
        st.caption(t("Searches"))
        rows = [layout("- {label}: {text}", label=row.label, text=line(row.text, 200)) for row in lines]
        st.markdown(join("\n", rows), anchors=False)
    for query in (event for event in events if isinstance(event, TableQueried)):
        st.code(query.sql, language="sql", wrap_lines=True)
    passages = part.passages() or (answer.passages if answer is not None else ())
    if passages:
        st.caption(t("Passages · {passages}", passages=len(passages)))
        report = run.report
        numbers = {p.chunk.id: n for n, p in enumerate(report.passages, 1)} if report is not None else {}
        run_progress.sources(passages[:MAX_PASSAGES], numbers, run.id, "inspector_part_found")
    if answer is not None:
        feedback_form.part(run.id, asked.id)
