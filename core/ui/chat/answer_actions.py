"""What can be done with an answer: copy it, ask again, see how it was found, judge it, take it away."""

from typing import Literal

from core.domain import Effort, Report
from core.i18n.messages import Message, mark, plain, say, t
from core.knowledge.stores.records import Run
from core.ui.chat import answer_layout, feedback_form, source_list
from core.ui.inspector.selection import WholeRun, select
from core.ui.shared import components, session, st
from core.ui.trace import trace_charts
from core.ui.trace.run_trace import RunTrace

Way = Literal["same", "quick", "balanced", "thorough"]
AGAIN: dict[Way, Message] = {
    "same": mark("As before"),
    "quick": mark("Quickly: rules read the question"),
    "balanced": mark("Balanced"),
    "thorough": mark("Thoroughly: step by step, checked twice"),
}


def row(run: Run, trace: RunTrace, report: Report | None) -> None:
    """Show the row of actions below an answer."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"actions_{run.id}"):
        if report is not None and report.answer:
            components.copy(as_text(report), plain("Copy"), key=f"copy_{run.id}")
        _again(run, trace)
        st.button(
            t("Steps"),
            icon=":material/account_tree:",
            key=f"course_{run.id}",
            type="tertiary",
            help=t("What was searched, found and asked of which engine, beside the answer"),
            on_click=select,
            args=(WholeRun(run=run.id),),
        )
        st.page_link(
            session.TRACE,
            label=t("How it was found"),
            icon=":material/timeline:",
            query_params={session.RUN: run.id},
        )
        if report is not None:
            feedback_form.answer(run.id)
            _export(run)


def as_text(report: Report) -> str:
    """Return the answer as text with its citations spaced, and the list of what they name."""
    blocks = answer_layout.finished(report.answer, report.sentences)
    named = [f"[{n}] {trace_charts.name(passage)}" for n, passage in source_list.cited(report)]
    return "\n\n".join(filter(None, (answer_layout.written(blocks), "\n".join(named))))


def _again(run: Run, trace: RunTrace) -> None:
    st.menu_button(
        t("Ask again"),
        list(AGAIN),
        format_func=lambda way: say(AGAIN[way]),
        icon=":material/refresh:",
        type="tertiary",
        key=f"again_{run.id}",
        on_click=_ask_again,
        args=(run, trace, f"again_{run.id}"),
    )


def _ask_again(run: Run, trace: RunTrace, key: str) -> None:
    with session.Guard():
        way: Way = st.session_state[key]
        asked, questions = trace.asked, session.assistant().questions
        effort: Effort | None = asked.effort if asked is not None else None
        new = questions.ask(
            run.question,
            level=asked.level if asked is not None else None,
            scope=asked.scope if asked is not None else None,
            conversation=run.conversation,
            effort=effort if way == "same" else way,
            model=asked.model if asked is not None else "",
            roles=asked.roles if asked is not None else (),
        )
        session.go(conversation=run.conversation, run=new)


def _export(run: Run) -> None:
    assistant = session.assistant()
    with st.popover(t("Export"), type="tertiary", icon=":material/download:"):
        st.download_button(
            t("Markdown"),
            data=lambda: assistant.questions.export_markdown(run.id).encode(),
            file_name=f"strata-{run.id[:8]}.md",
            mime="text/markdown",
            key=f"md_{run.id}",
            on_click="ignore",
        )
        st.download_button(
            t("Web page, opens offline"),
            data=lambda: assistant.questions.export_html(run.id).encode(),
            file_name=f"strata-{run.id[:8]}.html",
            mime="text/html",
            key=f"html_{run.id}",
            on_click="ignore",
        )
