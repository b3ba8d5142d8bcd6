"""The inspector: a lasting pane beside a page's text that shows one selection, whatever it is."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import assert_never

from core.errors import NotFound
from core.i18n.messages import t
from core.knowledge.stores.records import Run
from core.ui.chat import feedback_form
from core.ui.inspector import live_trace, part_view, point_view, run_progress, source_view, viewpoint_view
from core.ui.inspector.selection import (
    ChosenViewpoint,
    ForecastPoint,
    PlanPart,
    Selection,
    Source,
    WholeRun,
    close,
    selected,
)
from core.ui.shared import session, st

POLL_SECONDS = (
    1.0  # between two looks at the run's course: each is drawn anew by the browser, beside the answer
)


def beside(run: Run, among: Sequence[str]) -> None:
    """Show what was chosen of these runs, else this run's course; while it runs, as it continues."""
    chosen = selected()
    if chosen is not None and chosen.run not in among:
        close()
        chosen = None
    name = "strata_inspector_chosen" if chosen is not None else "strata_inspector_course"
    with st.container(key=name):
        every = POLL_SECONDS if live_trace.live(run) else None
        st.fragment(_drawn, run_every=every, key=f"inspector_{run.id}")(run.id, as_chosen=chosen is not None)


@contextmanager
def split(run: str, alone: Sequence[int], beside: Sequence[int]) -> Iterator[Sequence[st.Container]]:
    """Give columns to draw in: these widths `alone`, or with the source that was chosen in this run (""
    for none) in the last one of `beside`."""
    chosen = selected()
    there = isinstance(chosen, Source) and chosen.run == run
    columns = st.columns(beside if there else alone, gap="medium")
    yield columns
    if chosen is not None and there:
        with columns[-1], st.container(key="strata_inspector_chosen"):
            _closing()
            show(chosen)


def _closing() -> None:
    st.button(
        t("Close"),
        icon=":material/close:",
        key="inspector_close",
        type="tertiary",
        on_click=close,
    )


def _drawn(run_id: str, *, as_chosen: bool) -> None:
    """Draw the pane; one that is opened or closed within it is drawn anew around it: on a telephone what is
    chosen is a sheet over the page, and the run's course is none."""
    with session.Guard():
        chosen = selected()
        if (chosen is not None) != as_chosen:
            st.rerun(scope="app")
        if chosen is not None:
            _closing()
        show(chosen or WholeRun(run=run_id))


def show(selection: Selection) -> None:
    """Show the selection; what is no longer in the library is said."""
    try:
        _show(selection)
    except NotFound as error:
        session.problem(error)


def _show(selection: Selection) -> None:
    match selection:
        case Source():
            source_view.show(selection)
            if selection.run:
                feedback_form.passage(selection.run, selection.passage)
        case PlanPart():
            part_view.show(selection)
        case ForecastPoint():
            point_view.show(selection)
        case ChosenViewpoint():
            viewpoint_view.show(selection)
        case WholeRun():
            run_progress.show(selection)
        case _:
            assert_never(selection)
