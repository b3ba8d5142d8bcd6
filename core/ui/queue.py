"""The ingestion queue: one row a file, with its stage, how long it still takes and when it last moved."""

import time

import streamlit as st

from core.knowledge.records import Job
from core.ui import safe, session, words

POLL = 1.0  # seconds
ACTIVE = ("queued", "running")
STAGES = ("parse", "chunk", "embed", "distil")
SHOWN = 12  # finished files

OUTCOMES = {"read": "added", "known": "already in the library", "refused": "not taken", "failed": "failed"}
WORDS = {"queued": "waits", "running": "at work", "paused": "paused", "done": "done", "failed": "failed",
         "cancelled": "cancelled"}  # fmt: skip


def show(*, live: bool) -> None:
    """Show what is at work, what waits, what failed and what was finished last."""
    with session.Guard():
        held = session.assistant().jobs()
        if live and not any(job.status in ACTIVE for job in held):
            st.rerun(scope="app")
        if not held:
            return
        st.subheader("On the way in", anchor=False)
        running = [job for job in held if job.status in ("running", "paused")]
        waiting = [job for job in reversed(held) if job.status == "queued"]
        failed = [job for job in held if job.status == "failed"]
        for job in (*running, *waiting[:8]):
            _row(job)
        if len(waiting) > 8:
            st.caption(f"{words.count(len(waiting) - 8, 'more file')} waiting")
        for job in failed[:SHOWN]:
            _row(job)
        done = [job for job in held if job.status in ("done", "cancelled")]
        if done:
            with st.expander(f"{words.count(len(done), 'file')} finished", type="compact", key="corpus_done"):
                for job in done[:60]:
                    _done(job)


def progress(job: Job) -> float:
    """Return how far the file is, 0 to 1, its four stages counting alike."""
    if job.status == "done":
        return 1.0
    if job.stage not in STAGES:
        return 0.0
    within = job.done / job.total if job.total else 0.0
    return min(1.0, (STAGES.index(job.stage) + min(1.0, within)) / len(STAGES))


def remaining(job: Job, now: float) -> float | None:
    """Return the seconds its stage still takes at the pace so far; None where that is not known."""
    if job.started is None or job.done < 2 or job.done >= job.total:
        return None
    spent = max(0.1, now - job.started)
    return spent / job.done * (job.total - job.done)


def stages(job: Job) -> str:
    """Say the stages in a row, the present one in bold with its count."""
    if job.stage not in STAGES:
        return WORDS[job.status]
    at = STAGES.index(job.stage)
    said = []
    for n, stage in enumerate(STAGES):
        counted = f" {job.done} of {job.total}" if n == at and job.total else ""
        said.append(f"**{stage}{counted}**" if n == at else (stage if n < at else f":gray[{stage}]"))
    return " → ".join(said)


def _row(job: Job) -> None:
    now = time.time()
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
        left = remaining(job, now)
        searchable = " · already searchable" if job.stage == "distil" else ""
        eta = f" · about {words.seconds(left)} left" if left is not None and job.status == "running" else ""
        sign = (
            f" · last sign {words.ago(now - job.updated)}" if job.status == "running" and job.updated else ""
        )
        st.caption(f"{stages(job)}{eta}{searchable}{sign}")


def _buttons(job: Job) -> None:
    assistant = session.assistant()
    offered = {
        "running": (("Pause", assistant.pause), ("Cancel", assistant.cancel)),
        "queued": (("Pause", assistant.pause), ("Cancel", assistant.cancel)),
        "paused": (("Resume", assistant.resume), ("Cancel", assistant.cancel)),
        "failed": (("Retry", assistant.retry),),
    }.get(job.status, ())
    for label, act in offered:
        if st.button(label, key=f"{label}_{job.id}", type="tertiary"):
            act(job.id)
            st.rerun(scope="app")


def _done(job: Job) -> None:
    took = f", {words.seconds(job.finished - job.started)}" if job.finished and job.started else ""
    made = ", ".join(f"{number:,} {what}" for what, number in job.counts.items() if number)
    outcome = OUTCOMES.get(job.outcome, WORDS[job.status])
    reason = f": {safe.line(job.reason, 200)}" if job.reason else ""
    st.markdown(f"**{safe.line(job.name, 80)}** {outcome}{reason}{took}", anchors=False)
    if made:
        st.caption(safe.line(made))
