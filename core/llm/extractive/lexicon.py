"""What the rules look up in the vocabulary: names of one meaning in English and Chinese."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.text.tokens import is_cjk, words
from core.text.vocabulary import Term, families, packaged

TERMS = packaged().terms
CLASSES = (
    "equipment",
    "process",
    "material",
    "defect",
    "parameter",
    "document",
    "person",
    "place",
    "organisation",
    "date",
    "topic",
)


def by_stems() -> dict[tuple[str, ...], Term]:
    """Return the terms by the words of each of their names."""
    return packaged().by_words


@lru_cache(maxsize=1)
def chinese_pattern() -> re.Pattern[str]:
    """Return a pattern that finds every Chinese name of two characters or more, the longest first."""
    names = sorted({n for term in TERMS for n in term.chinese if len(n) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)))


@lru_cache(maxsize=512)
def own_terms(text: str) -> frozenset[str]:
    """Return the Chinese names of the dictionary a text says, the longest where they overlap."""
    return frozenset(match.group() for match in chinese_pattern().finditer(text))


@lru_cache(maxsize=512)
def in_chinese(text: str) -> frozenset[str]:
    """Return the Chinese names of the things an English text names."""
    return frozenset(name for _, _, term in terms_in(words(text)) for name in term.chinese)


def in_english(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of Chinese words for the English words of their meaning: the preferred name's
    first, since an alarm may be a warning but is first of all an alarm."""
    found: dict[str, float] = {}
    for word, weight in weights.items():
        term = by_stems().get((word,)) if is_cjk(word) else None
        for place, name in enumerate(term.english if term is not None else ()):
            for stemmed in words(name):
                found[stemmed] = max(found.get(stemmed, 0.0), weight * (0.75 if place == 0 else 0.4))
    return found


@lru_cache(maxsize=1)
def _by_first() -> dict[str, list[tuple[tuple[str, ...], Term]]]:
    """Return the terms by their first word, those of more words first."""
    table: dict[str, list[tuple[tuple[str, ...], Term]]] = {}
    for key, term in by_stems().items():
        table.setdefault(key[0], []).append((key, term))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


def terms_in(stems: Sequence[str]) -> list[tuple[int, int, Term]]:
    """Return (start, end, term) for the English names in a run of stems, the longest name winning."""
    table = _by_first()
    found: list[tuple[int, int, Term]] = []
    upto = 0
    for at, word in enumerate(stems):
        if at < upto or word not in table:
            continue
        for key, term in table[word]:
            if len(key) == 1 or tuple(stems[at : at + len(key)]) == key:
                upto = at + len(key)
                found.append((at, upto, term))
                break
    return found


_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _by_word() -> dict[str, frozenset[str]]:
    """Return for each single word (stem or Chinese word) the single words of the same meaning."""
    table: dict[str, set[str]] = {}
    for term in TERMS:
        singles = [key[0] for key, owner in by_stems().items() if owner is term and len(key) == 1]
        singles += [name for name in term.english if name.isalnum() and not name.isalpha()]  # formulas: "cl2"
        for word in singles:
            table.setdefault(word, set()).update(s for s in singles if s != word)
    return {word: frozenset(same) for word, same in table.items()}


@lru_cache(maxsize=20_000)
def synonyms(word: str) -> frozenset[str]:
    """Return other single words, in both languages, of the same meaning as a word as `words` gives it."""
    return _by_word().get(word, _NONE) | families().get(word, _NONE)
