"""The story of a run, read from its events: of one that has ended once, of one in progress what is new."""

from core.knowledge.stores.records import Run
from core.trace import Stamped
from core.ui.shared import session, st
from core.ui.trace.story import Story, read_story

LIVE = ("queued", "running")
POLL_SECONDS = 0.5  # seconds between two looks at a run that is thinking


def live(run: Run) -> bool:
    """Say whether the run is still going."""
    return run.status in LIVE


def story(run: Run) -> Story:
    """Return the run's story as far as it has come."""
    if not live(run):
        return _ended(str(session.assistant().library.path), run.id, run.finished)
    key = f"inspector.events.{run.id}"
    held: list[Stamped] = st.session_state.setdefault(key, [])
    held += session.assistant().questions.events(run.id, held[-1].seq if held else -1)
    return read_story(held)


@st.cache_resource(max_entries=100, show_spinner=False)
def _ended(library: str, run: str, finished: float | None) -> Story:
    """Events of a run that has ended do not change; the library keeps runs of two libraries apart."""
    return read_story(session.assistant().questions.events(run))
