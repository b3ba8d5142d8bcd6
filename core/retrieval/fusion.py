"""Joins the scores of several searches into one, and says how much a best score is worth by itself."""

import math
from collections.abc import Mapping, Sequence

from core.text.tokens import content_words, words

Leg = dict[str, float]  # id -> score
Scores = Mapping[str, float]


def scaled(scores: Scores) -> dict[str, float]:
    """Return scores between 0 (the last of the list) and 1 (its best); all 1 where they are equal.

    BM25 has no scale and cosines crowd together: only the place within the own list compares.
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high - low < 1e-9:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def fuse(legs: Mapping[str, Scores], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weighted sum of the scaled legs, divided so that 1 is the best anything could reach."""
    used = {name: leg for name, leg in legs.items() if leg and weights.get(name, 0.0) > 0}
    total = sum(weights[name] for name in used)
    joined: dict[str, float] = {}
    for name, leg in used.items():
        for key, score in scaled(leg).items():
            joined[key] = joined.get(key, 0.0) + weights[name] * score / total
    return joined


def best(scores: Scores, limit: int) -> list[str]:
    """Return the keys with the highest scores, ties by key so that the same question gives the same order."""
    return sorted(scores, key=lambda key: (-scores[key], key))[:limit]


def seeds(fused: Scores, named: Mapping[str, float], most: int, named_weight: float) -> dict[str, float]:
    """Return the seeds of PageRank: the best fused scores cubed, and what is named.

    Cubing keeps the many half-good ones from outweighing the few good ones.
    """
    kept = {key: max(fused[key], 0.0) ** 3 for key in best(fused, most)}
    total = sum(kept.values())
    start = {key: value / total for key, value in kept.items()} if total > 0 else {}
    for node, specific in named.items():
        start[node] = start.get(node, 0.0) + named_weight * specific
    return start


def coverage(query: str, texts: Sequence[str]) -> float:
    """Return the share (0 to 1) of the query's words of meaning that stand in the texts together."""
    asked = set(content_words(query))
    if not asked:
        return 0.0
    held = {word for text in texts for word in words(text)}
    return len(asked & held) / len(asked)


def confidence(cosine: float, covered: float, size: int, minimum: float = 0.25) -> float:
    """Return how sure (0 to 1) one may be that a search found what was asked for.

    The weights are a logistic regression of answerable against foreign questions (two halves of four public
    corpora). The best of many unrelated passages lies the nearer the more there are (the expected
    maximum of `size` draws), so the same cosine says less in a large library. `minimum` moves the bar.
    """
    noise = 4.27 - math.sqrt(2 * math.log(max(size, 2)))  # 0 at 9,000 passages
    return _logistic(13.6 * (cosine + 0.1 * noise + 0.25 - minimum) + 4.7 * covered - 10.6)


def confidence_by_words(covered: float) -> float:
    """Return how sure (0 to 1) one may be where the embedder cannot read the question's script."""
    return _logistic(10.7 * covered - 4.7)


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, value))))
