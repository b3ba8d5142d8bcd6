"""The offer to look around in the demo documents, where a library is empty."""

from core.text.messages import t
from core.ui.shared import session, st


def show() -> None:
    """Offer the demo documents to whoever may add some."""
    library = session.assistant().library
    if not library.has_demo() or not session.may("add") or library.coming():
        return
    st.button(
        t("Look around with the demo documents"),
        key="demo.add",
        icon=":material/science:",
        help=t("Fourteen files of an invented chip factory. Delete them in the corpus when you are done."),
        on_click=_add,
    )


def _add() -> None:
    with session.Guard():
        session.assistant().library.add_demo()
