"""The one round of critique: each role reads the next one's proposals against what it knows."""

from collections.abc import Sequence

from core.domain import Objection, Perspective, Proposal, Role
from core.perspectives.pool import Pool
from core.perspectives.roles import card
from core.ports import LLM
from core.tasks import Call, Claim, Criticise, Objections


def pairs(
    given: Sequence[Perspective], proposals: Sequence[Proposal]
) -> tuple[tuple[Perspective, Role], ...]:
    """Return who reads whom: a ring of those who took part and made proposals."""
    alive = [one for one in given if not one.failure]
    made = {proposal.role for proposal in proposals}
    ring = [(critic, alive[(at + 1) % len(alive)].role) for at, critic in enumerate(alive)]
    return tuple((critic, of) for critic, of in ring if of.id != critic.role.id and of.id in made)


def criticise(
    llm: LLM,
    question: str,
    critic: Perspective,
    proposals: Sequence[Proposal],
    evidence: Pool,
    language: str,
) -> tuple[tuple[Objection, ...], tuple[Call, ...]]:
    """Return the critic's objections, each with its evidence; none without. Raises LLMError."""
    task = Criticise(
        question=question,
        perspective=card(critic.role),
        proposals=tuple(
            Claim(index=p.id, text=p.text, citations=evidence.numbers(p.chunks)) for p in proposals
        ),
        evidence=evidence.evidence(),
        language=language,
    )
    reply = llm.run(task, Objections)
    known = {proposal.id for proposal in proposals}
    objections = (
        Objection(
            role=critic.role.id,
            proposal=draft.proposal,
            text=draft.text.strip(),
            chunks=evidence.chunks(draft.citations),
            fatal=draft.fatal,
        )
        for draft in reply.objections
        if draft.proposal in known
    )
    kept = {one.proposal: one for one in objections if one.chunks and one.text}
    return tuple(kept.values()), (reply.call,) if reply.call else ()


def weighed(
    proposals: Sequence[Proposal], objections: Sequence[Objection], readers: dict[str, str]
) -> tuple[Proposal, ...]:
    """Return the proposals with what was held against them; `readers` says who read whose (role ids)."""
    return tuple(
        proposal.model_copy(
            update={
                "criticised_by": (readers[proposal.role],) if proposal.role in readers else (),
                "objections": tuple(one for one in objections if one.proposal == proposal.id),
            }
        )
        for proposal in proposals
    )
