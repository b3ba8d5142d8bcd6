"""What a question asks of which thing, as "the base pressure of the PE-300", and what speaks of both."""

import re
from collections.abc import Sequence

from core.llm.extractive.lexicon import in_chinese, own_terms, synonyms
from core.llm.extractive.phrases import ASKS
from core.llm.extractive.quantities import measures, measures_another
from core.llm.extractive.questions import read
from core.llm.extractive.reading import Line, bag_of, heading_of
from core.llm.extractive.rows import looked_up, row_of
from core.tasks import Evidence
from core.text.tokens import content_words, is_cjk

_OWNED = re.compile(r"['’]s ((?:[a-z][\w-]* ){0,2}[a-z][\w-]*)$")
_ATTRIBUTE = re.compile(
    r"^[Ww]hat (?:is|was|are|were) the ((?:[a-z][\w-]* ){0,3}?[a-z][\w-]*)(?= (?:of|in|for|at|on|to)\b|$)"
)
_QUANTITY = re.compile(
    r"^(?:[Aa]t |[Tt]o |[Ff]or )?(?:[Ww]hat|[Ww]hich) ((?:[a-z][\w-]* ){0,2}(?:temperature|pressure|torque|"
    r"voltage|power|speed|thickness|size|level|diameter|frequency)) "
    r"(?:do|does|did|is|are|was|were|must|may|can|should)\b"
)
_OF_THE = re.compile(r"^[Ww]hat ([a-z]+) (?:is|are|was|were) (?:the|its|their) ")  # "what colour is the lid"
_ATTRIBUTE_ZH = re.compile(r"(?:的|^)([^的，]{2,10}?)(?:是|为|有)?(?:多少|几)")
_OBJECT_ZH = re.compile(r"^(.{2,24}?)的[^的，。]{1,14}?(?:是|为|有|在)?(?:谁|多少|几|多[长久大高重]|什么|哪)")
_ADDED = re.compile(r"\s*\([^()]*\)$")  # other names, put behind a question for a search


def attribute(question: str) -> tuple[str, ...]:
    """Return the words of what is asked of a thing: "base pressure" in "What is the base pressure of X?"."""
    frame = read(question).frame
    match = _ATTRIBUTE_ZH.search(frame) if is_cjk(question) else _ATTRIBUTE.search(frame)
    match = match or _OWNED.search(frame) or _QUANTITY.search(frame) or _OF_THE.search(frame)
    if match is None or any(pattern.search(frame.lower()) for _, pattern in ASKS):
        return ()  # "place of birth" is told as "born in"
    return tuple(word for word in content_words(match.group(1)) if word != "name")


def says_attribute(question: str, text: str) -> bool:
    """Say whether a sentence, with its heading, says most of the attribute a question asks for.

    A figure says what it is by its unit: "2500 W" is a power. Of a Chinese sentence half is enough where the
    dictionary does not know how the rest is said in Chinese.
    """
    wanted = attribute(question)
    bag = frozenset(bag_of(text))
    unsaid = [word for word in wanted if not (_said(word, bag) or measures(word, text))]
    if not unsaid or 2 * len(unsaid) < len(wanted):
        return True
    return is_cjk(text) and 2 * len(unsaid) <= len(wanted) and not any(map(in_chinese, unsaid))


def says_object(question: str, text: str) -> bool:
    """Say whether a text speaks of what has the attribute a question asks for: "the price of X" of X."""
    if is_cjk(question):
        return _says_object_zh(question, text)
    wanted = attribute(question)
    match = re.search(r" (?:of|for) (?:the |a |an )?(.+)$", read(question).frame) if wanted else None
    if match is None:
        return True
    about = content_words(_ADDED.sub("", read(question).fill(match.group(1))))
    about = [word for word in about if len(word) > 1] or about  # of "revision B" the letter says little
    bag = frozenset(bag_of(text))
    return not about or any(_said(word, bag) for word in about)


def _says_object_zh(question: str, text: str) -> bool:
    """Do so for "X的价格是多少"; a text in another script is held against the dictionary's terms in X."""
    match = _OBJECT_ZH.match(question)
    about = match.group(1) if match else ""
    asked, bag = content_words(about), frozenset(bag_of(text))
    if not asked or any(_said(word, bag) for word in asked):
        return True
    terms = own_terms(about)
    if not terms.isdisjoint(in_chinese(text)):
        return True
    return not is_cjk(text) and not terms and not any(word.isascii() for word in asked)


def told_of(line: Line, piece: Evidence) -> str:
    """Return what says of what a line speaks: its passage and title, of a row its heading only."""
    around = heading_of(piece.text) if row_of(line.text) else piece.text
    return f"{line.text} {around} {piece.source}"


def about_it(question: str, lines: Sequence[Line], evidence: Sequence[Evidence]) -> list[Line]:
    """Return the sentences whose passage speaks of what a Chinese question asks about: a supplier of another
    part is no answer, whatever else it says of the question's words."""
    if not is_cjk(question):
        return list(lines)
    pieces = {piece.n: piece for piece in evidence}
    return [line for line in lines if says_object(question, told_of(line, pieces[line.n]))]


def speaking_of_it(question: str, rows: Sequence[Line], evidence: Sequence[Evidence]) -> list[Line]:
    """Return the rows that speak of what has the attribute a question asks for, with their headings.

    One that was looked up must say the attribute too: a yield is no target yield.
    """
    around = {piece.n: f"{piece.source} {heading_of(piece.text)}" for piece in evidence}
    return [
        row
        for row in rows
        for told in [f"{row.text} {around.get(row.n, '')}"]
        if says_object(question, told) and (not looked_up(row.text) or says_attribute(question, told))
    ]


def misfits(question: str, figure: str) -> bool:
    """Say whether a figure measures something else than the question asks for: no voltage is a price."""
    return measures_another(question, next(reversed(attribute(question)), ""), figure)


def _said(word: str, bag: frozenset[str]) -> bool:
    return word in bag or not synonyms(word).isdisjoint(bag)
