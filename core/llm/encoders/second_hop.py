"""The second hop, after any reranker: passages that a top passage leads to are ranked behind it.

"Where was the director of X born" names neither the director nor the place; the passage about X names the
director, and the graph leads from there to the passage about that person (what IRCoT, arXiv 2212.10509, asks
a model for; the hops are those of HippoRAG's graph, 2405.14831).
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.domain import Passage
from core.i18n.messages import mark
from core.ports import Reranker

Floats = NDArray[np.float64]
HOPPED, BY_HOP = mark("second hop from {there}"), mark("second hop from {there} by {name}")
# What a passage gains that a chosen one surely leads to, on the scale of the scores' logarithm
HOP_GAIN = 1.0
SURE_HOP_SHARE = 0.05  # share of a random walk from a chosen passage that makes it so
# A sure hop, in standard deviations of a reranker's scores (chosen on MuSiQue and 2Wiki)
HOP_DEVIATIONS = 2.0

# Links between chunks: (from, to) -> share of a random walk, and the name of what ties them.
Hops = Callable[[Sequence[str]], Mapping[tuple[str, str], tuple[float, str]]]


class SecondHop:
    """Any reranker, followed by the second hop over the passages it ordered.

    Scores of rerankers have no common scale (logits, ranks, shares): they are standardised, so that a hop
    counts as `HOP_DEVIATIONS` of their standard deviations. The late interaction hops by itself, while it
    chooses.
    """

    def __init__(self, reranker: Reranker, hops: Hops) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._hops = hops

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first; those led to have a score "hop" and say why. Raises LLMError."""
        ranked = self._reranker.rerank(question, passages)
        hops = self._hops([passage.chunk.id for passage in ranked]) if len(ranked) > 1 else {}
        if not hops:
            return ranked
        known = standardised([passage.scores["rerank"] for passage in ranked]) / HOP_DEVIATIONS
        nothing = np.zeros((len(ranked), 0))
        gains, led = completing(known, nothing, np.zeros(0), hops_between(ranked, hops))
        marked = [led_to(ranked, i, by, hops) if by >= 0 else ranked[i] for i, by in enumerate(led)]
        order = sorted(range(len(marked)), key=lambda i: (-gains[i], i))
        return [marked[i].model_copy(update={"rank_after": rank}) for rank, i in enumerate(order, start=1)]


def standardised(scores: Sequence[float]) -> Floats:
    """Return the scores (n) with mean 0 and standard deviation 1; all 0 where they are equal."""
    values = np.asarray(scores, np.float64)
    spread = float(values.std())
    return (values - values.mean()) / spread if spread > 1e-12 else np.zeros(len(values))


def completing(
    known: Floats, met: Floats, weights: Floats, hops: Floats | None = None
) -> tuple[Floats, list[int]]:
    """Return the gain of each passage at its turn, falling in the order in which they are taken, and which
    passage before it led to each, -1 for none.

    `known` (n) is what each is worth by itself, `met` (n, t) how far it meets each token, `weights` (t) what
    a token counts, `hops` (n, n) what the column's passage adds to the row's once it is taken. Greedy
    maximum coverage, which without hops is within 1 - 1/e of the best.
    """
    gains = np.zeros(len(known))
    covered, added = np.zeros(met.shape[1]), np.zeros(len(known))
    led = np.full(len(known), -1)
    left = list(range(len(known)))
    waiting = np.ones(len(known), bool)
    least = np.inf
    while left:
        offers = known[left] + np.maximum(met[left] - covered, 0.0) @ weights + added[left]
        at = int(np.argmax(offers))
        chosen = left.pop(at)
        waiting[chosen] = False
        # A hop may lift a passage above the one that led to it: its turn is still after.
        least = gains[chosen] = min(float(offers[at]), least - 1e-6)
        covered = np.maximum(covered, met[chosen])
        if hops is not None:
            more = (hops[:, chosen] > added) & waiting
            led[more] = chosen
            added[more] = hops[more, chosen]
    return gains, [int(by) for by in led]


def hops_between(passages: Sequence[Passage], hops: Mapping[tuple[str, str], tuple[float, str]]) -> Floats:
    """Return (n, n) what a passage (row) gains once another (column) is taken that leads to it."""
    place = {passage.chunk.id: at for at, passage in enumerate(passages)}
    gains = np.zeros((len(passages), len(passages)))
    for (start, end), (share, _) in hops.items():
        gains[place[end], place[start]] = HOP_GAIN * min(1.0, share / SURE_HOP_SHARE) ** 0.5
    return gains


def led_to(
    passages: Sequence[Passage], at: int, by: int, hops: Mapping[tuple[str, str], tuple[float, str]]
) -> Passage:
    """Return the passage with what led to it, for the reader."""
    passage, start = passages[at], passages[by]
    share, name = hops[start.chunk.id, passage.chunk.id]
    there = start.chunk.heading_path[-1] if start.chunk.heading_path else start.document_title
    why = BY_HOP.format(there=there, name=name) if name else HOPPED.format(there=there)
    scores = {**passage.scores, "hop": min(1.0, share / SURE_HOP_SHARE) ** 0.5}
    return passage.model_copy(update={"why": tuple(dict.fromkeys((*passage.why, why))), "scores": scores})
