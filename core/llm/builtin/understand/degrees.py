"""What each of several things is asked so that they can be compared in a degree: "which is heavier"."""

import re

from core.llm.builtin.understand.grammar import tagged
from core.llm.builtin.understand.tagged_words import TaggedWord, shape_of, surface
from core.text.tokens import word_set
from core.text.vocabulary import relations

_TIME = word_set("first early earlier earliest late later latest last before after recently soon sooner")
_BORN = frozenset(("older", "oldest", "younger", "youngest", "elder"))  # asked of a "who"
_PRICED = word_set("expensive cheap costly")  # nobody writes how cheap a thing is


def per_thing_question(ask: str) -> str:
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
        if low in {"more", "fewer", "less", "most", "least"}:
            acts = verb and verb.letter in "vi" and not re.search("[nm]", shape_of(words[at + 1 :]))
            return f"How much does {{}} {verb.lemma}" if verb and acts else _how_much(words, at, ask)
        if at and words[at - 1].letter == "v" and word.letter in "aj" and _degree(low):
            return (
                f"How {_degree(low)} does {{}} {words[at - 1].lemma} {surface(words[at + 1 :], ask)}".rstrip()
            )
        if word.tag in {"AJC", "AJS"} and word.lemma != low:
            if re.match("[js]*[nm]", shape_of(words[at + 1 :])):
                noun = re.sub(r"(?: than|:|,).*$", "", surface(words[at + 1 :], ask))
                return f"What is the {noun} of {{}}"
            return f"How {word.lemma} is {_holder(words)}"
    return ""


def _degree(word: str) -> str:
    """Return what "longer" and "hotter" are degrees of, "" for another word."""
    base = re.sub(r"([^aeiou])\1$", r"\1", word[:-2]) if word.endswith("er") else ""
    return base if len(base) > 2 and tagged(f"how {base} is it")[1].letter in "aj" else ""


def _how_much(words: tuple[TaggedWord, ...], at: int, ask: str) -> str:
    """Return what each has of what stands behind "more": "how many alarms does {} have in May"."""
    end = next((i for i in range(at + 1, len(words)) if not _in_noun_phrase(words, i)), len(words))
    if end == at + 1:
        return ""
    what, rest = surface(words[at + 1 : end], ask), surface(words[end:], ask)
    when = f" {rest}" if re.match(r"(?:in|during|since|for|at|on) ", rest) else ""
    if words[end - 1].letter == "m":
        return f"How many {what} does {{}} have{when}"
    return f"What is the {what} of {{}}{when}" if words[end - 1].letter == "n" else f"How {what} is {{}}"


def _in_noun_phrase(words: tuple[TaggedWord, ...], at: int) -> bool:
    """Say whether a word belongs to what is counted: a noun or what stands before one ("added parts")."""
    before_noun = at + 1 < len(words) and words[at + 1].letter in "nm"
    return words[at].letter in "jnm" or (words[at].tag in {"VVN", "VVD"} and before_noun)


def _holder(words: tuple[TaggedWord, ...]) -> str:
    """Return whom a degree is asked of: the thing itself, or who has the role the question names."""
    known = relations("en").people
    role = next((w for w in words if w.lemma in known and w.letter in "nm"), None)
    return f"the {role.lemma} of {{}}" if role is not None and words[0].lemma != role.lemma else "{}"


def yes_no_per_thing(ask: str) -> str:
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
