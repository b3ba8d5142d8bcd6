"""The right side of the trace: whatever was chosen in the tree, in full."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from core.domain import Passage, Plan
from core.i18n.escaping import escape, line, shorten
from core.i18n.messages import plain, plain_n, say, say_plain, t
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import AT_WORK, Run
from core.trace import Stamped, StepFinished, StepStarted, Wrote
from core.ui.chat import answer_layout, answer_view, feedback_form
from core.ui.shared import components, display_text, session, st, trust_level, widgets
from core.ui.trace import (
    call_waterfall,
    document_shares,
    event_lines,
    forecast_view,
    part_detail,
    pending_edits,
    perspectives_view,
    side_by_side,
    trace_charts,
    workbench,
)
from core.ui.trace.passage_list import PassageList
from core.ui.trace.run_trace import RunTrace
from core.ui.trace.run_tree import MAX_LABEL_CHARACTERS, TreeNode, order


def show(run: Run, trace: RunTrace, node: TreeNode) -> None:
    """Show the node."""
    st.subheader(line(_heading(node), MAX_LABEL_CHARACTERS), anchor=False)
    name, _, number = node.id.partition(":")
    if name in _WHOLE:
        _WHOLE[name](run, trace)
    elif name in _NUMBERED:
        _NUMBERED[name](run, trace, number)
    else:
        _part(run, trace, node.id)


def choose(node: str) -> None:
    """Put the node into the address."""
    st.query_params[session.AT] = node


def _heading(node: TreeNode) -> str:
    if node.id in ("question", "plan", "answer", "check", "calls", "events", "forecast"):
        return {"check": plain("What the check found"), "events": plain("Everything that happened")}.get(
            node.id, node.kind
        )
    return node.label if node.id in ("changes", "council", "whole") else f"{node.kind}: {node.label}"


def _part(run: Run, trace: RunTrace, node: str) -> None:
    """Show a part, the whole question's evidence, or one of their steps."""
    owner, _, at = node.partition("/")
    number = int(owner.partition(":")[2]) if owner.startswith("part:") else None
    marking = pending_edits.of(run.id, trace) if run.status not in AT_WORK else None
    listed = PassageList(run.id, cited(trace), marking)
    part_trace = trace.part(number)
    key = f"{run.id}_{node}"
    if at:
        part_detail.step(part_trace.steps[int(at)], key, listed)
    elif number is None:
        part_detail.evidence(part_trace, key, listed)
    else:
        asked = next(part for part in trace.planned_parts() if part.id == number)
        part_detail.part(trace, asked, run.id, listed)


def cited(trace: RunTrace) -> list[str]:
    """Return the chunks that the answer cites."""
    report = trace.report
    return [passage.chunk.id for _, passage in answer_view.cited(report)] if report is not None else []


def _question(run: Run, trace: RunTrace) -> None:
    """Show the question in full, its answer, and how it was read."""
    if len(run.question) > MAX_LABEL_CHARACTERS:
        st.markdown(escape(run.question), anchors=False)
    if trace.failed is not None:
        widgets.failure(trace.failed)
    answer_view.text(run, trace)
    rows: list[tuple[str, str]] = []
    if trace.followed is not None:
        rows.append((plain("Read as"), trace.followed.read_as))
    if trace.route is not None:
        level, meaning = display_text.LEVELS[trace.route.level]
        chosen = plain("chosen by the reader") if trace.route.overridden else trace.route.reason
        rows.append(
            (
                plain("Level"),
                plain(
                    "{level}: {meaning}. {reason}",
                    level=say_plain(level),
                    meaning=say_plain(meaning),
                    reason=_ended(chosen),
                ),
            )
        )
    if trace.gate is not None:
        rows.append((plain("Taken apart"), plain("no") if trace.plan is None else _parts(trace.plan)))
    asked = trace.asked
    if asked is not None:
        rows += [(plain("Scope"), scope_text)] if (scope_text := _scope(trace)) else []
        rows.append(
            (plain("Effort"), display_text.effort(asked.effort or "") or plain("as the settings say"))
        )
        rows += [(plain("Library"), translated_plain(asked.library))] if asked.library else []
        made = ", ".join(f"{name} {value}" for name, value in asked.made_with.items())
        rows += [(plain("Made with"), made)] if made else []
    rows += [
        (event_lines.event_line(instruction).label, instruction.text) for instruction in trace.instructions
    ]
    widgets.facts(rows)


def _ended(text: str) -> str:
    """Return a reason as a sentence: a capital first, one full stop last."""
    sentence = display_text.sentence(translated_plain(text.strip()))
    if not sentence or sentence[-1] in ".!?。！？":
        return sentence
    return f"{sentence}。" if sentence[-1] > "\u2e7f" else f"{sentence}."


def _parts(plan: Plan) -> str:
    """Say into how many parts the question was taken, and in which order they were worked on."""
    parts = plain_n("{n:,} part", "{n:,} parts", len(plan.parts))
    return ", ".join(filter(None, (parts, order(plan))))


def _scope(trace: RunTrace) -> str:
    scope = trace.asked.scope if trace.asked is not None else None
    if scope is None or not (scope.collections or scope.documents):
        return ""
    titles = session.assistant().library.contents.titles()
    return ", ".join((*scope.collections, *(titles.get(d, d) for d in scope.documents)))


def _plan(run: Run, trace: RunTrace) -> None:
    made = trace.plan
    if made is None:
        return
    rows = [(plain("Intent"), made.intent)] if " " in made.intent and made.intent != made.question else []
    rows += [(plain("Known"), ", ".join(made.known))] if made.known else []
    rows += [(plain("To find"), ", ".join(made.unknown))] if made.unknown else []
    widgets.facts(rows)
    components.plan(trace_charts.plan(trace, compact=True), key=f"trace_plan_{run.id}")
    parts = [plain("Planned by {by}", by=display_text.engine(made.by)), *made.repairs]
    if len(trace.plans) > 1:
        parts.append(plain("{plans} rounds of planning", plans=len(trace.plans)))
    st.caption(line(" · ".join(parts)))
    if run.status not in AT_WORK:
        with st.container(horizontal=True, gap="small"):
            workbench.opener(run)
            feedback_form.plan(run.id)
        workbench.show(run, trace)


def _answer(run: Run, trace: RunTrace) -> None:
    report = trace.report
    if report is None:
        return
    if not report.sentences:
        answer_view.text(run, trace)
        return
    components.ledger(
        trace_charts.ledger(report.sentences),
        trace_charts.sources(report),
        f"ledger_{run.id}",
        partial(answer_view.cited_by, report),
    )
    feedback_form.sentence(run.id, report)
    if run.status not in AT_WORK:
        document_shares.show(run.id)


def _sentence(run: Run, trace: RunTrace, number: int) -> None:
    """Show one sentence with what bears it out."""
    report = trace.report
    if report is None or number > len(report.sentences):
        return
    sentence = report.sentences[number - 1]
    word, colour = trust_level.of_sentence(sentence)
    st.badge(say(word), color=colour)
    st.markdown(line(answer_layout.plain(sentence.text)), anchors=False)
    passages: list[Passage] = [
        report.passages[n - 1] for n in sentence.citations if 0 < n <= len(report.passages)
    ]
    if passages:
        PassageList(run.id, cited(trace), claim=answer_layout.claim(report, sentence.text, passages[0])).show(
            passages, f"{run.id}_sentence_{number}"
        )
    else:
        st.caption(t("It cites no passage."))


def _check(trace: RunTrace) -> None:
    """Show what the check found, what is missing, what was flagged and what failed."""
    rows: list[tuple[str, str]] = []
    for checked in trace.verified:
        word, _, meaning = display_text.OUTCOMES[checked.verdict.outcome]
        rows.append(
            (
                plain("Round {number}", number=checked.round)
                if len(trace.verified) > 1
                else plain("Outcome"),
                plain("{outcome}. {meaning}", outcome=say_plain(word), meaning=say_plain(meaning)),
            )
        )
    if trace.verdict is not None:
        rows += [(plain("Missing"), translated_plain(missing)) for missing in trace.verdict.missing]
        rows += [(plain("Conflict"), conflict) for conflict in trace.verdict.conflicts]
        rows += [(plain("Note"), translated_plain(note)) for note in trace.verdict.notes]
    rows += [
        (plain("Note"), f"{translated_plain(warned.message)} {translated_plain(warned.hint)}")
        for warned in trace.warnings
    ]
    widgets.facts(rows)
    for flagged in trace.flags:
        st.warning(
            t(
                "**A passage tries to give orders; it was treated as data.**  \n{text}",
                text=line(flagged.text, 300),
            ),
            icon=":material/shield:",
        )
    if trace.failed is not None:
        widgets.failure(trace.failed)


def _events(events: list[Stamped]) -> None:
    """List every event in the order it happened."""
    shown = [
        stamped for stamped in events if not isinstance(stamped.event, Wrote | StepStarted | StepFinished)
    ]
    lines = [event_lines.event_line(stamped.event) for stamped in shown]
    frame = pd.DataFrame(
        {
            plain("Second"): [round(stamped.at, 2) for stamped in shown],
            plain("Part"): [stamped.event.sub_question for stamped in shown],
            plain("What"): [line.label for line in lines],
            plain("About"): [shorten(line.text, 300) for line in lines],
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        width="stretch",
        height=min(560, 38 + 35 * max(1, len(frame))),
        placeholder="",
        column_config={
            plain("Second"): st.column_config.NumberColumn(width="small", format="%.2f"),
            plain("Part"): st.column_config.NumberColumn(width="small"),
        },
    )


def _forecast(run: Run, trace: RunTrace) -> None:
    if trace.report is not None:
        forecast_view.trace(run.id, trace.report)


_WHOLE: dict[str, Callable[[Run, RunTrace], None]] = {
    "changes": side_by_side.show,
    "question": _question,
    "plan": _plan,
    "answer": _answer,
    "forecast": _forecast,
    "council": lambda run, trace: perspectives_view.show(trace, run.id),
    "check": lambda run, trace: _check(trace),
    "calls": lambda run, trace: call_waterfall.show(trace, choose, key=f"calls_{run.id}"),
    "events": lambda run, trace: _events(session.assistant().questions.events(run.id)),
}
_NUMBERED: dict[str, Callable[[Run, RunTrace, str], None]] = {
    "sentence": lambda run, trace, number: _sentence(run, trace, int(number)),
    "call": lambda run, trace, number: call_waterfall.call(trace.calls[int(number)]),
    "role": lambda run, trace, number: perspectives_view.role(trace, run.id, number),
}
