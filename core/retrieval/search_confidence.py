"""The confidence that a search found what was asked for: by cosine, and by word coverage."""

import math
from collections.abc import Sequence

from core.text.tokens import content_words, words


def coverage(query: str, texts: Sequence[str]) -> float:
    """Return the share (0 to 1) of the query's content words that occur in the texts together."""
    asked = set(content_words(query))
    if not asked:
        return 0.0
    text_words = {word for text in texts for word in words(text)}
    return len(asked & text_words) / len(asked)


def confidence(cosine: float, covered: float, size: int, minimum: float = 0.25) -> float:
    """Return the probability (0 to 1) that a search found what was asked for.

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
