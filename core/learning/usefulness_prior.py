"""Shifts the ranks of passages by readers' feedback: a Beta posterior per tag and type of question.

Upper confidence bounds of the posterior (Bayes-UCB, Kaufmann et al., AISTATS 2012, with the mean plus a
multiple of the deviation for the quantile): a passage nobody judged stays where the search put it.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from core.domain import Passage
from core.i18n.messages import mark
from core.knowledge.learned.usefulness import UsefulnessCount
from core.ports import Reranker
from core.text.tokens import is_cjk, words

QuestionType = Literal["who", "when", "where", "how many", "how", "why", "whether", "what"]

_ASKED: tuple[tuple[QuestionType, re.Pattern[str]], ...] = (
    ("why", re.compile(r"\b(why|reason|root cause|what caused)\b|为什么|为何|原因", re.I)),
    (
        "how many",
        re.compile(r"\bhow (many|much|long|often|old|far|large|high)\b|多少|几个|多久|多长|几次", re.I),
    ),
    ("when", re.compile(r"\b(when|what (date|day|year|month|time))\b|何时|什么时候|哪年|哪天", re.I)),
    ("where", re.compile(r"\b(where|what (place|city|country))\b|哪里|何处|在哪", re.I)),
    ("who", re.compile(r"\b(who|whom|whose)\b|谁|哪位", re.I)),
    ("how", re.compile(r"\bhow\b|怎么|怎样|如何", re.I)),
    (
        "whether",
        re.compile(r"^\s*(is|are|was|were|does|do|did|has|have|can|could|will)\b|是否|吗[？?]?\s*$", re.I),
    ),
)
REASON = mark("readers: useful {good} of {times} times for such questions")
CONFIDENCE_DEVIATIONS = 0.5  # deviations above the mean


def question_type(question: str) -> QuestionType:
    """Return the type of a question by its words, in English or Chinese."""
    return next((kind for kind, pattern in _ASKED if pattern.search(question)), "what")


def named_tags(question: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return those of the tags that the question names, ("",) where it names none."""
    asked = set(words(question))
    plain = question.casefold()
    named = [
        tag
        for tag in dict.fromkeys(tags)
        if (tag in plain if is_cjk(tag) else set(words(tag)) <= asked and tag)
    ]
    return tuple(sorted(named)) or ("",)


def bound(good: int, bad: int) -> float:
    """Return the upper confidence bound (0 to 1 and a little over) of Beta(1 + good, 1 + bad)."""
    a, b = 1 + good, 1 + bad
    mean = a / (a + b)
    return mean + CONFIDENCE_DEVIATIONS * math.sqrt(mean * (1 - mean) / (a + b + 1))


def shift(good: int, bad: int, most: float) -> float:
    """Return the shift of the rank: 0 without verdicts, at most `most` up or down."""
    return max(-most, min(most, most * 2 * (bound(good, bad) - bound(0, 0))))


class LearntReranker:
    """Orders as another reranker does, then moves what readers judged by at most `most` of the list.

    The standing of a passage is 1 for the first and falls evenly to 0; `scores["learnt"]` holds its shift.
    `judged` returns the verdicts on chunks for a type of question, `tags` the tags of each chunk.
    """

    def __init__(
        self,
        inner: Reranker,
        judged: Callable[[Sequence[str], str], Sequence[UsefulnessCount]],
        tags: Callable[[Sequence[str]], Mapping[str, Sequence[str]]],
        most: float = 0.1,
    ) -> None:
        self.name = inner.name
        self._inner, self._judged, self._tags, self._most = inner, judged, tags, most

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first. Raises what the other reranker raises."""
        ranked = self._inner.rerank(question, passages)
        learnt = self.learnt(question, [passage.chunk.id for passage in ranked])
        if not learnt:
            return ranked
        marked = [_with_reason(passage, learnt.get(passage.chunk.id)) for passage in ranked]
        moved = [passage.scores.get("learnt", 0.0) for passage in marked]
        order = sorted(range(len(marked)), key=lambda n: (-(1 - n / len(marked) + moved[n]), -moved[n], n))
        return [marked[n].model_copy(update={"rank_after": rank}) for rank, n in enumerate(order, start=1)]

    def learnt(self, question: str, chunk_ids: Sequence[str]) -> dict[str, tuple[float, int, int]]:
        """Return chunk id -> (shift, said useful, said useless) for the question's type and its tags."""
        if not self._most or not chunk_ids:
            return {}
        kind = question_type(question)
        found = self._judged(chunk_ids, kind)
        if not found:
            return {}
        tags = self._tags(sorted({row.chunk_id for row in found}))
        counts: dict[str, list[int]] = {}
        for row in found:
            if row.tag in named_tags(question, tags.get(row.chunk_id, ())):
                best = counts.setdefault(row.chunk_id, [0, 0])
                best[0], best[1] = max(best[0], row.good), max(best[1], row.bad)
        most = self._most
        return {chunk: (round(shift(good, bad, most), 4), good, bad) for chunk, (good, bad) in counts.items()}


def _with_reason(passage: Passage, learnt: tuple[float, int, int] | None) -> Passage:
    if learnt is None:
        return passage
    moved, good, bad = learnt
    reason = REASON.format(good=good, times=good + bad)
    return passage.model_copy(
        update={"scores": {**passage.scores, "learnt": moved}, "why": (*passage.why, reason)}
    )
