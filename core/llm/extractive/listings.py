"""Records and lists in running text: "product: B12", "gas in its step records: CF4, HBr, Cl2"."""

import re

from core.llm.extractive.lexicon import synonyms
from core.text.tokens import content_words

_WHICH_ONES = re.compile(r"(?:which|what) ([a-z]+(?<!ga)(?<![sui])s) ", re.IGNORECASE)
_FIELD = re.compile(r"[a-z][\w -]{0,30}: \S")


def asked_kinds(question: str) -> frozenset[str]:
    several = _WHICH_ONES.match(question)
    return frozenset(content_words(several.group(1))) if several else frozenset()


def lists_asked(question: str, text: str) -> bool:
    """Say whether a line lists the things a "which ..." asks for."""
    return lists(text, asked_kinds(question))


def lists(text: str, kinds: frozenset[str]) -> bool:
    """Say whether a line lists things of a kind: "gas in its step records: CF4, HBr, Cl2"."""
    label, colon, listed = text.partition(": ")
    return (
        bool(colon)
        and "," in listed
        and any(not synonyms(kind).union({kind}).isdisjoint(content_words(label)) for kind in kinds)
    )


def is_record(text: str) -> bool:
    """Say whether most lines of a text are fields of one record: "product: B12"."""
    said = [line for line in text.split("\n") if line.strip()]
    return len(said) > 3 and 3 * sum(_FIELD.match(line) is not None for line in said) >= 2 * len(said)
