"""Which passage to read besides the chosen one: upper confidence bounds over what was nearly chosen.

The dictionaries S (score) and V (visits, starting at 1) of PIKE-RAG's Algorithm 2 (arXiv 2501.11551).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from core.learning.trajectories import Trajectory
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
