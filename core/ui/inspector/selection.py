"""What the inspector shows: one typed value in session state, set by a click anywhere on a page."""

from core.domain import Forecast, Passage, Value
from core.ui.shared import st

_KEY = "inspector.selection"


class Source(Value):
    """The place of a passage in its document.

    `claim` is the sentence that cites it: what of the passage says so is marked, or the `rows` of its table
    that it is known to state. `page` (0-based) is another
    page of the document that the reader turned to.
    """

    passage: Passage
    number: int | None = None
    claim: str = ""
    run: str = ""
    page: int | None = None
    rows: tuple[int, ...] = ()


class PlanPart(Value):
    """One part of a run's plan."""

    run: str
    part: int


class ForecastPoint(Value):
    """One point of a forecast, by its period; `made` is the forecast as it was drawn."""

    run: str
    period: str
    made: Forecast
    passages: tuple[Passage, ...] = ()


class ChosenViewpoint(Value):
    """One role of a run's council."""

    run: str
    role: str


class WholeRun(Value):
    """The run as a whole: what it found and did, also while it is at it."""

    run: str


Selection = Source | PlanPart | ForecastPoint | ChosenViewpoint | WholeRun


def select(selection: Selection) -> None:
    """Show this in the inspector from the next drawing on; made to be a widget's callback."""
    st.session_state[_KEY] = selection


def selected() -> Selection | None:
    """Return what the reader chose last, None for nothing."""
    value = st.session_state.get(_KEY)
    return value if isinstance(value, Selection) else None


def close() -> None:
    """Show nothing that was chosen any more."""
    st.session_state.pop(_KEY, None)
