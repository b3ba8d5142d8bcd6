"""The council: roles read, argue, criticise one another once, and a referee settles. Bounded, in parallel."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from core.domain import (
    CouncilReport,
    Objection,
    Passage,
    Perspective,
    Proposal,
    Raised,
    Role,
    Scope,
    Statement,
)
from core.errors import BudgetExceeded, Stopped, StrataError
from core.perspectives.casting import CAUSE, cast, chosen_by_reader
from core.perspectives.critique import criticise, pairs, weighed
from core.perspectives.lens import first, queries
from core.perspectives.moderator import moderate
from core.perspectives.pool import Pool
from core.perspectives.referee import Claims, accords, settled, united
from core.perspectives.roles import card
from core.ports import LLM, Tell
from core.tasks import Argue, Argued, Call, Settle, Settlement
from core.trace import Criticised, Moderated, PerspectiveGiven, RolesPlanned, Settled

Research = Callable[[str, Scope, Sequence[str], int], Sequence[Passage]]
"""Searches the library: query, scope, tags to keep to (none: all), how many. Best first."""

T = TypeVar("T")


@dataclass(frozen=True)
class Held:
    """What a council settled, every passage it read (shared evidence first), and the calls it took."""

    report: CouncilReport
    passages: tuple[Passage, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Council:
    """Three to five roles, one of them a sceptic; one round of proposals, one of critique, one settlement.

    The shape follows STORM (2402.14207) and Co-STORM (2408.15232): perspectives ask in parallel, and a
    moderator brings in what was retrieved and not used. `tags` names the library's topics.
    """

    llm: LLM
    research: Research
    tags: Callable[[], Sequence[str]] = tuple
    roles: int = 4
    found: int = 8  # passages of each search
    keep: int = 6  # passages a role reads
    proposals: int = 2  # of each role

    def hold(
        self,
        question: str,
        shared: Sequence[Passage],
        scope: Scope,
        tell: Tell,
        language: str = "en",
        chosen: Sequence[Role] = (),
    ) -> Held:
        """Return what the council settles; every proposal cites what it rests on.

        `shared` is the evidence found for the question before; `chosen` are the reader's roles, at most 5.
        Events are told in the order things end. A role that fails says why and leaves the others alive; if
        all fail, the first error is raised: LLMError or KnowledgeError. Raises Stopped or BudgetExceeded.
        """
        return _Session(self, question, tuple(shared), scope, tell, language).hold(chosen)


class _Session:
    """One council: the question, the pool of passages, and the calls so far."""

    def __init__(
        self,
        by: Council,
        question: str,
        shared: tuple[Passage, ...],
        scope: Scope,
        tell: Tell,
        language: str,
    ) -> None:
        self.by, self.question, self.scope, self.tell, self.language = by, question, scope, tell, language
        self.pool = Pool(shared)
        self.calls: list[Call] = []

    def hold(self, chosen: Sequence[Role]) -> Held:
        planned = chosen_by_reader(chosen) if chosen else self._cast()
        self.tell(planned)
        self.calls += planned.calls
        perspectives = self._heard(planned.roles)
        proposals = united([p for given in perspectives for p in given.proposals])
        raised = moderate(self.question, perspectives, self.pool)
        self.tell(Moderated(cause=CAUSE, raised=raised))
        proposals = self._criticised(perspectives, proposals, raised)
        report = self._settled(perspectives, proposals, raised)
        return Held(report, self.pool.passages(), tuple(self.calls))

    def _cast(self) -> RolesPlanned:
        by = self.by
        return cast(by.llm, self.question, tuple(by.tags()), by.roles, self.language)

    # -- reading, arguing, proposing -----------------------------------------------------------

    def _heard(self, roles: Sequence[Role]) -> tuple[Perspective, ...]:
        """Let every role search, argue and propose, all at once; one that fails is told as such."""
        asked = {role.id: queries(self.question, role, self.by.tags()) for role in roles}
        every = sum(len(found) for found in asked.values())
        with ThreadPoolExecutor(every) as searching, ThreadPoolExecutor(len(roles)) as speaking:
            searches = {
                role.id: [
                    searching.submit(self.by.research, query, self.scope, topics, self.by.found)
                    for query, topics in asked[role.id]
                ]
                for role in roles
            }
            spoken = [
                speaking.submit(self._speak, at, role, [q for q, _ in asked[role.id]], searches[role.id])
                for at, role in enumerate(roles)
            ]
        given: list[Perspective] = []
        errors: list[StrataError] = []
        for role, future in zip(roles, spoken, strict=True):
            error = _failure(future)
            if error is None:
                perspective, found, calls = future.result()
                given.append(perspective)
                self.pool.add(found)
                self.calls += calls
            else:
                errors.append(error)
                given.append(Perspective(role=role, failure=f"{type(error).__name__}: {error}"))
                self.tell(PerspectiveGiven(cause=f"{CAUSE}#{role.id}", perspective=given[-1]))
        if len(errors) == len(roles):
            raise errors[0]
        return tuple(given)

    def _speak(
        self, at: int, role: Role, asked: Sequence[str], searches: Sequence[Future[Sequence[Passage]]]
    ) -> tuple[Perspective, tuple[Passage, ...], tuple[Call, ...]]:
        found = first(role, [search.result() for search in searches], self.by.keep)
        local = Pool(found)
        task = Argue(
            question=self.question,
            perspective=card(role),
            evidence=local.evidence(),
            most=self.by.proposals,
            language=self.language,
        )
        reply = self.by.llm.run(task, Argued)
        statements = tuple(
            Statement(text=draft.text.strip(), chunks=local.chunks(draft.citations), roles=(role.id,))
            for draft in reply.argument
        )
        # Numbered by place, so that the number is the same whoever is done first.
        begin = at * self.by.proposals + 1
        proposals = tuple(
            Proposal(
                id=0, role=role.id, chunks=local.chunks(d.citations), **d.model_dump(exclude={"citations"})
            )
            for d in reply.proposals
        )
        sourced = [p for p in proposals if p.chunks and p.text.strip()]
        perspective = Perspective(
            role=role,
            queries=tuple(dict.fromkeys(asked)),
            chunks=tuple(passage.chunk.id for passage in found),
            # What cites nothing is not said: every sentence and every proposal rests on something.
            argument=tuple(said for said in statements if said.chunks and said.text),
            proposals=tuple(
                p.model_copy(update={"id": n}) for n, p in enumerate(sourced[: self.by.proposals], begin)
            ),
            dropped=len(proposals) - len(sourced),
            engine=reply.call.engine if reply.call else "built-in",
        )
        calls = (reply.call,) if reply.call else ()
        self.tell(
            PerspectiveGiven(cause=f"{CAUSE}#{role.id}", perspective=perspective, passages=found, calls=calls)
        )
        return perspective, found, calls

    # -- criticising -------------------------------------------------------------------------

    def _criticised(
        self, perspectives: Sequence[Perspective], proposals: Sequence[Proposal], raised: Sequence[Raised]
    ) -> tuple[Proposal, ...]:
        """Let each role read the next one's proposals against its own evidence and what was raised, once."""
        readings = pairs(perspectives, proposals)
        if not readings:
            return tuple(proposals)
        extra = [one.chunk for one in raised if one.chunk]
        with ThreadPoolExecutor(len(readings)) as speaking:
            spoken = [speaking.submit(self._object, critic, of, proposals, extra) for critic, of in readings]
        against: list[Objection] = []
        readers: dict[str, str] = {}
        for (critic, of), future in zip(readings, spoken, strict=True):
            error = _failure(future)
            objections, calls = ((), ()) if error else future.result()
            if not error:
                readers[of.id] = critic.role.id
            against += objections
            self.calls += calls
            self.tell(
                Criticised(
                    cause=f"{CAUSE}#{critic.role.id}",
                    critic=critic.role.id,
                    of=of.id,
                    objections=objections,
                    failure=f"{type(error).__name__}: {error}" if error else "",
                    calls=calls,
                )
            )
        return weighed(proposals, against, readers)

    def _object(
        self, critic: Perspective, of: Role, proposals: Sequence[Proposal], extra: Sequence[str]
    ) -> tuple[tuple[Objection, ...], tuple[Call, ...]]:
        read = [proposal for proposal in proposals if proposal.role == of.id]
        cited = [chunk for proposal in read for chunk in proposal.chunks]
        evidence = self.pool.of(dict.fromkeys((*critic.chunks, *extra, *cited)))
        return criticise(self.by.llm, self.question, critic, read, evidence, self.language)

    # -- settling ----------------------------------------------------------------------------

    def _settled(
        self, perspectives: Sequence[Perspective], proposals: Sequence[Proposal], raised: Sequence[Raised]
    ) -> CouncilReport:
        claims = Claims.of(perspectives, proposals, self.pool)
        task = Settle(
            question=self.question,
            statements=claims.statements,
            proposals=claims.proposals,
            objections=claims.objections,
            evidence=claims.evidence.evidence(),
            language=self.language,
        )
        reply = self.by.llm.run(task, Settlement)
        report = settled(reply, perspectives, proposals, claims.evidence).model_copy(
            update={"raised": tuple(raised), "agreement": accords(perspectives, proposals)}
        )
        calls = (reply.call,) if reply.call else ()
        self.calls += calls
        self.tell(Settled(cause=CAUSE, council=report, calls=calls))
        return report


def _failure(future: Future[T]) -> StrataError | None:
    """Return the known failure of one role; what must end the run, and every bug, is raised."""
    error = future.exception()
    if error is None:
        return None
    if isinstance(error, StrataError) and not isinstance(error, Stopped | BudgetExceeded):
        return error
    raise error
