"""One part of a plan, or the whole question: what it asked and found; and each of its steps by itself."""

from collections.abc import Sequence

from core.domain import SubQuestion
from core.i18n.escaping import join, layout, line
from core.i18n.messages import mark, plain, say, say_plain, t
from core.i18n.outcome_texts import NOT_ANSWERED
from core.i18n.recorded_messages import translated_plain
from core.trace import Proposed, Reranked, Searched, TableQueried
from core.ui.chat import answer_layout, feedback_form
from core.ui.shared import components, display_text, session, st, widgets
from core.ui.trace import event_lines, run_tree, trace_charts
from core.ui.trace.passage_list import PassageList
from core.ui.trace.run_trace import PartTrace, RunTrace, Step

UNANSWERED = {  # by the state of a part
    "forecast": mark("No passage says this; the forecast does."),
    "sides": mark("Each side was found; a model would put the comparison into words."),
}


def part(trace: RunTrace, asked: SubQuestion, run: str, listed: PassageList) -> None:
    """Show what a part asked, what was found, and on what."""
    part_trace = trace.part(asked.id)
    state, word, colour = run_tree.part_state(trace, part_trace)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"part_{run}_{asked.id}"
    ):
        st.badge(line(word), color=colour)
        needs = (
            t("needs part {parts}", parts=", ".join(map(str, asked.depends_on))) if asked.depends_on else ""
        )
        st.caption(join(" · ", filter(None, (say(display_text.PART_TYPES[asked.type]), needs))))
        if part_trace.answer is not None:
            feedback_form.part(run, asked.id)
    planned = run_tree.planned_words(trace, asked)
    if run_tree.part_words(trace, asked) != planned:
        st.caption(t("Planned as “{question}”", question=line(planned, 300)))
    answer = part_trace.answer
    if answer is not None:
        nothing = translated_plain(answer.failure) or say_plain(UNANSWERED.get(state, NOT_ANSWERED))
        text = answer_layout.plain(answer.answer) if answer.found else nothing
        st.markdown(line(text, 600), anchors=False)
    evidence(part_trace, f"{run}_{asked.id}", listed)


def evidence(part_trace: PartTrace, key: str, listed: PassageList) -> None:
    """Show the evidence of a part, best first."""
    if part_trace.reused:
        st.page_link(
            session.TRACE,
            label=t("As found in the run before: nothing it needs has changed"),
            icon=":material/history:",
            query_params={session.RUN: part_trace.reused},
        )
    if not part_trace.empty():
        listed.show(part_trace.passages(), key)


def step(done: Step, key: str, listed: PassageList) -> None:
    """Show one step of a part."""
    event = done.event
    match event:
        case Searched():
            st.markdown(line(event.query, 600), anchors=False)
            if event.topics:
                badges = join(" ", [layout(":gray-badge[{topic}]", topic=topic) for topic in event.topics])
                st.markdown(t("Within the topics {badges}", badges=badges), anchors=False)
            if event.cached:
                st.caption(t("From the cache: the same search was made before."))
            listed.show(event.passages, key)
        case Reranked():
            _reranked(event, key, listed)
        case TableQueried():
            st.caption(line(event_lines.event_line(event).label))
            st.code(event.sql, language="sql", wrap_lines=True)
            if event.rows:
                frame = {name: [row[n] for row in event.rows] for n, name in enumerate(event.columns)}
                st.dataframe(
                    frame, hide_index=True, width="stretch", height=300, placeholder="", key=f"rows_{key}"
                )
        case Proposed():
            _round(event)
        case _:
            summary = event_lines.event_line(event)
            widgets.facts([(summary.label, summary.text)])


def _reranked(event: Reranked, key: str, listed: PassageList) -> None:
    chart = trace_charts.slope(event.passages)
    if chart is not None:
        with st.expander(line(str(chart["label"])), type="compact", key=f"slope_{key}"):
            components.slope(chart, key=f"drawn_{key}")
    listed.show(event.passages, key)


def _round(asked: Proposed) -> None:
    st.markdown(join("\n", [layout("- {question}", question=q) for q in asked.questions]), anchors=False)
    if asked.candidates:
        frame = {
            plain("candidate"): list(asked.candidates),
            plain("bound"): _padded(asked.scores, len(asked.candidates)),
            plain("times weighed"): _padded(asked.visits, len(asked.candidates)),
            plain("chosen"): [index == asked.chosen for index in range(len(asked.candidates))],
        }
        st.dataframe(frame, hide_index=True, width="stretch", placeholder="")
    if asked.reason:
        st.caption(line(display_text.sentence(translated_plain(asked.reason))))


def _padded(values: Sequence[float], length: int) -> list[float | None]:
    """Return the values with None for what runs of earlier versions did not keep."""
    return [*values, *[None] * (length - len(values))]
