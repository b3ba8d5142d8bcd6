"""What an English comparison is of: the things, and what is asked of each of them.

"the price and supplier of A and B", "A's and B's price", "A and B in price and supplier", "the yield of A in
2023 and in 2024": a list of attributes and a list of things, in one of a few orders. What fits none of them
is not read, so that no part of a plan is asked of half a side.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import shape_of, surface

_LINK = r"(?:according to|of|in|for|on|at|during|under|between)"
_JOIN = r"(?:,? (?:and|or|&|with|to|against|versus|vs\.?|from)(?= )|,(?= ))"
_AGAIN = rf"(?:(?:(?:that|those|the ones?) )?{_LINK} )?"
_NO_NOUN = (
    r"(?:of|in|for|on|at|by|to|from|with|during|under|between|and|or|versus|vs|against|is|are|was|were|do|does|did|has|"
    r"have|had|both|compare[ds]?|differ|how|which|what|that|those)\b"
)
_CORE = r"(?:[\ue000-\uf8ff]|#\d+|\b[A-Z][\w&.-]*|(?<![\w-])\d[\d.,]*\w*(?:-\w+)*)(?![\w-])"
_MORE = rf"(?: (?!{_NO_NOUN})[a-z][a-z-]*){{1,2}}"
_ITEM = rf"(?:(?:the|our|this) )?(?:(?!{_NO_NOUN})[a-z][a-z-]* ){{0,3}}{_CORE}"
_CHAIN = re.compile(
    rf"(?<!\S)(?:both )?(?P<first>{_ITEM})(?P<own>['’]s?)?(?P<more>{_MORE})?"
    rf"(?P<others>(?:{_JOIN} {_AGAIN}{_ITEM}(?:['’]s?)?(?(more)(?:{_MORE})?))+)"
)
_NEXT = re.compile(rf"{_JOIN} {_AGAIN}(?=\S)")
BY_NAME = (
    r"in terms of|with respect to|with regard to|in regard to|regarding|concerning|as regards"
    r"|when it comes to|based on"
)
_BY = re.compile(rf",? (?:{BY_NAME}|by|in|on|for) (?P<what>[^,].*)$", re.IGNORECASE)
_BY_CLEAR = re.compile(rf",? (?:{BY_NAME}|by) (?P<what>[^,].*)$", re.IGNORECASE)
_WITHIN = re.compile(r"^ (?:in|on|at|under|during|since|for|from|until|after|before) .+$")
_TWICE = re.compile(
    rf"^(?P<one>(?:the )?(?P<what>[^,]+?) (?P<link>{_LINK}) .+?{_JOIN}) (?:the )?(?P=what) (?P=link) (?=\S)"
)
_OWNED_TWICE = re.compile(
    rf"^(?P<a>{_ITEM})['’]s? (?P<what>[a-z][\w -]*?){_JOIN} "
    rf"(?:(?:that|those) of (?P<of>{_ITEM})|(?P<b>{_ITEM})['’]s?(?: (?P=what))?)$"
)
_WHICH = re.compile(r"p?w(?P<kind>[jso]*[nm]+)(?P<within>[fp]D?[jsoc]*[nmN#]+)?(?=[xve])")  # letters of words
_LABEL = re.compile(r"[A-Z0-9]|\d+|[\ue000-\uf8ff]")
_AND = re.compile(r",\s+(?:and |or )?|\s+(?:and|as well as|&|or)\s+")
_EMPTY = re.compile(r"^(?:(?:their|its|the|both|each|respective)\s+)+")


class Sides(NamedTuple):
    """The things; what is asked of each ("the price of {}"), one by one and together; what that is about."""

    things: tuple[str, ...]
    asked: tuple[str, ...]
    together: str  # "the price and supplier of {}", "" where nothing is said to be compared
    topic: str  # "price and supplier"


def read_sides(body: str, attributes: str = "") -> Sides | None:
    """Return what is compared in the words behind "compare" or "the difference between", None if unclear.

    `attributes`: those said before, as in "the difference in price between".
    """
    body = re.sub(r"^the following ", "", " ".join(body.split())).strip(" ,:;")
    body = _TWICE.sub(r"\g<one> \g<link> ", body)
    owned = _OWNED_TWICE.match(body)
    if owned is not None:
        return _sides((owned["a"], owned["of"] or owned["b"]), owned["what"], "'s")
    chain = _CHAIN.search(body)
    return _named(body, chain, attributes) if chain is not None else _nameless(body, attributes)


def _named(body: str, chain: "re.Match[str]", attributes: str) -> Sides | None:
    """Read a comparison of things with names, figures or years."""
    things = tuple(
        re.sub(r"['’]s?$", "", piece)
        for piece in (chain["first"] + (chain["more"] or ""), *_NEXT.split(chain["others"])[1:])
    )
    before, after = body[: chain.start()].strip(), body[chain.end() :]
    if len({_is_name(thing) for thing in things}) > 1 or not _settled(things):
        return None
    things = _without_their_kind(things)
    lead = re.fullmatch(rf"(?P<what>.+?) (?P<link>{_LINK})", before)
    if lead is not None and not attributes:
        when = _BY_CLEAR.match(after)
        if when is not None or not (after == "" or _WITHIN.match(after)):
            return None
        return _sides(things, lead["what"], lead["link"], after)
    if before:
        return None
    if attributes:
        return _sides(things, attributes, "of", after) if after == "" or _WITHIN.match(after) else None
    match = _BY.fullmatch(after)
    possessive = re.search(r"['’]s?$", chain["others"]) is not None
    if match is not None and not possessive:
        return _sides(things, match["what"], "of") if _are_attributes(match["what"]) else None
    plain = re.fullmatch(r":? (?P<what>[a-z].*)", after)
    if plain is not None and (possessive or _are_attributes(plain["what"])):
        return _sides(things, plain["what"], "'s" if possessive else "of")
    return _sides(things, "", "") if after == "" else None


def _nameless(body: str, attributes: str) -> Sides | None:
    """Read a comparison of things without names: "oat milk and soy milk in sugar"."""
    if re.search(r"[\ue000-\uf8ff]", body):
        return None
    match = _BY_CLEAR.search(body)
    if match is not None and not attributes and _are_attributes(match["what"]):
        body, attributes = body[: match.start()], match["what"]
    for link in re.finditer(rf" (?P<link>{_LINK}) ", body):
        left, things = body[: link.start()], _plain_things(body[link.end() :])
        if attributes or not things or not _are_attributes(left):
            continue
        if link["link"] == "in" and _plain_things(left):
            return None  # things in attributes, or the other way
        return _sides(things, left, link["link"])
    things = _plain_things(body)
    weak = _BY.search(body)
    if not things and weak is not None and not attributes and _are_attributes(weak["what"]):
        things, attributes = _plain_things(body[: weak.start()]), weak["what"]
    return _sides(things, attributes, "of") if things else None


def _plain_things(text: str) -> tuple[str, ...]:
    """Return the things of a list in which each is a noun with what stands before it, () else."""
    items = tuple(item.strip() for item in _NEXT.split(text))
    fit = all(re.search("[nm]$", shape_of(tagged(item))) and not _has_link(item) for item in items)
    return items if len(items) > 1 and fit and _settled(items) else ()


def _are_attributes(text: str) -> bool:
    """Say whether words are one or more things that may be asked of something: nouns, without a name."""
    return all(
        re.search("[nmgv]$", shape_of(tagged(item)))
        and not re.search(r"[\ue000-\uf8ff#\d]|^(?:with|that|which|who)\b", item)
        for item in _AND.split(text)
    )


def _has_link(item: str) -> bool:
    return re.search(rf"(?:^| ){_LINK} ", item) is not None


def _settled(things: Sequence[str]) -> bool:
    """Say whether the things are several, each a different one."""
    return len({thing.lower() for thing in things}) == len(things) > 1


def _is_name(thing: str) -> bool:
    return re.search(r"[\ue000-\uf8ffA-Z#]", thing) is not None


def _without_their_kind(things: tuple[str, ...]) -> tuple[str, ...]:
    """Take the plural away that stands before all of them: "the pumps A and B"."""
    first = re.fullmatch(r"(?:the )?(?P<kind>[a-z -]+) (?P<name>[\ue000-\uf8ff])", things[0])
    alone = all(re.fullmatch(r"[\ue000-\uf8ff]", thing) for thing in things[1:])
    plural = first is not None and tagged(first["kind"])[-1].letter == "m"
    return (first["name"], *things[1:]) if first is not None and alone and plural else things


def _sides(things: tuple[str, ...], what: str, link: str, when: str = "") -> Sides | None:
    """Put together what is asked of each: attribute, link, the place of the thing, time or place."""
    if not what:
        return Sides(things, (), "", "")
    what = _EMPTY.sub("", what.strip(" ,:"))
    head, behind = what, ""
    inner = re.search(rf" {_LINK} (?=.*[\ue000-\uf8ff])", what)
    if inner is not None:  # "the yield and cost of A on B and C": both are of A
        head, behind = what[: inner.start()], what[inner.start() :]
    items = [_EMPTY.sub("", item) + behind for item in _AND.split(head)]
    if not all(items):
        return None

    def of_each(item: str) -> str:
        return f"{{}}'s {item}{when}" if link == "'s" else f"the {item} {link} {{}}{when}"

    asked = tuple(of_each(item) for item in items)
    topic = re.sub(r"(?<=\band )(?:the|their|its) ", "", what)
    return Sides(things, asked, of_each(what), f"{topic}{when}")


def of_its_kind(ask: str, thing: str) -> str:
    """Return a thing with its kind, and what that is of: "chamber A of X" in "which chamber of X had more
    alarms, A or B". A letter or figure alone names nothing."""
    thing = re.sub(r"^(?:the |both |either )?(?:[a-z]+ )?(?=[\ue000-\uf8ff]$)", "", thing.strip(" ,:"))
    words = tagged(ask)
    asked = _WHICH.match(shape_of(words))
    if asked is None or not _LABEL.fullmatch(thing) or not (asked["within"] or thing.isascii()):
        return thing
    kind, within = (surface(words[slice(*asked.span(group))], ask) for group in ("kind", "within"))
    return f"{kind} {thing} {within}".rstrip()
