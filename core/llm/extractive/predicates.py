"""What an English predicate answers: "was built in 1950" when, "takes 6.5 hours" how long."""

import re
from collections.abc import Iterator

from core.llm.extractive.heads import kind_of
from core.llm.extractive.verbs import (
    BASE_OF_PAST,
    DEEDS_OF_MAKERS,
    TAKING_OBJECTS,
    is_participle,
    past_of,
)
from core.text.tokens import word_set

MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
TIME = (
    rf"(?:{MONTH} \d{{1,2}}\x00? ?\d{{4}}|\d{{1,2}} {MONTH} \d{{4}}|{MONTH} \d{{4}}|(?:1[0-9]|20)\d\d)"
    r"(?![\d-]|–\d| \w+ (?:census|season|election|film))"
)
_ROUGHLY = r"(?:(?:about|approximately|around|roughly|some|only|over|nearly|at least|up to) )?"
NUMBER = rf"{_ROUGHLY}[±-]?\d[\d,.]*"
NAME = r"(?:[A-ZÀ-ÖØ-ÞĀ-Ž“\"][\w’'.&\"”-]*)"
# verb -> how to ask for its measure, its base form
MEASURED = {
    "takes": ("How long does", "take"), "took": ("How long did", "take"), "lasts": ("How long does", "last"),
    "lasted": ("How long did", "last"), "last": ("How long do", "last"), "costs": ("How much does", "cost"),
    "weighs": ("How much does", "weigh"), "weighed": ("How much did", "weigh"),
}  # fmt: skip
_SPAN = r"(?:seconds|minutes|hours|days|weeks|months|years)\b"
_MEASURE = {
    "take": rf"{NUMBER} {_SPAN}",
    "last": rf"(?:for )?{NUMBER} (?:\w+ )?{_SPAN}",
    "cost": rf"(?:[$€£] ?)?{NUMBER}",
    "weigh": rf"{NUMBER} ",
}
_CLAUSE_END = re.compile(
    r"\s*(?:[;:,–—]|\.$| - |\b(?:and (?=(?:was|is|are|were|has|had|it|he|she|they|later|then|in|on)\b)"
    r"|but|which|who|whom|whose|where|while|because|after|before|when|although|though|until|as well as"
    r"|so that|having|making|following|during which)\b)"
)
_ADVERB = re.compile(
    r"(?:also|later|then|therefore|subsequently|eventually|currently|now|still|usually|mainly|primarily|"
    r"finally|previously|formerly|already|once|again|generally|often|never|not|"
    r"(?P<kept>originally|first|officially|formally)) "
)
_ALWAYS_PLACED = word_set("located situated based headquartered")
_PLACED = _ALWAYS_PLACED | word_set(
    "born buried raised educated held filmed built founded established formed"
)
_WITH_PREPOSITION = {
    **dict.fromkeys(
        (
            "known for", "known as", "named after", "based on", "made of", "composed of", "used for",
            "made from", "derived from", "part of", "connected to", "mounted on", "responsible for",
            "caused by", "replaced by", "replaced with", "dedicated to", "bordered by", "surrounded by",
            "followed by", "produced from",
        ),
        "What",
    ),
    "married to": "Who",
}  # fmt: skip
_PREPOSED = re.compile(r"(" + "|".join(map(re.escape, _WITH_PREPOSITION)) + r") (?=\w|[\"“])")
_AGENT = rf"{NAME}(?: (?:{NAME}|of|the|de|van|von|and|&))*"
_NO_AGENT = re.compile(rf"(?:{MONTH}|[IVX]+|The|A|An|It|This|These|His|Her|Its|Their|That|\d)\b")
_NO_PLACE = re.compile(
    rf"(?:{MONTH}|English|French|German|Spanish|Italian|Latin|Japanese|Chinese|Series|Season|Group|Division)\b"
)
_PROPERTY = re.compile(rf"an? ((?:[a-z]+ ){{1,3}})of ({NUMBER})")
_COUNTED = re.compile(
    rf"(?:{NUMBER}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) "
    r"((?:[a-z-]+ ){0,2}?[a-z]{3,}s)(?=$| (?:of|in|and|with|at|on|for|from|by)\b)"
)
_INVERSE = re.compile(
    rf"the [a-z -]{{3,40}} (?:of|for|in) (?:the )?{NAME}(?: (?:{NAME}|of|the))*"
    r"(?= (?:from|since|in|on|at|for|by) |$)"
)
_VALUE = re.compile(rf"{NUMBER}(?: ?[\w%°/µ.]+){{0,3}}(?: (?:on|in|for|at) .+)?$")
_REFERRING = word_set("it he she his her its their they this that these those him them")
_COMMON = ("the ", "a ", "an ", "each ", "every ", "all ")  # how a subject begins that is no name


def of_predicate(subject: str, verb: str, rest: str) -> Iterator[str]:
    """Yield the questions that "subject verb rest" answers."""
    main = rest[: end.start()] if (end := _CLAUSE_END.search(rest)) else rest
    if verb in {"is", "was", "are", "were"}:
        yield from _being(subject, verb, main)
    elif verb in {"has", "had"}:
        yield from _having(subject, verb, main)
    elif verb == "must":
        yield from _having_to(subject, main)
    elif verb in MEASURED and re.match(_MEASURE[MEASURED[verb][1]], main):
        asks, base = MEASURED[verb]
        yield f"{asks} {subject} {base}?"
    elif verb in TAKING_OBJECTS:
        yield from _taking(subject, verb, main)
    elif verb in BASE_OF_PAST:
        yield from _doing(subject, verb, main)


def _being(subject: str, verb: str, main: str) -> Iterator[str]:
    kept = ""
    while not kept and (adverb := _ADVERB.match(main)):
        if adverb.group() in {"not ", "never "}:
            return
        kept = f"{adverb['kept']} " if adverb["kept"] else ""
        main = main[adverb.end() :]
    first, _, after = main.partition(" ")
    if first in {"a", "an", "the", "one"}:
        yield from _defined(subject, verb, main)
    elif preposed := _PREPOSED.match(main):
        yield f"{_WITH_PREPOSITION[preposed[1]]} {verb} {subject} {preposed[1]}?"
    elif is_participle(first):
        yield from _done(subject, verb, kept, first, after)
    elif soon := re.match(rf"to be (\w+ed|\w+en) by {TIME}$", main):
        yield f"By when {verb} {subject} to be {soon[1]}?"
    elif subject.startswith("the ") and verb in {"is", "was"} and _VALUE.match(main):
        yield f"What {verb} {subject}?"


def _defined(subject: str, verb: str, main: str) -> Iterator[str]:
    """Ask who or what the subject is, and the other way round who is "the president of France"."""
    kind = kind_of(main.removeprefix("one of "))
    common = subject.startswith(_COMMON)
    if not kind or (common and (kind == "person" or main.startswith("the "))):
        return
    asks = f"{'Who' if kind == 'person' else 'What'} {verb}"
    yield f"{asks} {subject}?"
    inverse = _INVERSE.match(main)
    if inverse and not common and verb in {"is", "was"} and len(inverse.group().split()) <= 12:
        yield f"{asks} {inverse.group()}?"


def _done(subject: str, verb: str, kept: str, participle: str, after: str) -> Iterator[str]:
    """Ask when, by whom and where something was done, and how often it is."""
    done = f"{kept}{participle}"
    if often := re.match(r"((?:by|in|at|with|for) [\w ]{2,30} )?every (?:\d|[a-z]+$|\w+day\b)", after):
        yield f"How often {verb} {subject} {done}{' ' + often[1].strip() if often[1] else ''}?"
        return
    if verb in {"was", "were"}:
        when = re.match(rf"((?:[^\d,]{{1,60}}?) )?(?:in|on) {TIME}(?=$| )", after)
        middle = (when[1] or "").strip() if when else ""
        if when and _is_phrase(middle):
            yield f"When {verb} {subject} {done} {middle}?"
    by = re.match(
        rf"(?:and (\w+) )?by (?:the )?({_AGENT})(?=$| (?:in|on|at|for|from|under|with|as)\b)", after
    )
    if by and not _NO_AGENT.match(by[2]) and (" " in by[2] or not by[2].isupper()):
        pasts = [past_of(each) for each in (participle, by[1]) if each]
        if verb in {"was", "were"} and all(pasts):
            yield f"Who {' and '.join(pasts)} {subject}?"
        elif not by[1] and " " in by[2]:
            yield f"By whom {verb} {subject} {participle}?"
    where = re.match(
        rf"(?:(?:in|on) {TIME} )?(?:in|at|near|on) (?:the )?(?!{TIME}|{MONTH}|\d|early|late)", after
    )
    if where and participle in _PLACED:
        at = after[where.end() :]
        if participle in _ALWAYS_PLACED or (at[:1].isupper() and not _NO_PLACE.match(at)):
            yield f"Where {verb} {subject} {done}?"


def _is_phrase(middle: str) -> bool:
    """Say whether what stands between a verb and its time can stay in the question."""
    said = middle.split()
    return not said or (
        len(said) <= 8
        and said[0] in {"as", "by", "in", "at", "on", "for", "to", "into", "from", "under", "with"}
        and not (_REFERRING | {"and"}) & {*said}
    )


def _having(subject: str, verb: str, main: str) -> Iterator[str]:
    does, be = ("does", "is") if verb == "has" else ("did", "was")
    if told := _PROPERTY.match(main):
        yield f"What {be} the {told[1].strip()} of {subject}?"
    elif counted := _COUNTED.match(main):
        yield f"How many {counted[1]} {does} {subject} have?"


def _having_to(subject: str, main: str) -> Iterator[str]:
    if (often := re.match(r"be (\w+) every ", main)) and is_participle(often[1]):
        yield f"How often must {subject} be {often[1]}?"
    elif re.match(rf"be (?:below|above|under|over|at least|at most|less than|more than) {NUMBER}", main):
        yield f"What is the limit of {subject}?"


def _taking(subject: str, verb: str, main: str) -> Iterator[str]:
    if verb == "makes" and not re.fullmatch(r"[a-z -]+s", main):
        return  # "makes it possible"
    if re.match(r"(?!(?:it|him|her|them|this|that|up|out)\b)(?:the |an? )?[\w“\"]", main):
        yield f"What does {subject} {TAKING_OBJECTS[verb]}?"


def _doing(subject: str, verb: str, main: str) -> Iterator[str]:
    when = re.match(rf"((?:[^\d,]{{1,60}}?) )?(?:in|on) {TIME}(?=$| )", main)
    middle = (when[1] or "").strip() if when else ""
    if when and len(middle.split()) <= 8 and not (_REFERRING | {"and"}) & {*middle.split()}:
        yield f"When did {subject} {BASE_OF_PAST[verb]} {middle}?"
    made = re.match(rf"(?:the )?{NAME}(?: (?:{NAME}|of|the|and|in))*(?=$| (?:in|on) {TIME}$)", main)
    if made and verb in DEEDS_OF_MAKERS and not subject.startswith(_COMMON):
        yield f"Who {verb} {made.group()}?"
