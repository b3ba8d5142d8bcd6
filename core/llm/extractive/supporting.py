"""Chooses what stands in an answer: the sentence that leads, and only what belongs to it."""

import re
from collections.abc import Sequence

from core.llm.extractive.attributes import misfits
from core.llm.extractive.counts import counts_nothing
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.matching import likeness
from core.llm.extractive.questions import SLOT, counted_noun, expected_kind, read, said_plainly
from core.llm.extractive.reading import Line, bag_of
from core.llm.extractive.rows import row_of
from core.llm.extractive.spans import candidates
from core.text.tokens import content_words, is_cjk, words

MOST_LISTED = 12  # rows or steps of a list
SURELY = 0.9  # how like the question one must be that a sentence answers, so that no other counts
ALIKE = 0.02  # scores of two rows this near say nothing of which one is meant
_ISO = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_STEPS = re.compile(r"\bsteps?\b|\bprocedure\b|步骤|流程", re.IGNORECASE)
_MANY = re.compile(
    r"\bwhat (?:did|was|were|has|have)\b.* (?:decided?|agreed?|resolved?)\b"
    r"(?! (?:about|on|for|regarding|to)\b)|"
    r"\b(?:which|what|list|name|show|all)\b(?: \w+){0,2} (?!is\b|was\b|does\b|has\b)[a-z]{2,}s\b|哪些|列出|"
    r"哪几|所有|全部|决定了?什么|定了什么",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:\d{1,2}[.)、]|[-*•])\s*\S")
_FIGURE = {"number", "date"}
_CODE = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Za-z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{1,8}(?:-[A-Z0-9]{1,8})*(?![A-Za-z0-9-])"
)
_PRONOUN = re.compile(r"(?:It|Its|They|Their)\b|[它其该]")
_NOUN_CODE = re.compile(r"\b([A-Za-z]{3,}) ([A-Z]+-?\d[\w-]*)")
_NOUN_SIGN = re.compile(  # what is told apart by a letter or a number
    r"\b((?:[Rr]evi|[Vv]er)sion|[Ii]ssue|[Ee]dition|[Ss]tep|[Ww]eek|[Ss]ection|[Cc]hapter|[Cc]hamber|[Pp]hase)"
    r" ([A-Z]|\d{1,3})\b"
)
_DONE = re.compile(
    r"(?:which|what) [a-z]+ (?:was|were|has been|have been) (?P<deed>[a-z]+(?:ed|en|wn))\b", re.IGNORECASE
)
_STEP = re.compile(r"\d{1,2}[.)] [A-Z](?![a-z]*(?:ed|en|wn|ing)\b)[a-z]+ ")
_BEFORE_AND_AFTER = re.compile(r"\bbefore and after\b|前后|之前和之后", re.IGNORECASE)
_FROM_TO = re.compile(
    r"\bfrom [^.;:,]{0,20}?\d[^;:,]{0,20}? to [^.;:,]{0,10}?\d[\d.]*(?: ?[^\W\d_]+| ?%)?"
    r"|[由从][^，。；]{0,12}\d[^，。；]{0,10}[为到至][^，。；]{0,12}"
)
_PERIOD = re.compile(r"(?:q[1-4]|h[12]|fy\d+|kw\d+|w\d{1,2})(?:-\d+)?")


def codes_of(text: str) -> frozenset[str]:
    """Return the codes a text names ("E-217", "L25-0317"), lower case."""
    return frozenset(match.group().lower() for match in _CODE.finditer(text))


def fitting(question: str, lines: Sequence[Line]) -> list[Line]:
    """Drop rows that lack a code the question names and others of their table have, and sentences beside it.

    A sentence that shares no word with the question says nothing about it; one that names another code of
    the same family instead ("E-104" for "E-217") speaks of something else.
    """
    plainly = said_plainly(question)
    asked = frozenset(content_words(plainly)) or frozenset(words(plainly))
    kin = asked.union(*(synonyms(word) for word in asked))
    codes = codes_of(question)
    kept = [line for line in lines if line.headed or not kin.isdisjoint(bag_of(line.text))]
    for code in codes:
        tables = {_columns(line) for line in kept if code in codes_of(line.text)} - {()}
        kept = [line for line in kept if _columns(line) not in tables or code in codes_of(line.text)]
    kept = [line for line in kept if not _of_another(question, line.text)]
    kept = _saying_so(question, _counting(question, kept))
    families = {re.split(r"\d", code)[0] for code in codes}
    return _newest_first(
        question,
        [
            line
            for line in kept
            if not codes
            or not codes.isdisjoint(told := codes_of(line.text))
            or not any(re.split(r"\d", code)[0] in families for code in told)
        ],
    )


def _saying_so(question: str, lines: list[Line]) -> list[Line]:
    """Keep only the sentences that answer this very question, where there are any."""
    return [line for line in lines if likeness(question, line.text, "") >= SURELY] or lines


def _counting(question: str, lines: list[Line]) -> list[Line]:
    """Keep only the sentences that hold a figure and say what "how much" and "how many" ask for."""
    lines = [line for line in lines if not counts_nothing(question, line.text)]
    noun = content_words(counted_noun(question))[-1:]
    said = [line for line in lines if noun and _said(noun[0], frozenset(bag_of(line.text)))]
    said = [line for line in said if holds(question, line)]
    counted = [line for line in said if _counts(line.text, counted_noun(question))]
    return counted or said or lines


def _counts(text: str, noun: str) -> bool:
    """Say whether a text counts a thing: "Two persons", "24 added particles", "Chambers: 2"."""
    names = [noun.removesuffix("s"), *synonyms(noun)] if is_cjk(noun) else [noun.removesuffix("s")]
    stem = f"(?:{'|'.join(map(re.escape, names))})"
    number = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten)"
    pattern = rf"(?<![\w.-]){number} (?:[\w-]+ ){{0,2}}{stem}|\b{stem}s?[^:;]{{0,30}}: ?\d"
    pattern += rf"|[\d一二两三四五六七八九十] ?[个台名位片件条套只]?{stem}" if is_cjk(noun) else ""
    return re.search(pattern, text, re.IGNORECASE) is not None


def _newest_first(question: str, lines: list[Line]) -> list[Line]:
    """Let the latest dated row lead rows of its table that say as much, unless the question names a time."""
    lead = lines[0] if lines else None
    if lead is None or not row_of(lead.text) or not _dated(lead) or re.search(r"\d{4}", question):
        return lines
    alike = [
        line
        for line in lines
        if line.n == lead.n and line.score >= lead.score - ALIKE and _columns(line) == _columns(lead)
    ]
    latest = max(alike, key=_dated)
    return [latest, *(line for line in lines if line is not latest)]


def _columns(line: Line) -> tuple[str, ...]:
    """Return the names of a row's columns, none for a sentence."""
    return tuple(cell.column for cell in row_of(line.text))


def _dated(line: Line) -> str:
    """Return the ISO date a row says, "" for none."""
    return max((cell.value for cell in row_of(line.text) if _ISO.fullmatch(cell.value.strip())), default="")


def _of_another(question: str, text: str) -> bool:
    """Say whether a text names another one of what the question names: "product A77" for "product B12"."""
    told = text.lower()
    for noun, code in _NOUN_CODE.findall(question):
        others = re.findall(rf"\b{re.escape(noun.lower())}s?:? ([a-z]+-?\d[\w-]*)", told)
        if others and code.lower() not in told:
            return True
    for noun, sign in _NOUN_SIGN.findall(question):
        others = re.findall(rf"\b(?i:{noun}):? ([A-Z]|\d{{1,3}})\b", text)
        if others and sign not in others:
            return True
    return False


def wants_many(question: str) -> bool:
    """Say whether a question asks for all of several things, so that rows and steps stand together."""
    kind = expected_kind(question)
    return kind in {"list", "procedure"} or bool(
        _STEPS.search(question) or _MANY.search(read(question).frame)
    )


def beside(question: str, lead: Line, lines: Sequence[Line]) -> list[Line]:
    """Return what belongs to the lead: rows or steps of its list, its cause, nothing else."""
    kind = expected_kind(question)
    same = [line for line in lines if line.n == lead.n and line.at != lead.at]
    if row_of(lead.text):
        return _rows(question, lead, same) if wants_many(question) else []
    if wants_many(question) and _NUMBERED.match(lead.text):
        least = 0.5 * lead.score if kind == "procedure" and not _STEPS.search(question) else 0.0
        return [line for line in same if _NUMBERED.match(line.text) and line.score >= least][:MOST_LISTED]
    if kind == "cause":
        return [line for line in same if line.score >= 0.5 * lead.score][:2]
    if kind in {"definition", "list", "procedure"}:
        said = frozenset(bag_of(lead.text))
        return [
            line
            for line in same
            if line.score >= 0.62 * lead.score
            and line.coverage >= 0.5
            and len(frozenset(bag_of(line.text)) - said) >= 3
        ][:2]
    return []


def _rows(question: str, lead: Line, same: Sequence[Line]) -> list[Line]:
    """Return the rows of the lead's table that say the values of the question the lead says."""
    columns = [cell.column for cell in row_of(lead.text)]
    asked = frozenset(content_words(question))
    heads = frozenset(word for column in columns for word in content_words(column))
    whole = [frozenset(content_words(cell.value)) for cell in row_of(lead.text)]
    values = frozenset().union(*(value for value in whole if value <= asked - heads))
    if not values:  # "focus ring" of "Focus ring, silicon": what the lead says of the question's words
        half = (value & asked - heads for value in whole if 2 * len(value & asked - heads) >= len(value))
        values = frozenset().union(*half)
    codes = codes_of(question) & codes_of(lead.text)
    return [
        line
        for line in same
        if [cell.column for cell in row_of(line.text)] == columns
        and values <= frozenset(bag_of(line.text))
        and codes <= codes_of(line.text)
    ][:MOST_LISTED]


def unheard_code(question: str, told: str) -> bool:
    """Say whether the question names a code that no evidence does, so that nothing can be said of it."""
    known = {code.replace("-", "") for code in codes_of(told)}
    asked = (code for code in codes_of(question) if not _PERIOD.fullmatch(code))
    return any(code.replace("-", "") not in known for code in asked)


def matter(question: str) -> frozenset[str]:
    """Return what a question asks about its names: its content words without the names."""
    return frozenset(content_words(_CODE.sub(" ", re.sub(SLOT, " ", read(said_plainly(question)).frame))))


def speaks(question: str, line: Line) -> bool:
    """Say whether a sentence says what is asked of the names, not the names alone, and holds such a thing."""
    kind = expected_kind(question)
    about, bag = matter(question), frozenset(bag_of(line.text))
    said = sum(_said(word, bag) for word in about)
    coded = not codes_of(question).isdisjoint(codes_of(line.text)) and kind not in _FIGURE
    strict = row_of(line.text) and not coded and not _PRONOUN.match(line.text)
    if about and not line.headed and said < (0.4 * len(about) if strict else 1):
        return False
    return holds(question, line)


def holds(question: str, line: Line) -> bool:
    """Say whether a sentence holds a date where one is asked for, or a figure of what is asked for."""
    kind = expected_kind(question)
    if kind == "number":
        return any(not misfits(question, found.text) for found in candidates(line.text, kind))
    return kind not in _FIGURE or bool(candidates(line.text, kind))


def tells_it_done(question: str, line: Line) -> bool:
    """Say whether a sentence tells that something was done, where "which chamber was vented" asks for it: it
    says the verb, and is no step that tells what to do."""
    asked = _DONE.match(question)
    if asked is None:
        return True
    said = all(_said(word, frozenset(bag_of(line.text))) for word in content_words(asked["deed"]))
    return said and _STEP.match(line.text) is None


def steps_of(question: str, lines: Sequence[Line]) -> list[Line]:
    """Return the numbered steps of the passage that has most of them, where steps are asked for."""
    if not _STEPS.search(question):
        return []
    numbered: dict[int, list[Line]] = {}
    for line in lines:
        if re.match(r"\d{1,2}[.)、]\s*\S", line.text):
            numbered.setdefault(line.n, []).append(line)
    best = max(numbered.values(), key=len, default=[])
    if len(best) < 3:
        return []
    first, last = min(line.at for line in best), max(line.at for line in best)
    within = [line for line in lines if line.n == best[0].n and first <= line.at]
    return sorted((line for line in within if line.at <= last + 1), key=lambda line: line.at)[
        : 2 * MOST_LISTED
    ]


def change(question: str, lines: Sequence[Line]) -> tuple[Line, str] | None:
    """Return the sentence that says a change and its two values, where "before and after" is asked."""
    if not _BEFORE_AND_AFTER.search(question):
        return None
    for line in lines:
        match = _FROM_TO.search(line.text)
        if match is not None and speaks(question, line):
            return line, match.group().strip()
    return None


def _said(word: str, bag: frozenset[str]) -> bool:
    return word in bag or not synonyms(word).isdisjoint(bag)
