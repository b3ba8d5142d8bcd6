"""Takes comparisons apart: the same question for each of the two, then the comparison itself."""

import re
from typing import NamedTuple

from core.llm.extractive.chains import unfold
from core.llm.extractive.drafting import Drafting


class Comparison(NamedTuple):
    """What is compared: the two, the question each is asked, and how the last part puts it."""

    pair: tuple[str, str]
    each: str  # with "{}" where the one stands
    last: str  # with "{a}" and "{b}"


_ATTRIBUTES = (
    (r"\b(?:born|older|oldest|younger|youngest|elder|eldest)\b", "When was {} born"),
    (r"\b(?:died?|dead|death)\b", "When did {} die"),
    (r"\blived? (?:longer|longest)\b", "What are the dates of birth and death of {}"),
    (r"\b(?:released|came out|come out|aired|premiered)\b", "When was {} released"),
    (r"\b(?:published|printed|issued)\b", "When was {} published"),
    (
        r"\b(?:founded|established|formed|started|created|opened|launched|began|built|invented|"
        r"introduced|installed)\b", "When was {} {verb}"),
    (
        r"\b(?:more|fewer|most|less|higher|lower|greater|longer|shorter|highest|lowest) "
        r"(?P<what>[a-z][a-z ]+?)(?= in\b| than\b| for\b| on\b|,|:|$)", "What is the {what} of {}"),
    (
        r"\b(?:higher|taller|highest|tallest)\b(?! (?:yield|rate|cost|price|number|temperature|"
        r"pressure|average))", "How high is {}"),
    (r"\b(?:larger|bigger|largest|biggest)\b", "How large is {}"),
    (r"\b(?:nationality|citizenship)\b", "What is the nationality of {}"),
    (r"\b(?:same|which) (?:country|nation)\b|\bfrom the same\b", "Which country is {} from"),
    (r"\b(?:located|situated|in) (?:in )?(?:the same|which) (?P<what>\w+)", "Which {what} is {} in"),
    (r"\bsame (?P<what>[\w ]+?)(?= as\b|$)|\bsimilar (?P<what2>\w+)", "What is the {what} of {}"),
)  # fmt: skip
_ROLE_INSIDE = re.compile(
    r"\b(director|author|writer|composer|performer|founder|producer|singer|publisher|creator|"
    r"supplier|engineer)s?\b"
)
_TRAILING_CHOICE = re.compile(
    r"^(?P<ask>.*?\b(?:first|earlier|earliest|later|latest|last|older|oldest|younger|youngest|"
    r"longer|longest|higher|highest|taller|larger|bigger|"
    r"more|most|less|sooner|better|other|recently)\b[^,:]*?)[,:] ?(?P<a>.+?),? or (?P<b>.+)$",
    re.IGNORECASE,
)
_ANY_CHOICE = re.compile(
    r"^(?P<ask>(?:who|which|what|where|in which|are there|were there|did|does|do).*?)[,:] "
    r"?(?P<a>[^,:]+?),? or (?P<b>[^,:]+)$",
    re.IGNORECASE,
)
_INNER_CHOICE = re.compile(
    r"^(?P<aux>was|is|did|were|are|does|has) (?P<a>.+?) or (?P<b>.+?) (?P<ask>(?:born|older|"
    r"younger|released|published|founded|die|died|live|come|"
    r"built|established|start|started|the|have|a|an|more|less|higher|longer|larger|first|win|"
    r"formed|open|created)\b.*)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"^(?:between|of|from) (?P<a>.+?) (?:and|or) (?P<b>.+?),? (?P<ask>(?:which|who|what)\b.*)$", re.IGNORECASE
)
_BOTH = re.compile(
    r"^(?P<aux>are|were|is|was|do|did|does|have|has|can)(?: both)?(?: of)?(?: the)?"
    r"(?: \w+s)?:? (?P<a>.+?) (?:and|as well as) (?P<b>.+?),? "
    r"(?P<ask>(?:both|the same|of the same|of same|same|from|located|situated|in the|share|have|"
    r"similar|born|each|all|operate|use|play|die|published|produced|American|"
    r"(?<! of )(?<! film )[\ue000-\uf8ff](?=(?: \w+){0,3}$)).*)$",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"^(?:what (?:is|are) |compare |explain |describe )?(?:the )?(?:main |key )?(?:differences?|"
    r"similarit(?:y|ies)|relation(?:ship)?|connection) (?:in (?P<what>.+?) )?between "
    r"(?P<a>.+?) and (?P<b>.+)$|^compare (?P<what2>the .+? of )?(?P<a2>.+?) (?:and|with|to|"
    r"against) (?:that of |those of )?(?P<b2>.+)$"
    r"|^how (?:does|do|did|is|are) (?P<a3>.+?) (?:differ from|compare (?:with|to)|different "
    r"from) (?P<b3>.+)$",
    re.IGNORECASE,
)
_PLACES = re.compile(  # one thing in two places: "the interval in the manual and in the procedure"
    r"^(?:what (?:is|are) the differences? (?:between|in) |compare )(?P<what>(?:the )?.+?) "
    r"(?P<a>(?:in|according to|of|for) .+?) (?:and|with|to|against) (?:that |those )?"
    r"(?P<b>(?:in|according to|of|for) .+)$",
    re.IGNORECASE,
)
_ALIKE = re.compile(r"^(?P<head>the .+? (?:of|in|for|during|on)) (?P<tail>\S+(?: \S+)?)$", re.IGNORECASE)
_WHEN = re.compile(r" (?:in|during|since|for|over|until) (?:the )?(?:\w+ )?(?:\d{4}|month|year|quarter)\b.*$")
_COMMON = re.compile(
    r"^what (?P<what>.*?) ?(?:do|does|did|are|is) (?P<a>.+?) and (?P<b>.+?) (?:both |have in "
    r"common|share|in common).*$",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"^(?P<ask>(?:who|which|what)\b.+?) (?:out of|between|among) (?P<a>.+?) (?:and|or) (?P<b>.+)$",
    re.IGNORECASE,
)
_ROLE_PREFIX = re.compile(
    r"^(?:the )?(?:director|author|writer|composer|performer|founder|producer|singer|publisher|"
    r"creator)s? of (?:the )?(?:films?|songs?|movies?|books?|albums?)?\s*",
    re.IGNORECASE,
)
_CLEAN = re.compile(
    r"^(?:the (?:film|movie|song|magazine|band|book)s? |both |either |films? |the (?=[^A-Z]))", re.IGNORECASE
)


def compare(frame: str, drafting: Drafting) -> bool:
    """Add the parts of a comparison; False where the frame is none.

    "Compare X before and after the change" is none: one sentence about the change says both.
    """
    if re.search(r"\bbefore and after\b", frame, re.IGNORECASE):
        return False
    comparison = _read(frame)
    if comparison is None:
        return False
    refs = []
    role = _ROLE_INSIDE.search(frame) if "{}" in comparison.each else None
    for one in comparison.pair:
        thing = one
        if role is not None and not re.search(r"(?:[\ue000-\uf8ff]|#\d)['’]", one):
            who = "Who" if role.group(1) not in {"publisher", "supplier"} else "What"
            thing = f"#{drafting.add(f'{who} is the {role.group(1)} of {one}', 'bridging')}"
        refs.append(unfold(comparison.each.replace("{}", thing), drafting, most=1))
    a, b = (f"{one} (#{ref})" for one, ref in zip(comparison.pair, refs, strict=True))
    drafting.add(comparison.last.replace("{a}", a).replace("{b}", b), "comparative")
    return True


def _read(frame: str) -> Comparison | None:
    for reader in (_places, _difference, _between, _choice, _inner, _both, _common):
        found = reader(frame)
        if found is not None and all(one.strip() for one in found.pair):
            return found
    return None


def _clean(text: str) -> str:
    return _CLEAN.sub("", _ROLE_PREFIX.sub("", text.strip(" ,:"))).strip(" ,:")


def _question(ask: str) -> str:
    """Return the question each of the two is asked, "{}" in its place."""
    for pattern, question in _ATTRIBUTES:
        match = re.search(pattern, ask, re.IGNORECASE)
        if match:
            groups = match.groupdict()
            what = groups.get("what") or groups.get("what2") or ""
            return question.replace("{verb}", match.group(0)).replace("{what}", what.strip())
    return ""


def _choice(frame: str) -> Comparison | None:
    match = _TRAILING_CHOICE.match(frame) or _OUT_OF.match(frame) or _ANY_CHOICE.match(frame)
    if match is None:
        return None
    pair = (_clean(match["a"]), _clean(match["b"]))
    each = _question(match["ask"]) or _statement_of(match["ask"])
    return Comparison(pair, each, f"{match['ask']}, {{a}} or {{b}}") if each else None


def _statement_of(ask: str) -> str:
    """Return what each is asked: "Which singer is American" asks of each "Is {} American"."""
    match = re.match(
        r"^(?:which|what|who)(?: (?!is\b|was\b|has\b|are\b)[\w\ue000-\uf8ff]+){0,3} (is|was|has|"
        r"are|were|had|does|did) (.+)$",
        ask,
        re.IGNORECASE,
    )
    if match:
        verb = match.group(1).capitalize()
        return f"{verb} {{}} {match.group(2)}"
    return f"{ask} {{}}" if re.match(r"^(?:are|were|is|was|did|do|does)\b", ask, re.IGNORECASE) else ""


def _inner(frame: str) -> Comparison | None:
    match = _INNER_CHOICE.match(frame)
    if match is None:
        return None
    each = _question(match["ask"]) or f"{match['aux']} {{}} {match['ask']}"
    return Comparison(
        (_clean(match["a"]), _clean(match["b"])), each, f"{match['aux']} {{a}} or {{b}} {match['ask']}"
    )


def _between(frame: str) -> Comparison | None:
    match = _BETWEEN.match(frame)
    if match is None:
        return None
    each = _question(match["ask"]) or _statement_of(match["ask"])
    pair = (_clean(match["a"]), _clean(match["b"]))
    return Comparison(pair, each, f"{match['ask']}, {{a}} or {{b}}") if each else None


def _both(frame: str) -> Comparison | None:
    match = _BOTH.match(frame)
    if match is None:
        return None
    ask = match["ask"]
    single = re.sub(r"^both ", "", ask)
    aux = {"are": "is", "were": "was", "do": "does", "have": "has"}.get(match["aux"].lower(), match["aux"])
    each = _question(ask) if re.search(r"\bsame\b|similar", ask) else f"{aux} {{}} {single}"
    return Comparison(
        (_clean(match["a"]), _clean(match["b"])),
        each or f"{aux} {{}} {single}",
        f"{match['aux']} {{a}} and {{b}} {ask}",
    )


def _places(frame: str) -> Comparison | None:
    """Read "compare the interval in the manual and in the procedure": what it is in each of the two."""
    match = _PLACES.match(frame)
    if match is None or match["a"].split()[0].lower() != match["b"].split()[0].lower():
        return None
    what = match["what"].rstrip(", ")
    what = what if what.lower().startswith("the ") else f"the {what}"
    verb = "are" if re.search(r"(?<![sui])s$", what) else "is"
    return Comparison(
        (match["a"], match["b"]),
        f"What {verb} {what} {{}}",
        f"What is the difference in {what}, {{a}} and {{b}}",
    )


def _difference(frame: str) -> Comparison | None:
    match = _DIFFERENCE.match(frame)
    if match is None:
        return None
    a = match["a"] or match["a2"] or match["a3"]
    b = match["b"] or match["b2"] or match["b3"]
    what = (match["what"] or match["what2"] or "").removesuffix(" of ").strip()
    alike = None if what else _ALIKE.match(a)
    if alike is not None and _same_kind(alike["tail"], b):
        b = f"{alike['head']} {b}"
        return Comparison((a, b), "What is {}", "What is the difference between {a} and {b}")
    each = (
        f"What is {what if what.startswith('the ') else 'the ' + what} of {{}}"
        if what
        else "What is known about {}"
    )
    when = _WHEN.search(b)
    if when is not None:  # "of A and B in 2024" speaks of both in 2024
        b, each = b[: when.start()], each + when.group()
    asked = (f" in {what}" if what else "") + (when.group() if when else "")
    return Comparison((a.strip(), b.strip()), each, f"What is the difference{asked} between {{a}} and {{b}}")


def _same_kind(one: str, other: str) -> bool:
    """Say whether two ends of a comparison are alike: "2023" and "2024", "revision B" and "revision C"."""
    years = re.compile(r"\d{4}")
    if years.fullmatch(one) and years.fullmatch(other):
        return True
    return one.split()[0] == other.split()[0] and len(one.split()) == len(other.split()) == 2


def _common(frame: str) -> Comparison | None:
    match = _COMMON.match(frame)
    if match is None:
        return None
    what = match["what"].strip()
    each = f"What is the {what} of {{}}" if what else "What is known about {}"
    return Comparison((_clean(match["a"]), _clean(match["b"])), each, "What do {a} and {b} have in common")
