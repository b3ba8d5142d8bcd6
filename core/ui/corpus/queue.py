"""The ingestion queue: one row a file, with its stage, how long it still takes and when it last moved."""

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import pandas as pd
import streamlit as st

from core.errors import NotFound
from core.export.csv_file import csv_bytes
from core.knowledge.stores.records import Job
from core.ui.models import embedding_status
from core.ui.shared import display_text, safe, session

POLL = 1.0  # seconds
ACTIVE = ("queued", "running")
STAGES = ("parse", "chunk", "embed", "distil")
NAMES = {"distil": "enrich"}  # as a reader sees them
COUNTED = ("embed", "distil")  # stages whose pieces are chunks
SHOWN = 6  # files at work, and files that failed, each on a card
MOST = 2000  # jobs looked at
FEW = 3  # files that were read before the whole can be estimated
ENDED = ("done", "cancelled", "failed")
OFFERED = {
    "running": ("pause", "cancel"),
    "queued": ("pause", "cancel"),
    "paused": ("resume", "cancel"),
    "failed": ("retry",),
}

OUTCOMES = {"read": "added", "known": "already in the library", "refused": "not taken", "failed": "failed"}
WORDS = {"queued": "waits", "running": "at work", "paused": "paused", "done": "done", "failed": "failed",
         "cancelled": "cancelled"}  # fmt: skip


def show(*, live: bool) -> None:
    """Show what is at work, what waits, what failed, and at the end what became of every file."""
    with session.Guard():
        held = session.assistant().library.jobs(MOST)
        if live != any(job.status in ACTIVE for job in held):
            st.rerun(scope="app")
        for job in held:
            if job.kind == "vectors" and job.status != "done":
                embedding_status.row(job)
        held = [job for job in held if job.kind == "file"]
        if not held:
            return
        st.subheader("On the way in", anchor=False)
        running = [job for job in held if job.status in ("running", "paused")]
        waiting = [job for job in reversed(held) if job.status == "queued"]
        if running or waiting:
            _overall(held, len(running), len(waiting))
        running.sort(key=progress, reverse=True)
        shown = [*running, *waiting][:SHOWN]
        for job in shown:
            _row(job)
        if more := len(running) + len(waiting) - len(shown):
            st.caption(f"{display_text.count(more, 'more file')} at work or waiting")
        _failed([job for job in held if job.status == "failed"])
        if ended := [job for job in held if job.status in ENDED]:
            report(ended)


def _overall(held: Sequence[Job], running: int, waiting: int) -> None:
    """Say how far the whole is: files that ended since the oldest of those still open came."""
    open_ = [job for job in held if job.status not in ENDED]
    first = min(job.created for job in open_)
    over = [job for job in held if job.status in ENDED and (job.finished or 0) >= first]
    left = remaining(over, len(open_), time.time() - first)
    eta = f", about {display_text.seconds(left)} left" if left is not None and left >= 1 else ""
    st.caption(f"{running} at work, {waiting} waiting, {len(over)} of {len(over) + len(open_)} over{eta}")


def remaining(over: Sequence[Job], open_: int, passed: float) -> float | None:
    """Return the seconds the open files still take if they go as those before; None while these are few.

    Files that were known or refused at once say nothing of how long reading takes.
    """
    worked = [job for job in over if job.outcome == "read"]
    return passed / len(worked) * open_ if len(worked) >= FEW else None


def _failed(failed: Sequence[Job]) -> None:
    for job in failed[:SHOWN]:
        _row(job)
    if len(failed) > 1:
        more = f"; {len(failed) - SHOWN} more stand in the report" if len(failed) > SHOWN else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{len(failed)} files failed{more}")
            jobs = [job.id for job in failed]
            st.button("Retry all", key="retry_all", type="tertiary", on_click=_act, args=("retry", jobs))


def progress(job: Job) -> float:
    """Return how far the file is, 0 to 1, its four stages counting alike."""
    if job.status == "done":
        return 1.0
    if job.stage not in STAGES:
        return 0.0
    within = job.done / job.total if job.total else 0.0
    return min(1.0, (STAGES.index(job.stage) + min(1.0, within)) / len(STAGES))


def stages(job: Job) -> str:
    """Say the stages in a row, the present one in bold with its count."""
    if job.stage not in STAGES:
        return WORDS[job.status]
    at = STAGES.index(job.stage)
    said = []
    for n, stage in enumerate(STAGES):
        counted = f" {job.done} of {job.total}" if n == at and job.total else ""
        name = NAMES.get(stage, stage)
        said.append(f"**{name}{counted}**" if n == at else (name if n < at else f":gray[{name}]"))
    return " → ".join(said)


def _row(job: Job) -> None:
    with st.container(border=True, gap="xsmall", key=f"job_{job.id}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{safe.line(job.name, 90)}**", anchors=False)
            with st.container(horizontal=True, width="content", gap="xsmall"):
                _buttons(job)
        if job.status == "failed":
            st.markdown(f":red[{safe.line(job.reason or 'It could not be read.')}]", anchors=False)
            st.caption(safe.line(job.hint))
            return
        st.progress(progress(job))
        pace = session.assistant().library.pace(job.id)
        at_work = job.status == "running"
        speed = f" · {pace.rate:,.1f} chunks/s" if at_work and pace.rate and job.stage in COUNTED else ""
        searchable = " · already searchable" if job.stage == "distil" else ""
        eta = (
            f" · about {display_text.seconds(pace.left)} left"
            if at_work and pace.left and pace.left >= 1
            else ""
        )
        sign = f" · last sign {display_text.ago(pace.idle)}" if at_work and job.updated else ""
        st.caption(f"{stages(job)}{speed}{eta}{searchable}{sign}")


def _buttons(job: Job) -> None:
    for act in OFFERED.get(job.status, ()) if session.may("add") else ():
        label = act.capitalize()
        st.button(label, key=f"{label}_{job.id}", type="tertiary", on_click=_act, args=(act, [job.id]))


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
            }[act](job)


def report(ended: Sequence[Job]) -> None:
    """Say what became of the files: how many of each outcome, and for each what was skipped and why."""
    counted = Counter(job.outcome or job.status for job in ended)
    said = ", ".join(f"{number:,} {OUTCOMES.get(what, what)}" for what, number in counted.most_common())
    title = f"{display_text.count(len(ended), 'file')} finished: {said}"
    with st.expander(title, type="compact", key="corpus_done"):
        frame = reported(ended)
        st.dataframe(
            frame,
            hide_index=True,
            width="stretch",
            height=min(460, 38 + 35 * len(frame)),
            placeholder="",
            column_config={
                "File": st.column_config.TextColumn(width="medium"),
                "What was skipped, and why": st.column_config.TextColumn(width="large"),
            },
        )
        st.download_button(
            "Save this report",
            csv_bytes(frame),
            "strata-ingestion.csv",
            "text/csv",
            key="corpus_report",
            type="tertiary",
            icon=":material/download:",
        )


def reported(ended: Sequence[Job]) -> pd.DataFrame:
    """Return a row per file: what came of it, what was skipped and why, what was made, how long it took."""
    made = ("sections", "chunks", "tables", "figures")
    return pd.DataFrame(
        {
            "File": [job.name for job in ended],
            "Outcome": [OUTCOMES.get(job.outcome, WORDS[job.status]) for job in ended],
            "What was skipped, and why": [" ".join(filter(None, (job.reason, job.hint))) for job in ended],
            **{what.capitalize(): [job.counts.get(what) for job in ended] for what in made},
            "Seconds": [round(job.seconds, 1) or None for job in ended],
        }
    )
