"""Sets that a question describes and asks something of: "the capitals of the five largest countries"."""

import re

from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import TaggedWord, shape_of, surface
from core.text.locales import time_words

_SET = re.compile(
    r"[pfxbe](?:(?P<set>D(?:[jc]*s(?=[jc])[jc]*|[jac]*c[sjac]*|c?[so]+c[jsa]*)[jnN]*m.*)$"
    r"|(?P<each>A)f?(?P<of_each>D?[jsocanN]*[nm][^vbx,]*?(?:r[vbx].*?)?)(?P<then>e|[vbx].*)?$)"
)
# Nothing tells "the lots" from others: they are not found first. "The two lots of A" are.
_WHICH_OF = re.compile(r"^wf(?P<set>(?=[^vbx,]*[sNpfreg#])D[jsocanN]*m[^vbx,]*)(?=[vbx])")
_RESTRICTS = re.compile(r"[sfr#N]")  # a superlative, "of", a clause, a name
_HOW_IT_IS = frozenset(["when", "where", "why", "how"])


def set_in(frame: str) -> tuple[str, str, str] | None:
    """Return what stands before a set, the set, and what stands behind it."""
    words = tagged(frame)
    shape = shape_of(words)
    match = _WHICH_OF.match(shape) or _SET.search(shape)
    if match is None:
        return None
    group = "set" if match["set"] else "of_each"
    start, end = match.span(group)
    if words[end - 1].text.lower() in time_words():
        return None  # "the next six months" are known: nobody has to find them first
    if group == "of_each":
        quantifier = words[match.start("each")].text.lower()
        bare = re.fullmatch(
            r"D?[jsoca]*[nm]+ ?", shape[start:end]
        )  # "each class": nothing says which there are
        asked_of_all = shape[match.start("each") - 1] == "x" and not _RESTRICTS.search(shape[start:end])
        if bare or asked_of_all or quantifier not in {"each", "every"} or match.start("each") < 2:
            return None
        before = surface(words[: match.start("each")], frame)
    else:
        before = surface(words[:start], frame)
        end = _before_its_verb(words, start, end)
        if end < len(shape) and _RESTRICTS.search(shape[start:end]) is None:
            return None  # "on which day were the two pumps delivered": nothing states which
    return before, surface(words[start:end], frame), surface(words[end:], frame)


def _before_its_verb(words: tuple[TaggedWord, ...], start: int, end: int) -> int:
    """Return where a set ends: before the verb whose auxiliary it stands behind, "were the lots sent"."""
    shape = shape_of(words)
    asks_of_it = words[0].text.lower() in _HOW_IT_IS or re.fullmatch(r"w[bx]", shape[:start]) is None
    verb = re.search(r"e(?=[^eiv]*$)", shape[start:end])
    return start + verb.start() if asks_of_it and shape[start - 1] == "b" and verb else end
