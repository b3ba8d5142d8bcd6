"""The evaluation page: one question leg by leg, question sets with their scores, the library's self-test."""

from core.i18n.messages import Message, mark, say, t
from core.ui.evaluation import evaluations_view, retrieval_test, selftest_view
from core.ui.shared import session, st

VIEWS: dict[str, Message] = {
    "test": mark("One question"),
    "retrieval": mark("Question sets"),
    "selftest": mark("Self-test"),
}


def page() -> None:
    """Show the view that the address names."""
    st.title(t("Evaluation"), anchor=False)
    named = session.param(session.VIEW)
    chosen = st.segmented_control(
        t("What to look at"),
        list(VIEWS),
        default=named if named in VIEWS else "test",
        format_func=lambda view: say(VIEWS[view]),
        label_visibility="collapsed",
        required=True,
        key=f"evaluation.view.{named}",
    )
    view = chosen or "test"
    if view != (named or "test"):
        session.go(view=view)
        st.rerun()  # the next press belongs to what the address names now
    {"test": retrieval_test.page, "retrieval": evaluations_view.page, "selftest": selftest_view.page}[view]()
