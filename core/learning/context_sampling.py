"""Samples a passage to read besides the chosen one, by upper confidence bounds over the next best.

The dictionaries S (score) and V (visits, starting at 1) of PIKE-RAG's Algorithm 2 (arXiv 2501.11551).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from core.domain import Value
from core.learning.trajectories import Known, Trajectory
from core.retrieval.upper_confidence import upper_confidence


@dataclass
class ContextPool:
    """Passages of one question that were found but not among the best, over all its attempts."""

    exploration: float = 0.2
    scores: dict[str, float] = field(default_factory=dict)  # S: chunk id -> best cosine so far
    visits: dict[str, int] = field(default_factory=dict)  # V: chunk id -> times drawn, plus one

    def enter(self, chunk_id: str, score: float) -> None:
        """Put a passage into S, or raise its score; its visits start at 1."""
        self.scores[chunk_id] = max(score, self.scores.get(chunk_id, score))
        self.visits.setdefault(chunk_id, 1)

    def bound(self, chunk_id: str) -> float:
        """Return S + c * sqrt(ln(sum of V) / V) of a passage in the pool."""
        total = sum(self.visits.values())
        return upper_confidence(self.scores[chunk_id], self.visits[chunk_id], total, self.exploration)

    def draw(self, without: Collection[str]) -> str | None:
        """Return the passage with the highest bound that is not in `without`, and count the visit."""
        free = sorted(set(self.scores) - set(without))
        if not free:
            return None
        best = max(free, key=self.bound)
        self.visit(best)
        return best

    def visit(self, chunk_id: str) -> None:
        """Count that a passage of the pool was read."""
        self.visits[chunk_id] += 1


def pool_of(attempts: Sequence[Trajectory], exploration: float) -> ContextPool:
    """Return the pool of a question as these attempts at it, in order, left it."""
    pool = ContextPool(exploration)
    for attempt in attempts:
        for made in attempt.rounds:
            for found in made.spare:
                pool.enter(found.chunk_id, found.score)
            if made.sampled:
                pool.visit(made.sampled)
    return pool


class PoolPassage(Value):
    """A passage of a question's pool after all its attempts; `text` is the atom that found it."""

    question: str
    text: str
    chunk_id: str
    score: float  # S
    visits: int  # V
    bound: float
    gold: bool


class SamplingSummary(Value):
    """What the bandit drew over a set of attempts; the shares are over questions with known gold passages."""

    passages: tuple[PoolPassage, ...]  # question by question, the most drawn first
    draws: int
    gold_draws: float  # share of the draws that read a gold passage
    gold_passages: float  # share of gold passages in the pools: what a draw by chance would come to


def pools_of(attempts: Sequence[Trajectory], exploration: float) -> dict[str, tuple[Known, ContextPool]]:
    """Return per question the pool as its attempts left it."""
    own: dict[str, list[Trajectory]] = {}
    for attempt in attempts:
        own.setdefault(attempt.question.id, []).append(attempt)
    return {
        key: (made[0].question, pool_of(sorted(made, key=lambda one: one.attempt), exploration))
        for key, made in own.items()
    }


def sampling_of(attempts: Sequence[Trajectory], exploration: float) -> SamplingSummary:
    """Return a summary of the passages the bandit drew, and the share of gold ones."""
    texts = {
        (attempt.question.id, found.chunk_id): found.text
        for attempt in attempts
        for made in attempt.rounds
        for found in made.spare
    }
    passages: list[PoolPassage] = []
    judged: list[PoolPassage] = []  # of questions whose gold is known
    for key, (known, pool) in pools_of(attempts, exploration).items():
        gold = {chunk for chunks in known.gold for chunk in chunks}
        pooled = [
            PoolPassage(
                question=known.question,
                text=texts.get((key, chunk), ""),
                chunk_id=chunk,
                score=score,
                visits=pool.visits[chunk],
                bound=round(pool.bound(chunk), 4),
                gold=chunk in gold,
            )
            for chunk, score in pool.scores.items()
        ]
        passages += sorted(pooled, key=lambda one: (-one.visits, -one.bound, one.chunk_id))
        judged += pooled if gold else []
    draws = [one for one in judged for _ in range(one.visits - 1)]
    return SamplingSummary(
        passages=tuple(passages),
        draws=sum(one.visits - 1 for one in passages),
        gold_draws=_gold_share(draws),
        gold_passages=_gold_share(judged),
    )


def _gold_share(passages: Sequence[PoolPassage]) -> float:
    return round(sum(one.gold for one in passages) / max(1, len(passages)), 4)
