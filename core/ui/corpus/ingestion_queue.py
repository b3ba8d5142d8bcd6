"""The ingestion queue: one row a file, with its stage, how long it still takes and when it last moved."""

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from core.errors import NotFound
from core.i18n.escaping import Safe, join, layout, line
from core.i18n.messages import mark, say, t, tn
from core.i18n.recorded_messages import translated
from core.knowledge.stores.records import AT_WORK, Job
from core.ui.corpus.ingestion_report import WORDS, outcomes, report
from core.ui.models import embedding_status
from core.ui.shared import display_text, session, st

POLL_SECONDS = 1.0  # seconds
STAGES = ("parse", "chunk", "embed", "enrich")
NAMES = {"parse": mark("parse"), "chunk": mark("chunk"), "embed": mark("embed"), "enrich": mark("enrich")}
COUNTED = ("embed", "enrich")  # stages whose pieces are chunks
MAX_ACTIVE_FILES, MAX_FAILED_FILES = 6, 3  # files at work, and files that failed, each on a card
MAX_JOBS = 2000  # jobs looked at
MIN_FILES_TO_ESTIMATE = 3  # files that were read before the whole can be estimated
ENDED = ("done", "cancelled", "failed")
LABELS = {
    "pause": mark("Pause"),
    "resume": mark("Resume"),
    "cancel": mark("Cancel"),
    "retry": mark("Retry"),
    "dismiss": mark("Dismiss"),
}
OFFERED = {
    "running": ("pause", "cancel"),
    "queued": ("pause", "cancel"),
    "paused": ("resume", "cancel"),
    "failed": ("retry", "dismiss"),
}


def busy() -> bool:
    """Say whether files are at work or wait."""
    return any(job.status in AT_WORK for job in session.assistant().library.jobs(MAX_JOBS))


def show(*, live: bool) -> None:
    """Show what is at work, what waits, what failed, and at the end what became of every file."""
    with session.Guard():
        jobs = session.assistant().library.jobs(MAX_JOBS)
        if live != any(job.status in AT_WORK for job in jobs):
            st.rerun(scope="app")
        for job in jobs:
            if job.kind == "vectors" and job.status != "done":
                embedding_status.row(job)
        jobs = [job for job in jobs if job.kind != "vectors"]
        if not jobs:
            return
        running = [job for job in jobs if job.status in ("running", "paused")]
        waiting = [job for job in reversed(jobs) if job.status == "queued"]
        failed = still_failed(jobs)
        if running or waiting or failed:
            st.subheader(t("On the way in") if running or waiting else t("Not read"), anchor=False)
        if running or waiting:
            _overall(jobs, len(running), len(waiting))
        running.sort(key=progress, reverse=True)
        shown = [*running, *waiting][:MAX_ACTIVE_FILES]
        for job in shown:
            _row(job)
        if more := len(running) + len(waiting) - len(shown):
            st.caption(tn("{n:,} more file at work or waiting", "{n:,} more files at work or waiting", more))
        _failed(failed)
        if ended := [job for job in jobs if job.status in ENDED]:
            report(ended, partial(_act, "dismiss"))


def still_failed(jobs: Sequence[Job]) -> list[Job]:
    """Return the files that failed, of jobs newest first, but for those that a later job has read."""
    done: set[tuple[str, str]] = set()
    failed = []
    for job in jobs:
        if job.status == "done":
            done.add((job.path, job.collection))
        elif job.status == "failed" and (job.path, job.collection) not in done:
            failed.append(job)
    return failed


def _overall(jobs: Sequence[Job], running: int, waiting: int) -> None:
    """Say how far the whole is: files that ended since the oldest of those still open came."""
    open_ = [job for job in jobs if job.status not in ENDED]
    first = min(job.created for job in open_)
    over = [job for job in jobs if job.status in ENDED and (job.finished or 0) >= first]
    left = remaining(over, len(open_), time.time() - first)
    summary = t(
        "{running} at work, {waiting} waiting, {over} of {all} finished",
        running=running,
        waiting=waiting,
        over=len(over),
        all=len(over) + len(open_),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(summary if left is None or left < 1 else join(" · ", [summary, _eta(left)]))
        if len(open_) > 1 and session.may("add"):
            st.button(
                t("Cancel all"),
                key="cancel_all",
                type="tertiary",
                help=t("Ends what is at work and what waits. What can be searched already stays."),
                on_click=_cancel_all,
                args=([job.id for job in open_],),
            )


def _eta(left: float) -> Safe:
    return t("about {time} left", time=display_text.seconds(left))


def remaining(over: Sequence[Job], open_: int, passed: float) -> float | None:
    """Return the seconds the open files still take if they go as those before; None while these are few.

    Files that were known or refused at once say nothing of how long reading takes.
    """
    worked = [job for job in over if job.outcome in ("read", "reread")]
    return passed / len(worked) * open_ if len(worked) >= MIN_FILES_TO_ESTIMATE else None


def _failed(failed: Sequence[Job]) -> None:
    for job in failed[:MAX_FAILED_FILES]:
        _row(job)
    if len(failed) > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            parts = [outcomes(failed)]
            if more := len(failed) - MAX_FAILED_FILES if len(failed) > MAX_FAILED_FILES else 0:
                parts.append(tn("{n:,} more stands in the report", "{n:,} more stand in the report", more))
            st.caption(join("; ", parts))
            jobs = [job.id for job in failed]
            st.button(t("Retry all"), key="retry_all", type="tertiary", on_click=_act, args=("retry", jobs))
            st.button(
                t("Dismiss all"), key="dismiss_all", type="tertiary", on_click=_act, args=("dismiss", jobs)
            )


def progress(job: Job) -> float:
    """Return how far the file is, 0 to 1, its four stages counting alike."""
    if job.status == "done":
        return 1.0
    if job.stage not in STAGES:
        return 0.0
    within = job.done / job.total if job.total else 0.0
    return min(1.0, (STAGES.index(job.stage) + min(1.0, within)) / len(STAGES))


def stages(job: Job) -> Safe:
    """Say the stages in a row, the present one in bold with its count."""
    if job.stage not in STAGES:
        return say(WORDS[job.status])
    at = STAGES.index(job.stage)
    parts = []
    for n, stage in enumerate(STAGES):
        name = say(NAMES[stage])
        if n > at:
            parts.append(layout(":gray[{name}]", name=name))
        elif n < at:
            parts.append(name)
        elif job.total:
            parts.append(t("**{stage} {done} of {total}**", stage=name, done=job.done, total=job.total))
        else:
            parts.append(layout("**{name}**", name=name))
    return join(" → ", parts)


def _row(job: Job) -> None:
    with st.container(border=True, gap="xsmall", key=f"job_{job.id}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(layout("**{name}**", name=line(job.name, 90)), anchors=False)
            with st.container(horizontal=True, width="content", gap="xsmall"):
                _buttons(job)
        if job.status == "failed":
            reason = translated(job.reason) if job.reason else t("It could not be read.")
            st.markdown(layout(":red[{reason}]", reason=reason), anchors=False)
            st.caption(translated(job.hint))
            return
        st.progress(progress(job))
        pace = session.assistant().library.pace(job.id)
        at_work = job.status == "running"
        parts = [stages(job)]
        if at_work and pace.rate and job.stage in COUNTED:
            parts.append(t("{rate:,.1f} chunks/s", rate=pace.rate))
        if at_work and pace.left and pace.left >= 1:
            parts.append(_eta(pace.left))
        if job.stage == "enrich":
            parts.append(t("already searchable"))
        if at_work and job.updated:
            parts.append(t("last update {ago}", ago=display_text.ago(pace.idle)))
        st.caption(join(" · ", parts))


def _buttons(job: Job) -> None:
    for act in OFFERED.get(job.status, ()) if session.may("add") else ():
        label = say(LABELS[act])
        st.button(label, key=f"{act}_{job.id}", type="tertiary", on_click=_act, args=(act, [job.id]))


def _act(act: str, jobs: Sequence[str]) -> None:
    """Do what was pressed, before anything is shown: a page that is drawn anew meanwhile loses no press."""
    assistant = session.assistant()
    for job in jobs:
        with suppress(NotFound):  # it is over and gone
            {
                "pause": assistant.library.pause,
                "resume": assistant.library.resume,
                "cancel": assistant.library.cancel,
                "retry": assistant.library.retry,
                "dismiss": assistant.library.dismiss,
            }[act](job)


def _cancel_all(jobs: Sequence[str]) -> None:
    session.assistant().library.cancel_all(jobs)
