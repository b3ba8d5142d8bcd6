"""Similarity of a word of a question to the name of a column, a table or a value, also where a Chinese word
is translated by the vocabulary."""

from core.llm.builtin.answer.word_matching import (
    SAME_WORD_LIKENESS,
    TRANSLATION_LIKENESS,
    key_of,
    likeness,
)
from core.text.tokens import is_cjk
from core.text.vocabulary import packaged


def name_likeness(key: str, name: str) -> float:
    """Return how far a word is a name, 0 to 1."""
    plain = likeness(key, name)
    if plain or is_cjk(key) == is_cjk(name):
        return plain
    chinese, other = (key, name) if is_cjk(key) else (name, key)
    term = packaged().by_words.get((chinese,))
    known = term is not None and any(key_of(one) == other for one in term.english if " " not in one)
    return TRANSLATION_LIKENESS if known else 0.0


def is_name(key: str, name: str) -> bool:
    """Say whether a word is a name, of a Chinese word also whether the name is its translation."""
    return name_likeness(key, name) >= (TRANSLATION_LIKENESS if is_cjk(key) else SAME_WORD_LIKENESS)
