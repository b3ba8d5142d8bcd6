"""Holds a question against those a sentence answers: "What happens when the band wears?" has one answer."""

import re
from functools import lru_cache

from core.llm.builtin.enrich.questions import questions_of, questions_zh
from core.llm.extractive.lexicon import synonyms
from core.text.tokens import content_words, is_cjk

_WH = re.compile(
    r"\b(?:who(?:m|se)?|what|when|where|why|how (?:many|much|often|long)|how)\b"
    r"|谁|什么时候|多少|多久|多长|哪里|什么",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:must|need(?:s|ed)?|shall|to be)\b", re.IGNORECASE)
_LEAST = 0.6  # share of the words of a question that one like it says


def likeness(question: str, sentence: str, title: str) -> float:
    """Return how nearly (0 to 1) one of the questions a sentence answers is the question asked."""
    if len(sentence) > 400 or is_cjk(question) != is_cjk(sentence):
        return 0.0
    made = _answered(sentence, title)
    if not made:
        return 0.0
    wh, asked = _read(question)
    return max((_alike(asked, told) for said, told in made if said == wh), default=0.0)


@lru_cache(maxsize=4096)
def _answered(sentence: str, title: str) -> tuple[tuple[str, frozenset[str]], ...]:
    if is_cjk(sentence):
        made = questions_zh(sentence)
    else:
        made = questions_of(_MARK.sub("", sentence), title, technical=True)
    return tuple(map(_read, made))


_MARK = re.compile(r"^(?:[-*•·]\s+|\d{1,2}[.)]\s+)")


@lru_cache(maxsize=4096)
def _read(question: str) -> tuple[str, frozenset[str]]:
    found = _WH.search(question)
    return (found.group().lower() if found else ""), frozenset(content_words(_MODAL.sub(" ", question)))


def _alike(asked: frozenset[str], made: frozenset[str]) -> float:
    """Return the F1 of the words, those of the same meaning counted."""
    if not asked or not made:
        return 0.0
    said = sum(word in made or not synonyms(word).isdisjoint(made) for word in asked)
    if said < _LEAST * len(asked) or any(word[0].isdigit() and word not in made for word in asked):
        return 0.0
    told = sum(word in asked or not synonyms(word).isdisjoint(asked) for word in made)
    return 2 * said * told / (said * len(made) + told * len(asked)) if said and told else 0.0
