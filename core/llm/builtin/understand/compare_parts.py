"""Plans a comparison: the same question for each of the things, then the comparison of the answers."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.llm.builtin.understand.compared_sides import BY_NAME, Sides, of_its_kind, read_sides
from core.llm.builtin.understand.degrees import per_thing_question, yes_no_per_thing
from core.llm.builtin.understand.drafting import Drafting
from core.llm.builtin.understand.grammar import is_question, tagged
from core.llm.builtin.understand.nesting import unfold
from core.llm.builtin.understand.tagged_words import shape_of, surface

_ITEM = r"(?:[^,:;]+?)"
_OR = re.compile(
    r"^(?P<ask>.+?)(?:[,:]| out of| between| among)? (?P<a>(?:[A-Za-z]+ )?[\ue000-\uf8ff][^,:;]*?),? "
    r"or (?P<b>[^,:;]+)$"
)
_ANY_OR = re.compile(
    r"^(?P<ask>(?:who|which|what|where|in which)\b.+?)[,:] (?P<a>[^,:;]+?),? or (?P<b>[^,:;]+)$",
    re.IGNORECASE,
)
_ASK_FIRST = re.compile(
    r"^(?P<ask>(?:who|which|what|where|in which)\b[^,:]+)[,:] (?P<things>[^?]+ or [^?]+)$", re.IGNORECASE
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
    r"^(?:.*?\b)??(?:compare|contrast|comparison (?:of|between)|(?:differences?|similarit(?:y|ies)|contrast"
    r"|relation(?:ship)?|connection|links?)(?: (?:in|of) (?P<what>[^,]+?))? between"
    r"|differ between)\s+(?P<body>.+)$",
    re.IGNORECASE,
)
_BY_FIRST = re.compile(rf"^(?P<by>(?:{BY_NAME}) [^,]+), (?P<rest>.+)$", re.IGNORECASE)
_HOW_APART = re.compile(
    r"^how (?:do|does|did|is|are) (?P<a>.+?) (?P<verb>compare|differ(?:ent)?|vary)(?P<rest>| .+)$",
    re.IGNORECASE,
)
_AGAINST = r"(?:versus|vs\.?|(?:as )?compared (?:to|with))"
_MORE = rf"(?i)^how many more (.+) (in|of|for|at|by) ([^\s,]+) {_AGAINST} ([^\s,]+)$"
_NOTED = (  # comparisons as they are noted, and how they are said
    (
        re.compile(rf"^(?P<a>[^,:]+?) {_AGAINST} (?P<b>[^,:]+): (?P<what>[^:]+)$"),
        r"\g<what> of \g<a> and \g<b>",
    ),
    (
        re.compile(rf"^(?P<what>[^:]+): (?P<a>[^,:]+?) {_AGAINST} (?P<b>[^,:]+)$"),
        r"\g<what> of \g<a> and \g<b>",
    ),
    (re.compile(r"^(?P<body>.+?),? (?:side by side|in comparison)$"), r"\g<body>"),
    (re.compile(rf"^(?:the )?(?P<a>[^,:]+?) {_AGAINST} (?P<b>[^,:]+)$"), r"\g<a> and \g<b>"),
)
_ASKED_OF = re.compile(r"^what(?:['’]s| (?:is|are|was|were)) (?:the )?(?=\S)", re.IGNORECASE)
_ASKED_TWICE = re.compile(
    r"^(?P<ask>how (?:many|much|long|often)|when|where|which|what|who)\b(?P<what>.*?) "
    r"(?P<link>of|in|for|by|from|on|at) (?P<a>[^,]+?),? and (?P=ask) (?P=link) (?P<b>[^,]+?)"
    r"(?P<rest> (?:is|are|was|were|do|does|did|has|have) .+)?$",
    re.IGNORECASE,
)
_WHICH_OF = re.compile(
    r"^(?:(?:of|between|among) (?P<first>.+?), )?(?P<asks>which|who)(?: one)?"
    r"(?: (?:of|between|among|out of) (?P<things>.+?))?,? "
    r"(?P<ask>(?:is|are|was|were|has|have|had|does|do|did|[a-z]+s|[a-z]+ed) .+)$",
    re.IGNORECASE,
)
_THAN = re.compile(
    r"^(?:(?:by )?how much (?P<much>.+?) )?(?P<aux>is|are|was|were|does|do|did|has|have|had) (?P<a>.+?) "
    r"than (?:(?:that|those|the one) of )?(?P<b>[^,]+)$",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"^(?P<aux>are|were) there (?P<degree>more|fewer|less) (?P<what>[^,]+?) (?P<link>in|on|at|during|for) "
    r"(?P<a>[^,]+?),? (?:or|than) (?:(?P=link) )?(?P<b>[^,]+)$",
    re.IGNORECASE,
)
_COMMON = re.compile(
    rf"^what (?P<what>.*?) ?(?:do|does|did|are|is) (?P<a>{_ITEM}) and (?P<b>{_ITEM}) (?:both|have in "
    r"common|share|in common)\b.*$",
    re.IGNORECASE,
)


class ComparedThings(NamedTuple):
    """What is compared, the questions each is asked ("{}" where it stands), and how the last part puts it.

    `together`: the one question that asks of each what the several ask, where the plan has no place for all.
    """

    things: tuple[str, ...]
    each: tuple[str, ...]
    last: str  # with "{things}"
    together: str = ""


def compare(frame: str, drafting: Drafting) -> bool:
    """Add the parts of a comparison; False where the frame is none, or its parts would be no questions.

    Where it is one, but what are its sides cannot be determined, the whole question is its only part.
    """
    if re.search(r"\bbefore and after\b", frame, re.IGNORECASE):
        return False  # one sentence about the change says both
    body = _body(frame)
    found = next((one for read in (_between, _choice, _both) if (one := read(frame)) is not None), None)
    whole = body is not None or _named_first(frame) != ""
    if found is None and not whole:
        return False
    asks = [each.replace("{}", thing) for each in found.each for thing in found.things] if found else []
    if found is None or not all(map(is_question, asks)):
        if whole:
            drafting.add(frame)
        return whole
    room = drafting.most - len(drafting.parts) - 1
    several = len(found.each) * len(found.things) <= room
    asked = found.each if several or not found.together else (found.together,)
    numbers = [
        [unfold(each.replace("{}", thing), drafting, most=2) for each in asked] for thing in found.things
    ]
    named = [
        f"{thing} ({', '.join(f'#{number}' for number in own)})"
        for thing, own in zip(found.things, numbers, strict=True)
    ]
    chosen = (" or " in frame and body is None) or found.last.endswith(", {things}")
    drafting.add(found.last.replace("{things}", _joined(named, "or" if chosen else "and")), "comparative")
    return True


def _joined(things: list[str], word: str) -> str:
    return f"{', '.join(things[:-1])} {word} {things[-1]}"


def _body(frame: str) -> tuple[str, str] | None:
    """Return what stands behind "compare" or "the difference between", and what is said to be compared."""
    frame = _BY_FIRST.sub(r"\g<rest> \g<by>", frame)
    apart = _HOW_APART.match(frame)
    if apart is not None:
        rest = re.match(r"^ (?:from|with|to) (?P<b>.+)$", apart["rest"])
        return (f"{apart['a']} and {rest['b']}" if rest else f"{apart['a']}{apart['rest']}"), ""
    match = _BETWEEN.match(frame)
    if match is not None:
        return match["body"], match["what"] or ""
    bare_frame = _ASKED_OF.sub("", frame)
    noted = next((found.expand(form) for shape, form in _NOTED if (found := shape.match(bare_frame))), None)
    return None if noted is None else (noted, "")


def _between(frame: str) -> ComparedThings | None:
    """Read "compare A and B", "the difference between A and B", "how does A differ from B"."""
    common = _COMMON.match(frame)
    if common is not None:
        what = common["what"].strip()
        each = f"What is the {what} of {{}}" if what else "What is known about {}"
        return ComparedThings((common["a"], common["b"]), (each,), "What do {things} have in common")
    if more := re.match(_MORE, frame):
        each = f"How many {more[1]} {more[2]} {{}}"
        return ComparedThings(more.group(3, 4), (each,), "How do {things} compare")
    twice = _ASKED_TWICE.match(frame)
    if twice is not None:
        each = f"{twice['ask']}{twice['what']} {twice['link']} {{}}{twice['rest'] or ''}"
        return ComparedThings((twice["a"], twice["b"]), (each,), "How do {things} compare")
    body = _body(frame)
    sides = read_sides(*body) if body is not None else None
    if sides is None:
        return None
    last = f"How do {{things}} compare{' in ' + sides.topic if sides.topic else ''}"
    if not sides.asked:
        return ComparedThings(sides.things, ("What is known about {}",), last)
    together = f"What {_be(sides.together)} {sides.together}"
    return ComparedThings(
        sides.things, tuple(f"What {_be(asked)} {asked}" for asked in sides.asked), last, together
    )


def _be(attribute: str) -> str:
    head = re.split(r" (?:of|in|for|at|on|under|during|between|according to) ", attribute)[0]
    words = tagged(head.replace("{}", "\ue000"))
    return "are" if words and words[-1].letter == "m" and " and " not in head else "is"


def _choice(frame: str) -> ComparedThings | None:
    """Read "which is older, A or B" and "was A or B released first"."""
    if (there := _THERE.match(frame)) is not None:
        each = f"How many {there['what']} {there['aux'].lower()} there {there['link']} {{}}"
        last = f"{there['aux']} there {there['degree']} {there['what']} {there['link']} {{things}}"
        return ComparedThings((there["a"], there["b"]), (each,), last)
    inner = _AUX_OR.match(frame)
    if inner is not None:
        split = _predicate(inner["b"])
        if split is not None:
            b, predicate = split
            each = per_thing_question(predicate) or f"{inner['aux'].capitalize()} {{}} {predicate}"
            return ComparedThings((inner["a"], b), (each,), f"{inner['aux']} {{things}} {predicate}")
    than = _than(frame) or _which_of(frame)
    if than is not None:
        return than
    listed = _ASK_FIRST.match(frame)
    sides = read_sides(listed["things"]) if listed is not None else None
    if listed is not None and sides is not None and not sides.asked:
        return _in_degree(listed["ask"].strip(), sides.things)
    match = _OR.match(frame) or _ANY_OR.match(frame)
    if match is None or re.match(r"^(?:is|was|are|were|did|do|does|has|have|had)\b", frame, re.IGNORECASE):
        return None
    return _in_degree(match["ask"].strip(" ,:"), (*match["a"].split(", "), match["b"]))


def _in_degree(ask: str, things: Sequence[str]) -> ComparedThings | None:
    """Return the comparison of things in the degree that is asked for, None where none is."""
    each = per_thing_question(ask) or yes_no_per_thing(ask)
    kinds = tuple(of_its_kind(ask, thing) for thing in things)
    return ComparedThings(kinds, (each,), f"{ask}, {{things}}") if each else None


def _than(frame: str) -> ComparedThings | None:
    """Read "is A dearer than B", "how much heavier is A than B", "does A have a longer lead time than B"."""
    match = _THAN.match(frame)
    if match is None:
        return None
    thing, predicate = match["a"], match["much"]
    if not predicate:
        split = _predicate(match["a"])
        if split is None:
            return None
        thing, predicate = split
    sides = read_sides(f"{thing} and {match['b']}")
    aux = match["aux"].lower() if match["aux"].lower() in {"is", "was", "are", "were"} else ""
    each = per_thing_question(f"which {aux or ''} {predicate}".replace("  ", " "))
    return _of_each(sides, each, f"How do {{things}} compare: {frame[:1].lower()}{frame[1:]}")


def _which_of(frame: str) -> ComparedThings | None:
    """Read "which of A and B has the longer lead time" and "of A and B, which costs more"."""
    match = _WHICH_OF.match(frame)
    sides = read_sides(_named_first(frame))
    if match is None:
        return None
    each = per_thing_question(f"{match['asks']} {match['ask']}")
    return _of_each(sides, each, f"{match['asks']} {match['ask']}, {{things}}")


def _named_first(frame: str) -> str:
    """Return the list of things in "which of A and B costs more", "" where none with names stands there."""
    match = _WHICH_OF.match(frame)
    named = (match["things"] or match["first"] or "") if match is not None else ""
    named = re.sub(r"^(?:the (?:two|three|four|five)|these|those)(?: [a-z]+s)?:? ", "", named)
    return named if len(re.findall(r"[\ue000-\uf8ff]", named)) > 1 else ""


def _of_each(sides: Sides | None, each: str, last: str) -> ComparedThings | None:
    """Return the comparison of things in one degree, or in the one attribute that is said of them."""
    if sides is None or not each or len(sides.asked) > 1:
        return None
    return ComparedThings(sides.things, (f"What is {sides.asked[0]}" if sides.asked else each,), last)


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
    return ComparedThings((match["a"], b), (each,), f"{match['aux']} {{things}} {predicate}")


def _predicate(text: str) -> tuple[str, str] | None:
    """Split "B released first" into the thing and what is asked of it; None where nothing is asked."""
    words = tagged(text)
    shape = shape_of(words)
    head = re.match(r"(?:D[jsoc]*[nm]+[fp])?D?[jsoc]*[nm]*[N#]+(?:'[jnm]+)?,?", shape) or re.match(
        r"D?[jsoc]*[nm]+", shape
    )
    if head is None or head.end() >= len(words):
        return None
    return surface(words[: head.end()], text).strip(" ,"), surface(words[head.end() :], text).strip(" ,")
