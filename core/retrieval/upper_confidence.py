"""The upper confidence bound that chooses among passages: UCB1 (Auer et al., Machine Learning 47, 2002)."""

import math


def upper_confidence(value: float, visits: int, total: int, exploration: float) -> float:
    """Return value + exploration * sqrt(ln(total) / visits), both counts at least 1."""
    return value + exploration * math.sqrt(math.log(total) / visits)
