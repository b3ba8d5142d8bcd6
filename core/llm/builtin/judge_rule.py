"""The rule for Judge: words and figures of the answer against those of each gold one.

A baseline that knows no meaning: a synonym is wrong to it, and a sentence that denies the gold answer in
other words than "not" passes.
"""

import re
from collections.abc import Iterable

from core.tasks import Judge, Judged
from core.text.tokens import is_cjk, is_stopword, stem, words

_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_SEPARATOR = re.compile(r"(?<=\d)[,   ](?=\d{3})")
_DENIES = re.compile(r"\b(?:not|never|no|neither|nor|without|cannot)\b|n't\b|不|没|无|非|未", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:either|or|maybe|perhaps|possibly)\b|或者|或是|还是|可能", re.IGNORECASE)
_YES = re.compile(r"\W*(?:yes|是的?|对)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|不是|否|不)(?!\w)", re.IGNORECASE)
PARTLY_RIGHT_SHARE = 0.5  # share of the gold answer's words that make an answer partly right
_ORDER = ("wrong", "partly", "right")


def judge(task: Judge) -> Judged:
    """Return the best grade the answer has against any gold answer."""
    grades = (_grade(task.question, gold, task.answer) for gold in task.golds)
    return max(grades, key=lambda found: _ORDER.index(found.grade), default=Judged(grade="wrong"))


def _grade(question: str, gold: str, answer: str) -> Judged:
    if not answer.strip():
        return Judged(grade="wrong", reason="no answer")
    answer_stems, wanted = _content_stems(answer), _content_stems(gold)
    if pole := _pole(gold):
        return Judged(grade="right" if _pole(answer) == pole else "wrong", reason="yes or no")
    if answer_stems == wanted:
        return Judged(grade="right", reason="the same words")
    if _CHOICE.search(answer) and not _CHOICE.search(gold):
        return Judged(grade="wrong", reason="several answers")
    if bool(_DENIES.search(answer)) != bool(_DENIES.search(gold)):
        return Judged(grade="wrong", reason="one of the two denies")
    new = _figures(answer) - _figures(gold) - _figures(question)
    if _figures(gold) and new:
        return Judged(grade="wrong", reason=f"another figure: {min(new)}")
    share = len(wanted & answer_stems) / len(wanted) if wanted else 0.0
    if share == 1:
        return Judged(grade="right", reason="every word of the gold answer")
    if share >= PARTLY_RIGHT_SHARE:
        return Judged(grade="partly", reason=f"{share:.0%} of the gold answer's words")
    return Judged(grade="wrong", reason=f"{share:.0%} of the gold answer's words")


def _pole(text: str) -> str:
    """Return "yes" or "no" where the text begins so and is an answer to a question of that kind."""
    return "yes" if _YES.match(text) else "no" if _NO.match(text) else ""


def _content_stems(text: str) -> frozenset[str]:
    """Return the words that carry matter, stemmed; Chinese without those of a single function."""
    return frozenset(_content_words(words(_SEPARATOR.sub("", text))))


def _content_words(found: Iterable[str]) -> Iterable[str]:
    return (word if is_cjk(word) else stem(word) for word in found if not is_stopword(word))


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(_SEPARATOR.sub("", text)))
