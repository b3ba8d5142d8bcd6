"""Where a passage stands: its page with the sentence marked, its rows with the row marked, or its text."""

from collections.abc import Sequence

import pandas as pd

from core.domain import Chunk, Location, Passage
from core.errors import ParseError
from core.i18n.escaping import Safe, layout, line
from core.i18n.messages import plain, t
from core.i18n.recorded_messages import translated
from core.ui.inspector import exact_marks
from core.ui.inspector.selection import Source, select
from core.ui.shared import components, display_text, session, st

CONTEXT_ROWS = 4  # rows shown before and after those of the passage
MOST_ROWS = 60
PAGE_WIDTH_PIXELS = 1100  # pixels of a drawn page


def show(source: Source, key: str = "inspector") -> None:
    """Show the passage in its place with the evidence of the claim highlighted, and links to continue."""
    passage, chunk = source.passage, source.passage.chunk
    marks = exact_marks.exact(passage, source.claim)
    _heading(source)
    order = session.assistant().library.contents.chunks_of([chunk.document_id]).get(chunk.document_id, [])
    if not order:
        _text(source, marks, key)
        st.caption(t("Its document is no longer in the library; this is what the run read of it."))
        _found_by(passage)
        return
    if chunk.location.page is not None and _page(source, marks, key):
        if _here(source):
            with st.container(key=f"{key}_text"):
                _text(source, marks, key)
    elif chunk.table_id is not None:
        rows(source, marks, key)
    else:
        _text(source, marks, key)
    _neighbours(source, order, key)
    _found_by(passage)


def _heading(source: Source) -> None:
    passage = source.passage
    title = line(_title(passage), 120)
    if source.number is None:
        st.markdown(layout("## {title}", title=title), anchors=False)
    else:
        st.markdown(layout("## {n}\u2002{title}", n=source.number, title=title), anchors=False)
    location = passage.chunk.location
    if source.page is not None and source.page != location.page:
        location = Location(page=source.page)
    path = passage.chunk.heading_path if _here(source) else ()
    place = " · ".join(filter(None, (location.in_words(), " › ".join(path))))
    if place:
        st.caption(line(place))
    note_edit(passage.chunk)


def note_edit(chunk: Chunk) -> None:
    """Say of a passage whose words a reader changed that its file has others."""
    if chunk.edited:
        st.info(
            t("The text of this passage was edited here. The page shows the original.")
            if chunk.location.page is not None
            else t("The text of this passage was edited here. Its file holds the original."),
            icon=":material/edit:",
        )


def _here(source: Source) -> bool:
    """Say whether the passage stands on the page that the reader turned to, be it with its end."""
    location = source.passage.chunk.location
    return source.page in (None, location.page) or any(box.page == source.page for box in location.boxes)


def _title(passage: Passage) -> str:
    if passage.document_title:
        return passage.document_title
    return session.assistant().library.contents.titles().get(passage.chunk.document_id, "")


def _page(source: Source, marks: Sequence[tuple[int, int]], key: str) -> bool:
    """Draw the page and the way to the pages beside it; say whether there is one to draw."""
    chunk = source.passage.chunk
    own = chunk.location.page or 0
    page = own if source.page is None else source.page
    image = page_image(source, page, marks)
    if image is None:
        return False
    pages = session.assistant().library.contents.document(chunk.document_id).pages
    if pages > 1:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_pages"):
            _turn(t("Previous page"), ":material/chevron_left:", source, page - 1, page > 0, key)
            st.caption(t("Page {page} of {pages}", page=page + 1, pages=pages))
            _turn(t("Next page"), ":material/chevron_right:", source, page + 1, page + 1 < pages, key)
            if not _here(source):
                _turn(t("Back to the passage"), ":material/undo:", source, own, True, key)
    caption = plain("Page {page} of {title}", page=page + 1, title=_title(source.passage))
    with st.container(key=f"{key}_page"):
        st.image(
            image,
            width="stretch",
            alt=plain("{said}, with the passage boxed", said=caption) if _here(source) else caption,
        )
    return True


def _turn(label: Safe, icon: str, source: Source, page: int, there: bool, key: str) -> None:
    st.button(
        label,
        icon=icon,
        key=f"{key}_{icon}",
        type="tertiary",
        disabled=not there,
        on_click=select,
        args=(source.model_copy(update={"page": page}),),
    )


def page_image(source: Source, page: int, marks: Sequence[tuple[int, int]] = ()) -> bytes | None:
    """Return a page of the passage's document with its boxes and marks, None where there is none to draw."""
    chunk = source.passage.chunk
    boxes = [box for box in chunk.location.boxes if box.page == page]
    phrases = [chunk.text[start:end] for start, end in marks]
    try:
        return session.assistant().library.page_image(
            chunk.document_id, page, boxes, PAGE_WIDTH_PIXELS, phrases
        )
    except ParseError:
        return None


def rows(source: Source, marks: Sequence[tuple[int, int]], key: str) -> None:
    """Draw the table around the passage's rows; those that say the claim are marked."""
    chunk = source.passage.chunk
    if chunk.table_id is None:
        return
    library = session.assistant().library.contents
    first, last = chunk.location.rows or (0, MOST_ROWS - 1)
    offset = max(0, first - CONTEXT_ROWS, min(source.rows, default=0) - MOST_ROWS // 2)
    frame = library.rows(chunk.table_id, offset, min(last - offset + 1 + CONTEXT_ROWS, 500))
    texts = [" | ".join(written(cell) for cell in row) for row in frame.itertuples(index=False)]
    own = range(max(0, first - offset), min(last - offset + 1, len(texts)))
    claim = source.claim or next((chunk.text[start:end] for start, end in marks), "")
    if source.rows:
        marked = [row - offset for row in source.rows if row - offset < len(texts)]
    elif len(own) == 1:
        marked = list(own)
    else:
        marked = [own[n] for n in exact_marks.saying([texts[n] for n in own], claim)]
    start, end = _window(marked, len(texts))
    components.rows(
        {
            "columns": headings(chunk.table_id, frame, chunk.document_id),
            "rows": [
                {
                    "number": offset + n + 1,
                    "cells": [written(cell) for cell in frame.iloc[n]],
                    "marked": n in marked,
                    "stated": exact_marks.stated(frame.iloc[n].map(written), claim) if n in marked else [],
                    "own": n in own,
                }
                for n in range(start, end)
            ],
            "label": plain("Rows of {title}", title=_title(source.passage)),
            "turn": _turn_of(source),
        },
        key=f"{key}_rows",
    )


def headings(table_id: str, frame: pd.DataFrame, document_id: str | None = None) -> list[str]:
    """Return the names of the columns as they stand over the cells: with what they mean, and units."""
    tables = session.assistant().library.contents.tables(document_id)
    columns = next((table.columns for table in tables if table.id == table_id), ())
    labels = {column.name: column.label() for column in columns}
    return [labels.get(str(name), str(name)) for name in frame.columns]


def _window(marked: Sequence[int], length: int) -> tuple[int, int]:
    """Return which of the rows to draw: all, or where they are many those around the marked ones."""
    if length <= MOST_ROWS:
        return 0, length
    middle = marked[0] if marked else 0
    start = max(0, min(middle - MOST_ROWS // 2, length - MOST_ROWS))
    return start, start + MOST_ROWS


def written(cell: object) -> str:
    """Return a cell as a reader would write it: no time of day where it is midnight, no float's tail."""
    if cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and pd.isna(cell)):
        return ""
    if isinstance(cell, pd.Timestamp):
        return f"{cell:%Y-%m-%d}" if cell == cell.normalize() else f"{cell:%Y-%m-%d %H:%M:%S}"
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell)


def _text(source: Source, marks: Sequence[tuple[int, int]], key: str) -> None:
    location = source.passage.chunk.location
    page = location.page if source.page is None else source.page
    tops = [box.y0 for box in location.boxes if box.page == page]
    components.passage(
        source.passage.chunk.text,
        marks,
        "",
        key=f"{key}_passage",
        turn=_turn_of(source),
        drawn=(f"{key}_page", min(tops, default=0.0)) if page is not None else None,
    )


def _turn_of(source: Source) -> str:
    """Name what is shown, so that a figure knows when to scroll its mark into view."""
    return f"{source.run} {source.passage.chunk.id} {source.claim} {source.page} {source.rows}"


def _neighbours(source: Source, order: Sequence[str], key: str) -> None:
    """Offer the passages before and after this one in its document, whose chunks are in `order`, and the
    place in the library."""
    chunk = source.passage.chunk
    at = order.index(chunk.id) if chunk.id in order else -1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_neighbours"):
        if at >= 0 and len(order) > 1:
            _step(t("Previous passage"), ":material/arrow_upward:", source, order[at - 1] if at else "", key)
            after = order[at + 1] if at + 1 < len(order) else ""
            _step(t("Next passage"), ":material/arrow_downward:", source, after, key)
        st.page_link(
            session.KNOWLEDGE,
            label=t("Open in the library"),
            icon=":material/account_tree:",
            query_params={session.DOCUMENT: chunk.document_id, session.CHUNK: chunk.id},
        )


def _step(label: Safe, icon: str, source: Source, chunk: str, key: str) -> None:
    st.button(
        label,
        icon=icon,
        key=f"{key}_{icon}",
        type="tertiary",
        disabled=not chunk,
        on_click=_go,
        args=(source, chunk),
    )


def _go(source: Source, chunk: str) -> None:
    chunks = session.assistant().library.contents.chunks(ids=[chunk])
    if chunks:
        title = _title(source.passage)
        select(
            Source(
                passage=Passage(chunk=chunks[0], document_title=title, query="", score=0.0), run=source.run
            )
        )


def _found_by(passage: Passage) -> None:
    shown = {name: score for name, score in passage.scores.items() if name not in display_text.INNER_LEGS}
    if not (passage.why or shown):
        return
    with st.expander(t("Why it was found"), type="compact"):
        for why in passage.why:
            st.caption(translated(why, 300))
        if shown:
            scores = "  ·  ".join(f"{display_text.leg(name)} {score:.2f}" for name, score in shown.items())
            st.caption(t("Scores, each on its own scale: {scores}", scores=scores))
