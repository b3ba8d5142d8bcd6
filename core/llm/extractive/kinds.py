"""What a "which ..." asks for, so that a tool is never given for a part, nor a lot for a recipe."""

import re

from core.llm.extractive.lexicon import TERMS
from core.llm.extractive.spans import Candidate
from core.text.tokens import words

_NOUNS = {
    "equipment": "tool machine equipment etcher scanner chamber device unit instrument system",
    "alarm": "alarm code error fault warning",
    "document": "document report procedure manual sop file specification standard",
    "material": "lot batch wafer material",
}
_OTHERS = "part component recipe product supplier vendor process parameter cause person engineer"
_GENERIC = {"tool", "chamber", "scanner", "etcher"}  # what holds parts
_TYPED = {noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()} | dict.fromkeys(
    _OTHERS.split(), ""
)


def asked_noun(question: str) -> str:
    """Return the noun a "which ..." asks for, "" where it asks for none that has a type."""
    match = re.match(r"(?:which|what) ((?:[a-z-]+ ){1,2})", question, re.IGNORECASE)
    said = match.group(1).lower().split() if match else []
    return next((w.removesuffix("s") for w in said if w.removesuffix("s") in _TYPED), "")


def of_type(question: str, kind: str) -> bool:
    """Say whether something named, of a kind as codes have it, can be what the question asks for."""
    noun = asked_noun(question)
    if noun in {"part", "component"}:
        return kind == "code"
    return not noun or kind not in _NOUNS or _TYPED[noun] == kind


def asks_for_part(question: str) -> bool:
    """Say whether a part of a machine is asked for."""
    return asked_noun(question) in {"part", "component"}


def parts_named(question: str, text: str) -> list[Candidate]:
    """Return the parts of machines a sentence names, where a part is asked for."""
    if not asks_for_part(question):
        return []
    low, asked = text.lower(), set(words(question))
    found = []
    for term in TERMS:
        if term.tag_class != "equipment" or not _GENERIC.isdisjoint(term.english):
            continue
        for name in term.english:
            match = re.search(rf"\b{re.escape(name)}\b", low)
            if match is not None and len(name) > 4 and not set(words(name)) <= asked:
                found.append(Candidate(match.start(), match.end(), name, "name"))
                break
    return found
