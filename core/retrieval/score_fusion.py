"""Joins the scores of several searches into one."""

from collections.abc import Iterable, Mapping

Leg = dict[str, float]  # id -> score
Scores = Mapping[str, float]


def min_max_scaled(scores: Scores) -> dict[str, float]:
    """Return scores between 0 (the last of the list) and 1 (its best); all 1 where they are equal.

    BM25 scores have no fixed scale and cosines lie close together, so only the position in the list counts.
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high - low < 1e-9:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def fuse_scores(legs: Mapping[str, Scores], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weighted sum of the scaled legs, divided so that 1 is the best anything could reach."""
    used = {name: leg for name, leg in legs.items() if leg and weights.get(name, 0.0) > 0}
    total = sum(weights[name] for name in used)
    joined: dict[str, float] = {}
    for name, leg in used.items():
        for key, score in min_max_scaled(leg).items():
            joined[key] = joined.get(key, 0.0) + weights[name] * score / total
    return joined


def best(scores: Scores, limit: int) -> list[str]:
    """Return the keys with the highest scores, ties by key so that the same question gives the same order."""
    keys: Iterable[str] = scores
    if 0 < limit < len(scores):
        least = sorted(scores.values())[-limit]
        keys = (key for key, score in scores.items() if score >= least)
    # Sorting twice keeps to comparisons that need no Python: thousands of nodes are ordered in each search.
    return sorted(sorted(keys), key=scores.__getitem__, reverse=True)[:limit]
