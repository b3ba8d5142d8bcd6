"""The corpus page: files on their way in, stage by stage, and the documents that are there."""

from collections.abc import Sequence
from typing import BinaryIO, cast

import pandas as pd

from core.domain import Document
from core.text.escaping import join, layout, line
from core.text.messages import plain, t, tn
from core.ui.corpus import queue
from core.ui.knowledge import lists
from core.ui.shared import display_text, session, st

HIDDEN = (".", "~$", "Thumbs.db")  # what systems leave in folders


def add() -> None:
    """Take files or a folder; they go to disk at once and the box is emptied, so no memory is held."""
    if not session.may("add"):
        return
    library = session.assistant().library.contents
    known = library.collections() or ["default"]
    turn = st.session_state.setdefault(session.UPLOADS, 0)
    collection = st.selectbox(
        t("Collection"),
        known,
        key=session.COLLECTION,
        accept_new_options=True,
        help=t(
            "A name for files that belong together; a question can be limited to it. Write a new one here."
        ),
    )
    files, folder = st.tabs([t("Files"), t("A folder")])
    with files:
        dropped = st.file_uploader(
            t("Drop files: PDF, Office, text, tables, images, video, SQL, XML, mail, machine logs, zip"),
            accept_multiple_files=True,
            key=f"corpus.files.{turn}",
        )
    with folder:
        whole = st.file_uploader(
            t("Drop a folder; everything in it is added"),
            accept_multiple_files="directory",
            key=f"corpus.folder.{turn}",
        )
    held = [*(dropped or ()), *(whole or ())]
    if held:
        _take(held, collection or "default")
        st.session_state[session.UPLOADS] = turn + 1
        st.rerun()


def _take(held: Sequence[st.Upload], collection: str) -> None:
    taken = [file for file in held if not file.name.rsplit("/", 1)[-1].startswith(HIDDEN)]
    for file in taken:
        session.assistant().library.upload(file.name, cast(BinaryIO, file), collection)
    said = [tn("{n:,} file queued.", "{n:,} files queued.", len(taken))]
    if hidden := len(held) - len(taken):
        said.append(tn("{n:,} hidden file left out.", "{n:,} hidden files left out.", hidden))
    st.toast(join(" ", said))


def jobs() -> None:
    """Show the files on their way in; look again each second while there is work."""
    busy = any(job.status in queue.ACTIVE for job in session.assistant().library.jobs(queue.MOST))
    st.fragment(queue.show, run_every=queue.POLL if busy else None, key="corpus_jobs")(live=busy)


def documents() -> None:
    """List the documents; the chosen ones can be opened or deleted."""
    library = session.assistant().library.contents
    held = library.documents()
    st.subheader(t("In the library"), anchor=False)
    if not held:
        st.markdown(
            t("Nothing yet. A document can be asked about as soon as it is embedded, before it is distilled.")
        )
        return
    counts = library.counts()
    order = ("documents", "chunks", "tables", "atoms", "entities", "relations", "tags")
    st.caption(display_text.holdings(counts, order))
    entries = library.entries()
    paths: dict[str, list[str]] = {}
    shelf: dict[str, set[str]] = {}
    for entry in entries:
        paths.setdefault(entry.document_id, []).append(entry.path)
        shelf.setdefault(entry.document_id, set()).add(entry.collection)
    frame = pd.DataFrame(
        {
            plain("Title"): [document.title for document in held],
            plain("File"): [document.name for document in held],
            plain("Collection"): [", ".join(sorted(shelf.get(document.id, ()))) for document in held],
            plain("Type"): [display_text.kind(document.media_type) for document in held],
            plain("Pages"): [document.pages or None for document in held],
            plain("Size"): [display_text.size(document.size) for document in held],
            plain("Paths"): [len(paths.get(document.id, ())) for document in held],
        }
    )
    row = lists.chosen(frame, "corpus.documents", {plain("Title"): 360})
    if row is None:
        st.caption(t("Choose a row to open or delete a document."))
        return
    _act(held[row])


def _act(document: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            session.KNOWLEDGE,
            label=t("Open {title}", title=line(document.title, 50)),
            icon=":material/account_tree:",
            query_params={session.DOCUMENT: document.id},
        )
        if session.may("delete") and st.button(
            t("Delete …"), icon=":material/delete:", key=f"delete_{document.id}"
        ):
            st.dialog(t("Delete this document?"), width="medium")(_delete)(document)


def _delete(document: Document) -> None:
    with session.Guard():
        removal = session.assistant().library.removal(document.id)
        st.markdown(layout("**{value}**", value=removal.title or document.title), anchors=False)
        st.markdown(t("This goes with it, everywhere it is stored:"))
        gone = {what: n for what, n in removal.counts.items() if n}
        frame = pd.DataFrame({plain("What"): list(gone), plain("How many"): list(gone.values())})
        st.dataframe(frame, hide_index=True, width="stretch")
        if removal.paths:
            st.caption(
                t("Added as {paths}. The files themselves stay.", paths=line(", ".join(removal.paths), 300))
            )
        with st.container(horizontal=True, gap="small"):
            if st.button(t("Delete"), type="primary", key=f"really_{document.id}"):
                done = session.assistant().library.remove(document.id)
                left = sum(done.left.values())
                st.toast(
                    t("{title} is gone.", title=line(removal.title, 100))
                    if not left
                    else tn(
                        "{n:,} piece is left; run `strata doctor --repair`.",
                        "{n:,} pieces are left; run `strata doctor --repair`.",
                        left,
                    )
                )
                st.rerun()
            if st.button(t("Keep it"), key=f"keep_{document.id}"):
                st.rerun()
