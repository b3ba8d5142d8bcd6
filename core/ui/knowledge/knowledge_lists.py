"""The lists of the knowledge page: documents, search, entities, tags, tables."""

from collections.abc import Mapping

import pandas as pd

from core.domain import Passage, Table
from core.evaluation.retrieval_tester import LegName
from core.export.csv_file import csv_bytes
from core.i18n.escaping import join, line
from core.i18n.messages import mark, plain, say, t, tn
from core.ui.knowledge import knowledge_details
from core.ui.shared import components, display_text, empty_library, session, st, widgets
from core.ui.trace import trace_charts

PAGE_ROWS = 200
MAX_FOUND = 20
SEARCH_MODES = {"all": mark("All layers"), "words": mark("Words"), "meaning": mark("Meaning")}
LEGS: dict[str, LegName] = {"all": "graph", "words": "keyword", "meaning": "semantic"}

EQUAL: Mapping[str, int] = {}
# Pixels: what a document is about can be read beside its name on a page of ordinary width.
WIDTHS = (250, 170, 110, 70, 50, 50, 230)


def chosen(frame: pd.DataFrame, key: str, widths: Mapping[str, int] = EQUAL) -> int | None:
    """Show a list, columns as wide as given (pixels); return the row that was chosen."""
    state = st.dataframe(
        frame,
        hide_index=True,
        width="stretch",
        height=min(600, 38 + 35 * max(1, len(frame))),
        on_select="rerun",
        placeholder="",
        selection_mode="single-row",
        key=key,
        column_config={name: st.column_config.Column(width=width) for name, width in widths.items()},
    )
    rows = state["selection"]["rows"]
    return int(rows[0]) if rows else None


def documents() -> None:
    """List all documents; one press opens one."""
    library = session.assistant().library.contents
    listed = widgets.by_title(library.documents())
    if not listed:
        empty_library.show(t("The library is empty."))
        return
    tables: dict[str, int] = {}
    for table in library.tables():
        tables[table.document_id] = tables.get(table.document_id, 0) + 1
    frame = pd.DataFrame(
        {
            plain("Title"): [document.title for document in listed],
            plain("File"): [document.name for document in listed],
            plain("Date"): [document.date for document in listed],
            plain("Language"): [document.language for document in listed],
            plain("Pages"): [document.pages or None for document in listed],
            plain("Tables"): [tables.get(document.id) for document in listed],
            plain("About"): [document.summary for document in listed],
        }
    )
    st.caption(t("Tick a document to open it; press a column's name to sort."))
    row = chosen(frame, "knowledge.documents", dict(zip(frame.columns, WIDTHS, strict=True)))
    if row is not None:
        session.go(document=listed[row].id)
        st.rerun()


def search() -> None:
    """Search the whole library by words, by meaning, or as the assistant itself does."""
    query = st.text_input(
        t("Search the library"), key=session.SEARCH, placeholder=plain("Words, a name or a code")
    )
    way = st.segmented_control(
        t("Search by"),
        list(SEARCH_MODES),
        default="all",
        format_func=lambda way: say(SEARCH_MODES[way]),
        label_visibility="collapsed",
        required=True,
        key=session.WAY,
    )
    if not query.strip():
        st.caption(t("Each passage found shows its score on every layer, and what led to it."))
        return
    passages = found(query.strip(), way or "all")
    if not passages:
        st.markdown(t("Nothing in the library matches."))
        return

    def opened(index: int) -> None:
        chunk = passages[index].chunk
        session.go(document=chunk.document_id, chunk=chunk.id)

    components.evidence(trace_charts.evidence(passages), "knowledge.found", opened)


def found(query: str, way: str) -> list[Passage]:
    """Return the passages for a query, best first."""
    leg = LEGS.get(way, "graph")
    return list(session.assistant().library.search(query, MAX_FOUND, legs=[leg]).leg(leg))


def entities() -> None:
    """Find what the library knows by name."""
    library = session.assistant().library.contents
    named = st.text_input(t("Name"), key="knowledge.named", placeholder=plain("All or part of a name"))
    matches = library.entities(named=named.strip() or None, limit=PAGE_ROWS)
    if not matches:
        st.markdown(t("The library knows nothing by that name."))
        return
    frame = pd.DataFrame(
        {
            plain("Name"): [entity.name for entity in matches],
            plain("Kind"): [display_text.thing(entity.kind) for entity in matches],
            plain("Also called"): [", ".join(entity.aliases) for entity in matches],
            plain("Chunks"): [len(library.mentions(entity.id)) for entity in matches],
        }
    )
    heading = (
        t("The {n:,} entities named most; a part of a name finds others.", n=len(matches))
        if len(matches) == PAGE_ROWS
        else tn("{n:,} entity, the most named first.", "{n:,} entities, the most named first.", len(matches))
    )
    st.caption(join(" ", [heading, t("Tick one to open it.")]))
    row = chosen(frame, "knowledge.entities")
    if row is not None:
        session.go(node=matches[row].id)
        st.rerun()


def tags() -> None:
    """List tags; one press shows the chunks that carry it."""
    library = session.assistant().library.contents
    counts = library.tag_counts()
    if not counts:
        st.markdown(t("Nothing is tagged yet."))
        return
    frame = pd.DataFrame(counts, columns=[plain("Class"), plain("Tag"), plain("Chunks")])
    st.caption(t("Tick a tag to see where it stands."))
    row = chosen(frame, "knowledge.tags")
    if row is None:
        return
    kind, name, _ = counts[row]
    st.subheader(line(name), anchor=False)
    ids = [
        tag.chunk_id for tag in library.tags() if (tag.tag_class, tag.name.lower()) == (kind, name.lower())
    ]
    knowledge_details.mentions(ids)


def tables() -> None:
    """List tables; show the rows of one, and ask them in SQL."""
    library = session.assistant().library.contents
    listed = library.tables()
    if not listed:
        st.markdown(t("No document holds a table."))
        return
    titles = library.titles()
    frame = pd.DataFrame(
        {
            plain("Table"): [table.name for table in listed],
            plain("Document"): [titles.get(table.document_id, "") for table in listed],
            plain("Rows"): [table.row_count for table in listed],
            plain("Columns"): [", ".join(column.name for column in table.columns) for table in listed],
        }
    )
    st.caption(t("Tick a table to see its rows."))
    row = chosen(frame, "knowledge.tables")
    if row is None:
        return
    _table(listed[row])


def _table(table: Table) -> None:
    library = session.assistant().library.contents
    st.subheader(line(table.name), anchor=False)
    st.caption(line(table.card()))
    pages = max(1, -(-table.row_count // PAGE_ROWS))
    page = 1
    if pages > 1:
        page = int(st.number_input(t("Page of {pages}", pages=pages), 1, pages, 1, key=f"page_{table.id}"))
    rows = library.rows(table.id, offset=(page - 1) * PAGE_ROWS, limit=PAGE_ROWS)
    st.dataframe(rows, width="stretch", hide_index=True, placeholder="")
    st.download_button(
        t("Download as CSV"),
        csv_bytes(rows),
        f"{table.sql_name}.csv",
        "text/csv",
        key=f"csv_{table.id}",
        on_click="ignore",
    )
    sql = st.text_area(
        t("Ask it in SQL"), f'SELECT * FROM "{table.sql_name}" LIMIT 20', key=f"sql_{table.id}"
    )
    if st.button(t("Run"), key=f"run_{table.id}"):
        with session.Guard():
            st.dataframe(library.query(sql), width="stretch", hide_index=True, placeholder="")
