"""Files attached in the chat: they go into the library, and what was asked with them waits until they can
be searched."""

from collections.abc import Sequence
from typing import BinaryIO, cast

from core.i18n.escaping import Safe, layout, line
from core.i18n.messages import t, tn
from core.i18n.recorded_messages import translated
from core.knowledge.stores.records import OPEN, Job
from core.ui.shared import session, st

JOBS = "chat.attached"
WAITING = "chat.waiting"
POLL_SECONDS = 1.0  # seconds between two looks


def take(files: Sequence[st.Upload], question: str) -> None:
    """Queue the files; the question is asked once they can be searched."""
    library = session.assistant().library
    queued = [library.upload(file.name, cast(BinaryIO, file)) for file in files]
    _wait(queued, question)


def wait_for_library(question: str) -> bool:
    """Ask once what is on its way in can be searched; return whether anything is."""
    coming = [job.id for job in session.assistant().library.jobs(200) if job.status in OPEN]
    if coming:
        _wait(coming, question)
    return bool(coming)


def _wait(jobs: Sequence[str], question: str) -> None:
    st.session_state[JOBS] = list(dict.fromkeys([*st.session_state.get(JOBS, []), *jobs]))
    if question.strip():
        st.session_state[WAITING] = question


def progress() -> None:
    """Show how far the attached files are, and what waits for them."""
    if st.session_state.get(JOBS):
        st.fragment(_progress, run_every=POLL_SECONDS, key="attachments")()


def _progress() -> None:
    with session.Guard():
        wanted: list[str] = st.session_state.get(JOBS, [])
        jobs = [job for job in session.assistant().library.jobs(200) if job.id in wanted]
        going = [job for job in jobs if job.status in OPEN and not _searchable(job)]
        failed = [job for job in jobs if job.status == "failed"]
        waiting = str(st.session_state.get(WAITING, ""))
        if not going:
            _over(jobs, failed, waiting)
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strata_attached"):
            names = line(", ".join(job.name for job in going), 120)
            st.caption(t(":material/hourglass_top: Reading {names} …", names=names))
            if waiting:
                st.caption(t("Then: {waiting}", waiting=line(waiting, 80)))


def _searchable(job: Job) -> bool:
    """Say whether the job's document can be searched; it is enriched afterwards."""
    return job.stage == "enrich"


def refusal(job: Job) -> Safe:
    """Say why a file was not read; most reasons begin with its name."""
    reason = translated(job.reason)
    return reason if job.name in job.reason else layout("{name}: {reason}", name=job.name, reason=reason)


def _over(jobs: Sequence[Job], failed: Sequence[Job], waiting: str) -> None:
    from core.ui.chat import ask_box  # the box knows its attachments, not the other way round

    st.session_state.pop(JOBS, None)
    st.session_state.pop(WAITING, None)
    for job in failed:
        st.toast(refusal(job), icon=":material/error:", duration="long")
    read = len(jobs) - len(failed)
    if read:
        st.toast(
            t("{file} can be searched.", file=tn("{n:,} file", "{n:,} files", read)), icon=":material/check:"
        )
        if waiting:
            ask_box.ask(waiting)
    st.rerun(scope="app")
