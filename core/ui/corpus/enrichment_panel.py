"""What a model adds to a collection: switched on here, estimated first, its progress while it works."""

import streamlit as st

from core.errors import StrataError
from core.ui.shared import display_text, safe, session
from core.work.leisure import Estimate, Progress

STATES = {
    "working": "Enriching",
    "waiting": "Paused: questions and files go first",
    "away": "The model server does not answer",
    "done": "Done",
}


def panel() -> None:
    """Show a switch for each collection; nothing where no model is set."""
    if not session.may("enrich", whole=True):
        return
    library = session.assistant().library
    collections = library.contents.collections()
    if library.leisure is None or not collections:
        return
    with st.expander("Let the model enrich collections", icon=":material/auto_awesome:"):
        st.caption(
            "Questions, statements, relations, tags and summaries by the model. It works while nobody asks "
            "anything, pauses at once when somebody does, and goes on where it was."
        )
        on = library.leisure.switched_on()
        for collection in collections:
            _row(collection, on is None or collection in on, fixed=on is None)
        _progress(library.leisure.progress())


def _row(collection: str, is_on: bool, *, fixed: bool) -> None:
    leisure = session.assistant().library.enrichment()
    key = f"enrich.{collection}"
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        wanted = st.toggle(safe.line(collection), value=is_on, key=key, disabled=fixed)
    with right:
        if st.button("Estimate", key=f"{key}.estimate", type="tertiary"):
            with st.spinner("Two calls are made to measure the model."):
                try:
                    st.caption(told(leisure.estimate(collection)))
                except StrataError as error:
                    st.warning(f"{safe.line(str(error))} {safe.line(error.hint)}")
    if wanted != is_on and not fixed:
        leisure.switch(collection, wanted)
        st.rerun()


def told(estimate: Estimate) -> str:
    """Return an estimate in a sentence."""
    if not estimate.calls:
        return "Nothing waits to be enriched."
    by = f" with {safe.line(estimate.model)}" if estimate.model else ""
    return (
        f"{display_text.count(estimate.chunks, 'chunk')} in {display_text.count(estimate.calls, 'call')}, "
        f"about {display_text.seconds(estimate.seconds)}{by}."
    )


def _progress(progress: Progress) -> None:
    if progress.state not in STATES:
        return
    left = f", {display_text.count(progress.left, 'document')} left" if progress.left else ""
    st.caption(f"{STATES[progress.state]}{left}. {safe.line(progress.reason)}".strip())
    if progress.state == "working" and progress.of:
        st.progress(min(1.0, progress.chunks / progress.of), text=safe.line(progress.document, 80))
