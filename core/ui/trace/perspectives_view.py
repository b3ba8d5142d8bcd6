"""The trace of a council: its perspectives side by side, what was raised, agreed, disputed and proposed."""

from collections.abc import Sequence

import pandas as pd

from core.domain import Accord, CouncilReport, Passage, Perspective, Proposal, Report
from core.i18n.escaping import layout, line, shorten
from core.i18n.messages import mark, plain, say, t, tn
from core.i18n.recorded_messages import translated
from core.trace import PerspectiveGiven
from core.ui.chat import cited_list
from core.ui.inspector.selection import Source, select
from core.ui.shared import display_text, st, widgets
from core.ui.trace import trace_charts
from core.ui.trace.run_trace import RunTrace

MAX_SENTENCE_CHARACTERS = 700  # characters of a sentence
NO_IDEAS = mark(
    "Nothing is proposed: an outlook and ideas need a model. Without one the perspectives sort what the "
    "library says by viewpoint. The Models page says how to connect one."
)


def show(trace: RunTrace, run: str) -> None:
    """Show what the points of view make of the question together, as far as they have come."""
    council = trace.council
    names = {
        viewpoint.perspective.role.id: viewpoint.perspective.role.name for viewpoint in trace.perspectives
    }
    if trace.roles is not None:
        names |= {role.id: role.name for role in trace.roles.roles}
        st.caption(t("Roles: {reason}.", reason=translated(trace.roles.reason)))
    if council is None:
        return
    if council.raised:
        st.markdown(t("**Left open**"), anchors=False)
        unused, unspoken = plain("Nobody used"), plain("Nobody spoke of")
        raised = [
            (f"{unused if one.kind == 'unused' else unspoken}: {one.text}", [one.chunk])
            for one in council.raised
        ]
        cited_list.show(run, trace.report, raised, "raised")
    if not council.proposals:
        st.info(say(NO_IDEAS))
    _common(run, trace.report, council, names)
    _ranked(run, trace.report, council.proposals, names)
    _disputed(run, trace.report, council, names)
    _agreement(council.agreement, names)


def role(trace: RunTrace, run: str, name: str) -> None:
    """Show one point of view: what it read, says and proposes."""
    settled = {p.id: p for p in trace.council.proposals} if trace.council is not None else {}
    for viewpoint in trace.perspectives:
        if viewpoint.perspective.role.id == name:
            _column(viewpoint, trace.report, settled, run)


def _column(event: PerspectiveGiven, report: Report | None, settled: dict[int, Proposal], run: str) -> None:
    perspective = event.perspective
    st.markdown(layout("**{name}**", name=perspective.role.name), anchors=False)
    cares = perspective.role.cares or perspective.role.voice
    by = {"library": "", "reader": plain("your role")}.get(
        perspective.role.by, plain("added by {by}", by=perspective.role.by)
    )
    st.caption(line(" · ".join(filter(None, (cares, by, display_text.engine(perspective.engine))))))
    if perspective.failure:
        st.badge(t("Could not take part"), color="orange")
        st.markdown(translated(perspective.failure, MAX_SENTENCE_CHARACTERS), anchors=False)
        return
    if not perspective.argument and not perspective.proposals:
        st.caption(t("The library says nothing to this from here."))
    if perspective.argument:
        statements = [
            (shorten(statement.text, MAX_SENTENCE_CHARACTERS), statement.chunks)
            for statement in perspective.argument
        ]
        cited_list.show(run, report, statements, f"argument_{perspective.role.id}")
    _proposed(run, report, perspective, settled)
    with st.expander(
        tn("Read {n:,} passage", "Read {n:,} passages", len(event.passages)),
        type="compact",
    ):
        st.caption(line(" · ".join(perspective.queries), MAX_SENTENCE_CHARACTERS))
        for n, passage in enumerate(event.passages):
            number = next(iter(cited_list.numbers(report, [passage.chunk.id])), None) if report else None
            _source(passage, number, run, f"{run}_{perspective.role.id}_{n}")


def _proposed(
    run: str, report: Report | None, perspective: Perspective, settled: dict[int, Proposal]
) -> None:
    for proposal in perspective.proposals:
        st.markdown(t("**Proposes**"), anchors=False)
        statements = [(shorten(proposal.text, MAX_SENTENCE_CHARACTERS), proposal.chunks)]
        cited_list.show(run, report, statements, f"proposed_{perspective.role.id}_{proposal.id}")
        known = settled.get(proposal.id)
        if known is not None:
            _survival(known)
        elif settled:
            st.badge(t("joined with another role's"), color="blue")


def _survival(proposal: Proposal) -> None:
    if not proposal.criticised_by:
        st.badge(t("not criticised"), color="gray")
    elif not proposal.survived:
        st.badge(t("did not survive"), color="red")
    elif proposal.objections:
        st.badge(
            tn("survived {n:,} objection", "survived {n:,} objections", len(proposal.objections)),
            color="orange",
        )
    else:
        st.badge(t("survived, nothing against it"), color="green")


def _source(passage: Passage, number: int | None, run: str, key: str) -> None:
    label = f"{number}  " if number is not None else ""
    st.button(
        layout("{label}{name}", label=label, name=line(trace_charts.name(passage), 90)),
        key=f"read_{key}",
        type="tertiary",
        on_click=select,
        args=(Source(passage=passage, number=number, run=run),),
    )


def _common(run: str, report: Report | None, council: CouncilReport, names: dict[str, str]) -> None:
    if not council.common:
        return
    st.markdown(t("**Common ground: facts several perspectives rest on**"), anchors=False)
    statements = [
        (" — ".join(filter(None, (fact.text, _called(fact.roles, names)))), fact.chunks)
        for fact in council.common
    ]
    cited_list.show(run, report, statements, "shared")


def _called(roles: Sequence[str], names: dict[str, str]) -> str:
    return ", ".join(names.get(role, role) for role in roles)


def _ranked(run: str, report: Report | None, proposals: Sequence[Proposal], names: dict[str, str]) -> None:
    if not proposals:
        return
    st.markdown(t("**Ideas, best first: proposals, not facts**"), anchors=False)
    for rank, proposal in enumerate(proposals, 1):
        with st.container(border=True):
            statements = [(f"{rank}. {shorten(proposal.text, MAX_SENTENCE_CHARACTERS)}", proposal.chunks)]
            cited_list.show(run, report, statements, f"ranked_{rank}")
            _survival(proposal)
            rows = (
                (plain("By"), _called((proposal.role, *proposal.backed_by), names)),
                (plain("Effect"), proposal.effect),
                (plain("Risk"), proposal.risk),
                (plain("Effort"), proposal.effort),
                (plain("First step"), proposal.first_step),
            )
            widgets.facts((name, text) for name, text in rows if text)
            against = [
                (": ".join((plain("Against, {get}", get=names.get(o.role, o.role)), o.text)), o.chunks)
                for o in proposal.objections
            ]
            if against:
                cited_list.show(run, report, against, f"against_{rank}")


def _disputed(run: str, report: Report | None, council: CouncilReport, names: dict[str, str]) -> None:
    if not council.disagreements:
        return
    st.markdown(t("**Disagreements**"), anchors=False)
    for n, open_ in enumerate(council.disagreements):
        with st.container(border=True):
            statements = [(f"{_called(side.roles, names)}: {side.text}", side.chunks) for side in open_.sides]
            cited_list.show(run, report, statements, f"disputed_{n}")
            if open_.decides:
                widgets.facts([(plain("What would decide it"), open_.decides)])


def _agreement(accords: Sequence[Accord], names: dict[str, str]) -> None:
    if not accords:
        return
    st.markdown(t("**Who agrees with whom**"), anchors=False)
    st.caption(t("Passages both rest on, proposals both made, and objections of one against the other."))
    roles = list(dict.fromkeys(role for accord in accords for role in (accord.one, accord.other)))
    cells = {frozenset((accord.one, accord.other)): _cell(accord) for accord in accords}
    frame = pd.DataFrame(
        [
            {
                "": line(names.get(row, row)),
                **{line(names.get(col, col)): cells.get(frozenset((row, col)), "–") for col in roles},
            }
            for row in roles
        ]
    )
    st.table(widgets.cells(frame), border="horizontal", hide_index=True)


def _cell(accord: Accord) -> str:
    counted = (
        (accord.shared, plain("{n} shared", n=accord.shared)),
        (accord.backed, plain("{n} alike", n=accord.backed)),
        (accord.objected, plain("{n} against", n=accord.objected)),
    )
    return ", ".join(text for n, text in counted if n) or "0"
