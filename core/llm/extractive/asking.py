"""Writes the questions that an English statement of clear shape answers (PIKE-RAG, section 5.2).

Precision before recall: a statement whose subject or verb is not surely read is passed over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.llm.extractive.heads import kind_of
from core.llm.extractive.predicates import MEASURED, MONTH, NAME, NUMBER, TIME, of_predicate
from core.llm.extractive.verbs import BASE_OF_PAST, TAKING_OBJECTS, is_participle
from core.text.tokens import content_words, word_set

LONGEST = 140  # letters of a question
_DATE_COMMA = re.compile(rf"({MONTH} \d{{1,2}}), (\d{{4}})")
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_VERB = re.compile(
    r" (?P<verb>is|was|are|were|has|had|must|"
    + "|".join(sorted(map(re.escape, {*BASE_OF_PAST, *TAKING_OBJECTS, *MEASURED}), key=len, reverse=True))
    + r")(?= )"
)
_DETERMINERS = {"The": "the", "All": "all", "A": "a", "An": "an", "Each": "each", "Every": "every"}
_NO_SUBJECT = word_set(
    """that which who whom whose when where while if because although as than since after before until during
    however also then there here it he she they we you i this these those its his her their our your my not no
    is was are were be been has have had must can could will would should may might do does did to but or nor
    so both all some many most several such other another one two three what how why first unlike despite
    below above over under within without via per said says say known called dates includes contains remains
    lies stands begins list"""
)
_LITTLE = word_set("of the and de del della di da van von der den du la le bin ibn al el for in a an & at on")
_NEVER_FIRST = (_NO_SUBJECT | _LITTLE) - word_set("the a an two three all when if to")
_TITLE_OF_MANY = re.compile(r"(?:List|History|Outline|Timeline) of ")
_IMPERATIVE = word_set(
    """check inspect replace continue use wear stop start switch turn open close clean remove run call contact
    press set wait report exchange do make ensure verify read enter follow repeat measure record notify"""
)
_NOT_NOW = re.compile(
    r"\b(?:that|who|which|it|he|she|they|we|you|this|these|its|his|her|their|was|were|had|did|\w+ed)\b"
)
_LIFE = re.compile(
    rf"({NAME}(?: (?:{NAME}|of|de|van|von|the))*) "
    rf"\((?:[^()]*?[;,] )?(born )?(?:c\. )?(?:{TIME})( ?[–-] ?[^()]*\d{{4}})?\) (?:was|is) (an? .+)"
)
_CASE = re.compile(r"(When|If) ((?:the|an?|no) [^,]{6,70}), (?:then )?(\w+)")
_PURPOSE = re.compile(r"To ([a-z]+ (?:the |an? )?[^,]{4,60}), ([a-z]+) ")
_MANY = re.compile(rf"(?:{NUMBER}|Two|Three|Four|Five|Six) ([a-z]+s (?:were|are|must be) (\w+)(.*))")
_LIMIT = re.compile(
    rf"([A-Z][a-z]+(?: [a-z]+){{0,3}}) (above|below) ({NUMBER} \S+) (?:raises?|stops?|triggers?) "
)
_LOOSE_QUOTE = re.compile(r'[^"]*(?:[^\s("]"|" )')  # where spaces went astray around a quoted title
_LOOSE_END = re.compile(r"[,;:–.] ?\?|\b(?:and|or|of|the|a)\?|\w{3}\. [a-z]")


@dataclass(frozen=True)
class Around:
    """What a statement's text says of its words: which are names, what the document is called.

    In a `technical` text, one in sections, "the helium leak" is a name; elsewhere the reader would ask which.
    """

    names: frozenset[str] = frozenset()
    title: str = ""
    technical: bool = False


def ask(statement: str, around: Around) -> Iterator[str]:
    """Yield the questions a statement answers."""
    plain = _DATE_COMMA.sub("\\1\x00 \\2", " ".join(statement.split())).rstrip(". ")
    if plain.endswith(("?", "!", ":")) or "…" in plain:
        return
    if plain.partition(" ")[0].lower() in _NEVER_FIRST:
        return
    bare = _ASIDE.sub("", plain) if "(" in plain or "[" in plain else plain
    made = [*_conditional(plain)] or [*_numbered(bare)] or [*_told(bare, around)]
    for question in [*made, *_lived(plain)]:
        tidy = " ".join(question.replace("\x00", ",").split()).replace(" ?", "?")
        if _fits(tidy):
            yield tidy


def _fits(question: str) -> bool:
    return (
        len(question) <= LONGEST
        and len(set(content_words(question))) >= 2
        and question.count("(") == question.count(")")
        and question.count('"') % 2 == 0
        and question.count("“") == question.count("”")
        and not _LOOSE_QUOTE.match(question)
        and not _LOOSE_END.search(question)
    )


def _lived(plain: str) -> Iterator[str]:
    """Ask for the years of a life that stand behind a name."""
    match = _LIFE.match(plain) if ") " in plain else None
    if match is not None and (match[2] or match[3]) and kind_of(match[4]) == "person":
        yield f"When was {match[1]} born?"
        if match[3]:
            yield f"When did {match[1]} die?"


def _conditional(plain: str) -> Iterator[str]:
    """Ask what happens, or what to do, when something is the case; how to do what "to ..." says."""
    if not plain.startswith(("When ", "If ", "To ")):
        return
    match = _CASE.match(plain)
    if match and not _NOT_NOW.search(match[2]) and " and " not in match[2]:
        asked = "What must be done" if match[3] in _IMPERATIVE else "What happens"
        yield f"{asked} {match[1].lower()} {match[2]}?"
    match = _PURPOSE.match(plain)
    if match and match[2] in _IMPERATIVE and not _NOT_NOW.search(match[1]):
        yield f"How do you {match[1]}?"


def _numbered(plain: str) -> Iterator[str]:
    """Ask how many there were, and what happens beyond a limit."""
    many = _MANY.match(plain)
    if many and (is_participle(many[2]) or many[2] in {"present", "needed", "available"}):
        whole = not re.search(r"[\d,;:]| and ", many[3])
        yield f"How many {many[1] if whole else many[1].removesuffix(many[3])}?"
    limit = _LIMIT.match(plain)
    if limit:
        yield f"What happens when the {limit[1][0].lower()}{limit[1][1:]} is {limit[2]} {limit[3]}?"


def _told(plain: str, around: Around) -> Iterator[str]:
    """Ask for what is said of the subject: the first verb parts it from the rest."""
    match = _VERB.search(plain)
    subject = _subject(plain[: match.start()], match["verb"], around) if match else ""
    if match and subject:
        yield from of_predicate(subject, match["verb"], plain[match.end() + 1 :])


def _subject(said: str, verb: str, around: Around) -> str:
    """Return the subject as it stands inside a question, "" where it is none that stands alone."""
    if _TITLE_OF_MANY.match(said):
        return ""
    if said == around.title:
        return said
    if "," in said and (aside := re.fullmatch(r"([^,]+), [^,]+,", said)):
        said = aside[1]
    words = said.split()
    first = words[0] if words else ""
    low = [word.lower().strip("\"“”'’") for word in words]
    if not 1 <= len(words) <= 10 or "," in said or ":" in said or not _NO_SUBJECT.isdisjoint(low[1:]):
        return ""
    if first in _DETERMINERS:
        told = any(char.isupper() or char.isdigit() for word in words[1:] for char in word)
        surely = len(words) > 1 and (told or (around.technical and first != "A"))
        return " ".join([_DETERMINERS[first], *words[1:]]) if surely else ""
    if low[0] in _NO_SUBJECT or low[0] in _LITTLE or words[-1] in _LITTLE or said.isdigit():
        return ""
    if all(word[0].isupper() or word[0] in '"“' or word[0].isdigit() or word in _LITTLE for word in words):
        return said if len(words) > 1 or first.strip('"“”') in around.names else ""
    common = around.technical and first.isalpha() and first[1:].islower() and first not in around.names
    many = verb in {"are", "were"} and words[-1].endswith("s") and words[-1].islower()
    return f"{first[0].lower()}{said[1:]}" if common and (many or verb in MEASURED) else ""
