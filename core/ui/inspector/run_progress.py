"""A run's course at a glance, the same while it happens: its step, parts, viewpoints, passages, calls."""

from collections.abc import Sequence

from core.domain import Level, Passage, Report
from core.i18n.escaping import join, layout, line
from core.i18n.messages import plain, t, tn
from core.ui.inspector import live_trace
from core.ui.inspector.selection import ChosenViewpoint, PlanPart, Source, WholeRun, select
from core.ui.shared import display_text, session, st
from core.ui.trace import event_words, run_tree, trace_charts
from core.ui.trace.part_states import STATES
from core.ui.trace.run_trace import RunTrace, TimedCall, all_passages

MAX_PASSAGES = 8
MAX_CALLS = 12


def show(course: WholeRun) -> None:
    """Show what the run has found and done so far."""
    run = session.assistant().questions.run(course.run)
    trace = live_trace.trace_of(run)
    going = live_trace.live(run)
    st.markdown(t("## Working on it") if going else t("## Steps"), anchors=False)
    if going:
        doing: list[str] = [event_words.doing(trace.step, trace.ahead)]
        if trace.step_part is not None:
            doing.append(t("part {number}", number=trace.step_part))
        st.caption(layout("{doing} …", doing=join(" · ", doing)))
    else:
        st.caption(t("{seconds} in all", seconds=display_text.seconds(trace.seconds)))
    name = "inspector_sections_going" if going else "inspector_sections"
    with st.container(gap=None, key=name):  # a place each, so that none takes another's
        with st.container():
            parts(trace, run.id)
        with st.container():
            _viewpoints(trace, run.id)
        with st.container():
            _passages(trace, run.report, run.id)
        with st.container():
            _calls(trace.calls)


def apart(trace: RunTrace) -> bool:
    """Say whether a forecast or a council answers, so that nobody answers the parts of the plan."""
    level = trace.report.level if trace.report is not None else trace.route and trace.route.level
    if level not in (Level.PREDICTIVE, Level.CREATIVE):
        return False
    return not any(part.answer is not None and part.answer.found for part in trace.parts.values())


def parts(trace: RunTrace, run: str) -> None:
    """List the parts of the plan with their states; one that is pressed is shown."""
    planned = trace.planned_parts()
    if not planned or apart(trace):
        return
    st.caption(t("Parts · {part}", part=tn("{n:,} part", "{n:,} parts", len(planned))))
    with st.container(gap="xxsmall", key="inspector_parts"):
        for asked in planned:
            part = trace.parts.get(asked.id)
            status, *_ = run_tree.part_state(trace, part)
            words = run_tree.part_words(trace, asked)
            st.button(
                layout("{id}\u2002{words}", id=asked.id, words=line(words, 120)),
                icon=STATES[status].icon,
                key=f"inspector_part_{asked.id}",
                type="tertiary",
                on_click=select,
                args=(PlanPart(run=run, part=asked.id),),
            )


def _viewpoints(trace: RunTrace, run: str) -> None:
    names = [role.name for role in trace.roles.roles] if trace.roles is not None else []
    if not trace.perspectives and not names:
        return
    st.caption(t("Viewpoints"))
    spoken = {viewpoint.perspective.role.name for viewpoint in trace.perspectives}
    with st.container(gap="xxsmall", key="inspector_roles"):
        for viewpoint in trace.perspectives:
            role = viewpoint.perspective.role
            st.button(
                line(role.name, 80),
                icon=STATES["failed" if viewpoint.perspective.failure else "found"].icon,
                key=f"inspector_role_{role.id}",
                type="tertiary",
                on_click=select,
                args=(ChosenViewpoint(run=run, role=role.id),),
            )
        waiting = [name for name in names if name not in spoken]
        if waiting and trace.report is None:
            st.caption(t("Still to speak: {waiting}", waiting=line(", ".join(waiting), 200)))


def _passages(trace: RunTrace, report: Report | None, run: str) -> None:
    read = report.passages if report is not None else ()
    numbers = {p.chunk.id: n for n, p in enumerate(read, 1)}
    found = list({p.chunk.id: p for p in (*all_passages(trace), *read)}.values())
    if not found:
        return
    best = sorted(found, key=lambda p: (numbers.get(p.chunk.id, len(found) + 1), -p.score))
    if len(found) > MAX_PASSAGES:
        st.caption(
            t("Passages · {found} looked at, the first {shown}:", found=len(found), shown=MAX_PASSAGES)
        )
    else:
        st.caption(t("Passages · {found} looked at", found=len(found)))
    sources(best[:MAX_PASSAGES], numbers, run, "inspector_found")


def sources(passages: Sequence[Passage], numbers: dict[str, int], run: str, key: str) -> None:
    """List passages by name; one that is pressed is shown where it stands."""
    with st.container(gap="xxsmall", key=key):
        for passage in passages:
            number = numbers.get(passage.chunk.id)
            name = line(trace_charts.name(passage), 100)
            st.button(
                name if number is None else layout("**{number}**\u2002{name}", number=number, name=name),
                icon=None if number is not None else ":material/article:",
                key=f"{key}_{passage.chunk.id}",
                type="tertiary",
                on_click=select,
                args=(Source(passage=passage, number=number, run=run),),
            )


def _calls(calls: Sequence[TimedCall]) -> None:
    if not calls:
        return
    tokens = sum(made.call.tokens_in + made.call.tokens_out for made in calls if not made.call.cached)
    spent = sum(made.call.seconds for made in calls)
    counted = tn("{n:,} call", "{n:,} calls", len(calls))
    totals = [t("Calls"), counted]
    if tokens:
        totals.append(tn("{n:,} token", "{n:,} tokens", tokens))
    st.caption(join(" · ", [*totals, display_text.seconds(spent)]))
    rows = []
    for made in calls[-MAX_CALLS:]:
        call = made.call
        part = f" {made.sub_question}" if made.sub_question is not None else ""
        spoken = (
            plain("{read:,} → {wrote:,} tokens", read=call.tokens_in, wrote=call.tokens_out)
            if call.tokens_in
            else ""
        )
        cached = plain("kept from before") if call.cached else ""
        asked, by = f"{event_words.task(call.task)}{part}", display_text.engine(call.engine)
        figures = (asked, by, spoken, display_text.seconds(call.seconds), cached)
        rows.append(line(" · ".join(filter(None, figures)), 160))
    st.caption(join("  \n", rows))
