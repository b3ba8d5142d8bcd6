"""What comes into the corpus: files and folders, and how far each is."""

import threading
from collections.abc import Sequence
from typing import BinaryIO, cast

from core.i18n.escaping import join
from core.i18n.messages import plain, t, tn
from core.ui.corpus import ingestion_queue
from core.ui.shared import session, st

HIDDEN = (".", "~$", "Thumbs.db")  # what systems leave in folders
MANY_FILES, MANY_BYTES = 100, 64 << 20  # in the box; the browser names each to the server at each press
_taking = threading.Lock()


def add() -> None:
    """Take files or a folder; they go to disk at once.

    The box stays until it holds much: a file dropped while the box is replaced is lost with it.
    """
    if not session.may("add"):
        return
    library = session.assistant().library
    known = library.contents.collections() or ["default"]
    new = library.takes_new_collections()
    turn = st.session_state.setdefault(session.UPLOADS, 0)
    collection = st.selectbox(
        t("Collection"),
        known,
        key=session.COLLECTION,
        accept_new_options=new,
        placeholder=plain("One there is, or a new name") if new else None,
        help=t(
            "A name for files that belong together; a question can be limited to it. Write a new one here."
        )
        if new
        else t("A name for files that belong together; a question can be limited to it."),
    )
    files, folder = st.tabs([t("Files"), t("A folder")])
    with files, st.container(key="corpus_files"):
        dropped = st.file_uploader(
            t("Drop files: PDF, Office, text, tables, images, video, SQL, XML, mail, machine logs, zip"),
            accept_multiple_files=True,
            key=f"corpus.files.{turn}",
        )
    with folder, st.container(key="corpus_folder"):
        whole = st.file_uploader(
            t("Drop a folder; everything in it is added"),
            accept_multiple_files="directory",
            key=f"corpus.folder.{turn}",
        )
    uploaded: dict[str, int] = st.session_state.setdefault(session.UPLOADED, {})
    new_files = [file for file in [*(dropped or ()), *(whole or ())] if file.file_id not in uploaded]
    if new_files:
        _take(new_files, collection or "default", uploaded)
        if len(uploaded) > MANY_FILES or sum(uploaded.values()) > MANY_BYTES:
            st.session_state[session.UPLOADS] = turn + 1
            # Another one: a run that ends late still reads the old one.
            st.session_state[session.UPLOADED] = {}
            st.rerun()


def _take(files: Sequence[st.Upload], collection: str, uploaded: dict[str, int]) -> None:
    """Queue the files and note each as taken: what Streamlit draws next may end this run.

    A page that is drawn anew begins its run beside one that still queues: each file is taken by one of them.
    """
    hidden = queued = 0
    for file in files:
        with _taking:
            if file.file_id in uploaded:
                continue
            uploaded[file.file_id] = file.size
        if file.name.rsplit("/", 1)[-1].startswith(HIDDEN):
            hidden += 1
            continue
        try:
            session.assistant().library.upload(file.name, cast(BinaryIO, file), collection)
        except BaseException:
            del uploaded[file.file_id]
            raise
        queued += 1
    if not queued + hidden:  # another run took them
        return
    messages = [tn("{n:,} file queued.", "{n:,} files queued.", queued)]
    if hidden:
        messages.append(tn("{n:,} hidden file left out.", "{n:,} hidden files left out.", hidden))
    st.toast(join(" ", messages))


def jobs() -> None:
    """Show the files on their way in; look again each second while there is work."""
    busy = ingestion_queue.busy()
    st.fragment(
        ingestion_queue.show, run_every=ingestion_queue.POLL_SECONDS if busy else None, key="corpus_jobs"
    )(live=busy)
