"""Tells tags that name a topic from names, codes and whole clauses."""

from core.text.tokens import is_cjk

MAX_TERM_WORDS, MAX_TERM_SIGNS = 3, 6  # words of a term, signs of a Chinese one


def is_topic_term(tag: str) -> bool:
    """Say whether a tag may name a topic: no name of a person or firm, no code, no clause."""
    if is_cjk(tag):
        return len(tag) <= MAX_TERM_SIGNS
    words = tag.split()
    named = len(words) > 1 and all(word[:1].isupper() for word in words)
    return len(words) <= MAX_TERM_WORDS and not named and not any(sign.isdigit() for sign in tag)
