"""What comes into the corpus: files and folders, and how far each is."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from core.i18n.escaping import join
from core.i18n.messages import plain, t, tn
from core.ui.corpus import ingestion_queue
from core.ui.serving.awaited_uploads import AWAITED
from core.ui.shared import session, st

HIDDEN = (".", "~$", "Thumbs.db")  # what systems leave in folders
MANY_FILES, MANY_BYTES = 100, 64 << 20  # in a box; the browser names each to the server at each press
STAYS_SECONDS = 30.0  # a full box: until the browser has drawn the next and told what came to this one
_taking = threading.Lock()


@dataclass
class _Boxes:
    """The boxes of a session: the open one, and the full ones, each with a file of it and since when."""

    full: dict[int, tuple[str, float]] = field(default_factory=dict)
    open: int = 0
    taken: set[str] = field(default_factory=set)  # files, by the names that Streamlit gives them

    def drawn(self) -> list[int]:
        """Return the boxes that are on the page, the open one last."""
        return [*self.full, self.open]

    def fill(self, box: int, held: Sequence[st.Upload]) -> bool:
        """Open another box if the open one holds much; return whether it does: once for each."""
        much = len(held) > MANY_FILES or sum(file.size for file in held) > MANY_BYTES
        with _taking:
            if much and box == self.open:
                self.full[box] = held[-1].file_id, time.monotonic()
                self.open += 1
                return True
        return False

    def emptied(self) -> list[int]:
        """Return the full boxes that nothing comes to any more."""
        now = time.monotonic()
        return [
            box
            for box, (file, since) in [*self.full.items()]
            if min(now - since, AWAITED.quiet(file)) > STAYS_SECONDS
        ]

    def clear(self) -> None:
        """Take the full boxes that nothing comes to any more from the page."""
        for box in self.emptied():
            self.full.pop(box, None)


def _boxes() -> _Boxes:
    boxes: _Boxes = st.session_state.setdefault(session.UPLOADS, _Boxes())
    return boxes


def add() -> None:
    """Take files or a folder; they go to disk at once.

    A box that holds much is full: the next is drawn beside it, and it stays, out of sight, while files chosen
    in it come. Streamlit drops without a word what was chosen in a box that has left the page meanwhile.
    """
    boxes = _boxes()
    boxes.clear()  # also of who may no longer add: `_jobs` draws the page anew for what is left to clear
    if not session.may("add"):
        return
    library = session.assistant().library
    known = library.contents.collections() or ["default"]
    new = library.takes_new_collections()
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
    drawn = boxes.drawn()
    with files, st.container(key="corpus_files"):
        dropped = [
            st.file_uploader(
                t("Drop files: PDF, Office, text, tables, images, video, SQL, XML, mail, machine logs, zip"),
                accept_multiple_files=True,
                key=f"corpus.files.{box}",
            )
            for box in drawn
        ]
    with folder, st.container(key="corpus_folder"):
        whole = [
            st.file_uploader(
                t("Drop a folder; everything in it is added"),
                accept_multiple_files="directory",
                key=f"corpus.folder.{box}",
            )
            for box in drawn
        ]
    files_held = [file for held in [*dropped, *whole] for file in held or ()]
    _take(files_held, collection or "default", boxes.taken)
    if boxes.fill(drawn[-1], [*(dropped[-1] or ()), *(whole[-1] or ())]):
        st.rerun()


def _take(files: Sequence[st.Upload], collection: str, taken: set[str]) -> None:
    """Queue the files and note each as taken: what Streamlit draws next may end this run.

    A page that is drawn anew begins its run beside one that still queues: each file is taken by one of them.
    """
    hidden = queued = 0
    for file in files:
        with _taking:
            if file.file_id in taken:
                continue
            taken.add(file.file_id)
        if file.name.rsplit("/", 1)[-1].startswith(HIDDEN):
            hidden += 1
            continue
        try:
            session.assistant().library.upload(file.name, cast(BinaryIO, file), collection)
        except BaseException:
            taken.discard(file.file_id)
            raise
        queued += 1
    if not queued + hidden:  # all were taken before
        return
    messages = [tn("{n:,} file queued.", "{n:,} files queued.", queued)]
    if hidden:
        messages.append(tn("{n:,} hidden file left out.", "{n:,} hidden files left out.", hidden))
    st.toast(join(" ", messages))


def jobs() -> None:
    """Show the files on their way in; look again each second while there is work."""
    busy = ingestion_queue.busy()
    st.fragment(_jobs, run_every=ingestion_queue.POLL_SECONDS if busy else None, key="corpus_jobs")(live=busy)


def _jobs(*, live: bool) -> None:
    if _boxes().emptied():
        st.rerun(scope="app")
    ingestion_queue.show(live=live)
