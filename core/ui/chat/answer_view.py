"""One question and its answer, the same while it is being written and afterwards, so that nothing jumps."""

import time
from functools import partial

from core.domain import Outcome, Passage, Report, Sentence
from core.i18n import recorded_messages
from core.i18n.escaping import escape, join, line, shorten
from core.i18n.messages import say, say_plain, t
from core.knowledge.stores.records import Run
from core.ui.chat import (
    answer_actions,
    answer_layout,
    comparison_view,
    decision_view,
    feedback_form,
    next_steps,
    source_list,
)
from core.ui.inspector import forecast_chart, live_trace, run_progress
from core.ui.inspector.live_trace import POLL_SECONDS
from core.ui.inspector.selection import PlanPart, Source, select
from core.ui.shared import components, display_text, session, st, trust_level, widgets
from core.ui.trace import event_words, trace_charts
from core.ui.trace.run_trace import RunTrace

COUNT_AFTER_SECONDS = 3.0  # seconds after which the waiting is counted
MAX_HEADING_LETTERS = 140  # letters of a question that are in its heading; the rest is folded
BEGINNING_LETTERS = 200  # letters shown of an earlier answer
MAX_EARLIER_HEADING_LETTERS = 90


def exchange(run: Run, *, heads: bool, last: bool, whole: bool) -> None:
    """Show the question and its answer, in short where it is not to be `whole`; while it is thinking, look
    again every `POLL_SECONDS`."""
    whole = whole or run.report is None
    with st.chat_message("user", avatar=":material/person:"), st.container(key=f"asked_{run.id}"):
        heading = st.title if heads else st.header
        limit = MAX_HEADING_LETTERS if whole else MAX_EARLIER_HEADING_LETTERS
        heading(line(run.question, limit), anchor=False)
        if whole and _cut(run.question, limit):
            with st.expander(t("The whole question"), type="compact"):
                st.markdown(escape(run.question), anchors=False)
    with st.chat_message("assistant", avatar=":material/layers:"):
        was_live = st.session_state.get(_ended(run.id)) is False  # then its answer comes before the rest
        if live_trace.live(run) or was_live:
            st.fragment(_live, run_every=POLL_SECONDS, key=f"reply_{run.id}")(run.id)
        else:
            _reply(run, live_trace.trace_of(run), last=last, whole=whole)


def _cut(question: str, limit: int) -> bool:
    """Say whether a heading of that many letters does not say the whole question."""
    return len(" ".join(question.split())) > limit


def _ended(run_id: str) -> str:
    """Return under which name it is kept whether the run had ended when it was drawn last."""
    return f"chat.ended.{run_id}"


def _live(run_id: str) -> None:
    """Draw the run as far as it is; once it has ended, draw its answer first and then all around it."""
    with session.Guard():
        run = session.assistant().questions.run(run_id)
        ended = _ended(run_id)
        if not live_trace.live(run) and st.session_state.get(ended):
            st.rerun(scope="app")  # the answer has its height by now, so nothing below it is pushed down
        st.session_state[ended] = not live_trace.live(run)
        with st.container(key=f"body_{run_id}"):
            _answer(run, live_trace.trace_of(run))


def _answer(run: Run, trace: RunTrace) -> None:
    """Draw what is said, each piece in its own place, so that none takes another's as they come."""
    status(run, trace)
    _ground(run, trace)
    with st.container():
        text(run, trace)


def _ground(run: Run, trace: RunTrace) -> None:
    """Draw what stands between the verdict and the answer's text."""
    with st.container():
        _aside(trace)
    report = trace.report or run.report
    with st.container():
        if report is not None and report.forecast is not None:
            forecast_chart.draw(report.forecast, report, key=f"chat_{run.id}", run=run.id)
    with st.container():
        plan(run, trace)


def _reply(run: Run, trace: RunTrace, *, last: bool, whole: bool) -> None:
    """Draw the exchange at the depth at which `_live`, a fragment, draws it, so that nothing jumps."""
    report = trace.report or run.report
    with session.Guard(), st.container(), st.container(key=f"body_{run.id}"):
        if report is None or whole:
            _answer(run, trace)
            _rest(run, trace, last=last)
        else:
            with st.container(gap="xsmall", key=f"short_{run.id}"):
                _in_short(run, trace, report, last=last)


def _in_short(run: Run, trace: RunTrace, report: Report, *, last: bool) -> None:
    """Draw the verdict and the beginning of what was said; the whole unfolds."""
    status(run, trace)
    st.markdown(line(answer_layout.plain(report.answer), BEGINNING_LETTERS), anchors=False)
    label = t("The whole answer, its plan and its sources")
    with st.expander(label, type="compact", key=f"earlier_{run.id}", on_change="rerun") as folded:
        if folded.open:
            if _cut(run.question, MAX_EARLIER_HEADING_LETTERS):
                st.markdown(escape(run.question), anchors=False)
            _ground(run, trace)
            text(run, trace)
            _rest(run, trace, last=last)


def plan(run: Run, trace: RunTrace) -> None:
    """Draw the plan; a part that is pressed opens in the inspector."""
    chart = trace_charts.plan(trace, compact=True)
    if chart["columns"] and not run_progress.apart(trace):
        components.plan(
            chart, key=f"plan_{run.id}", pressed=lambda part: select(PlanPart(run=run.id, part=part))
        )


def _aside(trace: RunTrace) -> None:
    """Say what the reader changed in the question, or said while it was worked on."""
    if trace.asked is not None and trace.asked.parent:
        st.caption(t("Worked on again, with your changes"))
    for instruction in trace.instructions:
        if instruction.way == "heard":
            st.caption(t("You added: {text}", text=line(instruction.text, 300)))


def status(run: Run, trace: RunTrace) -> None:
    """Say in one row whether to trust this: outcome in words and colour, level, engine, time."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"status_{run.id}"):
        report = trace.report or run.report
        if live_trace.live(run):
            _working(run, trace)
        elif report is None:
            word, colour = display_text.RUN_STATUS[run.status]
            st.badge(say(word), color=colour)
        else:
            _support_counts(run, report)


def _working(run: Run, trace: RunTrace) -> None:
    parts: list[str] = [event_words.doing(trace.step, trace.ahead)]
    if trace.step_part is not None:
        parts.append(t("part {number}", number=trace.step_part))
    waited = time.time() - run.started
    if waited > COUNT_AFTER_SECONDS:
        parts.append(display_text.seconds(waited))
    checking = trace.step == "check" and bool(trace.text)  # the answer can be read meanwhile
    st.badge(
        t("Checking") if checking else t("Thinking"),
        color="blue",
        icon=":material/fact_check:" if checking else ":material/more_horiz:",
    )
    st.caption(join(" · ", parts))
    questions = session.assistant().questions
    st.button(
        t("Stop"),
        icon=":material/stop:",
        key=f"stop_{run.id}",
        type="tertiary",
        help=t("Ends here; what is written is kept"),
        on_click=questions.stop,
        args=(run.id,),
    )
    if checking:
        return
    st.button(
        t("Answer now"),
        key=f"now_{run.id}",
        type="tertiary",
        help=t("Answers with what was found so far"),
        on_click=questions.answer_now,
        args=(run.id,),
    )


def _support_counts(run: Run, report: Report) -> None:
    trust = trust_level.of(report)
    st.badge(say(trust.word), color=trust.colour, help=say(trust.meaning))
    if trust.counted:
        st.badge(trust.counted, color="green" if trust.sound else "orange")
    if run.status == "stopped" or report.partial:
        st.badge(t("Stopped: partial"), color="orange", help=t("You stopped this; what was written is kept."))
    engine = display_text.engine(report.engine)
    level = say_plain(display_text.LEVELS[report.level][0]).split()[0]  # there is little room for more
    st.caption(line(" · ".join((level, engine, display_text.seconds(report.seconds)))))


def text(run: Run, trace: RunTrace) -> None:
    """Show the answer as far as it is written; a citation that is pressed opens its source."""
    report = trace.report or run.report
    key = f"answer_{run.id}"
    if report is None:
        if trace.text or live_trace.live(run):
            components.answer(answer_layout.draft(trace.text), {}, key, writing=live_trace.live(run))
        return
    if report.read_as and report.read_as != report.question:
        st.caption(t("Read as: {read_as}", read_as=report.read_as))
    if report.council is not None and report.council.proposals:
        decision_view.show(run.id, report)
        return
    comparison_view.show(run.id, report)
    blocks = answer_layout.finished(report.answer, report.sentences)
    components.answer(blocks, source_list.previews(report), key, pressed=partial(cited_by, report))


def cited_by(report: Report, number: int, sentence: int) -> None:
    """Open the source of a citation, with what says the sentence marked in it."""
    if 0 < number <= len(report.passages):
        cited_sentence = (
            report.sentences[sentence] if 0 <= sentence < len(report.sentences) else Sentence(text="")
        )
        passage = report.passages[number - 1]
        claim = answer_layout.claim(report, cited_sentence.text, passage)
        rows = answer_layout.rows(report, cited_sentence, passage)
        select(Source(passage=passage, number=number, claim=claim, run=report.run, rows=rows))


def _rest(run: Run, trace: RunTrace, *, last: bool) -> None:
    report = trace.report or run.report
    if trace.failed is not None:
        widgets.failure(trace.failed)
    if report is not None:
        _notes(report)
        if report.outcome in (Outcome.CLOSEST, Outcome.NOTHING):
            next_steps.verified(run, report)
            next_steps.closest(run, report)
        source_list.show(run, report)
    for warned in trace.warnings:
        st.caption(
            t(
                "Note: {warning}",
                warning=join(
                    " ",
                    [
                        recorded_messages.translated_plain(warned.message),
                        recorded_messages.translated_plain(warned.hint),
                    ],
                ),
            )
        )
    answer_actions.row(run, trace, report)
    if report is not None:
        feedback_form.learnt(run.id, report)
        with st.empty():  # what stood here goes at once when a question follows, before that is drawn
            if last:
                with st.container():
                    next_steps.verified(run, report)
                    next_steps.follow_ups(run, report)


def _notes(report: Report) -> None:
    widgets.facts((t("The sources disagree"), conflict) for conflict in report.conflicts)
    asked = (report.question, report.read_as)
    widgets.facts(
        (t("Not in the library"), shorten(recorded_messages.translated_plain(missing), 300))
        for missing in report.missing
        if missing not in asked
    )
    for note in report.notes:
        st.caption(recorded_messages.translated(note))


def cited(report: Report) -> list[tuple[int, Passage]]:
    """Return the passages the answer cites, with their numbers."""
    return source_list.cited(report)
