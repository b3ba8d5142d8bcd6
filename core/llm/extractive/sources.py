"""Keeps to the document a question names: "the interval in the manual", "according to the defect report"."""

import re
from collections.abc import Sequence

from core.llm.extractive.lexicon import synonyms
from core.tasks import Evidence
from core.text.tokens import content_words

_NAMED = re.compile(
    r"\b(?:in|from|of|by|to) (?:the |our |this )?((?:[\w-]+ ){1,4}?(?:manual|report|catalogue|catalog|"
    r"procedure|sop|instruction|minutes|notes|workbook|log|handbook|guide|training|memo|contract|"
    r"specification))\b",
    re.IGNORECASE,
)


def kept_to_named(question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the evidence from the documents the question names by what they are; all where it names none.

    A title names a document that says every word of the phrase, or one that means the same.
    """
    called = [frozenset(content_words(match.group(1))) for match in _NAMED.finditer(question)]
    kept = tuple(
        piece
        for piece in evidence
        for title in [frozenset(content_words(piece.source))]
        if any(all(_says(word, title) for word in name) for name in called if len(name) > 1)
    )
    return kept or tuple(evidence)


def _says(word: str, title: frozenset[str]) -> bool:
    return word in title or not synonyms(word).isdisjoint(title)
