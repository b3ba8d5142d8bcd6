"""Ends runs that did not reach their answer: by an error, or by a crash of the process."""

import traceback
from collections.abc import Sequence

from core.answering.present import Presenter
from core.domain import Report
from core.errors import StrataError
from core.flow.progress import findings
from core.flow.state_of_events import state_from_events
from core.trace import Failed, Stamped


def failure(error: BaseException) -> Failed:
    """Return the event that ends a run: a known error with its hint, or a bug with a report to copy."""
    if isinstance(error, StrataError):
        return Failed(
            error=type(error).__name__, message=str(error), hint=error.hint, retryable=error.retryable
        )
    return Failed(
        error="bug",
        message=f"Something went wrong inside Strata ({type(error).__name__}).",
        hint="This is our fault. Copy the report below and send it to whoever looks after Strata.",
        details="".join(traceback.format_exception(error)),
    )


def ended_by(run: str, saved: Sequence[Stamped]) -> StrataError:
    """Return the error that ended a run, from its events."""
    for stamped in reversed(saved):
        if isinstance(stamped.event, Failed):
            return StrataError(stamped.event.message, hint=stamped.event.hint)
    return StrataError(f"Run {run} ended without a report.")


def partial(saved: Sequence[Stamped]) -> Report:
    """Return a report of what was found in these events."""
    state = state_from_events(stamped.event for stamped in saved)
    return Presenter().present(findings(state, partial=True))


def cut_off(run: str, saved: Sequence[Stamped]) -> tuple[Report | None, Stamped]:
    """Return the report of a run that a crash ended (None without events), and the event that ends it."""
    report = None
    if saved:
        report = partial(saved).model_copy(update={"run": run, "seconds": saved[-1].at})
    lost = Failed(
        error="Interrupted",
        message="Strata ended while this question was being answered.",
        hint="Ask again; what was found until then is kept here.",
        retryable=True,
    )
    seq, at = (saved[-1].seq + 1, saved[-1].at) if saved else (0, 0.0)
    return report, Stamped(seq=seq, at=at, event=lost)
