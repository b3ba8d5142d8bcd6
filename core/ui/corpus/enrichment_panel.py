"""What a model adds to a collection: switched on here, estimated first, its progress while it works."""

from core.errors import StrataError
from core.i18n.escaping import Safe, join, line
from core.i18n.messages import mark, say, t, tn
from core.i18n.recorded_messages import translated
from core.ui.shared import display_text, session, st
from core.work.jobs.background_enrichment import Estimate, Progress

STATES = {
    "working": mark("Enriching"),
    "waiting": mark("Paused: questions and files go first"),
    "away": mark("The model server does not answer"),
    "done": mark("Done"),
}


def panel() -> None:
    """Show a switch for each collection; nothing where no model is set."""
    if not session.may("enrich", whole=True):
        return
    library = session.assistant().library
    collections = library.contents.collections()
    if library.background_enrichment is None or not collections:
        return
    with st.expander(t("Let the model enrich collections")):
        st.caption(
            t(
                "Questions, statements, relations, tags and summaries by the model. It works while nobody "
                "asks anything, pauses at once when somebody does, and goes on where it was."
            )
        )
        on = library.background_enrichment.switched_on()
        for collection in collections:
            _row(collection, on is None or collection in on, fixed=on is None)
        _progress(library.background_enrichment.progress())


def _row(collection: str, is_on: bool, *, fixed: bool) -> None:
    background_enrichment = session.assistant().library.enrichment()
    key = f"enrich.{collection}"
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        wanted = st.toggle(line(collection), value=is_on, key=key, disabled=fixed)
    with right:
        if st.button(t("Estimate"), key=f"{key}.estimate", type="tertiary"):
            with st.spinner(t("Two calls are made to measure the model.")):
                try:
                    st.caption(estimated(background_enrichment.estimate(collection)))
                except StrataError as error:
                    st.warning(join(" ", [translated(str(error)), translated(error.hint)]))
    if wanted != is_on and not fixed:
        background_enrichment.switch(collection, wanted)
        st.rerun()


def estimated(estimate: Estimate) -> Safe:
    """Return an estimate in a sentence."""
    if not estimate.calls:
        return t("Nothing waits to be enriched.")
    chunks = tn("{n:,} chunk", "{n:,} chunks", estimate.chunks)
    calls = tn("{n:,} call", "{n:,} calls", estimate.calls)
    figures = {"chunks": chunks, "calls": calls, "time": display_text.seconds(estimate.seconds)}
    if estimate.model:
        return t("{chunks} in {calls}, about {time} with {model}.", **figures, model=estimate.model)
    return t("{chunks} in {calls}, about {time}.", **figures)


def _progress(progress: Progress) -> None:
    if progress.state not in STATES:
        return
    parts = [say(STATES[progress.state])]
    if progress.left:
        parts.append(tn("{n:,} document left", "{n:,} documents left", progress.left))
    if progress.reason:
        parts.append(translated(progress.reason))
    st.caption(join(" · ", parts))
    if progress.state == "working" and progress.of:
        st.progress(min(1.0, progress.chunks / progress.of), text=line(progress.document, 80))
