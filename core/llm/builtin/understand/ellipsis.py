"""Completes a later question of several with the words it leaves out because an earlier one has them."""

import re
from itertools import pairwise

from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import shape_of, surface

_BARE = re.compile(
    r"(?:(?:in|on|at|for|of|to|by|from|with|since|until) )?(?:what|which|who|whom|whose|when|where|why|how)",
    re.IGNORECASE,
)
_BARE_THING = r"D[jsocaeg]?[nm]"  # "the repair", "the next service"; "the next winter games" says more
_PART_THING = r"D[jsocaegn]?[nm]"  # "the pump manual" of the pump that another question asks for


def _left_short(thing: str) -> re.Pattern[str]:
    """Return the pattern of questions that mention only such a thing."""
    return re.compile(rf"[pf]?w[jsocanm]*[^nmD]*{thing}(?:[fp]{thing})*(?![nm]|[fp].)")


_LEFT_SHORT, _LEFT_OF_ASKED = _left_short(_BARE_THING), _left_short(_PART_THING)
_COUNTS_NOTHING = re.compile(
    r"(?P<how>how (?:many|much))"
    r"(?= (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|must)\b)",
    re.IGNORECASE,
)
_POINTERS = frozenset(["this", "that", "these", "those"])


def completed(piece: str, earlier: str, first: str) -> str:
    """Return a piece without a verb asked of what an earlier one says, "and why" of "when was it made", and
    one without what it counts with that, "how many did we order" of "how many lids were offered"."""
    counts = _COUNTS_NOTHING.match(piece)
    counted = re.match(rf"{counts['how']} (?P<what>.+)$", earlier, re.IGNORECASE) if counts else None
    if counts and counted:
        words = tagged(earlier)
        noun = re.match(r"wA(?P<what>[jsoc]*[nmN]+(?:f[jsoc]*[nmN]+)?)(?=[bxviea])", shape_of(words))
        what = surface(words[slice(*noun.span("what"))], earlier) if noun else ""
        return f"{counts['how']} {what} {piece[counts.end() :].lstrip()}" if what else piece
    if re.search("[vbxie]", shape_of(tagged(piece))):
        return piece
    words = tagged(earlier)
    lead = re.match(r"[pf]?w[jsocanm]*(?=[bx])", shape_of(words))
    if lead:
        return f"{piece} {surface(words[lead.end() :], earlier)}"
    return f"{piece}: {first}" if _BARE.fullmatch(piece) else piece


def named_in_full(piece: str, first: str) -> str:
    """Put the noun before a name of one sign that the first question says it with: "B" of "revision B"."""
    for sign in re.findall(r"(?<![\w#-])[A-Z0-9](?![\w-])", piece):
        called = re.search(rf"\b([a-z]{{3,}}) {sign}(?![\w-])", first)
        if called and called.group() not in piece:
            piece = re.sub(rf"(?<![\w#-]){sign}(?![\w-])", called.group(), piece)
    return piece


def resolved_pronouns(piece: str, asked: list[tuple[str, int]], thing: str, person: str) -> str:
    """Put what is meant where "that pump" or "these people" points back to it: what a question before asked
    for by that noun, else the one a "who" asks for, else the thing. "The supplier" points back only to what
    was asked for by "which supplier" or "who supplies"."""
    words = tagged(piece)
    for place, (pointer, noun) in enumerate(pairwise(words)):
        if noun.letter not in "nm":
            continue
        if pointer.text.lower() == "the" and shape_of(words[place + 2 : place + 3]) not in set("nmfN"):
            for question, number in asked:
                if _asks_for(question, noun.lemma):
                    return f"{piece[: pointer.start]}#{number}{piece[noun.end :]}"
        if pointer.text.lower() not in _POINTERS:
            continue
        first = asked[0][0]
        meant = (
            person if re.match(r"who", first, re.IGNORECASE) and noun.lemma not in first.lower() else thing
        )
        for question, number in asked[1:]:
            if re.search(rf"\b(?:what|which) (?:\w+ )?{re.escape(noun.lemma[:-1])}", question, re.IGNORECASE):
                meant = f"#{number}"
        return f"{piece[: pointer.start]}{meant}{piece[noun.end :]}"
    return piece


def _asks_for(question: str, noun: str) -> bool:
    """Say whether a question asks for a thing of this name: "which supplier ...", "who supplies ..."."""
    words = tagged(question)
    asks = re.match(r"[pf]?w[jn]*(?P<noun>[nm])[vbx]", shape_of(words))
    if asks is not None:
        return words[asks.start("noun")].lemma == noun and words[0].text.lower() != "who"
    if not words or words[0].text.lower() != "who":
        return False
    verb = next((word.lemma for word in words[1:] if word.letter == "v"), "")
    stem = re.sub(r"(?:er|or)$", "", noun)
    return stem != noun and verb in (stem, f"{stem}e", re.sub("i$", "y", stem))


def with_its_thing(piece: str, thing: str) -> str:
    """Put the thing mentioned behind a question that mentions a part of it only: "how long does the exchange
    take". One that says a name, nothing definite, or what it means in full stands alone: one with other
    nouns, with two words before the noun, or with a phrase behind it (what tells a definite description
    that is new from one that leans on what was said: Vieira and Poesio 2000)."""
    definite = re.search(r"\bthe ([a-z]{4})", piece)
    if definite is None or not thing or re.search(r"[#\ue000-\uf8ff\d]", piece):
        return piece
    if thing.casefold() in piece.casefold():
        return piece
    leans = _LEFT_OF_ASKED if thing.startswith("#") else _LEFT_SHORT
    return f"{piece} ({thing})" if leans.match(shape_of(tagged(piece))) else piece
