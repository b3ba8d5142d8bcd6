"""Chooses what stands in an answer: the sentence that leads, and only what belongs to it."""

import re
from collections.abc import Sequence

from core.language import content_words, is_cjk, words
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.phrases import ASKS
from core.llm.extractive.questions import SLOT, expected_kind, read
from core.llm.extractive.reading import Line, bag_of
from core.llm.extractive.rows import row_of
from core.llm.extractive.spans import candidates

MOST_LISTED = 12  # rows or steps of a list
ALIKE = 0.02  # scores of two rows this near say nothing of which one is meant
_ISO = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_STEPS = re.compile(r"\bsteps?\b|\bprocedure\b|步骤|流程", re.IGNORECASE)
_MANY = re.compile(
    r"\b(?:which|what|list|name|show|all)\b(?: \w+){0,2} (?!is\b|was\b|does\b|has\b)[a-z]{2,}s\b|哪些|列出|"
    r"哪几|所有|全部",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:\d{1,2}[.)、]|[-*•])\s*\S")
_FIGURE = {"number", "date"}
_CODE = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Za-z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{1,8}(?:-[A-Z0-9]{1,8})*(?![A-Za-z0-9-])"
)
_PRONOUN = re.compile(r"(?:It|Its|They|Their)\b|[它其该]")
_NOUN_CODE = re.compile(r"\b([A-Za-z]{3,}) ([A-Z]+-?\d[\w-]*)")
_BEFORE_AND_AFTER = re.compile(r"\bbefore and after\b|前后|之前和之后", re.IGNORECASE)
_FROM_TO = re.compile(
    r"\bfrom [^.;:,]{0,20}?\d[^;:,]{0,20}? to [^.;:,]{0,10}?\d[\d.]*(?: ?[^\W\d_]+| ?%)?"
    r"|[由从][^，。；]{0,12}\d[^，。；]{0,10}[为到至][^，。；]{0,12}"
)
_OWNED = re.compile(r"['’]s ((?:[a-z][\w-]* ){0,2}[a-z][\w-]*)$")
_ATTRIBUTE = re.compile(
    r"^[Ww]hat (?:is|was|are|were) the ((?:[a-z][\w-]* ){0,3}?[a-z][\w-]*)(?= (?:of|in|for|at|on|to)\b|$)"
)
_ATTRIBUTE_ZH = re.compile(r"(?:的|^)([^的，]{2,10}?)(?:是|为|有)?(?:多少|几)")


def codes_of(text: str) -> frozenset[str]:
    """Return the codes a text names ("E-217", "L25-0317"), lower case."""
    return frozenset(match.group().lower() for match in _CODE.finditer(text))


def fitting(question: str, lines: Sequence[Line]) -> list[Line]:
    """Drop rows that lack a code the question names and others of their table have, and sentences beside it.

    A sentence that shares no word with the question says nothing about it; one that names another code of
    the same family instead ("E-104" for "E-217") speaks of something else.
    """
    asked = frozenset(content_words(question)) or frozenset(words(question))
    kin = asked.union(*(synonyms(word) for word in asked))
    codes = codes_of(question)
    kept = [line for line in lines if line.headed or not kin.isdisjoint(bag_of(line.text))]
    for code in codes:
        tables = {_columns(line) for line in kept if code in codes_of(line.text)} - {()}
        kept = [line for line in kept if _columns(line) not in tables or code in codes_of(line.text)]
    kept = [line for line in kept if not _of_another(question, line.text)]
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
        return [line for line in same if _NUMBERED.match(line.text)][:MOST_LISTED]
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


def attribute(question: str) -> tuple[str, ...]:
    """Return the words of what is asked of a thing: "base pressure" in "What is the base pressure of X?"."""
    frame = read(question).frame
    match = _ATTRIBUTE_ZH.search(frame) if is_cjk(question) else _ATTRIBUTE.search(frame)
    match = match or _OWNED.search(frame)
    if match is None or any(pattern.search(frame.lower()) for _, pattern in ASKS):
        return ()  # "place of birth" is told as "born in"
    return tuple(word for word in content_words(match.group(1)) if word != "name")


def says_attribute(question: str, text: str) -> bool:
    """Say whether a sentence, with its heading, says most of the attribute a question asks for."""
    wanted = attribute(question)
    bag = frozenset(bag_of(text))
    said = sum(1 for word in wanted if _said(word, bag))
    return not wanted or said > 0.5 * len(wanted) or (2 * said >= len(wanted) and is_cjk(text))


def matter(question: str) -> frozenset[str]:
    """Return what a question asks about its names: its content words without the names."""
    return frozenset(content_words(_CODE.sub(" ", re.sub(SLOT, " ", read(question).frame))))


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
    """Say whether a sentence holds a figure or a date where one is asked for."""
    kind = expected_kind(question)
    return kind not in _FIGURE or bool(candidates(line.text, kind))


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
