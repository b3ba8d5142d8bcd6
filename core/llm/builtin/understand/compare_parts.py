"""Comparisons: the same question for each of the things, then the comparison itself."""

import re
from typing import NamedTuple

from core.llm.builtin.understand.drafting import Drafting
from core.llm.builtin.understand.grammar import TaggedWord, is_question, shape_of, surface, tagged
from core.llm.builtin.understand.nesting import unfold
from core.text.tokens import word_set
from core.text.vocabulary import relations

_TIME = word_set("first early earlier earliest late later latest last before after recently soon sooner")
_BORN = frozenset(("older", "oldest", "younger", "youngest", "elder"))  # asked of a "who"
_PRICED = word_set("expensive cheap costly")  # nobody writes how cheap a thing is
_ITEM = r"(?:[^,:;]+?)"
_OR = re.compile(
    r"^(?P<ask>.+?)(?:[,:]| out of| between| among)? (?P<a>(?:[A-Za-z]+ )?[\ue000-\uf8ff][^,:;]*?),? "
    r"or (?P<b>[^,:;]+)$"
)
_ANY_OR = re.compile(
    r"^(?P<ask>(?:who|which|what|where|in which)\b.+?)[,:] (?P<a>[^,:;]+?),? or (?P<b>[^,:;]+)$",
    re.IGNORECASE,
)
_AUX_OR = re.compile(
    rf"^(?P<aux>is|was|are|were|did|do|does|has|have|had|can|will) (?P<a>{_ITEM}),? or (?P<b>.+)$",
    re.IGNORECASE,
)
_AUX_AND = re.compile(
    rf"^(?P<aux>is|was|are|were|did|do|does|has|have|had|can|will)(?: both)?(?: of)?(?: the)?(?: "
    rf"\w+s:?)? (?P<a>{_ITEM}),? and (?P<b>.+)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"^(?P<lead>.*?\b(?:compare|compares?|comparison (?:of|between)|(?:differences?|similarit(?:y|ies)"
    r"|contrast|relation(?:ship)?|connection|links?)"
    rf"(?P<in> (?:in|of) [^,]+?)? between|differ between))\s+(?P<a>{_ITEM}),? (?:and|with|to|against"
    r"|versus|vs\.?) "
    rf"(?:that of |those of |that )?(?P<b>[^,;]+?)(?:,? (?:in terms of|with respect to|regarding|with "
    r"regard to|by(?= [a-z])) (?P<what>.+))?$",
    re.IGNORECASE,
)
_HOW_APART = re.compile(
    rf"^how (?:do|did) (?P<a>{_ITEM}) and (?P<b>{_ITEM}) (?:compare|differ)"
    r"(?: (?:in|by|on|regarding|in terms of|with (?:respect|regard) to) (?P<what>.+))?$",
    re.IGNORECASE,
)
_HOW_DIFFER = re.compile(
    rf"^how (?:does|do|did|is|are) (?P<a>{_ITEM}) (?:differ from|compare (?:with|to)|different from) "
    r"(?P<b>.+)$",
    re.IGNORECASE,
)
_COMMON = re.compile(
    rf"^what (?P<what>.*?) ?(?:do|does|did|are|is) (?P<a>{_ITEM}) and (?P<b>{_ITEM}) (?:both|have in "
    r"common|share|in common)\b.*$",
    re.IGNORECASE,
)


class ComparedThings(NamedTuple):
    """What is compared, the question each is asked ("{}" where it stands), and how the last part puts it."""

    things: tuple[str, ...]
    each: str
    last: str  # with "{things}"


def compare(frame: str, drafting: Drafting) -> bool:
    """Add the parts of a comparison; False where the frame is none, or its parts would be no questions."""
    if re.search(r"\bbefore and after\b", frame, re.IGNORECASE):
        return False  # one sentence about the change says both
    found = next((one for read in (_between, _choice, _both) if (one := read(frame)) is not None), None)
    if found is None or not all(is_question(found.each.replace("{}", thing)) for thing in found.things):
        return False
    numbers = []
    for thing in found.things:
        numbers.append(unfold(found.each.replace("{}", thing), drafting, most=2))
    named = [f"{thing} (#{number})" for thing, number in zip(found.things, numbers, strict=True)]
    drafting.add(
        found.last.replace("{things}", _joined(named, "or" if " or " in frame else "and")), "comparative"
    )
    return True


def _joined(things: list[str], word: str) -> str:
    return f"{', '.join(things[:-1])} {word} {things[-1]}"


def _between(frame: str) -> ComparedThings | None:
    """Read "compare A and B", "the difference between A and B", "how does A differ from B"."""
    common = _COMMON.match(frame)
    if common is not None:
        what = common["what"].strip()
        each = f"What is the {what} of {{}}" if what else "What is known about {}"
        return ComparedThings((common["a"], common["b"]), each, "What do {things} have in common")
    match = _BETWEEN.match(frame) or _HOW_APART.match(frame) or _HOW_DIFFER.match(frame)
    if match is None:
        return None
    groups = match.groupdict()
    a, b = match["a"].strip(), match["b"].strip()
    what = (groups.get("in") or groups.get("what") or "").strip()
    what = re.sub(r"^(?:in|of) ", "", what)
    attribute, things = _attribute(a, b)
    attribute = attribute or (f"{_the(what)} of {{}}" if what else "")
    each = f"What {_be(attribute)} {attribute}" if attribute else "What is known about {}"
    if attribute.startswith("{}'") or not attribute:
        topic = re.sub(r"^\{\}['’]s? ", "", attribute)
    else:
        topic = re.sub(r"^the | (?:of|in|for|at|on) \{\}", "", attribute)
    last = f"How do {{things}} compare{' in ' + topic if topic else ''}"
    return ComparedThings(things, each, last)


def _the(what: str) -> str:
    return what if re.match(r"(?:the|their|its) ", what) else f"the {what}"


def _be(attribute: str) -> str:
    head = re.split(r" (?:of|in|for|at|on) ", attribute)[0]
    words = tagged(head.replace("{}", "\ue000"))
    return "are" if words and words[-1].letter == "m" else "is"


def _attribute(a: str, b: str) -> tuple[str, tuple[str, ...]]:
    """Return what is asked of each of two, with "{}" in its place, and the two.

    "the yield of A" and "B"; "A" and "B's yield on C"; "the interval in the manual" and "in the procedure".
    """
    place = _place(a, b)
    owned = re.match(r"^(?P<thing>.+?)['’]s? (?P<what>[a-z].+)$", b)
    if owned and not re.search(r"['’]s? [a-z]", a):
        return f"{{}}'s {owned['what']}", (a, owned["thing"])
    both = re.match(r"^(?P<thing>.+?)['’]s? (?P<what>[a-z].+)$", a)
    if both and owned and both["what"] == owned["what"]:
        return f"{{}}'s {owned['what']}", (both["thing"], owned["thing"])
    if place is None:
        return "", (a, b)
    what = _the(place["what"].rstrip(", "))
    other = re.sub(rf"^(?:(?:the )?{re.escape(place['what'].removeprefix('the '))} )?{place['link']} ", "", b)
    tail = re.match(
        r"^(?P<thing>.+?) (?P<when>(?:in|on|at|under|during|since|for) (?:the )?"
        r"(?:\d{4}|[\ue000-\uf8ff]|(?:last|first|this) \w+))$",
        other,
    )
    when = ""
    if tail is not None and place["link"] in {"of", "for"} and not re.search(r"\d{4}$", place["thing"]):
        other, when = tail["thing"], " " + tail["when"]
    if _kind_of(place["thing"]) != _kind_of(other) and not other.startswith("the "):
        return "", (a, b)
    return f"{what} {place['link']} {{}}{when}", (place["thing"], other)


def _place(a: str, b: str) -> "re.Match[str] | None":
    """Return the split of "the yield of A in 2023" at the place that is like the other thing, "2024"."""
    links = [match.start() for match in re.finditer(r" (?:in|of|for|on|at|during|according to) ", a)]
    bare = re.sub(r"^(?:(?:in|of|for|on|at|during|according to|that of|those of) )", "", b)
    for at in [*reversed(links[1:]), *links[:1]]:
        match = re.match(r"^ (?P<link>in|of|for|on|at|during|according to) (?P<thing>.+)$", a[at:])
        if match is not None and (
            at == links[0] or shape_of(tagged(match["thing"])) == shape_of(tagged(bare))
        ):
            return re.match(rf"^(?P<what>.{{{at}}}) (?P<link>{match['link']}) (?P<thing>.+)$", a)
    return None


def _kind_of(text: str) -> str:
    shape = shape_of(tagged(text))
    return "name" if re.search(r"[N#]", shape) else "number" if re.search("c", shape) else "thing"


def _choice(frame: str) -> ComparedThings | None:
    """Read "which is older, A or B" and "was A or B released first"."""
    inner = _AUX_OR.match(frame)
    if inner is not None:
        split = _predicate(inner["b"])
        if split is not None:
            b, predicate = split
            each = _per_thing_question(predicate) or f"{inner['aux'].capitalize()} {{}} {predicate}"
            return ComparedThings((inner["a"], b), each, f"{inner['aux']} {{things}} {predicate}")
    match = _OR.match(frame) or _ANY_OR.match(frame)
    if match is None or re.match(r"^(?:is|was|are|were|did|do|does|has|have|had)\b", frame, re.IGNORECASE):
        return None
    ask = match["ask"].strip(" ,:")
    each = _per_thing_question(ask) or _yes_no_per_thing(ask)
    if not each:
        return None
    things = tuple(_bare(piece) for piece in (*match["a"].split(", "), match["b"]))
    return ComparedThings(things, each, f"{ask}, {{things}}")


def _bare(thing: str) -> str:
    return re.sub(r"^(?:the |both |either )?(?:[a-z]+ )?(?=[\ue000-\uf8ff]$)", "", thing.strip(" ,:"))


def _both(frame: str) -> ComparedThings | None:
    """Read "are A and B in the same country", "do A and B both work"."""
    match = _AUX_AND.match(frame)
    split = _predicate(match["b"]) if match is not None else None
    if match is None or split is None:
        return None
    b, predicate = split
    if not re.search(r"[\ue000-\uf8ff]|#", match["a"]) or not b:
        return None
    single = {"are": "is", "were": "was", "do": "does", "have": "has"}.get(
        match["aux"].lower(), match["aux"].lower()
    )
    same = re.match(
        r"^(?P<verb>.*?) ?\b(?P<link>of|in|from|at|on|by)? ?(?:the )?same (?P<what>[\w ]+?)(?: as\b.*)?$",
        predicate,
    )
    if same and same["link"] not in (None, "of") and same["verb"] not in ("both",):
        each = (
            f"Which {same['what']} {single} {{}} {same['verb'] + ' ' if same['verb'] else ''}{same['link']}"
        )
    elif same:
        each = f"What is the {same['what'].strip()} of {{}}"
    else:
        each = f"{single.capitalize()} {{}} {re.sub(r'^(?:both|each|all) ', '', predicate)}"
    return ComparedThings((match["a"], b), each, f"{match['aux']} {{things}} {predicate}")


def _predicate(text: str) -> tuple[str, str] | None:
    """Split "B released first" into the thing and what is asked of it; None where nothing is asked."""
    words = tagged(text)
    shape = shape_of(words)
    head = re.match(r"D?[jsoc]*[nm]*[N#]+(?:'[jnm]+)?,?", shape) or re.match(r"D?[jsoc]*[nm]+", shape)
    if head is None or head.end() >= len(words):
        return None
    return surface(words[: head.end()], text).strip(" ,"), surface(words[head.end() :], text).strip(" ,")


def _per_thing_question(ask: str) -> str:
    """Return what each of the things is asked so that they can be compared, "" where no degree is named."""
    words = tagged(ask)
    if _PRICED.intersection(word.lemma for word in words):
        return f"What is the price of {_holder(words)}"
    for at, word in enumerate(words):
        low = word.text.lower()
        verb = next((w for w in reversed(words[:at]) if w.letter in "ve"), None) or next(
            (w for w in words[at:] if w.letter in "ve"), None
        )
        if low in _TIME and verb is not None:
            holder = _holder(words)
            if verb.tag == "VVN" or verb.letter == "e":
                return f"When was {holder} {verb.text}"
            return f"When did {holder} {verb.lemma}"
        if low in _BORN and words[0].text.lower() == "who":
            return f"When was {_holder(words)} born"
        if low in {"more", "fewer", "less", "most", "least"} and words[at + 1 : at + 2]:
            return _how_much(words, at, ask)
        if word.tag in {"AJC", "AJS"} and word.lemma != low:
            if words[at + 1 : at + 2] and words[at + 1].letter in "nm":
                noun = re.sub(r"(?: than|:|,).*$", "", surface(words[at + 1 :], ask))
                return f"What is the {noun} of {{}}"
            return f"How {word.lemma} is {_holder(words)}"
    return ""


def _how_much(words: tuple[TaggedWord, ...], at: int, ask: str) -> str:
    """Return what each has of what stands behind "more": "how many alarms does {} have in May"."""
    end = next((i for i in range(at + 1, len(words)) if words[i].letter not in "jnm"), len(words))
    if end == at + 1:
        return ""
    what, rest = surface(words[at + 1 : end], ask), surface(words[end:], ask)
    when = f" {rest}" if re.match(r"(?:in|during|since|for|at|on) ", rest) else ""
    if words[end - 1].letter == "m":
        return f"How many {what} does {{}} have{when}"
    return f"What is the {what} of {{}}{when}" if words[end - 1].letter == "n" else f"How {what} is {{}}"


def _holder(words: tuple[TaggedWord, ...]) -> str:
    """Return whom a degree is asked of: the thing itself, or who has the role the question names."""
    known = relations("en").people
    role = next((w for w in words if w.lemma in known and w.letter in "nm"), None)
    return f"the {role.lemma} of {{}}" if role is not None and words[0].lemma != role.lemma else "{}"


def _yes_no_per_thing(ask: str) -> str:
    """Return what each is asked where it is a matter of yes or no: "which singer is American"."""
    match = re.match(
        r"^(?:(?:which|what|who)(?: (?!is\b|was\b|has\b|are\b)[\w\ue000-\uf8ff-]+){0,3}) "
        r"(?P<verb>is|was|has|are|were|had|does|did) (?P<rest>.+)$",
        ask,
        re.IGNORECASE,
    )
    if match is None:
        return ""
    return f"{match['verb'].capitalize()} {{}} {match['rest']}"
