"""What a reader can do next: where nothing answers, what to try; after an answer, questions that follow."""

from collections.abc import Sequence

from core.domain import BUILT_IN, Outcome, Report
from core.i18n.escaping import join, layout, line
from core.i18n.messages import t
from core.knowledge.stores.records import Run
from core.ui.chat import ask_box, source_list
from core.ui.shared import session, st

MAX_SUGGESTIONS = 3


def verified(run: Run, report: Report) -> None:
    """Offer the questions whose answers somebody verified and that may be the same."""
    questions = session.assistant().library.verified_questions(report.read_as or run.question)
    offered = _without_current(questions, run, report)
    if not offered:
        return
    with st.container(gap="xxsmall", key=f"verified_{run.id}"):
        st.caption(t("Perhaps the same question; its answer was verified"))
        _questions(offered, "verified_question", icon=":material/verified:")


def closest(run: Run, report: Report) -> None:
    """Say what to try where the library gave no answer."""
    with st.container(border=True, gap="xsmall", key=f"next_{run.id}"):
        st.markdown(t("**What to try next**"), anchors=False)
        tries = [t("Name the thing as your documents name it: a code, a product, a heading.")]
        if report.outcome is Outcome.CLOSEST:
            tries[0] = t("Ask in the words of the passages below: they come nearest.")
        st.markdown(join("\n", [layout("- {text}", text=text) for text in tries]), anchors=False)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button(
                t("Reword the question"),
                icon=":material/edit:",
                key=f"reword_{run.id}",
                type="tertiary",
                on_click=ask_box.reword,
                args=(run.question,),
            )
            if session.may("add"):
                st.page_link(session.CORPUS, label=t("Add a document"), icon=":material/upload_file:")
            if report.engine == BUILT_IN and session.may("models"):
                st.page_link(session.MODELS, label=t("Ask a model: connect one"), icon=":material/neurology:")


def follow_ups(run: Run, report: Report) -> None:
    """Offer questions about the documents the answer stands on."""
    documents = list(dict.fromkeys(p.chunk.document_id for _, p in source_list.shown(report)))
    if not documents:
        return
    questions = session.assistant().library.suggestions(MAX_SUGGESTIONS + 2, documents)
    offered = _without_current(questions, run, report)[:MAX_SUGGESTIONS]
    if not offered:
        return
    with st.container(gap="xxsmall", key=f"follow_{run.id}"):
        st.caption(t("Ask next"))
        _questions(offered, "suggestion_follow")


def _without_current(questions: Sequence[str], run: Run, report: Report) -> list[str]:
    """Return the questions that are not the one that was just asked."""
    asked = {run.question.casefold(), report.question.casefold(), report.read_as.casefold()}
    return [text for text in questions if text.casefold() not in asked]


def _questions(questions: Sequence[str], key: str, icon: str | None = None) -> None:
    """Draw a button a question; pressing it asks the question."""
    for n, text in enumerate(questions):
        st.button(
            line(text, 160),
            key=f"{key}_{n}",
            icon=icon,
            width="stretch",
            on_click=ask_box.ask,
            args=(text,),
        )
