"""Searches the library for the answer of a question that is known, and samples contexts on the way.

PIKE-RAG's Algorithm 2 (arXiv 2501.11551): the knowledge-aware loop of Algorithm 1, with a wider net
(top K' above delta', K' > K, delta' < delta). What is in the wide net only enters the pool S; in every round
UCB draws one passage from S that is read besides the chosen one, so attempts at one question differ.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import Chunk, Evidence, Scope
from core.knowledge.base import KnowledgeBase
from core.learning.context_sampling import ContextPool, pool_of
from core.learning.trajectories import FoundCandidate, Known, ReadPiece, Round, Trajectory
from core.ports import LLM, Vectors
from core.tasks import Proposals, Propose, Select, Selection

Answer = Callable[[Known, tuple[str, ...]], str]  # a short answer from the chunks with these ids
Judge = Callable[[str, Sequence[str]], tuple[float, float]]  # exact match and F1 of an answer

EVERYTHING = Scope()


@dataclass
class _Sampling:
    """What one attempt remembers from round to round."""

    known: Known
    pool: ContextPool
    read: list[ReadPiece]
    asked: list[str]
    engine: str = ""
    calls: int = 0

    def read_ids(self) -> set[str]:
        return {read.chunk_id for read in self.read}


@dataclass(frozen=True)
class Explorer:
    """Proposes, retrieves wide, selects, reads the chosen passage and a drawn one; `rounds` times at most."""

    llm: LLM
    knowledge: KnowledgeBase
    vector: Callable[[str], Vectors]
    answer: Answer
    judge: Judge
    rounds: int = 5
    proposals: int = 3
    top_k: int = 4
    threshold: float = 0.4
    wide_k: int = 12
    wide_threshold: float = 0.25
    exploration: float = 0.2

    def __post_init__(self) -> None:
        if self.wide_k <= self.top_k or self.wide_threshold >= self.threshold:
            raise ValueError("context sampling needs K' > K and delta' < delta")

    def pool(self, earlier: Sequence[Trajectory] = ()) -> ContextPool:
        """Return the pool of a question as its earlier attempts left it."""
        return pool_of(earlier, self.exploration)

    def explore(self, known: Known, attempt: int, pool: ContextPool) -> Trajectory:
        """Make one attempt. Raises LLMError."""
        state = _Sampling(known, pool, [], [])
        rounds: list[Round] = []
        ended = "the rounds are used up"
        for number in range(1, self.rounds + 1):
            made, end = self._round(state, number)
            rounds.append(made)
            if end:
                ended = end
                break
        done = self.finish(known, attempt, state.engine, rounds, state.read, ended)
        return done.model_copy(update={"calls": state.calls})

    def finish(
        self,
        known: Known,
        attempt: int,
        engine: str,
        rounds: Sequence[Round],
        read: Sequence[ReadPiece],
        ended: str,
    ) -> Trajectory:
        """Answer from what was read and score the answer."""
        ids = tuple(piece.chunk_id for piece in read)
        answer = self.answer(known, ids) if ids else ""
        exact, f1 = self.judge(answer, known.answers)
        hits = [not set(chunks).isdisjoint(ids) for chunks in known.gold]
        return Trajectory(
            question=known,
            attempt=attempt,
            engine=engine,
            rounds=tuple(rounds),
            read=tuple(read),
            answer=answer,
            exact=exact,
            f1=f1,
            collected=sum(hits) / len(hits) if hits else 0.0,
            ended=ended,
        )

    def _round(self, state: _Sampling, number: int) -> tuple[Round, str]:
        """Do one round; return it and why the attempt ends with it, "" where it continues."""
        known = state.known
        context = tuple(read.evidence for read in state.read)
        task = Propose(
            question=known.question,
            context=context,
            asked=tuple(state.asked),
            most=self.proposals,
            language=known.language,
        )
        proposed = self.llm.run(task, Proposals)
        state.calls += 1
        state.engine = proposed.call.engine if proposed.call else state.engine
        questions = proposed.questions[: self.proposals]
        if proposed.enough or not questions:
            reason = "enough is known" if proposed.enough else "nothing was proposed"
            return Round(number=number, proposals=questions, reason=reason), reason
        state.asked += questions
        best, spare = self._candidates(questions, state)
        for found in spare:
            state.pool.enter(found.chunk_id, found.score)
        chosen, reason = self._select(state, context, best)
        read_ids = state.read_ids()
        if chosen is not None:
            read_ids.add(best[chosen].chunk_id)
            self._take(state, number, best[chosen])
        drawn = state.pool.draw(read_ids)
        if drawn is not None:
            self._take(state, number, self._of_pool(drawn, spare, questions), sampled=True)
        made = Round(
            number=number,
            proposals=questions,
            candidates=best,
            spare=spare,
            chosen=chosen,
            sampled=drawn or "",
            reason=reason,
        )
        return made, "" if chosen is not None or drawn is not None else reason

    def _select(
        self, state: _Sampling, context: tuple[Evidence, ...], best: Sequence[FoundCandidate]
    ) -> tuple[int | None, str]:
        if not best:
            return None, "no candidate in the library"
        state.calls += 1
        selection = self.llm.run(
            Select(
                question=state.known.question,
                context=context,
                candidates=tuple(found.text for found in best),
                language=state.known.language,
            ),
            Selection,
        )
        if selection.index is None or not 0 <= selection.index < len(best):
            return None, selection.reason or "none was chosen"
        return selection.index, selection.reason

    def _candidates(
        self, questions: Sequence[str], state: _Sampling
    ) -> tuple[tuple[FoundCandidate, ...], tuple[FoundCandidate, ...]]:
        """Return the top K above delta of unread chunks, and the others of the top K' above delta'."""
        read_ids = state.read_ids()
        wide = self._near(questions, read_ids) or self._near([state.known.question], read_ids)
        best: dict[str, FoundCandidate] = {}
        spare: dict[str, FoundCandidate] = {}
        for found in wide:
            sure = [one for one in found if one.score >= self.threshold][: self.top_k]
            for one in found:
                into = best if one in sure else spare
                if one.chunk_id not in into or into[one.chunk_id].score < one.score:
                    into[one.chunk_id] = one
        ordered = sorted(best.values(), key=lambda one: (-one.score, one.text))
        return tuple(ordered), tuple(one for key, one in spare.items() if key not in best)

    def _near(self, questions: Sequence[str], read_ids: set[str]) -> list[list[FoundCandidate]]:
        """Return per question the unread chunks of the K' nearest atoms, then of the nearest chunks."""
        rows: list[list[FoundCandidate]] = []
        for question in questions:
            vector = self.vector(question)
            hits = [
                hit
                for hit in self.knowledge.nearest(vector, "atoms", self.wide_k * 2, EVERYTHING)
                if hit.score >= self.wide_threshold
            ]
            atoms = {atom.id: atom for atom in self.knowledge.atoms_by_id([hit.id for hit in hits])}
            row: dict[str, FoundCandidate] = {}
            for hit in hits:
                atom = atoms.get(hit.id)
                if atom is not None and atom.chunk_id not in read_ids and atom.chunk_id not in row:
                    row[atom.chunk_id] = FoundCandidate(
                        text=atom.text,
                        chunk_id=atom.chunk_id,
                        score=round(float(hit.score), 4),
                        proposal=question,
                        question=atom.kind == "question",
                    )
            if not row:
                row = self._near_chunks(question, vector, read_ids)
            rows.append(list(row.values())[: self.wide_k])
        return [row for row in rows if row]

    def _near_chunks(self, question: str, vector: Vectors, read_ids: set[str]) -> dict[str, FoundCandidate]:
        hits = {
            hit.id: round(float(hit.score), 4)
            for hit in self.knowledge.nearest(vector, "chunks", self.wide_k, EVERYTHING)
            if hit.score >= self.wide_threshold and hit.id not in read_ids
        }
        chunks = {chunk.id: chunk for chunk in self.knowledge.chunks(ids=list(hits))}
        return {
            key: FoundCandidate(text=chunks[key].text[:200], chunk_id=key, score=score, proposal=question)
            for key, score in hits.items()
            if key in chunks
        }

    def _of_pool(
        self, drawn: str, spare: Sequence[FoundCandidate], questions: Sequence[str]
    ) -> FoundCandidate:
        """Return how the drawn passage was found: in this round, or in an earlier one."""
        for found in spare:
            if found.chunk_id == drawn:
                return found
        return FoundCandidate(text="", chunk_id=drawn, score=0.0, proposal=questions[0])

    def _take(self, state: _Sampling, number: int, found: FoundCandidate, *, sampled: bool = False) -> None:
        chunk = self.knowledge.chunks(ids=[found.chunk_id])[0]
        state.read.append(
            ReadPiece(
                round=number,
                asked=found.text if found.question else found.proposal,
                evidence=self.evidence(chunk, len(state.read) + 1),
                chunk_id=chunk.id,
                sampled=sampled,
            )
        )

    def evidence(self, chunk: Chunk, number: int) -> Evidence:
        """Return the chunk as a model reads it."""
        title = self.knowledge.titles().get(chunk.document_id, "")
        return Evidence(n=number, text=chunk.passage_text(), source=title, place=chunk.location.label())
