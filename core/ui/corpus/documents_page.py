"""The corpus page: files on their way in, stage by stage, and the documents that are there."""

from collections.abc import Sequence
from typing import BinaryIO, Protocol, cast

import pandas as pd
import streamlit as st

from core.domain import Document
from core.ui.corpus import queue
from core.ui.knowledge import lists
from core.ui.shared import display_text, safe, session

HIDDEN = (".", "~$", "Thumbs.db")  # what systems leave in folders


class Upload(Protocol):
    """A dropped file, as Streamlit hands it over."""

    name: str


def add() -> None:
    """Take files or a folder; they go to disk at once and the box is emptied, so no memory is held."""
    if not session.may("add"):
        return
    library = session.assistant().library.contents
    known = library.collections() or ["default"]
    turn = st.session_state.setdefault(session.UPLOADS, 0)
    collection = st.selectbox(
        "Collection",
        known,
        key=session.COLLECTION,
        accept_new_options=True,
        help="A name for files that belong together; a question can be limited to it. Write a new one here.",
    )
    files, folder = st.tabs(["Files", "A folder"])
    with files:
        dropped = st.file_uploader(
            "Drop files: PDF, Office, text, tables, images, video, SQL, XML, mail, machine logs, zip",
            accept_multiple_files=True,
            key=f"corpus.files.{turn}",
        )
    with folder:
        whole = st.file_uploader(
            "Drop a folder; everything in it is added",
            accept_multiple_files="directory",
            key=f"corpus.folder.{turn}",
        )
    held = [*(dropped or ()), *(whole or ())]
    if held:
        _take(held, collection or "default")
        st.session_state[session.UPLOADS] = turn + 1
        st.rerun()


def _take(held: Sequence[Upload], collection: str) -> None:
    taken = [file for file in held if not file.name.rsplit("/", 1)[-1].startswith(HIDDEN)]
    for file in taken:
        session.assistant().library.upload(file.name, cast(BinaryIO, file), collection)
    left = f"; {len(held) - len(taken)} hidden files left out" if len(taken) < len(held) else ""
    st.toast(f"{display_text.count(len(taken), 'file')} queued{left}.")


def jobs() -> None:
    """Show the files on their way in; look again each second while there is work."""
    busy = any(job.status in queue.ACTIVE for job in session.assistant().library.jobs(queue.MOST))
    st.fragment(queue.show, run_every=queue.POLL if busy else None, key="corpus_jobs")(live=busy)


def documents() -> None:
    """List the documents; the chosen ones can be opened or deleted."""
    library = session.assistant().library.contents
    held = library.documents()
    st.subheader("In the library", anchor=False)
    if not held:
        st.markdown(
            "Nothing yet. A document can be asked about as soon as it is embedded, before it is distilled."
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
            "Title": [document.title for document in held],
            "File": [document.name for document in held],
            "Collection": [", ".join(sorted(shelf.get(document.id, ()))) for document in held],
            "Type": [display_text.kind(document.media_type) for document in held],
            "Pages": [document.pages or None for document in held],
            "Size": [display_text.size(document.size) for document in held],
            "Paths": [len(paths.get(document.id, ())) for document in held],
        }
    )
    row = lists.chosen(frame, "corpus.documents", {"Title": 360})
    if row is None:
        st.caption("Choose a row to open or delete a document.")
        return
    _act(held[row])


def _act(document: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            session.KNOWLEDGE,
            label=f"Open {safe.line(document.title, 50)}",
            icon=":material/account_tree:",
            query_params={session.DOCUMENT: document.id},
        )
        if session.may("delete") and st.button(
            "Delete …", icon=":material/delete:", key=f"delete_{document.id}"
        ):
            st.dialog("Delete this document?", width="medium")(_delete)(document)


def _delete(document: Document) -> None:
    with session.Guard():
        removal = session.assistant().library.removal(document.id)
        st.markdown(f"**{safe.line(removal.title or document.title)}**", anchors=False)
        st.markdown("This goes with it, everywhere it is stored:")
        frame = pd.DataFrame({"what": list(removal.counts), "how many": list(removal.counts.values())})
        st.dataframe(frame[frame["how many"] > 0], hide_index=True, width="stretch")
        if removal.paths:
            st.caption(f"Added as {safe.line(', '.join(removal.paths), 300)}. The files themselves stay.")
        with st.container(horizontal=True, gap="small"):
            if st.button("Delete", type="primary", key=f"really_{document.id}"):
                done = session.assistant().library.remove(document.id)
                left = sum(done.left.values())
                st.toast(
                    f"{safe.line(removal.title, 100)} is gone."
                    if not left
                    else f"{left} pieces are left; run `strata doctor --repair`."
                )
                st.rerun()
            if st.button("Keep it", key=f"keep_{document.id}"):
                st.rerun()
