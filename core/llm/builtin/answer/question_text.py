"""A question as it was written: which of its sentences asks, and whether it points to a passage."""

import re
from functools import lru_cache

from stop_words import get_stop_words

from core.llm.builtin.answer.word_matching import words_of
from core.text.identifiers import as_words
from core.text.languages import language_of_question
from core.text.sentences import sentences

MAX_NAMED_WORDS = 8  # in brackets behind "it": more are a sentence, not what a thing is called
SPACED = ("en", "fr", "de", "es", "it", "pt", "nl")  # languages with spaces whose questions are read
MIN_GRAMMAR_WORDS = 3  # of a language, from which a sentence is in it
_IT = re.compile(r"\bit\b|这", re.IGNORECASE)
_CLOSED = re.compile(r"[)）]\W*$")
_WORTH = re.compile(
    r"\b(?:stock|inventory|goods) values?\b"
    r"|\b(?:value|worth) of (?:(?:the|our|all) )?(?:[\w-]+ )?(?:stock|inventory|goods)\b"
    r"|(?:库存|存货|货物)的?(?:价值|金额|总值)|货值",
    re.IGNORECASE,
)
_WORTH_COLUMN = re.compile(r"\b(?:values?|worth|amount)\b|价值|金额|总值|货值", re.IGNORECASE)


def asking_sentence(text: str) -> str:
    """Return the sentence that asks, where others say before it what it is about: "The end was flushed on 11
    March. Did that have to be reported?"."""
    parts = sentences(text)
    asks = [part for part in parts if part.endswith(("?", "？"))]
    return asks[-1] if len(asks) == 1 and asks[0] == parts[-1] else text


@lru_cache(maxsize=2_000)
def is_in_another_language(language: str, text: str) -> bool:
    """Say whether a sentence is plainly in another language than this one: several words of its grammar
    are."""
    other = language_of_question(text, SPACED)
    if other == language or other not in SPACED:
        return False
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    own = words & set(get_stop_words(language)) if language in SPACED else set()
    return len(words & set(get_stop_words(other))) >= max(MIN_GRAMMAR_WORDS, len(own) + 1)


def points_to_passage(question: str) -> bool:
    """Say whether a question asks of "it", and a whole sentence that answered an earlier one stands behind in
    brackets: what "it" means there, no rule can determine."""
    closed = _CLOSED.search(question)
    if closed is None:
        return False
    depth, at = 1, closed.start()
    while depth and at > 0:
        at -= 1
        depth += (question[at] in ")）") - (question[at] in "(（")
    bracketed = words_of(question[at : closed.start()])
    return len(bracketed) > MAX_NAMED_WORDS and _IT.search(question[:at]) is not None


def asks_worth(question: str) -> bool:
    """Say whether a question asks what a stock is worth: how much there is of it times its price."""
    return _WORTH.search(question) is not None


def names_worth(column: str) -> bool:
    """Say whether a column is called by what something is worth."""
    return _WORTH_COLUMN.search(as_words(column)) is not None
