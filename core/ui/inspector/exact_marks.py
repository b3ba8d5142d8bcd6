"""Finds what of a passage states a sentence: the lines, sentences or rows that share its rarer words."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from core.domain import Passage
from core.text.sentences import sentence_spans
from core.text.tokens import content_words

_BOLD = re.compile(r"\*\*(.+?)\*\*")
MAX_UNITS = 3  # units that one sentence may rest on
_MARK = re.compile(r"^\s*(?:[-*•·▪‣–—]|\d{1,3}[.)])\s+")  # of an item
MIN_COVERED_SHARE = 0.2  # share of the sentence's weight that a unit must cover


def saying(units: Sequence[str], claim: str) -> list[int]:
    """Return which units say the claim, in order; each covers words that those before it did not.

    A word weighs the more the fewer units hold it, and a figure or code three times.
    """
    unit_words = [set(content_words(unit)) for unit in units]
    often = Counter(word for words in unit_words for word in words)
    wanted = {
        word: math.log(1 + len(units) / often[word]) * (3 if any(c.isdigit() for c in word) else 1)
        for word in set(content_words(claim))
        if word in often
    }
    whole = sum(wanted.values())
    found: list[int] = []
    while wanted and len(found) < MAX_UNITS:
        gains = [
            sum(wanted.get(word, 0.0) for word in words) / (len(words) + 8) ** 0.25 for words in unit_words
        ]
        best = max(range(len(units)), key=lambda n: gains[n])
        covered = sum(wanted.get(word, 0.0) for word in unit_words[best])
        if covered < MIN_COVERED_SHARE * whole:
            break
        found.append(best)
        wanted = {word: weight for word, weight in wanted.items() if word not in unit_words[best]}
    return sorted(found)


def stated(cells: Iterable[str], claim: str) -> list[int]:
    """Return which cells of a row the claim states: those it has in bold, as its values are."""
    values = set(_BOLD.findall(claim))
    return [n for n, cell in enumerate(cells) if cell in values]


def exact(passage: Passage, claim: str) -> list[tuple[int, int]]:
    """Return the ranges of the passage's text that say the claim; what the search marked where none does.

    Of a claim that quotes several sentences, only the one with its value in bold is meant.
    """
    text = passage.chunk.text
    marked = sorted((span.start, span.end) for span in passage.highlights)
    if not claim:
        return marked
    units = _units(text)
    texts = [text[a:b] for a, b in units]
    found = _quoted(texts, claim) or saying(texts, claim.replace("**", ""))
    return [units[n] for n in found] or marked


def _quoted(units: Sequence[str], claim: str) -> list[int]:
    """Return the unit that the claim quotes around what is in bold, if one is."""
    before, _, rest = claim.partition("**")
    if "**" not in rest:
        return []
    plain = claim.replace("**", "")
    for n, unit in enumerate(units):
        unit_text = " ".join(_MARK.sub("", unit).split())
        at = plain.find(unit_text)
        if 0 <= at <= len(before) < at + len(unit_text):
            return [n]
    return []


def _units(text: str) -> list[tuple[int, int]]:
    """Return the text's sentences, cut at line ends."""
    found = []
    for start, end in sentence_spans(text):
        at = start
        for line in text[start:end].splitlines(keepends=True):
            if line.strip():
                found.append((at, at + len(line.rstrip())))
            at += len(line)
    return found
