"""Marks the sentences of the evidence that matter for the question, by counting its words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from core.domain import Passage, Span
from core.text.sentences import sentence_spans
from core.text.tokens import content_words

MAX_SENTENCES = 3  # sentences of a passage
MIN_SHARE_OF_BEST = 0.5  # of what the best sentence of the passage is worth


@dataclass(frozen=True)
class SentenceHighlighter:
    """Highlights the sentences with most of the question's words, rare words weighing more."""

    def highlight(self, question: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Return all passages in their order; one that says no word of the question keeps no highlight."""
        asked = set(content_words(question))
        passage_words = [set(content_words(passage.chunk.passage_text())) for passage in passages]
        found = Counter(word for words in passage_words for word in words & asked)
        rare = {word: log(1 + len(passages) / (1 + found[word])) for word in asked}
        return tuple(
            passage.model_copy(update={"highlights": _spans(passage.chunk.text, rare)})
            for passage in passages
        )


def _spans(text: str, rare: dict[str, float]) -> tuple[Span, ...]:
    """Return the best sentences as spans of the text, in order."""
    rated = [
        (sum(rare[word] for word in set(content_words(text[a:b])) & rare.keys()), a, b)
        for a, b in sentence_spans(text)
    ]
    best = max((worth for worth, _, _ in rated), default=0.0)
    if best <= 0:
        return ()
    chosen = sorted((one for one in rated if one[0] >= MIN_SHARE_OF_BEST * best), key=lambda one: -one[0])[
        :MAX_SENTENCES
    ]
    return tuple(Span(start=a, end=b) for _, a, b in sorted(chosen, key=lambda one: one[1]))
