"""An English question taken apart: several in one, comparisons, lists, sets, nested descriptions."""

import re

from core.llm.builtin.understand.compare_parts import compare
from core.llm.builtin.understand.drafting import Drafting
from core.llm.builtin.understand.ellipsis import completed, named_in_full, resolved_pronouns, with_its_thing
from core.llm.builtin.understand.grammar import is_question, tagged
from core.llm.builtin.understand.nesting import unfold
from core.llm.builtin.understand.sets import set_in
from core.llm.builtin.understand.tagged_words import NOUN_PHRASE, TaggedWord, shape_of, surface
from core.text.vocabulary import relations

_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_LEAD = r"(?:in|on|at|for|of|to|by|from|with|since|until|under|after|before)"
_ORDERS = r"(?:explain|describe|list|name|say|tell|give|compare|state|find|identify|summari[sz]e)"
_NEXT = re.compile(
    rf"(?:,? and(?: then| also)?|,? as well as|;|,)\s+(?=(?:\w+ly )?(?:{_LEAD} )?{_WH} [\w\ue000-\uf8ff])"
    rf"|,? and(?: then| also)? (?={_ORDERS}\b)|[?.]\s+(?=[\w\ue000-\uf8ff])",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    rf"^(?:explain|describe|say|state|tell(?: me| us)?)(?: (?=(?:{_LEAD} )?{_WH}\b))", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"w[bx](?P<what>D[jsocan]*[nm](?:f[DA]?[jsocan]*[nmN]|p[DA]?[jsocan]*[nm])*)(?=[^nmN]|$)"
)
_PERSON = re.compile(r"\b(?:he|she|him)\b", re.IGNORECASE)
_OWNED = re.compile(r"\b(?:his|her|their|its)\b", re.IGNORECASE)
_THING = re.compile(
    r"\b(?:it|this|that one|they|them|these|those)\b(?! (?:is|was) (?:possible|true))", re.IGNORECASE
)
_NOTHING_NEW = re.compile(r"(?:what|who|which) (?:is|are|was|were) #\d+", re.IGNORECASE)
_RESPECTIVE = re.compile(
    r"\b(?:their respective|respective|each of (?:them|those|these)|each)\b", re.IGNORECASE
)
_BEFORE_NAME = (
    "(?:of|for|in|on|at|by|to|from|with|did|do|does|has|have|is|are|was|were|the|about|between|and|or)"
)
_ONE_SUM = re.compile(
    r"\b(?:sum of|sum up|summed|add(?:ed)? up|altogether|together|combined|in total)\b", re.IGNORECASE
)
_SINGULAR = re.compile(r"\b(?:was|is|has|does)\b(?= it\b)", re.IGNORECASE)
_AS_PLURAL = {"was": "were", "is": "are", "has": "have", "does": "do"}
_EXPLAINED = re.compile(
    rf"^(?:{_LEAD} )?what (?:has |have |had )?(?:caused?|led to|triggere?d|explain(?:s|ed)) (?P<what>.+)$"
    r"|^what (?:is|was|are|were) the (?:\w+ )?(?:cause|reason|origin|explanation)s? (?:of|for) (?P<of>.+)$",
    re.IGNORECASE,
)


def plan_english(frame: str, drafting: Drafting) -> None:
    """Add the parts of an English question."""
    pieces = [piece.strip(" ,;") for piece in _NEXT.split(frame)]
    pieces = [piece for piece in pieces if len(piece.split()) > 1]
    if len(pieces) > 1 and is_question(pieces[0]):
        _several(pieces, drafting)
    else:
        _plan_single(frame, drafting)


def _plan_single(frame: str, drafting: Drafting) -> int:
    """Add the parts of one question and return the number of the last."""
    if (
        compare(frame, drafting)
        or _list(frame, drafting)
        or _and_theirs(frame, drafting)
        or _set(frame, drafting)
    ):
        return len(drafting.parts)
    return unfold(frame, drafting)


def _several(pieces: list[str], drafting: Drafting) -> None:
    """Each question becomes a part; pronouns stand for what the first asks for, or for what it names."""
    before = len(drafting.parts)
    last = _plan_single(pieces[0], drafting)
    members = _members(pieces[0]) if len(drafting.parts) - before > 2 else ()
    summed = drafting.parts.pop() if members and drafting.parts[-1].type == "comparative" else None
    thing, person = _antecedents(pieces[0], last)
    thing = _described(pieces[0], drafting, last) or thing
    asked = [(pieces[0], last)]
    for piece in pieces[1:]:
        piece = named_in_full(piece, pieces[0])
        text = resolved_pronouns(
            completed(_COMMAND.sub("", piece), asked[-1][0], pieces[0]), asked, thing, person
        )
        if members and _pronoun(text):
            for member in members:
                unfold(_inverted(_with(text, member, member, single=True)), drafting, most=1)
            continue
        explained = _explained(pieces[0])
        if re.match(r"(?:the )?(?:\w+ )*?\w+[^s\W]s\b", explained):
            text = _SINGULAR.sub(lambda verb: _AS_PLURAL[verb.group().lower()], text, count=1)
        placed = _with(text, explained or thing, person)
        text = placed if placed != text else with_its_thing(text, thing)
        text = _RESPECTIVE.sub(f"#{last}", text)
        if not _NOTHING_NEW.fullmatch(text):
            asked.append((piece, unfold(_inverted(text), drafting)))
    if summed is not None:
        drafting.add(summed.question.rstrip("?. "), "comparative")


def _members(piece: str) -> tuple[str, ...]:
    """Return the things side by side in a question: A and B of "compare A and B's yield"."""
    found = re.search(
        r"([\ue000-\uf8ff])(?:['’]s?)?(?:, [\ue000-\uf8ff])*,? (?:and|with|to|or) ([\ue000-\uf8ff])", piece
    )
    return tuple(re.findall(r"[\ue000-\uf8ff]", found.group())) if found else ()


def _pronoun(text: str) -> bool:
    return re.search(r"\b(?:they|them|their|each|both)\b", text, re.IGNORECASE) is not None


def _with(text: str, thing: str, person: str, *, single: bool = False) -> str:
    """Put the thing or the person where its pronoun stands."""
    if single:
        text = re.sub(r"\b(?:both|each)(?: of (?:them|these|those))?\b", "they", text, count=1)
    text = _PERSON.sub(person, text, count=1)
    text = _OWNED.sub(lambda own: f"{person if own[0].lower() in ('his', 'her') else thing}'s", text, count=1)
    return _THING.sub(thing, text, count=1)


def _inverted(frame: str) -> str:
    """Make a question of an indirect one: "what mechanism A use" is "what mechanism does A use"."""
    words = tagged(frame)
    shape = shape_of(words)
    match = re.match(
        rf"(?P<ask>[pf]?w[jnma]*)(?P<who>{NOUN_PHRASE})(?P<verb>[vi]|n(?![bx]))(?P<rest>.*)$", shape
    )
    clear = re.match(r"[pf]?w[jnma]*[DN#]", shape)
    if re.match(r"w[aA][jsocnmN]+x[kDNnh#]", shape):
        return frame  # "how many A did we order": A is what is counted
    if re.match(r"w[N#]", shape) and surface(words[:1], frame).lower() in ("which", "whose"):
        return frame  # "which SOP describes A" asks for the SOP; "what BERT describes" for a thing described
    if match is None or clear is None or words[match.start("verb")].letter == "b":
        found = re.match(r"(?P<ask>[pf]?w[jnma]*)(?P<who>[N#k]|D[jnN]*[nmN])(?P<be>[bx])(?P<rest>.*)$", shape)
        if found is None:
            return frame
        parts = [surface(words[slice(*found.span(name))], frame) for name in ("ask", "be", "who", "rest")]
        return " ".join(part for part in parts if part)
    verb = words[match.start("verb")]
    aux = "did" if verb.tag == "VVD" else "does"
    parts = [surface(words[slice(*match.span(name))], frame) for name in ("ask", "who", "rest")]
    return " ".join(part for part in (parts[0], aux, parts[1], verb.lemma, parts[2]) if part)


def _explained(piece: str) -> str:
    explained = _EXPLAINED.match(piece)
    return (explained["what"] or explained["of"]) if explained else ""


def _antecedents(piece: str, number: int) -> tuple[str, str]:
    """Return what "it" and what "she" of the next question mean.

    That is what is asked for, or the last name; "it" is never the person a "who" asks for, but what else is
    mentioned: "who wrote the report, and what does it say".
    """
    words = tagged(piece)
    shape = shape_of(words)
    names = re.findall(r"[\ue000-\uf8ff]", piece)
    if re.match(r"(?:wb|v)[DA]?[jsoca]*n*m", shape):  # "what are the five best pumps"
        return f"#{number}", f"#{number}"
    of = re.match(r"wbD[jsocan]*(?P<head>n)f(?P<of>D[jsocanm]*[nm])$", shape)
    if of is not None and not _is_related(words[of.start("head")].lemma):  # "what is the stock of the kit"
        return surface(words[slice(*of.span("of"))], piece), f"#{number}"
    asks = re.match(r"[pf]?w(?:[jn]*[nm])?[vbx]", shape)
    first = words[0].text.lower() if words else ""
    asked = asks is not None and (first in {"who", "which", "whose"} or asks.end() > 2)
    found = f"#{number}" if asked or not names else _whole_name(words, piece)
    how = first in {"why", "when", "where", "how"}
    if how and (subject := _SUBJECT.match(shape)):  # "why was the drill not held"
        found = surface(words[slice(*subject.span("what"))], piece)
    if asked and first == "who":
        object_ = re.search(r"(?<=[bxve])D[jsocanm]*[nm](?:[fp]D?[jsocanm]*[nmN])?", shape)
        thing = names[-1] if names else surface(words[slice(*object_.span())], piece) if object_ else found
        return thing, found
    return found, found


def _whole_name(words: tuple[TaggedWord, ...], piece: str) -> str:
    """Return the last name of a question, with the nouns behind it that it only describes: "the A radio
    link"."""
    shape = shape_of(words)
    last = shape.rindex("N")
    compound = re.compile(r"N[jn]*[nm](?![nmN])").match(shape, last)
    if compound is None or shape[last - 1 : last] != "D":
        return surface(words[last : last + 1], piece)
    return surface(words[last - 1 : compound.end()], piece)


def _is_related(noun: str) -> bool:
    """Say whether what a noun stands for has properties of its own, as a supplier has and a price has not."""
    known = relations("en")
    return noun in known.people | known.places | known.seats


def _described(piece: str, drafting: Drafting, number: int) -> str:
    """Return the part that finds what a "who" is asked of, "" where that is a person or given by its name:
    "its" of "who supplies the part that broke on A" is the part's, not A's."""
    needs = drafting.parts[number - 1].depends_on if 0 < number <= len(drafting.parts) else ()
    if len(needs) != 1 or not re.match(r"who\b", piece, re.IGNORECASE):
        return ""
    found = drafting.parts[needs[0] - 1].question
    named = re.search(r"[\ue000-\uf8ff]", drafting.parts[number - 1].question)
    return f"#{needs[0]}" if named is None and re.match(r"(?:what|which)\b", found, re.IGNORECASE) else ""


def _list(frame: str, drafting: Drafting) -> bool:
    """Split "the heights of A, B and C": the same is asked of each, unless it is their sum."""
    if _ONE_SUM.search(frame):
        return False
    name = rf"(?:\b(?:the )?(?!{_BEFORE_NAME}\b)[a-z]+ )?[\ue000-\uf8ff](?:['’]s)?"
    found = re.search(
        rf"(?P<items>{name}(?:, (?:and |or )?{name})+,? (?:and|or|&) {name}|{name},? (?:and|&) {name}"
        rf"|{name}(?:, {name}){{2,}})",
        frame,
    )
    if found is None:
        return False
    before, after = frame[: found.start()], frame[found.end() :]
    items = [
        item.strip()
        for item in re.split(r",\s*(?:and |or |& )?| and | or | & ", found["items"])
        if item.strip()
    ]
    plural = re.search(
        r"\w+s (?:of|for|in|did|do|does|have|has|are|were)(?: each of)?(?: the)?(?: following)?(?: "
        r"\w+s:?)? $",
        before,
    )
    if len(items) == 2 and not (plural or re.search(r"\b(?:each|respectively|both)\b", frame)):
        return False
    before = re.sub(r"\b(?:each of )?(?:both )?(?:the )?following [a-z]+s:? $", "", before)
    after = re.sub(r" (?:respectively|each)\b", "", after)
    first = f"{before}{items[0]}{after}"
    if not is_question(first) or (not before and re.match(r"^['’]", after)):
        return False
    for item in items:
        unfold(f"{before}{item}{after}", drafting, most=1)
    return True


def _and_theirs(frame: str, drafting: Drafting) -> bool:
    """Split "who are the winners since 2020, and their birthplaces": the second asks of the first."""
    match = re.match(
        r"^(?P<first>.+?),? (?:and|along with|together with|as well as) (?P<second>(?:their|its)\b.+)$",
        frame,
        re.IGNORECASE,
    )
    if match is None or not is_question(match["first"]):
        return False
    first = unfold(_asking(match["first"]), drafting)
    rest = re.sub(r"^(?:their|its)(?: respective)?", "the", match["second"], flags=re.IGNORECASE)
    words = tagged(rest)
    verb = "are" if any(word.letter == "m" for word in words[:4]) else "is"
    drafting.add(f"What {verb} {rest} of #{first}")
    return True


def _asking(frame: str) -> str:
    """Say an order as a question: "list the parts" is "what are the parts"."""
    match = re.match(
        r"^(?:list|name|find|identify|give|provide|show)(?: me)? (?:the )?", frame, re.IGNORECASE
    )
    if match is None:
        return frame
    rest = frame[match.end() :]
    plural = re.match(r"[jsoacn]*m", shape_of(tagged(rest))) is not None
    return f"What {'are' if plural else 'is'} the {rest}"


def _set(frame: str, drafting: Drafting) -> bool:
    """Split "the capitals of the five largest countries": the set is found first, then asked about."""
    found = set_in(frame)
    if found is None:
        return False
    before, members, after = found
    members = members if members.lower().startswith("the ") else f"the {members}"
    order = _asking(before.strip())
    rest = f"{order} #1 {after}".strip()
    verb = "are" if re.search(r"m", shape_of(tagged(members))) else "is"
    if not is_question(f"What {verb} {members}") or not is_question(rest):
        return False
    first = unfold(f"What {verb} {members}", drafting, most=1)
    unfold(rest.replace("#1", f"#{first}"), drafting, most=1)
    return True
