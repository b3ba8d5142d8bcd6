"""The council: viewpoints read in parallel, one call says what they say and propose, one more deliberates."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby

from core.domain import CouncilReport, CouncilRole, Passage, Proposal, Scope
from core.perspectives.lens import first, queries
from core.perspectives.moderator import moderate
from core.perspectives.pool import Pool
from core.perspectives.report import decisions, lettered, perspectives_of, report_of, united, weighed
from core.perspectives.viewpoints import MAX_VIEWPOINTS, as_viewpoint, chosen
from core.ports import LLM, Emit
from core.tasks import Deliberate, Deliberated, Perspectives, PerspectivesGiven
from core.trace import Criticised, Moderated, PerspectiveGiven, RolesPlanned, Settled

Research = Callable[[str, Scope, Sequence[str], int], Sequence[Passage]]
"""Searches the library: query, scope, tags to keep to (none: all), how many. Best first."""

CAUSE = "convene"
_SHARED_PASSAGES = 6  # passages found for the question that are read beside those of the viewpoints


@dataclass(frozen=True)
class CouncilResult:
    """What a council settled, every passage it read (shared evidence first)."""

    report: CouncilReport
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Council:
    """Three to five viewpoints, one of them a sceptic's, each with passages of its own.

    They ask in parallel, as in STORM (2402.14207), and what was found and not used is raised, as in Co-STORM
    (2408.15232). One call gives all perspectives; `deliberates` adds one of critique and settlement. `tags`
    names the library's topics.
    """

    llm: LLM
    research: Research
    tags: Callable[[], Sequence[str]] = tuple
    roles: int = 4
    found: int = 8  # passages of each search
    keep: int = 3  # passages a viewpoint reads
    proposals: int = 5  # of all together
    deliberates: bool = False

    def hold(
        self,
        question: str,
        shared: Sequence[Passage],
        scope: Scope,
        emit: Emit,
        language: str = "en",
        named: Sequence[CouncilRole] = (),
    ) -> CouncilResult:
        """Return the council's settled proposals; each cites its evidence.

        `shared` is the evidence found for the question before; `named` are the reader's viewpoints, at most
        5. Raises LLMError, KnowledgeError, Stopped or BudgetExceeded.
        """
        tags = self.tags()
        roles = tuple({role.id: role for role in named}.values())[:MAX_VIEWPOINTS]
        roles = roles or chosen(question, tags, self.roles, language)
        reason = "chosen by the reader" if named else "their words meet the question's and the library's tags"
        emit(RolesPlanned(cause=CAUSE, roles=roles, reason=reason))
        asked = {role.id: queries(question, role, tags) for role in roles}
        read = self._read(roles, asked, scope)
        pool = Pool(shared)
        for found in read.values():
            pool.add(found)
        chunks = {id_: tuple(passage.chunk.id for passage in found) for id_, found in read.items()}
        offered = dict.fromkeys(
            [passage.chunk.id for passage in shared[:_SHARED_PASSAGES]]
            + [c for own in chunks.values() for c in own]
        )
        task = Perspectives(
            question=question,
            evidence=pool.evidence(offered),
            viewpoints=tuple(map(as_viewpoint, roles)),
            most=self.proposals,
            language=language,
        )
        reply = self.llm.run(task, PerspectivesGiven)
        searched = {id_: tuple(dict.fromkeys(query for query, _ in each)) for id_, each in asked.items()}
        perspectives = perspectives_of(reply, roles, chunks, searched, pool)
        for one in perspectives:
            cause = f"{CAUSE}#{one.role.id}"
            emit(PerspectiveGiven(cause=cause, perspective=one, passages=read[one.role.id]))
        raised = moderate(question, perspectives, pool)
        emit(Moderated(cause=CAUSE, raised=raised))
        proposals = united(perspectives, reply.recommended)
        engine = perspectives[0].engine
        settled = self._deliberated(task, proposals, pool) if self.deliberates and proposals else None
        decides: dict[int, str] = {}
        if settled is not None:
            decides = decisions(settled, proposals)
            proposals = _emit_objections(weighed(settled, proposals, roles, pool), emit)
        report = report_of(perspectives, proposals, engine, pool, settled, decides).model_copy(
            update={"raised": raised}
        )
        emit(Settled(cause=CAUSE, council=report))
        return CouncilResult(report, pool.passages())

    def _read(
        self,
        roles: Sequence[CouncilRole],
        asked: dict[str, tuple[tuple[str, tuple[str, ...]], ...]],
        scope: Scope,
    ) -> dict[str, tuple[Passage, ...]]:
        """Let every viewpoint search, all at once; return what each reads, best first."""
        every = sum(len(found) for found in asked.values())
        with ThreadPoolExecutor(every) as searching:
            searches = {
                role.id: [
                    searching.submit(self.research, query, scope, topics, self.found)
                    for query, topics in asked[role.id]
                ]
                for role in roles
            }
            return {
                role.id: first(role, [search.result() for search in searches[role.id]], self.keep)
                for role in roles
            }

    def _deliberated(self, task: Perspectives, proposals: Sequence[Proposal], pool: Pool) -> Deliberated:
        return self.llm.run(
            Deliberate(
                question=task.question,
                evidence=task.evidence,
                viewpoints=task.viewpoints,
                ideas=tuple(lettered(proposals, pool).values()),
                language=task.language,
            ),
            Deliberated,
        )


def _emit_objections(proposals: tuple[Proposal, ...], emit: Emit) -> tuple[Proposal, ...]:
    """Tell who holds what against whom; return the proposals as they are."""
    against = sorted(
        ((one.role, p.role, one) for p in proposals for one in p.objections), key=lambda row: row[:2]
    )
    for (critic, of), rows in groupby(against, key=lambda row: row[:2]):
        objections = tuple(one for *_, one in rows)
        emit(Criticised(cause=f"{CAUSE}#{critic}", critic=critic, of=of, objections=objections))
    return proposals
