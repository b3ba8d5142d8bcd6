"""The moderator: raises passages nobody cited and words nobody addressed (Co-STORM, arXiv 2408.15232)."""

import re
from collections.abc import Sequence

from core.domain import Passage, Perspective, Raised
from core.perspectives.pool import Pool
from core.perspectives.report import rests_on
from core.text.sentences import sentences
from core.text.tokens import content_words, is_cjk, stem, word_set

MAX_UNUSED_PASSAGES = 2
MAX_GAPS = 4


def moderate(question: str, perspectives: Sequence[Perspective], pool: Pool) -> tuple[Raised, ...]:
    """Return passages nobody cited (`MAX_UNUSED_PASSAGES`), and the question's words that stand neither
    in a passage that was read nor in what was said.

    A passage is worth raising when it is near the question and far from what was said:
    near x (1 - overlap with what was cited), as in Co-STORM with words in place of vectors.
    """
    cited = {chunk for perspective in perspectives for chunk in rests_on(perspective)}
    passages = pool.passages()
    asked = set(content_words(question))
    cited_words = {
        word
        for passage in passages
        if passage.chunk.id in cited
        for word in content_words(passage.chunk.passage_text())
    }

    def worth(passage: Passage) -> float:
        words = set(content_words(passage.chunk.passage_text()))
        near = len(words & asked) / max(1, len(asked))
        return near * (1 - len(words & cited_words) / max(1, len(words)))

    unused = [p for p in passages if p.chunk.id not in cited and p.chunk.kind == "text"]
    unused.sort(key=worth, reverse=True)
    raised = [
        Raised(kind="unused", text=_best(passage, asked), chunk=passage.chunk.id)
        for passage in unused[:MAX_UNUSED_PASSAGES]
        if worth(passage) > 0
    ]
    texts = [text for perspective in perspectives for text in _texts(perspective)]
    texts += [passage.chunk.passage_text() for passage in passages]
    spoken = {word for text in texts for word in content_words(text)}
    gaps = [
        word
        for word in _content_words_of(question)
        if not set(content_words(word)) <= spoken and not any(word in text for text in texts)
    ]
    raised += [Raised(kind="gap", text=word) for word in gaps[:MAX_GAPS]]
    return tuple(raised)


def _texts(perspective: Perspective) -> tuple[str, ...]:
    proposed = (t for p in perspective.proposals for t in (p.text, p.effect, p.risk, p.effort))
    return (*(statement.text for statement in perspective.argument), *proposed)


def _best(passage: Passage, asked: set[str]) -> str:
    """Return the sentence of the passage nearest to the question."""
    found = sentences(passage.chunk.text) or [passage.chunk.text]
    return max(found, key=lambda text: len(asked & set(content_words(text))))[:300]


def _content_words_of(question: str) -> list[str]:
    """Return the question's words of matter as the reader wrote them: their stems would look wrong."""
    written = content_words(question) if is_cjk(question) else re.findall(r"[\w-]+", question)
    asking = {stem(word) for word in _ASKING}  # "improved" asks as "improve" does
    candidates = (w for w in dict.fromkeys(written) if len(w) > 1 and stem(w.lower()) not in asking)
    return [word for word in candidates if content_words(word)]


# Words that ask for ideas; no evidence need say them.
_ASKING = word_set(
    """reduce reducing lower increase increasing improve improving avoid losing lose keep keeping better ideas
    idea propose suggest ways way options help make
    提高 降低 减少 增加 改善 改进 避免 情况 建议 方案 想法 办法"""
)
