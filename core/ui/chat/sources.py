"""Opens the place a sentence came from: the page with the passage boxed, the rows, or the text itself."""

import streamlit as st

from core.domain import Passage
from core.ui.chat import feedback_form
from core.ui.shared import components, display_text, safe, session
from core.ui.trace import charts

ROWS_AROUND = 5


def open_passage(passage: Passage, number: int | None = None, run: str = "") -> None:
    """Show the passage in a dialog; of a run, it can be judged there."""
    lead = f"{number} · " if number is not None else ""
    title = f"{lead}{safe.line(passage.document_title, 80)}"
    st.dialog(title, width="large")(_show)(passage, run)


def _show(passage: Passage, run: str) -> None:
    with session.Guard():
        chunk = passage.chunk
        st.caption(
            safe.line(" · ".join(filter(None, (chunk.location.label(), " › ".join(chunk.heading_path)))))
        )
        image = page_image(chunk.document_id, passage)
        if image is not None:
            left, right = st.columns([3, 2], gap="medium")
            left.image(image, width="stretch", alt=f"The page with the passage boxed: {charts.name(passage)}")
            with right:
                text(passage)
        elif chunk.table_id is not None:
            rows(passage)
            text(passage)
        else:
            text(passage)
        if run:
            feedback_form.passage(run, passage)


def page_image(document_id: str, passage: Passage) -> bytes | None:
    """Return the passage's page with its boxes drawn, or None where the format has no pages."""
    place = passage.chunk.location
    if place.page is None:
        return None
    boxes = [box for box in place.boxes if box.page == place.page]
    return session.assistant().library.page_image(document_id, place.page, boxes, 1100)


def rows(passage: Passage) -> None:
    """Show the table rows the passage stands for, a few around them included."""
    chunk = passage.chunk
    if chunk.table_id is None:
        return
    span = chunk.location.rows
    first = max(0, span[0] - ROWS_AROUND) if span else 0
    limit = (span[1] - first + 1 + ROWS_AROUND) if span else 200
    frame = session.assistant().library.contents.rows(chunk.table_id, offset=first, limit=min(limit, 200))
    frame.index = frame.index.__class__(range(first + 1, first + 1 + len(frame)), name="row")
    st.dataframe(frame, width="stretch", height=min(420, 38 + 35 * max(1, len(frame))))


def text(passage: Passage) -> None:
    """Show the passage's words, why it was found, and the way to it in the library."""
    chunk = passage.chunk
    components.passage(chunk.text, charts.marks(passage), "", key=f"passage_{chunk.id}")
    if passage.why:
        st.caption(f"Found by {safe.line('; '.join(passage.why), 300)}")
    shown = {name: score for name, score in passage.scores.items() if name not in display_text.INNER_LEGS}
    if shown:
        said = "  ·  ".join(f"{display_text.leg(name)} {score:.2f}" for name, score in shown.items())
        st.caption(f"Scores: {safe.line(said)}")
    st.page_link(
        session.KNOWLEDGE,
        label="Open in the library",
        icon=":material/account_tree:",
        query_params={session.DOCUMENT: chunk.document_id, session.CHUNK: chunk.id},
    )
