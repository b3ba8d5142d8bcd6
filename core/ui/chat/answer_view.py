"""One question and its answer, the same while it is being written and afterwards, so that nothing jumps."""

import time

import streamlit as st

from core.domain import Passage, Report
from core.knowledge.stores.records import Run
from core.ui.chat import feedback_form, prose, sources
from core.ui.shared import components, display_text, safe, session, widgets
from core.ui.trace import charts, event_lines, forecast_view
from core.ui.trace.story import Story, tell

POLL = 0.4  # seconds between two looks at a run that is thinking
PATIENCE = 3.0  # seconds after which the waiting is counted
LIVE = ("queued", "running")


def exchange(run: Run) -> None:
    """Show the question and its answer; while it is thinking, look again every `POLL` seconds."""
    with st.chat_message("user", avatar=":material/person:"), st.container(key=f"asked_{run.id}"):
        st.markdown(safe.escape(run.question), anchors=False)
    with st.chat_message("assistant", avatar=":material/layers:"):
        every = POLL if run.status in LIVE else None
        st.fragment(_reply, run_every=every, key=f"reply_{run.id}")(run.id, live=every is not None)


def _reply(run_id: str, *, live: bool) -> None:
    with session.Guard():
        assistant = session.assistant()
        run = assistant.questions.run(run_id)
        story = tell(assistant.questions.events(run_id))
        status(run, story)
        _aside(story)
        chart = charts.plan(story, compact=True)
        if chart["columns"]:
            components.plan(chart, key=f"plan_{run_id}")
        text(run, story)
        if run.status in LIVE:
            _controls(run)
        else:
            if live:
                st.rerun(scope="app")
            _rest(run, story)


def _aside(story: Story) -> None:
    """Say what the reader changed in the question, or said while it was worked on."""
    if story.asked is not None and story.asked.parent:
        st.caption("Worked on again, with your changes")
    for said in story.instructions:
        if said.way == "heard":
            st.caption(f"You added: {safe.line(said.text, 300)}")


def status(run: Run, story: Story) -> None:
    """Say in one row whether to trust this: outcome in words and colour, level, engine, time."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"status_{run.id}"):
        report = story.report or run.report
        if run.status in LIVE:
            part = f", part {story.step_part}" if story.step_part is not None else ""
            st.badge("Thinking", color="blue", icon=":material/more_horiz:")
            waited = time.time() - run.started
            clock = f" · {display_text.seconds(waited)}" if waited > PATIENCE else ""
            st.caption(f"{safe.line(event_lines.step(story.step or 'understand'))}{part}{clock}")
            return
        if report is None:
            word, colour = display_text.RUN_STATUS[run.status]
            st.badge(word, color=colour)
            return
        word, colour, meaning = display_text.OUTCOMES[report.outcome]
        st.badge(word, color=colour, help=meaning)
        if run.status == "stopped" or report.partial:
            st.badge("Stopped: partial", color="orange", help="You stopped this; what was written is kept.")
        st.caption(
            " · ".join(
                (
                    display_text.LEVELS[report.level][0],
                    f"{safe.line(report.engine)} engine"
                    if report.engine == "built-in"
                    else safe.line(report.engine),
                    display_text.seconds(report.seconds),
                )
            )
        )


def text(run: Run, story: Story) -> None:
    """Show the answer as far as it is written; a citation that is pressed opens its source."""
    report = story.report or run.report
    if report is None:
        if story.text or run.status in LIVE:
            components.answer(prose.draft(story.text), {}, key=f"answer_{run.id}", writing=run.status in LIVE)
        return
    if report.read_as and report.read_as != report.question:
        st.caption(f"Read as: {safe.line(report.read_as)}")
    pressed = components.answer(
        prose.finished(report.answer, report.sentences), charts.sources(report), key=f"answer_{run.id}"
    )
    if pressed is not None and 0 < pressed <= len(report.passages):
        sources.open_passage(report.passages[pressed - 1], pressed, run.id)


def _controls(run: Run) -> None:
    assistant = session.assistant()
    with st.container(horizontal=True, gap="small"):  # what is pressed is done before all is drawn anew
        st.button(
            "Stop",
            icon=":material/stop:",
            key=f"stop_{run.id}",
            help="Ends here; what is written is kept",
            on_click=assistant.questions.stop,
            args=(run.id,),
        )
        st.button(
            "Answer now",
            key=f"now_{run.id}",
            type="tertiary",
            help="Answers with what was found so far",
            on_click=assistant.questions.answer_now,
            args=(run.id,),
        )


def _rest(run: Run, story: Story) -> None:
    report = story.report or run.report
    if story.failed is not None:
        widgets.failure(story.failed)
    if report is not None:
        forecast_view.show(run.id, report, where="chat")
        _notes(report)
        _sources(run, report)
    for warned in story.warnings:
        st.caption(f"Note: {safe.line(f'{warned.message} {warned.hint}')}")
    _actions(run, story)
    if report is not None:
        feedback_form.learnt(run.id, report)


def _notes(report: Report) -> None:
    widgets.facts(("The sources disagree", conflict) for conflict in report.conflicts)
    asked = (report.question, report.read_as)
    widgets.facts(
        ("Not in the library", safe.shorten(missing, 300))
        for missing in report.missing
        if missing not in asked
    )
    for note in report.notes:
        st.caption(safe.line(note))


def cited(report: Report) -> list[tuple[int, Passage]]:
    """Return the passages the answer cites, with their numbers."""
    numbers = {n for sentence in report.sentences for n in sentence.citations}
    return [(n, report.passages[n - 1]) for n in sorted(numbers) if 0 < n <= len(report.passages)]


def _sources(run: Run, report: Report) -> None:
    shown = cited(report)
    if not shown:
        return
    with st.container(gap="xxsmall", key=f"sources_{run.id}"):
        st.caption("Sources")
        for number, passage in shown:
            label = f"**{number}**  {safe.line(charts.name(passage), 110)}"
            if st.button(label, key=f"source_{run.id}_{number}", type="tertiary"):
                sources.open_passage(passage, number, run.id)


def _actions(run: Run, story: Story) -> None:
    assistant = session.assistant()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"actions_{run.id}"):
        st.page_link(
            session.TRACE,
            label="How it was found",
            icon=":material/timeline:",
            query_params={session.RUN: run.id},
        )
        if story.report is None and run.report is None:
            return
        feedback_form.answer(run.id)
        with st.popover("Export", type="tertiary", icon=":material/download:"):
            st.download_button(
                "Markdown",
                data=lambda: assistant.questions.export_markdown(run.id).encode(),
                file_name=f"strata-{run.id[:8]}.md",
                mime="text/markdown",
                key=f"md_{run.id}",
                on_click="ignore",
            )
            st.download_button(
                "Web page, opens offline",
                data=lambda: assistant.questions.export_html(run.id).encode(),
                file_name=f"strata-{run.id[:8]}.html",
                mime="text/html",
                key=f"html_{run.id}",
                on_click="ignore",
            )
