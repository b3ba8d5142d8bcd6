"""The documents of the library as a list: sorted, narrowed, and acted on many at once, with undo."""

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from core.domain import Document, Entry
from core.i18n.escaping import Safe, join, layout, line
from core.i18n.messages import plain, t, tn
from core.knowledge.stores.records import Removal
from core.ui.corpus import earlier_readings, ingestion_queue, undoing
from core.ui.shared import display_text, empty_library, session, st, widgets

ORDER = ("documents", "chunks", "tables", "atoms", "entities", "relations", "tags")
GONE = (*ORDER, "sections", "references")  # named where documents are deleted
HEIGHT_PIXELS = 460


def show() -> None:
    """Show the list; chosen documents can be opened, moved, enriched and deleted."""
    library = session.assistant().library.contents
    documents = widgets.by_title(library.documents())
    st.subheader(t("In the library"), anchor=False)
    if not documents:
        undoing.show()
        if not ingestion_queue.busy():
            st.markdown(t("Nothing yet. Add files above: each can be asked about as soon as it is read."))
            empty_library.offer_demo()
            return
    with st.container(key="corpus_counts"):
        poll = ingestion_queue.POLL_SECONDS if ingestion_queue.busy() else None
        st.fragment(_counts, run_every=poll, key="corpus_held")(drawn=library.counts().get("documents", 0))
    if not documents:
        return
    earlier_readings.show()
    shelf = _shelf(library.entries())
    shown = _narrowed(documents, shelf)
    with (acts := st.container(key="corpus_bar")):  # above the list: in view when a document was ticked
        undoing.show()
    if not shown:
        st.markdown(t("No document fits this."))
        return
    chosen = _list(shown, shelf)
    with acts:
        if chosen:
            _acts(chosen, shelf)
        else:
            st.caption(
                t("Tick documents to open, move, enrich or delete them; press a column's name to sort.")
            )


def _counts(*, drawn: int) -> None:
    """Say what is held, again while files come in; the list goes with it unless documents are ticked."""
    with session.Guard():
        counts = session.assistant().library.contents.counts()
        state = st.session_state.get(_list_key())
        if counts.get("documents", 0) != drawn and not (state and state["selection"]["rows"]):
            st.rerun(scope="app")
        st.caption(display_text.totals(counts, ORDER))


def _list_key() -> str:
    return f"corpus.documents.{undoing.turn()}"


def _shelf(entries: Sequence[Entry]) -> dict[str, list[str]]:
    """Return the collections of each document, by name."""
    shelf: dict[str, list[str]] = {}
    for entry in entries:
        collections = shelf.setdefault(entry.document_id, [])
        if entry.collection not in collections:
            collections.append(entry.collection)
    return {document: sorted(names) for document, names in shelf.items()}


def _narrowed(documents: Sequence[Document], shelf: dict[str, list[str]]) -> list[Document]:
    """Let the reader narrow the list by words, collection and type."""
    collections = sorted({name for names in shelf.values() for name in names})
    kinds = sorted({display_text.kind(document.media_type) for document in documents})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="corpus_filters"):
        words = st.text_input(
            t("Find"), key="corpus.find", placeholder=plain("Words of title or file name"), width=280
        )
        among = st.multiselect(
            t("In collections"), collections, key="corpus.among", placeholder=plain("All"), width=220
        )
        of = st.multiselect(t("Of type"), kinds, key="corpus.kinds", placeholder=plain("All"), width=200)
    asked = words.casefold().split()
    return [
        document
        for document in documents
        if all(word in f"{document.title} {document.name}".casefold() for word in asked)
        and (not among or set(among) & set(shelf.get(document.id, ())))
        and (not of or display_text.kind(document.media_type) in of)
    ]


def _list(shown: Sequence[Document], shelf: dict[str, list[str]]) -> list[Document]:
    """Draw the list; return the documents that are ticked."""
    size, pages = plain("Size"), plain("Pages")
    frame = pd.DataFrame(
        {
            plain("Title"): [document.title for document in shown],
            plain("File"): [document.name for document in shown],
            plain("Collection"): [", ".join(shelf.get(document.id, ())) for document in shown],
            plain("Type"): [display_text.kind(document.media_type) for document in shown],
            plain("Date"): [document.date for document in shown],
            pages: [document.pages or None for document in shown],
            size: [max(document.size, 100) / 1000 for document in shown],
        }
    )
    state = st.dataframe(
        frame,
        hide_index=True,
        width="stretch",
        height=min(HEIGHT_PIXELS, 38 + 35 * len(frame)),
        on_select="rerun",
        placeholder="",
        selection_mode="multi-row",
        key=_list_key(),
        column_config={
            plain("Title"): st.column_config.Column(width=320),
            plain("Date"): st.column_config.Column(width=110),
            pages: st.column_config.NumberColumn(width="small"),
            size: st.column_config.NumberColumn(width="small", format="%.1f kB"),
        },
    )
    return [shown[at] for at in state["selection"]["rows"] if at < len(shown)]


def _acts(chosen: list[Document], shelf: dict[str, list[str]]) -> None:
    """Show what can be done with the chosen documents."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus_acts"):
        st.markdown(
            tn("**{n:,} document chosen**", "**{n:,} documents chosen**", len(chosen)), width="content"
        )
        if len(chosen) == 1:
            st.page_link(
                session.KNOWLEDGE,
                label=t("Open {title}", title=line(chosen[0].title, 50)),
                icon=":material/account_tree:",
                query_params={session.DOCUMENT: chosen[0].id},
            )
        if session.may("correct", whole=True):
            _move(chosen, shelf)
        enriching = session.assistant().library.background_enrichment is not None
        if enriching and session.may("enrich", whole=True):
            st.button(
                t("Enrich"),
                icon=":material/auto_awesome:",
                type="tertiary",
                key="enrich_chosen",
                help=t("Lets the model enrich these before all others, while nobody asks anything."),
                on_click=_enrich,
                args=([document.id for document in chosen],),
            )
        if session.may("delete") and st.button(
            t("Delete …"), icon=":material/delete:", type="tertiary", key="delete_chosen"
        ):
            st.dialog(tn("Delete {n:,} document?", "Delete {n:,} documents?", len(chosen)), width="medium")(
                _delete
            )(chosen)


def _move(chosen: list[Document], shelf: dict[str, list[str]]) -> None:
    known = sorted({name for names in shelf.values() for name in names})
    with st.popover(t("Move to …"), icon=":material/drive_file_move:", type="tertiary"):
        where = st.selectbox(
            t("Collection"),
            known,
            index=None,
            key="corpus.move",
            accept_new_options=True,
            placeholder=plain("One there is, or a new name"),
        )
        st.button(
            t("Move"),
            key="move_chosen",
            disabled=not where,
            on_click=_moved,
            args=([document.id for document in chosen], where),
        )


def _moved(document_ids: list[str], collection: str) -> None:
    before = session.assistant().library.move(document_ids, collection)
    message = tn(
        "{n:,} document moved to {name}.",
        "{n:,} documents moved to {name}.",
        len(document_ids),
        name=collection,
    )
    undoing.done(message, before)


def _enrich(document_ids: list[str]) -> None:
    session.assistant().library.enrichment().request(document_ids)
    st.toast(
        tn("{n:,} document waits for the model.", "{n:,} documents wait for the model.", len(document_ids))
    )
    undoing.act()


def _delete(chosen: list[Document]) -> None:
    with session.Guard():
        library = session.assistant().library
        removals = [library.removal(document.id) for document in chosen]
        for removal in removals[:8]:
            st.markdown(layout("**{title}**", title=removal.title), anchors=False)
        if len(removals) > 8:
            st.caption(tn("and {n:,} more", "and {n:,} more", len(removals) - 8))
        st.markdown(t("This goes with it, everywhere it is stored:"))
        st.markdown(display_text.totals(_together(removals), GONE), anchors=False)
        st.caption(
            t(
                "Files on disk stay. Until the next removal, or until Strata ends, it can be undone: the "
                "documents are then read in again."
            )
        )
        with st.container(horizontal=True, gap="small"):
            if st.button(t("Keep"), key="keep_chosen"):
                st.rerun()
            if st.button(t("Delete"), icon=":material/delete:", key="really_delete"):
                done = library.move_to_trash([document.id for document in chosen])
                undoing.done(_report_removal(done), None)
                st.rerun()


def _together(removals: Sequence[Removal]) -> dict[str, int]:
    """Add up what goes."""
    total: Counter[str] = Counter()
    for removal in removals:
        total.update({what: number for what, number in removal.counts.items() if number})
    return dict(total)


def _report_removal(done: Sequence[Removal]) -> Safe:
    """Say what was removed, and whether anything of it is left."""
    messages = [undoing.gone([removal.title for removal in done])]
    if left := sum(number for removal in done for number in removal.left.values()):
        messages.append(
            tn(
                "{n:,} piece is left; run `strata doctor --repair`.",
                "{n:,} pieces are left; run `strata doctor --repair`.",
                left,
            )
        )
    return join(" ", messages)
