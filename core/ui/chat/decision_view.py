"""Ideas laid out as a decision: a recommendation, the options side by side, dissent, what is known."""

from collections.abc import Callable, Sequence
from functools import partial

from core.domain import CouncilReport, Proposal, Report
from core.i18n.escaping import line, shorten
from core.i18n.messages import plain, t
from core.ui.chat import cited_list, source_list
from core.ui.inspector.selection import ChosenViewpoint, Source, select
from core.ui.shared import components, st

MAX_CELL_CHARACTERS = 400


def show(run: str, report: Report) -> None:
    """Show the council's report as a decision."""
    council = report.council
    if council is None:
        return
    names = {perspective.role.id: perspective.role.name for perspective in council.perspectives}
    best = next((one for one in council.proposals if one.survived), None)
    if best is not None:
        st.header(t("Recommendation"), anchor=False)
        cited_list.show(run, report, [(best.text, best.chunks)], "recommended")
        if best.first_step:
            st.markdown(
                t("**First step**\u2002{first_step}", first_step=line(best.first_step, MAX_CELL_CHARACTERS)),
                anchors=False,
            )
    st.header(t("Options, best first"), anchor=False)
    _options(run, report, council.proposals, names)
    _dissent(run, report, council, names)
    if council.common:
        st.header(t("What the library already says"), anchor=False)
        cited_list.show(run, report, [(fact.text, fact.chunks) for fact in council.common], "common")
    _voices(run, council)


def _options(run: str, report: Report, proposals: Sequence[Proposal], names: dict[str, str]) -> None:
    """Draw the options as a table; a column nobody filled is left out, a source that is pressed opens."""
    columns: dict[str, Callable[[Proposal], str]] = {
        plain("Effect"): lambda one: one.effect,
        plain("Risk"): lambda one: one.risk,
        plain("Effort"): lambda one: one.effort,
        plain("First step"): lambda one: one.first_step,
        plain("Who objects"): partial(_objectors, names=names),
    }
    by_column = {
        name: [shorten(describe(one), MAX_CELL_CHARACTERS) for one in proposals]
        for name, describe in columns.items()
    }
    filled = {name: cells for name, cells in by_column.items() if any(cells)}

    def pressed(number: int, option: int) -> None:
        if 0 < number <= len(report.passages) and option < len(proposals):
            claim = proposals[option].text
            select(Source(passage=report.passages[number - 1], number=number, claim=claim, run=run))

    components.options(
        {
            "label": plain("Options, best first"),
            "counted": True,
            "columns": [plain("Option"), *filled],
            "rows": [
                {
                    "text": shorten(one.text, MAX_CELL_CHARACTERS),
                    "cites": cited_list.numbers(report, one.chunks),
                    "cells": [cells[n] for cells in filled.values()],
                    "note": "" if one.survived else plain("did not survive"),
                }
                for n, one in enumerate(proposals)
            ],
            "sources": {str(n): preview["name"] for n, preview in source_list.previews(report).items()},
        },
        f"options_{run}",
        pressed,
    )


def _objectors(one: Proposal, names: dict[str, str]) -> str:
    return "; ".join(
        f"{names.get(objection.role, objection.role)}: {objection.text}" for objection in one.objections
    )


def _dissent(run: str, report: Report, council: CouncilReport, names: dict[str, str]) -> None:
    """Show who says what against whom, and what would decide it; nothing where all agree."""
    sides = [(open_, side) for open_ in council.disagreements for side in open_.sides]
    if not sides:
        return
    st.header(t("Dissent"), anchor=False)
    statements = [
        (f"{', '.join(names.get(role, role) for role in side.roles)}: {side.text}", side.chunks)
        for _, side in sides
    ]
    cited_list.show(run, report, statements, "dissent")
    for open_ in council.disagreements:
        if open_.decides:
            st.markdown(
                t(
                    "**What would decide it**\u2002{decides}",
                    decides=line(open_.decides, MAX_CELL_CHARACTERS),
                ),
                anchors=False,
            )


def _voices(run: str, council: CouncilReport) -> None:
    """Offer each viewpoint, to be read beside the answer."""
    with st.container(horizontal=True, gap="small", key=f"voices_{run}"):
        for perspective in council.perspectives:
            st.button(
                line(perspective.role.name, 60),
                icon=":material/record_voice_over:",
                key=f"voice_{run}_{perspective.role.id}",
                type="tertiary",
                on_click=select,
                args=(ChosenViewpoint(run=run, role=perspective.role.id),),
            )
