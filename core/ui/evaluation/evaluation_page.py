"""The evaluation page: one question leg by leg, question sets with their scores, answers, the self-test."""

from core.i18n.messages import Message, mark, t
from core.ui.evaluation import answer_scores_view, evaluations_view, retrieval_test, selftest_view
from core.ui.shared import session, st
from core.ui.shared.view_choice import choose_view

VIEWS: dict[str, Message] = {
    "test": mark("One question"),
    "retrieval": mark("Question sets"),
    "answers": mark("Answers"),
    "selftest": mark("Self-test"),
}


def page() -> None:
    """Show the view that the address names."""
    st.title(t("Evaluation"), anchor=False)
    named = session.param(session.VIEW)
    view = choose_view(t("What to look at"), VIEWS, session.VIEW, named, "test", key="evaluation.view")
    {
        "test": retrieval_test.page,
        "retrieval": evaluations_view.page,
        "answers": answer_scores_view.page,
        "selftest": selftest_view.page,
    }[view]()
