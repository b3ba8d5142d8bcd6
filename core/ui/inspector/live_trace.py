"""The trace of a run, read from its events: once if it has ended, the new ones while it runs."""

from core.knowledge.stores.records import AT_WORK, Run
from core.trace import Stamped
from core.ui.shared import session, st
from core.ui.trace.run_trace import RunTrace, read_trace

POLL_SECONDS = 0.5  # seconds between two looks at a run that is thinking


def live(run: Run) -> bool:
    """Say whether the run is still going."""
    return run.status in AT_WORK


def opened(run: Run) -> Run:
    """Return the run with its report, which is opened once if it has ended."""
    return run if live(run) else _opened(str(session.assistant().library.path), run.id, run.finished)


def trace_of(run: Run) -> RunTrace:
    """Return the run's trace as far as it has come."""
    if not live(run):
        return _ended(str(session.assistant().library.path), run.id, run.finished)
    key = f"inspector.events.{run.id}"
    events: list[Stamped] = st.session_state.setdefault(key, [])
    events += session.assistant().questions.events(run.id, events[-1].seq if events else -1)
    return read_trace(events)


@st.cache_resource(max_entries=100, show_spinner=False)
def _opened(library: str, run: str, finished: float | None) -> Run:
    return session.assistant().questions.run(run)


@st.cache_resource(max_entries=100, show_spinner=False)
def _ended(library: str, run: str, finished: float | None) -> RunTrace:
    """Events of a run that has ended do not change; the library keeps runs of two libraries apart."""
    return read_trace(session.assistant().questions.events(run))
