"""Builds the report from the calls: perspectives, similar proposals merged, deliberation, agreement."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from string import ascii_uppercase

from core.domain import (
    BUILT_IN,
    Accord,
    CouncilReport,
    CouncilRole,
    Disagreement,
    Objection,
    Perspective,
    Proposal,
    Statement,
)
from core.perspectives.pool import Pool
from core.tasks import Deliberated, Idea, PerspectiveDraft, PerspectivesGiven, ProposalDraft
from core.text.tokens import content_words, jaccard

SAME_PROPOSAL_OVERLAP = 0.6  # Jaccard overlap of words from which two proposals are one


def perspectives_of(
    reply: PerspectivesGiven,
    roles: Sequence[CouncilRole],
    read: Mapping[str, Sequence[str]],
    queries: Mapping[str, Sequence[str]],
    pool: Pool,
) -> tuple[Perspective, ...]:
    """Return a perspective for each role; what cites nothing is left out and counted.

    `read` and `queries` hold for each role id the chunks it read and what it searched for.
    """
    drafts = {draft.viewpoint: draft for draft in reply.perspectives}
    known = {role.id for role in roles}
    engine = reply.call.engine if reply.call else BUILT_IN
    found: list[Perspective] = []
    number = 0
    for role in roles:
        draft = drafts.get(role.id, PerspectiveDraft(viewpoint=role.id))
        argument = tuple(
            Statement(text=statement.text.strip(), chunks=chunks, roles=(role.id,))
            for statement in draft.says
            if statement.text.strip() and (chunks := pool.chunks(statement.citations))
        )
        proposals: list[Proposal] = []
        for each in draft.proposals:
            if each.text.strip() and pool.chunks(each.citations):
                number += 1
                proposals.append(_proposal(number, role.id, each, known, pool))
        found.append(
            Perspective(
                role=role,
                queries=tuple(queries.get(role.id, ())),
                chunks=tuple(read.get(role.id, ())),
                argument=argument,
                proposals=tuple(proposals),
                dropped=len(draft.proposals) - len(proposals),
                engine=engine,
            )
        )
    return tuple(found)


def _proposal(number: int, role: str, draft: ProposalDraft, known: set[str], pool: Pool) -> Proposal:
    against = pool.chunks(draft.against)
    critic = draft.objector.strip()
    objections = (
        (Objection(role=critic, proposal=number, text=draft.objection.strip(), chunks=against),)
        if draft.objection.strip() and against and critic in known - {role}
        else ()
    )
    return Proposal(
        id=number,
        role=role,
        text=draft.text.strip(),
        effect=draft.effect,
        risk=draft.risk,
        effort=draft.effort,
        first_step=draft.first_step,
        chunks=pool.chunks(draft.citations),
        criticised_by=tuple(one.role for one in objections),
        objections=objections,
    )


def united(perspectives: Sequence[Perspective], recommended: str) -> tuple[Proposal, ...]:
    """Return the proposals, like ones joined (the first keeps its words, the others back it), the one that is
    recommended first."""
    joined: list[Proposal] = []
    for proposal in (p for perspective in perspectives for p in perspective.proposals):
        for at, known in enumerate(joined):
            if _overlap(known.text, proposal.text) >= SAME_PROPOSAL_OVERLAP:
                backers = {*known.backed_by, proposal.role} - {known.role}
                chunks = tuple(dict.fromkeys((*known.chunks, *proposal.chunks)))
                joined[at] = known.model_copy(update={"backed_by": tuple(sorted(backers)), "chunks": chunks})
                break
        else:
            joined.append(proposal)
    return tuple(sorted(joined, key=lambda p: _overlap(p.text, recommended) < SAME_PROPOSAL_OVERLAP))


def _overlap(one: str, other: str) -> float:
    return jaccard(content_words(one), content_words(other))


def lettered(proposals: Sequence[Proposal], pool: Pool) -> dict[str, Idea]:
    """Return the proposals as they are deliberated on, by their letters."""
    return {
        letter: Idea(id=letter, viewpoint=p.role, text=p.text, citations=pool.numbers(p.chunks))
        for letter, p in zip(ascii_uppercase, proposals, strict=False)
    }


def decisions(reply: Deliberated, proposals: Sequence[Proposal]) -> dict[int, str]:
    """Return for a proposal's id what would decide a disagreement about it."""
    ids = {letter: p.id for letter, p in zip(ascii_uppercase, proposals, strict=False)}
    return {ids[d.idea.strip()]: d.text.strip() for d in reply.decides if d.idea.strip() in ids}


def weighed(
    reply: Deliberated, proposals: Sequence[Proposal], roles: Sequence[CouncilRole], pool: Pool
) -> tuple[Proposal, ...]:
    """Return the proposals in the order settled on, with what was held against them; what did not survive
    stands last."""
    by_letter = dict(zip(ascii_uppercase, proposals, strict=False))
    names = {role.id for role in roles}
    for draft in reply.critique:
        chunks = pool.chunks(draft.citations)
        proposal = by_letter.get(draft.idea.strip())
        if proposal is None or not chunks or not draft.text.strip():
            continue
        critic = draft.by.strip() if draft.by.strip() in names - {proposal.role} else roles[-1].id
        one = Objection(
            role=critic, proposal=proposal.id, text=draft.text.strip(), chunks=chunks, fatal=draft.fatal
        )
        by_letter[draft.idea.strip()] = proposal.model_copy(
            update={
                "objections": (*proposal.objections, one),
                "criticised_by": tuple(dict.fromkeys((*proposal.criticised_by, critic))),
            }
        )
    order = [letter for letter in dict.fromkeys((*reply.order, *by_letter)) if letter in by_letter]
    ranked = [by_letter[letter] for letter in order] + list(proposals[len(by_letter) :])
    return tuple(sorted(ranked, key=lambda proposal: not proposal.survived))


def report_of(
    perspectives: Sequence[Perspective],
    proposals: Sequence[Proposal],
    engine: str,
    pool: Pool,
    settled: Deliberated | None = None,
    decides: Mapping[int, str] | None = None,
) -> CouncilReport:
    """Return the report; a fact is common where two perspectives rest on it, whoever says that it is.

    `decides` says for a proposal's id what would decide a disagreement about it.
    """
    statements = [statement for perspective in perspectives for statement in perspective.argument]
    if settled is not None and settled.common:
        statements = [
            Statement(text=draft.text.strip(), chunks=pool.chunks(draft.citations))
            for draft in settled.common
        ]
    common: dict[str, Statement] = {}
    for each in statements:
        saying = tuple(g.role.id for g in perspectives if set(each.chunks) & rests_on(g))
        if each.text and each.chunks and len(saying) > 1:
            common.setdefault(each.text, each.model_copy(update={"roles": saying}))
    return CouncilReport(
        perspectives=tuple(perspectives),
        common=tuple(common.values()),
        disagreements=tuple(
            _disagreement(proposal, (decides or {}).get(proposal.id, ""))
            for proposal in proposals
            if proposal.objections
        ),
        proposals=tuple(proposals),
        agreement=accords(perspectives, proposals),
        engine=engine,
    )


def _disagreement(proposal: Proposal, decides: str) -> Disagreement:
    mine = Statement(text=proposal.text, chunks=proposal.chunks, roles=(proposal.role, *proposal.backed_by))
    others = (Statement(text=o.text, chunks=o.chunks, roles=(o.role,)) for o in proposal.objections)
    return Disagreement(claim=proposal.text, sides=(mine, *others), decides=decides)


def accords(perspectives: Sequence[Perspective], proposals: Sequence[Proposal]) -> tuple[Accord, ...]:
    """Return how each two perspectives stand to each other: evidence shared, proposals backed, objections."""
    used = {
        perspective.role.id: rests_on(perspective) for perspective in perspectives if not perspective.failure
    }
    return tuple(
        Accord(
            one=one,
            other=other,
            shared=len(used[one] & used[other]),
            backed=sum({one, other} <= {p.role, *p.backed_by} for p in proposals),
            objected=sum({p.role, o.role} == {one, other} for p in proposals for o in p.objections),
        )
        for one, other in combinations(used, 2)
    )


def rests_on(perspective: Perspective) -> set[str]:
    """Return the chunks a perspective cites, in its argument and its proposals."""
    argued = {chunk for statement in perspective.argument for chunk in statement.chunks}
    return argued | {chunk for proposal in perspective.proposals for chunk in proposal.chunks}
