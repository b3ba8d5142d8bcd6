"""Sums a text up in its own words: its lead and its most central sentences.

SumBasic's idea (Nenkova and Vanderwende, "The impact of frequency on summarization", 2005): a sentence
weighs as much as its words do on average, and a word that was said already weighs little.
"""

import re
from collections import Counter
from collections.abc import Collection
from math import fsum

from core.text.sentences import is_unticked, sentences
from core.text.tokens import content_words, detect_language

_MARK = re.compile(r"^[ \t]*(?:[-*•·▪‣–—]|\d{1,3}[.)、])[ \t]+", re.MULTILINE)  # of items
_MAX_SENTENCES = 3
_MAX_CHARACTERS = {"en": 480, "zh": 220}  # of a summary
_LEAD_WEIGHT = 1.3  # what the first sentence weighs more


def central_sentences(text: str, title: str = "", before: str = "") -> str:
    """Return up to three sentences of a text, quoted, in their order.

    Words of the `title` weigh more; what the summary `before` already says weighs less.
    """
    language = detect_language(text)
    pieces = [" ".join(piece.split()) for piece in sentences(_MARK.sub("", text))]
    pieces = [piece for piece in pieces if not is_unticked(piece)] or pieces
    bags = [frozenset(content_words(piece)) for piece in pieces]
    if not any(bags):
        return text.strip()[: _MAX_CHARACTERS[language]]
    weights = _weights(bags, content_words(title), frozenset(content_words(before)))
    room = _MAX_CHARACTERS[language]
    chosen: list[int] = []
    covered: set[str] = set()
    while len(chosen) < _MAX_SENTENCES:
        scores = {
            at: _score(bag, weights, covered) * (_LEAD_WEIGHT if at == 0 else 1.0)
            for at, bag in enumerate(bags)
            if at not in chosen and len(pieces[at]) <= room
        }
        best = max(scores, key=lambda at: (scores[at], -at), default=None)
        if best is None or scores[best] <= 0:
            break
        chosen.append(best)
        covered |= bags[best]
        room -= len(pieces[best])
    if not chosen:
        return pieces[0][: _MAX_CHARACTERS[language]]
    return ("" if language == "zh" else " ").join(_ended(pieces[at], language) for at in sorted(chosen))


def _ended(piece: str, language: str) -> str:
    """Return a line that nothing ends, an item or an address, with a full stop, so that none runs on."""
    return (
        piece
        if not piece[-1].isalnum() and piece[-1] not in ")）"
        else piece + ("。" if language == "zh" else ".")
    )


def _weights(
    bags: Collection[frozenset[str]], title: Collection[str], known: Collection[str]
) -> dict[str, float]:
    counts = Counter(word for bag in bags for word in bag)
    return {
        word: count * (0.5 if word in known else 1.0) * (1.5 if word in title else 1.0)
        for word, count in counts.items()
    }


def _score(bag: frozenset[str], weights: dict[str, float], covered: set[str]) -> float:
    """Return the mean weight of a sentence's words; short ones weigh nothing."""
    if len(bag) < 3:
        return 0.0
    # exact, so that the order of a set's words never decides
    return fsum(weights[word] * (0.2 if word in covered else 1.0) for word in bag) / (len(bag) + 6)
