"""The trace of a council: its perspectives side by side, what was raised, agreed, disputed and proposed."""

from collections.abc import Sequence

import pandas as pd

from core.domain import Accord, CouncilReport, Passage, Perspective, Proposal
from core.i18n.escaping import join, layout, line
from core.i18n.messages import mark, plain, say, t, tn
from core.i18n.recorded_messages import translated
from core.trace import PerspectiveGiven
from core.ui.inspector.selection import Source, select
from core.ui.shared import display_text, st, widgets
from core.ui.trace import charts
from core.ui.trace.story import Story

LONG = 700  # characters of a sentence
NO_IDEAS = mark(
    "Nothing is proposed: an outlook and ideas need a model. Without one the perspectives sort what the "
    "library says by viewpoint. The Models page says how to connect one."
)


def show(story: Story, run: str) -> None:
    """Show what the points of view make of the question together, as far as they have come."""
    council = story.council
    numbers = _numbers(story)
    names = {given.perspective.role.id: given.perspective.role.name for given in story.perspectives}
    if story.roles is not None:
        names |= {role.id: role.name for role in story.roles.roles}
        st.caption(t("Roles: {reason}.", reason=translated(story.roles.reason)))
    if council is None:
        return
    if council.raised:
        st.markdown(t("**Left open**"), anchors=False)
        widgets.facts(
            (
                plain("Nobody used") if one.kind == "unused" else plain("Nobody spoke of"),
                _marked(one.text, [one.chunk], numbers),
            )
            for one in council.raised
        )
    if not council.proposals:
        st.info(say(NO_IDEAS))
    _common(council, names, numbers)
    _ranked(council.proposals, names, numbers)
    _disputed(council, names, numbers)
    _agreement(council.agreement, names)


def role(story: Story, run: str, name: str) -> None:
    """Show one point of view: what it read, says and proposes."""
    settled = {p.id: p for p in story.council.proposals} if story.council is not None else {}
    for given in story.perspectives:
        if given.perspective.role.id == name:
            _column(given, _numbers(story), settled, run)


def _numbers(story: Story) -> dict[str, int]:
    passages = story.report.passages if story.report is not None else ()
    return {passage.chunk.id: n for n, passage in enumerate(passages, 1)}


def _marked(text: str, chunks: Sequence[str], numbers: dict[str, int]) -> str:
    """Return the text with the numbers of its sources."""
    cited = [str(numbers[chunk]) for chunk in chunks if chunk in numbers]
    return f"{text} ({', '.join(cited)})" if cited else text


def _column(given: PerspectiveGiven, numbers: dict[str, int], settled: dict[int, Proposal], run: str) -> None:
    held = given.perspective
    st.markdown(layout("**{name}**", name=held.role.name), anchors=False)
    cares = held.role.cares or held.role.voice
    by = {"library": "", "reader": plain("your role")}.get(
        held.role.by, plain("added by {by}", by=held.role.by)
    )
    st.caption(line(" · ".join(filter(None, (cares, by, display_text.engine(held.engine))))))
    if held.failure:
        st.badge(t("Could not take part"), color="orange")
        st.markdown(translated(held.failure, LONG), anchors=False)
        return
    if not held.argument and not held.proposals:
        st.caption(t("The library says nothing to this from here."))
    for statement in held.argument:
        said = _marked(statement.text, statement.chunks, numbers)
        st.markdown(layout("- {said}", said=line(said, LONG)), anchors=False)
    _proposed(held, settled, numbers)
    with st.expander(
        tn("Read {n:,} passage", "Read {n:,} passages", len(given.passages)),
        type="compact",
    ):
        st.caption(line(" · ".join(held.queries), LONG))
        for n, passage in enumerate(given.passages):
            _source(passage, numbers.get(passage.chunk.id), run, f"{run}_{held.role.id}_{n}")


def _proposed(held: Perspective, settled: dict[int, Proposal], numbers: dict[str, int]) -> None:
    for proposal in held.proposals:
        st.markdown(
            t("**Proposes** {marked}", marked=line(_marked(proposal.text, proposal.chunks, numbers), LONG)),
            anchors=False,
        )
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
        layout("{label}{name}", label=label, name=line(charts.name(passage), 90)),
        key=f"read_{key}",
        type="tertiary",
        on_click=select,
        args=(Source(passage=passage, number=number, run=run),),
    )


def _common(council: CouncilReport, names: dict[str, str], numbers: dict[str, int]) -> None:
    if not council.common:
        return
    st.markdown(t("**Common ground: facts several perspectives rest on**"), anchors=False)
    said = [
        layout(
            "- {said}",
            said=" — ".join(
                filter(
                    None,
                    (
                        _marked(fact.text, fact.chunks, numbers),
                        ", ".join(names.get(role, role) for role in fact.roles),
                    ),
                )
            ),
        )
        for fact in council.common
    ]
    st.markdown(join("\n", said), anchors=False)


def _ranked(proposals: Sequence[Proposal], names: dict[str, str], numbers: dict[str, int]) -> None:
    if not proposals:
        return
    st.markdown(t("**Ideas, best first: proposals, not facts**"), anchors=False)
    for rank, proposal in enumerate(proposals, 1):
        with st.container(border=True):
            who = ", ".join(names.get(role, role) for role in (proposal.role, *proposal.backed_by))
            text = line(_marked(proposal.text, proposal.chunks, numbers), LONG)
            st.markdown(layout("**{rank}.** {text}", rank=rank, text=text), anchors=False)
            _survival(proposal)
            rows = (
                (plain("By"), who),
                (plain("Effect"), proposal.effect),
                (plain("Risk"), proposal.risk),
                (plain("Effort"), proposal.effort),
                (plain("First step"), proposal.first_step),
            )
            widgets.facts((name, text or plain("the evidence does not say")) for name, text in rows)
            widgets.facts(
                (
                    plain("Against, {get}", get=line(names.get(o.role, o.role))),
                    _marked(o.text, o.chunks, numbers),
                )
                for o in proposal.objections
            )


def _disputed(council: CouncilReport, names: dict[str, str], numbers: dict[str, int]) -> None:
    if not council.disagreements:
        return
    st.markdown(t("**Disagreements**"), anchors=False)
    rows = [
        {
            plain("Who"): line(", ".join(names.get(role, role) for role in side.roles)),
            plain("Says"): line(side.text, 240),
            plain("Evidence"): ", ".join(str(numbers[chunk]) for chunk in side.chunks if chunk in numbers),
            plain("What would decide it"): line(open_.decides, 240) if not at else "",
        }
        for open_ in council.disagreements
        for at, side in enumerate(open_.sides)
    ]
    st.table(widgets.cells(pd.DataFrame(rows)), border="horizontal", hide_index=True)


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
    counted = ((accord.shared, "shared"), (accord.backed, "alike"), (accord.objected, "against"))
    return ", ".join(f"{n} {what}" for n, what in counted if n) or "0"
