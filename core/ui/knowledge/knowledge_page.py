"""The knowledge page: from documents down to atoms and entities, and back; every place has an address."""

from typing import Literal

from core.domain import Chunk, Document, Section
from core.errors import NotFound
from core.i18n.escaping import Safe, escape, join, layout, line
from core.i18n.messages import Message, mark, plain_n, t, tn
from core.i18n.recorded_messages import translated
from core.ui.knowledge import changes_view, knowledge_details, knowledge_lists, margins_view, vocabulary_view
from core.ui.shared import display_text, session, st
from core.ui.shared.view_choice import choose_view

VIEWS: dict[str, Message] = {
    "documents": mark("Documents"),
    "search": mark("Search"),
    "things": mark("Things"),
    "learning": mark("Learning"),
}
THINGS: dict[str, Message] = {
    "entities": mark("Names"),
    "tags": mark("Tags"),
    "tables": mark("Tables"),
    "words": mark("Words of the trade"),
}

_OUTLINE_PIXELS = 560
_OUTLINE_ROWS = 15  # sections and chunks from which an outline scrolls
_MAX_AUTHORS = 12  # of a document that are named


def page() -> None:
    """Show what the address names: an entity, a document with its chunk, or one of the views."""
    if node := session.param(session.NODE):
        back(t("Things"), view="entities")
        knowledge_details.entity(node)
    elif document := session.param(session.DOCUMENT):
        back(t("All documents"))
        try:
            current = session.assistant().library.contents.document(document)
        except NotFound:
            st.info(
                t("This document is no longer in the library; choose another one."), icon=":material/info:"
            )
        else:
            read(current)
    else:
        st.title(t("Knowledge"), anchor=False)
        _counts()
        named = session.param(session.VIEW)
        kind = "things" if named in THINGS else named
        label, name = t("What to look at"), session.VIEW
        view = choose_view(label, VIEWS, name, kind, "documents", key="knowledge.documents")
        if view == "things":
            label, key = t("Which things"), "knowledge.entities"
            view = choose_view(label, THINGS, name, named, "entities", key=key, small=True)
        {
            "documents": knowledge_lists.documents,
            "search": knowledge_lists.search,
            "entities": knowledge_lists.entities,
            "tags": knowledge_lists.tags,
            "tables": knowledge_lists.tables,
            "words": vocabulary_view.page,
            "learning": changes_view.page,
        }[view]()


def back(label: Safe, **names: str) -> None:
    """Link back to the library, or to what is named in it."""
    st.page_link(session.KNOWLEDGE, label=label, icon=":material/arrow_back:", query_params=names or None)


def _counts() -> None:
    counts = session.assistant().library.contents.counts()
    if not counts.get("documents", 0):
        return
    order = (
        "documents",
        "sections",
        "chunks",
        "tables",
        "atoms",
        "entities",
        "relations",
        "references",
        "tags",
    )
    st.caption(display_text.totals(counts, order))


def read(document: Document) -> None:
    """Show a document: its card, its outline, and one chunk in full."""
    library = session.assistant().library.contents
    st.title(line(document.title, 200), anchor=False)
    paths = [entry.path for entry in library.entries(document.id)]
    facts = [
        document.name,
        display_text.kind(document.media_type),
        _extent(document.media_type, document.pages),
        display_text.size(document.size) if document.size else "",
        document.language,
        document.date,
        plain_n("at {n:,} path", "at {n:,} paths", len(paths)) if len(paths) > 1 else "",
    ]
    st.caption(line(" · ".join(filter(None, facts))))
    if authors := document.authors():
        named = ", ".join(authors[:_MAX_AUTHORS])
        more = len(authors) - _MAX_AUTHORS
        st.caption(
            tn("By {named} and {n:,} other", "By {named} and {n:,} others", more, named=named)
            if more > 0
            else t("By {named}", named=named)
        )
    if document.summary:
        st.markdown(escape(document.summary), anchors=False)
    sections, chunks = library.sections(document.id), library.chunks(document_id=document.id)
    if not chunks:
        st.info(t("This document has no text that could be read."))
        return
    named = session.param(session.CHUNK)
    chosen = next((chunk for chunk in chunks if chunk.id == named), chunks[0])
    left, right = st.columns([2, 3], gap="large")
    with left:
        _outline(document, sections, chunks, chosen)
        margins_view.show(document)
        _left_out(document)
        knowledge_details.references(document)
    with right:
        knowledge_details.chunk(document, chunks, chosen)


def _extent(media_type: str, pages: int) -> str:
    """Say how long a document is in what it has: "2 pages", "3 sheets", "12 slides"; "" for none."""
    if not pages:
        return ""
    if any(each in media_type for each in ("spreadsheet", "ms-excel")):
        return plain_n("{n:,} sheet", "{n:,} sheets", pages)
    if any(each in media_type for each in ("presentation", "ms-powerpoint")):
        return plain_n("{n:,} slide", "{n:,} slides", pages)
    return plain_n("{n:,} page", "{n:,} pages", pages)


def _left_out(document: Document) -> None:
    notes = document.left_out()
    if notes:
        label = tn("{n:,} note on how it was read", "{n:,} notes on how it was read", len(notes))
        with st.expander(label, type="compact", key=f"left_out_{document.id}"):
            st.markdown(
                join("\n", [layout("- {said}", said=translated(note)) for note in notes]), anchors=False
            )


def _outline(document: Document, sections: list[Section], chunks: list[Chunk], chosen: Chunk) -> None:
    st.caption(
        layout(
            "{section}, {chunk}",
            section=tn("{n:,} section", "{n:,} sections", len(sections)),
            chunk=tn("{n:,} chunk", "{n:,} chunks", len(chunks)),
        )
    )
    by_section: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_section.setdefault(chunk.section_id, []).append(chunk)
    top = min((section.level for section in sections), default=0)
    rows = len(sections) + len(chunks)
    height: int | Literal["content"] = _OUTLINE_PIXELS if rows > _OUTLINE_ROWS else "content"
    with st.container(height=height, border=True, gap="xxsmall", key="strata_outline"):
        for section in sections:
            indent = join("", [layout("&emsp;")] * min(section.level - top, 3))
            title = line(section.path[-1] if section.path else document.title, 70)
            st.markdown(
                layout("{indent}**{title}**", indent=indent, title=title),
                help=escape(section.summary) or None,
                anchors=False,
            )
            for chunk in by_section.get(section.id, ()):
                _link(document, chunk, indent, chunk.id == chosen.id)


def _link(document: Document, chunk: Chunk, indent: Safe, here: bool) -> None:
    lead = line(chunk.text, 52)
    label = layout("{indent}&emsp;**{lead}**" if here else "{indent}&emsp;{lead}", indent=indent, lead=lead)
    if st.button(label, key=f"outline_{chunk.id}", type="tertiary", wrap=False, width="stretch"):
        session.go(document=document.id, chunk=chunk.id)
        st.rerun()
