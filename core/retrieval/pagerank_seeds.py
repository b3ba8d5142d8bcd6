"""Where a personalised PageRank begins: at the best scores, and at what the question names."""

from collections.abc import Mapping

from core.retrieval.score_fusion import Scores, best


def seeds(fused: Scores, named: Mapping[str, float], most: int, named_weight: float) -> dict[str, float]:
    """Return the seeds of PageRank: the best fused scores cubed, and what is named.

    Cubing keeps the many half-good ones from outweighing the few good ones.
    """
    cubed = {key: max(fused[key], 0.0) ** 3 for key in best(fused, most)}
    total = sum(cubed.values())
    start = {key: value / total for key, value in cubed.items()} if total > 0 else {}
    for node, specific in named.items():
        start[node] = start.get(node, 0.0) + named_weight * specific
    return start
