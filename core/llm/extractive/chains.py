"""Unfolds nested descriptions: "the county where the school X is in" becomes a part of its own, "#1"."""

import re

from core.llm.extractive.drafting import Drafting
from core.llm.extractive.structure import KIN, MAKERS, NOUNS, OFFICES, PLACES, RELATIONS
from core.text.tokens import word_set

MOST_PEELED = 4

_ATTRIBUTES = word_set(
    """name date place birthplace nationality population age spouse occupation profession cause time year
    number height area length language currency genre religion birthday award size author"""
)
_NOUN = (
    "(?:"
    + "|".join(
        sorted(
            NOUNS | {"alma mater", "place of birth", "city of birth", "country of origin", "hometown", "era"},
            key=len,
            reverse=True,
        )
    )
    + ")"
)
_ROLE = "(?:" + "|".join(sorted(RELATIONS)) + ")"
_REF = r"(?:[\ue000-\uf8ff]|#\d)"
_WORD = r"[\w'’.-]+"
_RELATIVE = r"(?:in which|for which|from which|to which|on which|where|that|which|who|whom|whose)"
_PARTICIPLE = (
    r"(?:containing|featuring|starring|following|preceding|bordering|owning|holding|hosting|"
    r"owned by|founded by|"
    r"created by|written by|directed by|produced by|performed by|developed by|published by|released by|named|"
    r"known as|called|based in|located in|born in|formed by|won by|featured in|with)"
)
_AUX = word_set("is was are were be been did does do has had have will can could would should may might")
_VERBS = word_set(
    """become became becomes die died dies live lived lives leave left leaves get got start started begin
    began begins end ended ends open opened win won wins make made makes write wrote writes play played
    plays start go went sing sang take took run ran rule ruled hold held lose lost work worked works
    study studied study marry married serve served host hosted join joined fall fell say said see saw
    release released vote voted buy bought own owned owns appear appeared appears share shared shares
    border borders cross stop stops sell sold attend attended build built found founded bring brought
    lead led leads originate come came comes use used uses contain contains occur occurred happen
    happened belong belongs form formed move moved change changed gain gained declare declared graduate
    graduated produce produced supply supplied supplies fail failed cause caused causes"""
)
_POSSESSIVE = re.compile(
    rf"(?P<np>(?:the )?(?P<owner>{_REF})['’](?:s\b)? ?(?P<rel>(?:{_WORD} "
    rf"){{0,2}}?{_NOUN}))(?P<after>['’]s?\b| [\w\ue000-\uf8ff#(]|$)"
)
_OF = re.compile(
    rf"(?P<np>the (?P<rel>(?:(?!of\b|in\b|the\b){_WORD} ){{0,3}}?{_NOUN}s?) (?:of|in|from|for|"
    rf"behind|on) (?:the )?(?:(?!of\b|in\b|from\b){_WORD} "
    rf"){{0,3}}?(?P<owner>{_REF})(?!['’])(?:,? {_REF})?)(?P<after> [\w,]|$|['’])"
)
_ROLE_OF_NAME = re.compile(rf"(?P<np>(?:the )?(?P<owner>{_REF}) (?P<rel>{_ROLE}))(?P<after>['’]s?\b| [\w]|$)")
_BARE_ROLE = re.compile(
    rf"(?P<np>(?<!the )(?<!\w)(?P<rel>{_ROLE}) of (?P<owner>{_REF}))(?P<after> [\w,]|$|['’])"
)
_CLAUSE = re.compile(
    rf"\bthe (?P<rel>(?:(?!of\b|the\b|in\b|is\b|was\b){_WORD} ){{0,3}}?(?P<noun>[\w-]+)),? "
    rf"(?P<how>{_RELATIVE}|{_PARTICIPLE})(?= )"
)
_STEPS = {
    "grandfather": ("father", "father"), "grandmother": ("father", "mother"), 
    "mother-in-law": ("spouse", "mother"),     "father-in-law": ("spouse", "father"), 
    "sister-in-law": ("spouse", "sister"), "brother-in-law": ("spouse", "brother"),
    "uncle": ("father", "brother"), "aunt": ("father", "sister"),
}  # fmt: skip
_STEP = "(?:" + "|".join(_STEPS) + ")"
_TWO_STEPS = re.compile(
    rf"(?P<owner>{_REF})['’]s? (?:(?P<side>paternal|maternal) )?(?P<rel>{_STEP})\b", re.IGNORECASE
)
_TWO_STEPS_OF = re.compile(
    rf"\bthe (?:(?P<side>paternal|maternal) )?(?P<rel>{_STEP}) of (?P<owner>{_REF})", re.IGNORECASE
)
_MORE_NOUN = re.compile(
    r" (?:report|manual|procedure|tool|alarm|chamber|film|song|book|series|show|game|award|war|company|team|"
    r"band|"
    r"recipe|lot|meeting|document|standard|contract|project|system|excursion|incident|workbook|log)s?\b"
)
_AFTER_LINK = re.compile(r"(?:^|\b(?:by|of|is|was|did|does|from|with|in|to|for)\s)$", re.IGNORECASE)
_ASKED = re.compile(r"^(?:who|what|which|where|when) (?:is|was|are|were)(?: the name of)? $", re.IGNORECASE)
_ASKED_TAIL = re.compile(r"^(?:in|from|at|on|of|called|named|located|as)?$")


def unfold(frame: str, drafting: Drafting, most: int = MOST_PEELED) -> int:
    """Add the parts of a nested question, innermost first, and return the number of the last."""
    frame = _by_steps(frame)
    for _ in range(most):
        found = _innermost(frame)
        if found is None:
            break
        start, end, inner = found
        number = drafting.add(inner, "bridging")
        frame = frame[:start] + f"#{number}" + frame[end:]
    return drafting.add(frame)


def _by_steps(frame: str) -> str:
    """Say a relation of two steps in two: "X's paternal grandfather" is X's father's father."""
    for pattern in (_TWO_STEPS, _TWO_STEPS_OF):
        match = pattern.search(frame)
        if match is None:
            continue
        first, second = _STEPS[match["rel"].lower()]
        if (match["side"] or "").lower() == "maternal":
            first = "mother"
        return f"{frame[: match.start()]}{match['owner']}'s {first}'s {second}{frame[match.end() :]}"
    return frame


def _innermost(frame: str) -> tuple[int, int, str] | None:
    """Return (start, end, question) of a description that holds no other and is not what is asked."""
    candidates: list[tuple[int, int, str]] = []
    for pattern in (_POSSESSIVE, _OF, _ROLE_OF_NAME, _BARE_ROLE):
        for match in pattern.finditer(frame):
            start, end = match.span("np")
            more = _MORE_NOUN.match(frame, end)
            end = more.end() if more else end
            loose = pattern is _BARE_ROLE and not _AFTER_LINK.search(frame[:start])
            if not loose and not _is_asked(frame, start, end):
                candidates.append((start, end, _identity(frame[start:end], match.group("rel"))))
    for match in _CLAUSE.finditer(frame):
        found = _clause(frame, match)
        if found is not None and not _is_asked(frame, found[0], found[1]):
            candidates.append(found)
    innermost = [
        one
        for one in candidates
        if not any(
            other is not one and one[0] <= other[0] and other[1] <= one[1] and other[:2] != one[:2]
            for other in candidates
        )
    ]
    return min(innermost, key=lambda one: (one[1] - one[0], one[0])) if innermost else None


def _is_asked(frame: str, start: int, end: int) -> bool:
    """Say whether the description is the very thing the question asks for."""
    before, after = frame[:start], frame[end:].strip()
    if before == "" and after == "":
        return True
    if _ASKED.match(before) and _ASKED_TAIL.match(after.lower()):
        return True
    return (
        before == ""
        and re.match(r"^(?:is|was|are|were) (?:who|what|which|where)$", after.lower()) is not None
    )


def _identity(phrase: str, relation: str) -> str:
    noun = relation.lower().split()[-1]
    bare = noun.removesuffix("s")
    person = any(word in group for word in (noun, bare) for group in (KIN, MAKERS, OFFICES)) and noun not in {
        "maker", "manufacturer", "publisher", "developer", "supplier", "vendor", "employer", "owner",
        "distributor", "broadcaster",
    }  # fmt: skip
    article = "" if re.match(rf"the |{_REF}", phrase.lower()) else "the "
    verb = "are" if noun.endswith("s") and bare in NOUNS else "is"
    return f"{'Who' if person else 'What'} {verb} {article}{phrase}"


def _is_verb(token: str) -> bool:
    return token in _AUX or token in _VERBS or (len(token) > 4 and token.endswith("ed"))


def _clause(frame: str, match: re.Match[str]) -> tuple[int, int, str] | None:
    """Find where the clause behind "the NOUN where|that|..." ends and make a question of it."""
    noun, how = match.group("noun").lower(), match.group("how")
    if noun in _ATTRIBUTES or (how in {"with", "named", "called"} and noun not in PLACES | RELATIONS):
        return None
    rest = frame[match.end() :]
    tokens = [(m.group(), m.start(), m.end()) for m in re.finditer(r"[^\s,]+|,", rest)]
    seen_verb = how not in _RELATIVE.strip("(?:)").split("|")
    end = len(rest)
    previous = ""
    for text, start, _ in tokens:
        token = text.lower().strip("'\"")
        if token == "," or (
            token in {"and", "or"}
            and seen_verb
            and start > 0
            and re.match(r"(?:and|or) (?:what|who|when|where|how|which)", rest[start:])
        ):
            if seen_verb:
                end = start
                break
        elif _is_verb(token):
            if (
                seen_verb
                and previous not in _AUX
                and previous not in {"to", "and", "who", "that", "which", "where", "when", "not"}
            ):
                end = start
                break
            seen_verb = True
        previous = token
    if not seen_verb:
        return None
    clause = rest[:end].strip(" ,")
    stop = match.end() + len(rest[:end].rstrip(" ,"))
    if not re.search(_REF, clause) and len(clause.split()) < 2:
        return None
    return match.start(), stop, _clause_question(match.group("rel"), how, clause)


def _clause_question(noun: str, how: str, clause: str) -> str:
    first = clause.split(" ", 1)[0].lower()
    if how in {"that", "which", "who"} and _is_verb(first):
        return f"Which {noun} {clause}"
    return f"What is the {noun} {how} {clause}"
