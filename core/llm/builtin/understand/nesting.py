"""Unfolds nested descriptions: "the wife of A" or "the part that caused E-217" becomes a part of its own."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.llm.builtin.understand.drafting import Drafting
from core.llm.builtin.understand.grammar import is_question, tagged
from core.llm.builtin.understand.tagged_words import TaggedWord, shape_of, surface
from core.text.vocabulary import relations

MAX_DESCRIPTIONS = 4  # descriptions unfolded of one question
_TRANSPARENT = frozenset(["name", "kind", "type", "sort", "title", "number", "amount", "one"])
_COMPUTED = frozenset(["average", "mean", "total"])  # of several: there is no one such thing
_DUTY = frozenset(["must", "shall", "should", "may", "might", "ought"])
_OWNER = r"D?[jsocan]*[N#]+(?:[,]?[N#])?"
_OF = re.compile(r"D?[jsocan]*(?P<head>[nm])[fp](?:[DA]?[jocnm]*)[N#]+(?![nm])")
_POSSESSIVE = re.compile(rf"{_OWNER}'[jsoce]*n?(?P<head>[nm])")
_ROLE_NAME = re.compile(r"D?[N#]+(?P<head>[nm])")
_CLAUSE = re.compile(
    r"D[jsoca]*[nmN]*(?P<head>[nm])(?:,?(?P<how>p?r|[eg](?=p?[DAhjnmN#cp]))|(?=[N#][bvx][^?]*[pf]))"
)


class Description(NamedTuple):
    """A piece of words [start, end) that describes one thing, and the question that finds it."""

    start: int
    end: int
    question: str
    clause: bool = False  # described by what it does, not by whose it is


def _named_itself(match: "re.Match[str]", head: str) -> bool:
    """Say whether a place is only said with its kind: "the village of A" is A."""
    return head in relations("en").places and re.search(r"[nm]fN+$", match.group()) is not None


def unfold(frame: str, drafting: Drafting, most: int = MAX_DESCRIPTIONS) -> int:
    """Add the parts of a nested question, innermost first, and return the number of the last."""
    frame = _in_steps(frame)
    for _ in range(most):
        words = tagged(frame)
        found = innermost(words, frame)
        if found is None:
            break
        rest = frame[: words[found.start].start], frame[words[found.end - 1].end :]
        if not is_question(found.question) or not is_question(f"{rest[0]}#1{rest[1]}"):
            break
        frame = f"{rest[0]}#{drafting.add(found.question, 'bridging')}{rest[1]}"
    return drafting.add(frame)


def _in_steps(frame: str) -> str:
    """Say a relation of two steps in two: "X's paternal grandfather" is X's father's father."""
    for noun, (first, second) in relations("en").steps.items():
        side = r"(?:(?P<side>paternal|maternal) )?"
        owned = re.search(rf"(?P<owner>[\ue000-\uf8ff]|#\d)['’]s? {side}{noun}\b", frame, re.IGNORECASE)
        of = re.search(rf"\bthe {side}{noun} of (?P<owner>[\ue000-\uf8ff]|#\d)", frame, re.IGNORECASE)
        match = owned or of
        if match is not None:
            by = "mother" if (match["side"] or "").lower() == "maternal" else first
            return f"{frame[: match.start()]}{match['owner']}'s {by}'s {second}{frame[match.end() :]}"
    return frame


def innermost(words: tuple[TaggedWord, ...], frame: str) -> Description | None:
    """Return the smallest description that is not the very thing the question asks for."""
    shape = shape_of(words)
    found = [one for one in _descriptions(words, shape, frame) if not _is_target(words, shape, one)]
    inner = [
        one
        for one in found
        if not any(
            other[:2] != one[:2] and one.start <= other.start and other.end <= one.end for other in found
        )
    ]
    return min(inner, key=lambda one: (one.end - one.start, one.start), default=None)


def _descriptions(words: tuple[TaggedWord, ...], shape: str, frame: str) -> Iterator[Description]:
    known = relations("en")
    people, relational = known.people, known.people | known.places | known.seats
    for pattern in (_POSSESSIVE, _OF, _ROLE_NAME):
        for at in range(len(shape)):
            match = pattern.match(shape, at)
            if match is None or (at and shape[at - 1] in "ADjsocanmh" and shape[at] not in "DN#"):
                continue
            if pattern is _ROLE_NAME and at and words[at - 1].text.lower() == "which":
                continue  # "which Dutch painter made it": one of those is asked for
            if re.search(r"[nm]&$", shape[:at]) and shape[at] not in "DN#":
                continue  # "the price and supplier of A": two are asked of A, and the second alone is half
            head = words[match.start("head")].lemma
            if head not in relational or (pattern is _OF and _named_itself(match, head)):
                continue
            text = surface(words[at : match.end()], frame)
            article = "" if shape[at] in "DNh#" else "the "
            plural = words[match.start("head")].letter == "m"
            who = "Who" if head in people else "What"
            yield Description(at, match.end(), f"{who} {'are' if plural else 'is'} {article}{text}")
    for at in range(len(shape)):
        clause = _CLAUSE.match(shape, at)
        found = _clause(words, shape, frame, clause) if clause is not None else None
        if found is not None:
            yield found


def _clause(
    words: tuple[TaggedWord, ...], shape: str, frame: str, match: "re.Match[str]"
) -> Description | None:
    """Find where the clause behind "the NOUN that ..." ends, and make a question of it."""
    how = match["how"] or "r"
    head = match.start("head")
    if words[head].lemma in _TRANSPARENT | {"way", "time", "reason", "fact"}:
        return None
    passive = re.search(r"b$", shape[: match.start()]) is not None
    ends = (
        re.fullmatch(r"[pf]?wbD[jsoca]*[nm]+f", shape[: match.start()]) is not None
    )  # "what is the X of the"
    end = _clause_end(shape, match.end(), has_verb="r" not in how, passive=passive, last_clause=ends)
    clause = shape[match.end() : end]
    if end - match.end() < 1 or ("r" in how and not re.search(r"[vbxe]", clause)):
        return None
    if not re.search(r"[N#]|[nm]c", clause):  # "line 4" is a name, too
        return None
    noun = surface(words[match.start() + 1 : head + 1], frame)
    if any(word.lemma in _COMPUTED for word in words[match.start() : head]):
        return None
    rest = surface(words[match.end() : end], frame)
    joint = surface(words[match.start("how") : match.end()], frame) if match["how"] else ""
    if (
        match["how"] == "r"
        and words[match.start("how")].text.lower() in {"that", "which", "who"}
        and clause[0] in "vbxe"
    ):
        return Description(match.start(), end, f"Which {noun} {rest}", True)
    if how[-1] == "e":
        return Description(
            match.start(), end, f"Which {noun} {'was' if shape[head] == 'n' else 'were'} {joint} {rest}", True
        )
    who = "Who" if words[head].lemma in relations("en").people else "What"
    verb = "are" if shape[head] == "m" else "is"
    return Description(match.start(), end, f"{who} {verb} the {noun} {joint} {rest}".replace("  ", " "), True)


def _clause_end(shape: str, start: int, *, has_verb: bool, passive: bool, last_clause: bool) -> int:
    """Return where a clause ends: before a second verb that nothing joins to the first.

    `passive`: the words before the description wait for a participle ("when was the ... chartered");
    `last_clause`: they wait for nothing, so that what "when" or "if" begins belongs to the clause.
    """
    last = len(shape) - 1
    within = False  # a clause of its own, which brings another verb: "... when A is raised and B is cracked"
    for at in range(start, len(shape)):
        letter, before = shape[at], shape[at - 1]
        if last_clause and has_verb and (letter in "lw" or (within and letter == "&")):
            within, has_verb = True, False
        if has_verb and (
            (letter == "," and shape[at + 1 : at + 2] != "c")
            or (letter == "&" and shape[at + 1 : at + 2] in ("w", "v"))
        ):
            return at
        verb = letter in "vbxi" or (letter == "e" and before not in "bxaDAjh")  # "built A" but "was built"
        if has_verb and verb and _before_adverbs(shape, at) not in "xbTr&":
            return _without_adverbs(shape, at)
        at_end = at == last or (letter == "e" and shape[at + 1 :] == "p")
        if has_verb and passive and at_end and letter in "je" and before not in "bxaDAjr":
            return at
        has_verb = has_verb or verb
    return len(shape)


def _without_adverbs(shape: str, end: int) -> int:
    """Return where a clause ends before the adverbs of the next verb: "that built A | also sold"; what stands
    right behind its own verb is its own: "that sails daily | carry"."""
    bare = len(shape[:end].rstrip("a"))
    return end if shape[bare - 1] in "vbxi" else bare


def _before_adverbs(shape: str, at: int) -> str:
    """Return the letter that a verb's adverbs stand behind: "was later built", but "the head later built"."""
    return shape[:at].rstrip("a")[-1:] or "a"


def _is_target(words: tuple[TaggedWord, ...], shape: str, one: Description) -> bool:
    """Say whether the description is what the question asks for, as in "Who is the wife of A?", or all it
    says: "were the cracks of the lid caused by A" describes no lid."""
    before, after = shape[: one.start], shape[one.end :]
    if one.clause and any(word.lemma in _DUTY for word in words[: one.start]):
        return True  # "what must a visitor who enters A wear": whoever that is
    if not after and (not before or re.fullmatch(r"[bx](?:D?[jsoca]*[nmN]*[nm]f)*", before)):
        return True
    name_of = re.fullmatch(r"(?P<ask>.*)D[jo]*(?P<head>n)[f]", before)
    if name_of and words[name_of.start("head")].lemma in _TRANSPARENT:
        before = name_of["ask"]
    tail = [word.lemma for word in words[one.end :]]
    placed = (
        bool(tail) and tail[0] in {"call", "name", "locate", "situate"} and len(tail) <= 2 and not one.clause
    )
    ends = after in ("", "p") or placed
    asking = r"(?:[pf]?w[jnm]{0,2}b|vk?|)" if not after else r"(?:[pf]?wb|vk?|)"
    if ends and re.fullmatch(asking, before) and not (one.clause and _asks_of_it(words, before)):
        return True
    return not before and re.fullmatch(r"b[pf]?w[nm]?", after) is not None


def _asks_of_it(words: tuple[TaggedWord, ...], before: str) -> bool:
    """Say whether a thing is asked after, not which it is: "how long is the ...", "in which town is the ...",
    "what colour is the ..."."""
    first = words[0].text.lower()
    return first == "how" or before[0] in "pf" or (first == "what" and len(before) > 2)
