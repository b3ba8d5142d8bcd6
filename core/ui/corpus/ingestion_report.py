"""What became of the files that were read in: how many ended how, and a row for each."""

from collections import Counter
from collections.abc import Callable, Sequence

import pandas as pd

from core.export.csv_file import csv_bytes
from core.i18n.escaping import Safe, join
from core.i18n.messages import mark, plain, say, say_plain, t, tn
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import Job
from core.ui.shared import st

MADE = {
    "sections": mark("Sections"),
    "chunks": mark("Chunks"),
    "tables": mark("Tables"),
    "figures": mark("Figures"),
}
OUTCOMES = {
    "read": mark("added"),
    "reread": mark("read again"),
    "known": mark("already in the library"),
    "refused": mark("not taken"),
    "failed": mark("failed"),
}
WORDS = {
    "queued": mark("waits"),
    "running": mark("at work"),
    "paused": mark("paused"),
    "done": mark("done"),
    "failed": mark("failed"),
    "cancelled": mark("cancelled"),
}


def outcomes(ended: Sequence[Job]) -> Safe:
    """Say how many files came to which end: "14 added, 2 not taken, 1 failed"."""
    counted = Counter(job.outcome or job.status for job in ended)
    return join(
        ", ",
        [
            t("{count:,} {outcome}", count=number, outcome=say(OUTCOMES.get(what) or WORDS[what]))
            for what, number in counted.most_common()
        ],
    )


def report(ended: Sequence[Job], on_clear: Callable[[Sequence[str]], None]) -> None:
    """Say what became of the files: how many of each outcome, and for each what was skipped and why."""
    files = tn("{n:,} file finished", "{n:,} files finished", len(ended))
    title = t("{files}: {outcomes}", files=files, outcomes=outcomes(ended))
    with st.expander(title, type="compact", key="corpus_done"):
        frame = reported(ended)
        st.dataframe(
            frame,
            hide_index=True,
            width="stretch",
            height=min(460, 38 + 35 * len(frame)),
            placeholder="",
            column_config={
                plain("File"): st.column_config.TextColumn(width="medium"),
                plain("What was skipped, and why"): st.column_config.TextColumn(width="large"),
            },
        )
        with st.container(horizontal=True, gap="small"):
            _acts(frame, [job.id for job in ended], on_clear)


def _acts(frame: pd.DataFrame, jobs: Sequence[str], on_clear: Callable[[Sequence[str]], None]) -> None:
    """Offer to save the report, and to clear it."""
    st.download_button(
        t("Save this report"),
        csv_bytes(frame),
        "strata-ingestion.csv",
        "text/csv",
        key="corpus_report",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
    )
    st.button(
        t("Clear the list"),
        key="corpus_clear",
        type="tertiary",
        icon=":material/clear_all:",
        help=t("Takes these files off the list; what they brought in stays."),
        on_click=on_clear,
        args=(jobs,),
    )


def reported(ended: Sequence[Job]) -> pd.DataFrame:
    """Return a row per file: what came of it, what was skipped and why, what was made, how long it took."""
    return pd.DataFrame(
        {
            plain("File"): [job.name for job in ended],
            plain("Outcome"): [say_plain(OUTCOMES.get(job.outcome) or WORDS[job.status]) for job in ended],
            plain("What was skipped, and why"): [_why(job) for job in ended],
            **{say_plain(name): [job.counts.get(what) for job in ended] for what, name in MADE.items()},
            plain("Seconds"): [round(job.seconds, 1) or None for job in ended],
        }
    )


def _why(job: Job) -> str:
    return " ".join(translated_plain(text) for text in (job.reason, job.hint) if text)
