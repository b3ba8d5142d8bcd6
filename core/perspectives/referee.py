"""What comes of a council: like proposals united, common ground, disagreements, ranking, agreement."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.domain import Accord, CouncilReport, Disagreement, Perspective, Proposal, Statement
from core.perspectives.pool import Pool
from core.tasks import Claim, Settlement
from core.text.tokens import content_words

SAME = 0.6  # Jaccard overlap of words from which two proposals are one


def united(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Return the proposals with like ones joined: the first keeps its words, the others back it."""
    kept: list[Proposal] = []
    for proposal in proposals:
        for at, known in enumerate(kept):
            if overlap(known.text, proposal.text) >= SAME:
                backers = {*known.backed_by, proposal.role} - {known.role}
                chunks = tuple(dict.fromkeys((*known.chunks, *proposal.chunks)))
                kept[at] = known.model_copy(update={"backed_by": tuple(sorted(backers)), "chunks": chunks})
                break
        else:
            kept.append(proposal)
    return tuple(kept)


def overlap(one: str, other: str) -> float:
    """Return the Jaccard overlap (0 to 1) of the words of two texts."""
    a, b = set(content_words(one)), set(content_words(other))
    return len(a & b) / len(a | b) if a | b else 0.0


@dataclass(frozen=True)
class Claims:
    """What was said, numbered for the task Settle, over the evidence that was cited."""

    statements: tuple[Claim, ...]
    proposals: tuple[Claim, ...]
    objections: tuple[Claim, ...]
    evidence: Pool

    @classmethod
    def of(cls, perspectives: Sequence[Perspective], proposals: Sequence[Proposal], pool: Pool) -> "Claims":
        """Number statements by role, objections by proposal, evidence from 1."""
        said = [(at, statement) for at, given in enumerate(perspectives) for statement in given.argument]
        cited = [chunk for _, statement in said for chunk in statement.chunks]
        for proposal in proposals:
            cited += [*proposal.chunks, *(chunk for one in proposal.objections for chunk in one.chunks)]
        held = pool.of(dict.fromkeys(cited))
        return cls(
            statements=tuple(
                Claim(index=at, text=one.text, citations=held.numbers(one.chunks)) for at, one in said
            ),
            proposals=tuple(
                Claim(index=p.id, text=p.text, citations=held.numbers(p.chunks)) for p in proposals
            ),
            objections=tuple(
                Claim(index=p.id, text=one.text, citations=held.numbers(one.chunks))
                for p in proposals
                for one in p.objections
            ),
            evidence=held,
        )


def settled(
    reply: Settlement, perspectives: Sequence[Perspective], proposals: Sequence[Proposal], evidence: Pool
) -> CouncilReport:
    """Return the report: the referee's order, with proposals that did not survive behind the others."""
    by_id = {proposal.id: proposal for proposal in proposals}
    order = [number for number in dict.fromkeys((*reply.order, *by_id)) if number in by_id]
    ranked = sorted((by_id[number] for number in order), key=lambda proposal: not proposal.survived)
    decides = {draft.proposal: draft.decides.strip() for draft in reply.disagreements}
    common = [
        Statement(text=draft.text.strip(), chunks=chunks, roles=_saying(chunks, perspectives))
        for draft in reply.common
        if draft.text.strip() and (chunks := evidence.chunks(draft.citations))
    ]
    return CouncilReport(
        perspectives=tuple(perspectives),
        # A fact is common where two roles rest on it, whatever the referee says.
        common=tuple(fact for fact in common if len(fact.roles) > 1),
        disagreements=tuple(
            Disagreement(
                claim=proposal.text,
                sides=(
                    Statement(
                        text=proposal.text,
                        chunks=proposal.chunks,
                        roles=(proposal.role, *proposal.backed_by),
                    ),
                    *(Statement(text=o.text, chunks=o.chunks, roles=(o.role,)) for o in proposal.objections),
                ),
                decides=decides.get(proposal.id, ""),
            )
            for proposal in ranked
            if proposal.objections
        ),
        proposals=tuple(ranked),
        engine=reply.call.engine if reply.call else "built-in",
    )


def _saying(chunks: Sequence[str], perspectives: Sequence[Perspective]) -> tuple[str, ...]:
    """Return the roles whose arguments rest on one of the chunks."""
    return tuple(
        given.role.id
        for given in perspectives
        if any(set(chunks) & set(statement.chunks) for statement in given.argument)
    )


def accords(perspectives: Sequence[Perspective], proposals: Sequence[Proposal]) -> tuple[Accord, ...]:
    """Return how each two roles stand to each other: evidence shared, proposals backed, objections made."""
    used = {given.role.id: rests_on(given) for given in perspectives if not given.failure}
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


def rests_on(given: Perspective) -> set[str]:
    """Return the chunks a perspective cites, in its argument and its proposals."""
    argued = {chunk for statement in given.argument for chunk in statement.chunks}
    return argued | {chunk for proposal in given.proposals for chunk in proposal.chunks}
