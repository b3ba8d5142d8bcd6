"""The trace page: a run read top to bottom like a laboratory protocol, each section numbered."""

import streamlit as st

from core.errors import NotFound
from core.knowledge.stores.records import Run
from core.ui.chat import answer_view, feedback_form, sources
from core.ui.shared import components, display_text, safe, session, widgets
from core.ui.trace import (
    charts,
    event_lines,
    forecast_view,
    part,
    pending_edits,
    perspectives_view,
    run_end,
    shares,
    side_by_side,
    workbench,
)
from core.ui.trace.story import Story, tell


def choose() -> Run | None:
    """Let the reader choose a run; the address names it."""
    assistant = session.assistant()
    known = {run.id: run for run in assistant.questions.runs(limit=50)}
    wanted = session.param(session.RUN)
    if wanted and wanted not in known:
        try:
            known[wanted] = assistant.questions.run(wanted)
        except NotFound:
            st.info("This run is no longer in the library; choose another one.", icon=":material/info:")
    if not known:
        st.markdown("No question has been asked yet. Each one leaves its whole trace here.")
        st.page_link(session.CHAT, label="Ask the first one", icon=":material/forum:")
        return None
    names = list(known)
    labels = display_text.distinct(
        {
            name: f"{safe.shorten(run.question, 110)}  ·  {display_text.moment(run.started)}"
            for name, run in known.items()
        }
    )
    shown = names.index(wanted) if wanted in known else 0
    chosen = st.selectbox("Run", names, index=shown, format_func=lambda name: labels[name])
    if chosen != names[shown] or not wanted:
        session.go(run=chosen)
        st.rerun()  # the next press belongs to what the address names now
    return known[chosen]


def show(run: Run) -> None:
    """Show the run's protocol; while it is thinking, look again twice a second."""
    every = answer_view.POLL if run.status in answer_view.LIVE else None
    st.fragment(_protocol, run_every=every, key=f"protocol_{run.id}")(run.id, live=every is not None)


def _protocol(run_id: str, *, live: bool) -> None:
    with session.Guard():
        run = session.assistant().questions.run(run_id)
        if live and run.status not in answer_view.LIVE:
            st.rerun(scope="app")
        story = tell(session.assistant().questions.events(run_id))
        _head(run, story)
        number = _sections(run, story)
        if run.status not in answer_view.LIVE and not _parent(story):
            side_by_side.choose(run, story)
        run_end.time(story, number)
        run_end.calls(story, run)
        run_end.log(session.assistant().questions.events(run_id))
        if run.status not in answer_view.LIVE:
            workbench.bar(run, story)


def _head(run: Run, story: Story) -> None:
    st.title(safe.line(run.question, 400), anchor=False)
    answer_view.status(run, story)
    answer_view.text(run, story)
    asked = story.asked
    facts = [
        f"Run `{run.id[:10]}`",
        display_text.moment(run.started),
        display_text.count(len(story.calls), "call"),
        safe.line(asked.library) if asked is not None and asked.library else "",
    ]
    st.caption(" · ".join(filter(None, facts)))
    st.page_link(
        session.CHAT,
        label="Back to the conversation",
        icon=":material/forum:",
        query_params={session.CONVERSATION: run.conversation, session.RUN: run.id},
    )


def _sections(run: Run, story: Story) -> int:
    number = 0
    ended = run.status not in answer_view.LIVE
    if ended and _parent(story):
        number += 1
        widgets.section(number, "What changed")
        side_by_side.choose(run, story)
    number += 1
    widgets.section(number, "How the question was read")
    _reading(story)
    marking = pending_edits.of(run.id, story) if ended else None
    if story.planned_parts():
        number += 1
        widgets.section(number, "Plan")
        _plan(run, story)
    if ended:
        workbench.opener(run)
        workbench.show(run, story)
    for asked in story.planned_parts():
        number += 1
        widgets.section(number, f"Part {asked.id}", anchor=f"part-{asked.id}")
        part.show(story.part(asked.id), asked, run.id, _cited(story), marking)
    if not story.whole.empty():
        number += 1
        widgets.section(number, "Evidence for the whole question" if story.planned_parts() else "Evidence")
        part.evidence(story.whole, run.id, _cited(story), marking)
    if story.perspectives:
        number += 1
        widgets.section(number, "Council")
        perspectives_view.show(story, run.id)
    if story.report is not None and story.report.forecast is not None:
        number += 1
        widgets.section(number, "Forecast")
        forecast_view.trace(run.id, story.report)
    if story.report is not None and story.report.sentences:
        number += 1
        widgets.section(number, "Answer, sentence by sentence")
        _ledger(run, story)
    if story.verified or story.flags or story.warnings or story.failed:
        number += 1
        widgets.section(number, "Verdict")
        run_end.verdict(story)
    return number + 1


def _parent(story: Story) -> str:
    """Return the run this one works on again, "" for none."""
    return story.asked.parent if story.asked is not None else ""


def _reading(story: Story) -> None:
    rows: list[tuple[str, str]] = []
    if story.followed is not None:
        rows.append(("Read as", story.followed.read_as))
    if story.route is not None:
        level, meaning = display_text.LEVELS[story.route.level]
        chosen = "chosen by the reader" if story.route.overridden else story.route.reason
        rows.append(("Level", f"{level}: {meaning}. {display_text.sentence(chosen)}"))
    if story.gate is not None:
        kind = "Composite" if story.gate.composite else "Simple"
        rows.append(("Gate", f"{kind}. {display_text.sentence(story.gate.reason)}"))
    scope = story.asked.scope if story.asked is not None else None
    if scope is not None and (scope.collections or scope.documents):
        titles = session.assistant().library.contents.titles()
        rows.append(("Scope", ", ".join((*scope.collections, *(titles.get(d, d) for d in scope.documents)))))
    rows += [(event_lines.say(said).label, said.text) for said in story.instructions]
    widgets.facts(rows)


def _plan(run: Run, story: Story) -> None:
    made = story.plan
    if made is None:
        return
    rows = [("Intent", made.intent)] if made.intent and made.intent != made.question else []
    rows += [("Known", ", ".join(made.known))] if made.known else []
    rows += [("To find", ", ".join(made.unknown))] if made.unknown else []
    widgets.facts(rows)
    components.plan(charts.plan(story, anchors=True), key=f"trace_plan_{run.id}")
    said = [f"Planned by {made.by}", *made.repairs]
    if len(story.plans) > 1:
        said.append(f"{len(story.plans)} rounds of planning")
    st.caption(safe.line(" · ".join(said)))
    if story.report is not None:
        feedback_form.plan(run.id)


def _cited(story: Story) -> list[str]:
    return (
        [passage.chunk.id for _, passage in answer_view.cited(story.report)]
        if story.report is not None
        else []
    )


def _ledger(run: Run, story: Story) -> None:
    report = story.report
    if report is None:
        return
    pressed = components.ledger(
        charts.ledger(report.sentences), charts.sources(report), key=f"ledger_{run.id}"
    )
    if pressed is not None and 0 < pressed <= len(report.passages):
        sources.open_passage(report.passages[pressed - 1], pressed, run.id)
    feedback_form.sentence(run.id, report)
    if run.status not in answer_view.LIVE:
        shares.show(run.id)
