"""Chinese measure words, between a number and what is counted (12号晶圆, 三片), as CC-CEDICT tells them."""

import re
from functools import lru_cache

from core.text.chinese_english import explained
from core.text.tokens import is_dictionary_word, segment

_CLASSIFIER = re.compile(r"(?:^|/)(?:\([^)]*\) ?)?classifier\b")
_ASKS = re.compile(r"(?:[哪几]|多少)\w?")
_EACH = re.compile(r"(?:[哪几每各这那某]|多少)一?$")  # what a measure word stands behind, numbers apart


@lru_cache(maxsize=1)
def measure_words() -> frozenset[str]:
    """Return the single signs that measure or classify."""
    return frozenset(
        word for word, explanation in explained() if len(word) == 1 and _CLASSIFIER.search(explanation)
    )


def segment_behind_number(run: str) -> tuple[str, ...]:
    """Cut a run of Chinese characters that stands behind a number: its measure word is a word of its own,
    where no dictionary has it joined to the next sign (号片, but 台湾)."""
    first = segment(run)[0]
    if len(first) > 1 and first[0] in measure_words() and not is_dictionary_word(first):
        return (run[0], *segment_behind_number(run[1:]))
    return segment(run)


def only_quantifies(word: str, before: str = "") -> bool:
    """Say whether a word only asks for one or names each, or is the measure word of such a one behind the
    text `before` it: 哪台, 每片, 片 of 哪片."""
    if _ASKS.fullmatch(word):
        return True
    measure = word[-1:] if word[-1:] in measure_words() or word[-1:] == "类" else ""
    return bool(measure) and _EACH.search(before + word.removesuffix(measure)) is not None and len(word) <= 2
