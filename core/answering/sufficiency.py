"""Decides whether anything that was retrieved is about the question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.retrieval.listed_passages import THEME
from core.text.chinese_english import in_english
from core.text.periods import find_dates
from core.text.tokens import content_words, is_cjk

_NAME = re.compile(r"\w+(?:[-./]\w+)*")
MEANING = ("chunk", "atom", "section", "document")  # legs scored by cosine


@dataclass(frozen=True)
class Sufficiency:
    """Decides whether the retrieved passages are about the question at all."""

    knowledge: KnowledgeBase
    min_cosine: float = 0.25  # cosine
    shared: float = 0.5  # of the question's words that carry meaning

    def related(self, question: str, passages: Sequence[Passage]) -> bool:
        """Return whether a passage is near in meaning, or all together hold most of the words asked."""
        if not passages or not any(sign.isalnum() for sign in question):
            return False
        if any(passage.scores == THEME for passage in passages):  # each says the theme
            return True
        nearest = max((p.scores[leg] for p in passages for leg in MEANING if leg in p.scores), default=0.0)
        if nearest >= self.min_cosine:
            return True
        asked = set(content_words(question))
        evidence_words = {
            word for passage in passages for word in content_words(passage.chunk.passage_text())
        }
        covered = asked & evidence_words | {
            word for word in asked - evidence_words if _is_translation_held(word, evidence_words)
        }
        return bool(asked) and len(covered) / len(asked) >= self.shared

    def unknown(self, question: str, scope: Scope) -> tuple[str, ...]:
        """Return the names and codes of the question that stand nowhere in the scope.

        Other words are left out, for a library may say the same in words of its own; so is the first word,
        whose capital says nothing, and what names a time: a library may write "2025-06".
        """
        times = find_dates(question)
        later = dict.fromkeys(
            match.group()
            for match in _NAME.finditer(question)
            if match.start() and not any(start <= match.start() < end for start, end in times)
        )
        names = [name for name in later if _named(name) and content_words(name)]
        return tuple(name for name in names if not self.knowledge.keyword(name, 1, scope))


def _is_translation_held(word: str, evidence_words: set[str]) -> bool:
    """Say whether the evidence has all words of an English translation of a Chinese word."""
    names = (content_words(name) for name in in_english(word)) if is_cjk(word) else ()
    return any(name and evidence_words.issuperset(name) for name in names)


def _named(word: str) -> bool:
    return not is_cjk(word) and len(word) > 2 and (word[0].isupper() or any(c.isdigit() for c in word))
