"""The knowledge-aware loop: asks for what is missing, where the library knows it (PIKE-RAG, Algorithm 1).

Which candidate is read is chosen by upper confidence bounds, value + c * sqrt(ln N / n): n counts how often a
chunk was weighed, once for each proposal that found it, and N all weighings; its value is its similarity to
the proposal, the share of the question's words its text would add, and a bonus for the model's choice. The
model alone ends the loop.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain import Atom, Chunk, Passage, Scope
from core.i18n.messages import mark
from core.knowledge.base import KnowledgeBase
from core.ports import LLM, Emit
from core.retrieval.evidence_pieces import as_evidence
from core.retrieval.search_port import LibrarySearch
from core.retrieval.upper_confidence import upper_confidence
from core.tasks import NextQuestion, Proposals, Propose, ProposeNext, Select, Selection
from core.text.tokens import content_words
from core.trace import Proposed, Searched


@dataclass(frozen=True)
class Candidate:
    """An atomic question (or a chunk, where no atom is near) that could be read next."""

    text: str
    chunk_id: str
    score: float  # cosine to the proposal that found it
    times: int = 1  # how many proposals found its chunk


@dataclass(frozen=True)
class LoopResult:
    """The whole chunks the loop chose, in order, and the questions it asked itself."""

    passages: tuple[Passage, ...]
    asked: tuple[str, ...]


@dataclass
class _LoopState:
    """What one run of the loop remembers from round to round."""

    question: str
    scope: Scope
    language: str
    passages: list[Passage] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    visits: dict[str, int] = field(default_factory=dict)  # chunk id -> times it was weighed


@dataclass(frozen=True)
class KnowledgeLoop:
    """Proposes atomic questions, retrieves atoms, chooses one, reads its chunk; at most `rounds` times."""

    llm: LLM
    knowledge: KnowledgeBase
    retriever: LibrarySearch
    rounds: int = 5
    proposals: int = 3
    top_k: int = 4
    threshold: float = 0.4
    exploration: float = 0.2
    adds: float = 0.2  # what a text with all of the question's words that are missing yet is worth
    liked: float = 0.3  # what the model's choice is worth; with 0.25 one of 12 recorded ones of GPT-4 is left
    one_call: bool = False  # a trained decomposer asks: lines 3 to 5 in one call

    def run(self, question: str, scope: Scope, emit: Emit, language: str) -> LoopResult:
        """Go on until the rounds are used up, nothing is proposed, found or chosen, or it is enough."""
        state = _LoopState(question, scope, language)
        for number in range(1, self.rounds + 1):
            if not self._round(state, number, emit):
                break
        return LoopResult(tuple(state.passages), tuple(state.asked))

    def _round(self, state: _LoopState, number: int, emit: Emit) -> bool:
        """Do one round; return whether another is worth it."""
        if self.one_call:
            return self._asked_at_once(state, number, emit)
        question, language = state.question, state.language
        context = as_evidence(state.passages)
        proposed = self.llm.run(
            Propose(
                question=question,
                context=context,
                asked=tuple(state.asked),
                most=self.proposals,
                language=language,
            ),
            Proposals,
        )
        questions = proposed.questions[: self.proposals]
        if proposed.enough or not questions:
            reason: str = mark("enough is known") if proposed.enough else mark("nothing was proposed")
            emit(Proposed(cause="knowledge_loop", round=number, questions=questions, reason=reason))
            return False
        state.asked += questions
        candidates = self._candidates(questions, state)
        chosen: int | None = None
        reason = mark("no candidate in the library")
        visits = tuple(state.visits[candidate.chunk_id] for candidate, _ in candidates)
        if candidates:
            selection = self.llm.run(
                Select(
                    question=question,
                    context=context,
                    candidates=tuple(candidate.text for candidate, _ in candidates),
                    language=language,
                ),
                Selection,
            )
            reason = selection.reason
            if selection.index is not None and 0 <= selection.index < len(candidates):
                candidates[selection.index] = self._liked(candidates[selection.index])
                chosen = max(range(len(candidates)), key=lambda at: candidates[at][1])
                if chosen != selection.index:
                    reason = mark("its bound is higher than that of the model's choice")
        return self._read_chosen(
            state,
            Proposed(
                cause="knowledge_loop",
                round=number,
                questions=questions,
                visits=visits,
                chosen=chosen,
                reason=reason,
            ),
            candidates,
            emit,
        )

    def _asked_at_once(self, state: _LoopState, number: int, emit: Emit) -> bool:
        """Do a round whose question a trained decomposer asks; the nearest candidate is read."""
        reply = self.llm.run(
            ProposeNext(
                question=state.question,
                context=as_evidence(state.passages),
                asked=tuple(state.asked),
                language=state.language,
            ),
            NextQuestion,
        )
        ended = reply.enough or not reply.question.strip()
        questions = () if ended else (reply.question.strip(),)
        state.asked += questions
        candidates = self._candidates(questions, state) if questions else []
        reason = (
            mark("nearest to the trained question") if candidates else mark("no candidate in the library")
        )
        return self._read_chosen(
            state,
            Proposed(
                cause="knowledge_loop",
                round=number,
                questions=questions,
                chosen=0 if candidates else None,
                reason=mark("enough is known") if ended else reason,
            ),
            candidates,
            emit,
        )

    def _read_chosen(
        self, state: _LoopState, round_: Proposed, candidates: Sequence[tuple[Candidate, float]], emit: Emit
    ) -> bool:
        """Tell of the round with its candidates and read the chosen one; False where none was chosen."""
        picked = candidates[round_.chosen][0] if round_.chosen is not None else None
        shown = {
            "candidates": tuple(candidate.text for candidate, _ in candidates),
            "scores": tuple(round(score, 4) for _, score in candidates),
            "chunk_id": picked.chunk_id if picked else "",
        }
        emit(round_.model_copy(update=shown))
        if picked is None:
            return False
        state.passages.append(self._read(picked))
        emit(Searched(query=picked.text, passages=(state.passages[-1],), cause="knowledge_loop"))
        return True

    def _candidates(self, proposals: Sequence[str], state: _LoopState) -> list[tuple[Candidate, float]]:
        """Return unread candidates with their upper confidence bounds, best first.

        Atoms near the proposals; where there are none, atoms near the question; then chunks.
        """
        read = {passage.chunk.id for passage in state.passages}
        question, scope = state.question, state.scope
        found = self._atoms(proposals, scope, read) or self._atoms([question], scope, read)
        if not found:
            found = self._chunks([*proposals, question], scope, read)
        for candidate in found:
            state.visits[candidate.chunk_id] = state.visits.get(candidate.chunk_id, 0) + candidate.times
        total = sum(state.visits.values())
        added = self._added(found, state)
        bounded = [
            (
                candidate,
                upper_confidence(
                    candidate.score + self.adds * added[candidate.chunk_id],
                    state.visits[candidate.chunk_id],
                    total,
                    self.exploration,
                ),
            )
            for candidate in found
        ]
        return sorted(bounded, key=lambda pair: (-pair[1], pair[0].text))

    def _liked(self, one: tuple[Candidate, float]) -> tuple[Candidate, float]:
        return one[0], one[1] + self.liked

    def _added(self, found: Sequence[Candidate], state: _LoopState) -> dict[str, float]:
        """Return the share of the question's words a chunk says that nothing read so far does, a chunk."""
        asked = set(content_words(state.question))
        seen_words = {
            word for p in state.passages for word in content_words(f"{p.document_title} {p.chunk.text}")
        }
        missing = asked - seen_words
        titles = self.knowledge.titles()
        chunks = self.knowledge.chunks(ids=[candidate.chunk_id for candidate in found])
        return {
            chunk.id: len(missing & set(content_words(f"{titles.get(chunk.document_id, '')} {chunk.text}")))
            / max(1, len(asked))
            for chunk in chunks
        }

    def _atoms(self, questions: Sequence[str], scope: Scope, read: set[str]) -> list[Candidate]:
        """Return the best atom of each unread chunk among the top K above the threshold, per question."""
        best: dict[str, Candidate] = {}
        times: Counter[str] = Counter()
        for vector in map(self.retriever.vector, questions):
            hits = [
                hit
                for hit in self.knowledge.nearest(vector, "atoms", self.top_k * 3, scope)
                if hit.score >= self.threshold
            ]
            atoms: dict[str, Atom] = {a.id: a for a in self.knowledge.atoms_by_id([h.id for h in hits])}
            fresh = [hit for hit in hits if hit.id in atoms and atoms[hit.id].chunk_id not in read]
            times.update({atoms[hit.id].chunk_id for hit in fresh[: self.top_k]})
            for hit in fresh[: self.top_k]:
                atom = atoms[hit.id]
                known = best.get(atom.chunk_id)
                if known is None or hit.score > known.score:
                    best[atom.chunk_id] = Candidate(atom.text, atom.chunk_id, float(hit.score))
        return [replace(candidate, times=times[candidate.chunk_id]) for candidate in best.values()]

    def _chunks(self, questions: Sequence[str], scope: Scope, read: set[str]) -> list[Candidate]:
        best: dict[str, float] = {}
        for vector in map(self.retriever.vector, questions):
            for hit in self.knowledge.nearest(vector, "chunks", self.top_k, scope):
                if hit.id not in read and hit.score >= self.threshold:
                    best[hit.id] = max(best.get(hit.id, 0.0), float(hit.score))
        chunks: list[Chunk] = self.knowledge.chunks(ids=list(best))
        return [Candidate(chunk.text[:200], chunk.id, best[chunk.id]) for chunk in chunks]

    def _read(self, candidate: Candidate) -> Passage:
        """Return the candidate's whole chunk."""
        chunk = self.knowledge.chunks(ids=[candidate.chunk_id])[0]
        return Passage(
            chunk=chunk,
            document_title=self.knowledge.titles().get(chunk.document_id, ""),
            query=candidate.text,
            score=candidate.score,
            scores={"atom": candidate.score},
            why=(f"atom: {candidate.text}",),
        )
