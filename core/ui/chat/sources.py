"""Opens a passage over pages that have no inspector: the same view of it, in a dialog."""

from core.domain import Passage
from core.text.messages import t
from core.ui.chat import feedback_form
from core.ui.inspector import source_view
from core.ui.inspector.selection import Source, select, selected
from core.ui.shared import session, st


def open_passage(passage: Passage, number: int | None = None, run: str = "") -> None:
    """Show the passage in a dialog; of a run, it can be judged there."""
    select(Source(passage=passage, number=number, run=run))
    st.dialog(t("Source"), width="large")(_show)()


def _show() -> None:
    with session.Guard():
        source = selected()
        if not isinstance(source, Source):
            return
        source_view.show(source, key="dialog")
        if source.run:
            feedback_form.passage(source.run, source.passage)
