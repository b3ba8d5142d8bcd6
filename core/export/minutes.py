"""The minutes of a council (L4) for a document somebody else reads: as Markdown and as HTML.

Who said what on which evidence, what was raised, agreed, disputed and proposed, with the numbers of the
report's passages. Text comes in escaped by the caller's own functions.
"""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from core.domain import CouncilReport, Passage, Perspective, Proposal, Report

Escape = Callable[[str], str]


class Item(NamedTuple):
    """A line of a list: what it is, what it says, and the passages it rests on."""

    lead: str
    text: str
    cites: tuple[int, ...] = ()


class MinutesPart(NamedTuple):
    """A heading (level 2 or 3) with a soft line, a list and a table; what is empty is left out."""

    level: int
    title: str
    soft: str = ""
    items: tuple[Item, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()  # the first row is the head


def markdown(report: Report, plain: Escape) -> list[str]:
    """Return the lines of the minutes, none without a council."""
    lines: list[str] = []
    for part in parts(report):
        lines += [f"{'#' * part.level} {plain(part.title)}", ""]
        if part.soft:
            lines += [plain(part.soft), ""]
        for item in part.items:
            lead = f"**{plain(item.lead)}** " if item.lead else ""
            lines.append(f"- {lead}{plain(item.text)}{''.join(f' [{n}]' for n in item.cites)}")
        if part.items:
            lines.append("")
        for place, row in enumerate(part.table):
            lines.append(f"| {' | '.join(map(plain, row))} |")
            if place == 0:
                lines.append(f"|{'---|' * len(row)}")
        if part.table:
            lines.append("")
    return lines


def html(report: Report) -> Iterator[str]:
    """Yield the minutes as HTML, every word of them escaped."""
    for part in parts(report):
        yield f"<h{part.level}>{escape(part.title)}</h{part.level}>"
        if part.soft:
            yield f'<p class="soft">{escape(part.soft)}</p>'
        if part.items:
            yield f"<ul>{''.join(map(_item, part.items))}</ul>"
        if part.table:
            head, *rows = part.table
            yield f"<table><tr>{''.join(f'<th>{escape(cell)}' for cell in head)}</tr>"
            for row in rows:
                yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
            yield "</table>"


def _item(item: Item) -> str:
    lead = f"<b>{escape(item.lead)}</b> " if item.lead else ""
    marks = "".join(f'<sup><a href="#e{n}">[{n}]</a></sup>' for n in item.cites)
    return f"<li>{lead}{escape(item.text)}{marks}</li>"


def parts(report: Report) -> Iterator[MinutesPart]:
    """Yield what was said in the council in the order a reader wants it: ideas first, then how they came."""
    council = report.council
    if council is None:
        return
    numbers = _numbers(report.passages)
    names = {perspective.role.id: perspective.role.name for perspective in council.perspectives}
    yield MinutesPart(2, "Council", f"{len(council.perspectives)} perspectives, {council.engine}")
    if council.proposals:
        yield MinutesPart(3, "Ideas, best first: proposals, not facts")
        for rank, proposal in enumerate(council.proposals, 1):
            yield _proposal(rank, proposal, names, numbers)
    if not council.proposals:
        yield MinutesPart(
            3, "Nothing is proposed", "An outlook and ideas need a model; this is what the library says."
        )
    yield from _settled(council, names, numbers)
    for perspective in council.perspectives:
        yield _perspective(perspective, numbers)


def _numbers(passages: Sequence[Passage]) -> dict[str, int]:
    return {passage.chunk.id: n for n, passage in enumerate(passages, 1)}


def _cites(chunks: Sequence[str], numbers: dict[str, int]) -> tuple[int, ...]:
    return tuple(sorted({numbers[chunk] for chunk in chunks if chunk in numbers}))


def _named(roles: Sequence[str], names: dict[str, str]) -> str:
    return ", ".join(names.get(role, role) for role in dict.fromkeys(roles))


def _fate(proposal: Proposal) -> str:
    """Return the outcome of the critique of a proposal."""
    if not proposal.criticised_by:
        return "not criticised"
    if not proposal.survived:
        return "did not survive the critique"
    return "survived with objections" if proposal.objections else "survived, nothing against it"


def _proposal(rank: int, proposal: Proposal, names: dict[str, str], numbers: dict[str, int]) -> MinutesPart:
    rows = (
        ("Effect", proposal.effect),
        ("Risk", proposal.risk),
        ("Effort", proposal.effort),
        ("First step", proposal.first_step),
    )
    against = tuple(
        Item(f"Against, {names.get(o.role, o.role)}{' (fatal)' if o.fatal else ''}:", o.text,
             _cites(o.chunks, numbers))
        for o in proposal.objections
    )  # fmt: skip
    return MinutesPart(
        3,
        f"{rank}. {proposal.text}",
        f"By {_named((proposal.role, *proposal.backed_by), names)}; {_fate(proposal)}",
        (
            Item("", "It rests on" if proposal.chunks else "It rests on nothing that is cited",
                 _cites(proposal.chunks, numbers)),
            *(Item(f"{name}:", text or "the evidence does not say") for name, text in rows),
            *against,
        ),
    )  # fmt: skip


def _settled(council: CouncilReport, names: dict[str, str], numbers: dict[str, int]) -> Iterator[MinutesPart]:
    if council.common:
        shared = tuple(
            Item("", f"{fact.text} ({_named(fact.roles, names)})", _cites(fact.chunks, numbers))
            for fact in council.common
        )
        yield MinutesPart(3, "Common ground: facts several perspectives rest on", items=shared)
    for number, dispute in enumerate(council.disagreements, 1):
        sides = tuple(
            Item(f"{_named(side.roles, names)}:", side.text, _cites(side.chunks, numbers))
            for side in dispute.sides
        )
        decides = f"What would decide it: {dispute.decides}" if dispute.decides else ""
        yield MinutesPart(3, f"Disagreement {number}: {dispute.claim}", decides, sides)
    if council.raised:
        raised = tuple(
            Item(
                "Nobody used:" if one.kind == "unused" else "Nobody spoke of:",
                one.text,
                _cites([one.chunk], numbers),
            )
            for one in council.raised
        )
        yield MinutesPart(3, "Left open", items=raised)
    if council.agreement:
        rows = tuple(
            (
                names.get(a.one, a.one),
                names.get(a.other, a.other),
                str(a.shared),
                str(a.backed),
                str(a.objected),
            )
            for a in council.agreement
        )
        head = ("", "", "Passages shared", "Proposals alike", "Objections")
        yield MinutesPart(3, "Who agrees with whom", table=(head, *rows))


def _perspective(perspective: Perspective, numbers: dict[str, int]) -> MinutesPart:
    role = perspective.role
    if perspective.failure:
        return MinutesPart(3, role.name, f"Could not take part: {perspective.failure}")
    soft = " · ".join(filter(None, (role.cares or role.voice, perspective.engine)))
    argued = tuple(Item("", s.text, _cites(s.chunks, numbers)) for s in perspective.argument)
    proposed = tuple(Item("Proposes:", p.text, _cites(p.chunks, numbers)) for p in perspective.proposals)
    return MinutesPart(3, role.name, soft, (*argued, *proposed))
