"""The revision, version or edition a question asks of: others of the same document do not answer it.

Where it names none, the latest of those found does. Documents are editions of one where their titles and
file names differ in nothing but that.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from core.domain import Evidence
from core.text.codes import THING_CODE
from core.text.periods import is_year

_MARK = r"(?-i:[A-Z])(?![\w-])|\d+(?:\.\d+)*(?![\w-])"
_EDITION = re.compile(
    r"\b(?P<word>revision|rev|version|edition|ed|issue|ausgabe|auflage|fassung)(?:\b\.?[:\s]\s*(?:no\.?\s*)?|\.?(?=\d))"
    rf"(?P<mark>{_MARK})",
    re.IGNORECASE,
)
_EDITION_BEHIND = re.compile(  # "2019 edition", "3rd issue"
    r"(?<![\w.-])(?P<mark>(?:19|20)\d\d|\d{1,2}(?=st|nd|rd|th))(?:st|nd|rd|th)?\s+"
    r"(?P<word>edition|issue|revision|version)\b",
    re.IGNORECASE,
)
_EDITION_ZH = re.compile(r"(?:第|版本\s*|(?<![A-Za-z\d.-]))(?P<mark>(?-i:[A-Z])|\d+(?:\.\d+)*)\s?版(?!本)")
_SHORT = {
    "rev": "revision",
    "ed": "edition",
    "ausgabe": "edition",
    "auflage": "edition",
    "fassung": "version",
}
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")  # of an edition, in the name of its file
_FILE = re.compile(r"^.*\(([^()]+\.\w{2,5})\)$", re.DOTALL)  # "Title (file.docx)"
MIN_NAME_LETTERS = 6  # of a file's name without its edition, from which it says what the document is
_ENDING = re.compile(r"\.[a-z]\w{1,4}(?=\W*$)")  # of a file's name
_BEFORE = re.compile(  # asks for what was so before, or for more than one edition
    r"\b(?:previous\w*|former\w*|earlier|old(?:er)?|used to|original\w*|superseded|withdrawn|chang\w+"
    r"|differ\w*|both|compar\w+|versions|revisions|editions)\b"
    r"|以前|之前|原来|旧|上一版|变化|变更|改|不同|区别|各版",
    re.IGNORECASE,
)

_PRECEDING = re.compile(  # "before the 2024 edition", "prior to revision C"
    r"\b(?:before|prior to|until)\s+(?:the\s+)?(?:(?:\d{4}|\d{1,2}(?:st|nd|rd|th))\s+)?"
    r"(?:edition|issue|revision|version)\b",
    re.IGNORECASE,
)


def other_editions(question: str, evidence: Sequence[Evidence]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the edition a question names, and the editions found in its place; both empty where the edition
    was found, or no edition was."""
    asked = dict(_editions(question))
    codes = THING_CODE.findall(question)
    if len(asked) != 1:
        return (), ()
    (wanted, edition) = next(iter(asked.items()))
    editions: dict[tuple[str, str], str] = {}
    for piece in evidence:
        text = "\n".join((piece.source, *piece.heading, piece.text))
        if all(code in f"{text} {piece.name}" for code in codes):
            editions.update(_editions(text))
    if wanted in editions:
        return (), ()
    others = sorted(found for mark, found in editions.items() if _alike(mark, wanted))
    return ((edition,), tuple(others)) if others else ((), ())


def is_of_other_edition(question: str, piece: Evidence) -> bool:
    """Say whether a question names one edition, and the piece's document is another of that kind; or is that
    one where it is asked what was so before it."""
    asked = dict(_editions(question))
    called = f"{piece.source} {piece.name}".replace("_", " ")
    editions = dict(_editions(called))
    if _PRECEDING.search(question):
        return any(
            mark in editions or (is_year(mark[1]) and mark[1] in _YEAR.findall(called)) for mark in asked
        )
    same_kind = {mark for mark in editions if any(_alike(mark, each) for each in asked)}
    return len(asked) == 1 and bool(same_kind) and same_kind.isdisjoint(asked)


def _alike(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Say whether two editions are called alike: by a year both, or by a number or letter."""
    return one[0] == other[0] and is_year(one[1]) == is_year(other[1])


def _editions(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the editions a text names: (kind, mark), and the two as a reader writes them."""
    for found in (*_EDITION.finditer(text), *_EDITION_BEHIND.finditer(text)):
        word = found["word"].lower()
        word = _SHORT.get(word, word)
        yield (word, found["mark"]), f"{word} {found['mark']}"
    for found in _EDITION_ZH.finditer(text):
        yield ("revision", found["mark"]), f"{found['mark']} 版"


def in_force(question: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the evidence without that of editions for which another stands."""
    replaced = superseded(question, (_called(piece) for piece in evidence))
    return [piece for piece in evidence if _called(piece) not in replaced]


def superseded(question: str, documents: Iterable[str]) -> frozenset[str]:
    """Return which of these titles are editions for which another one stands: the one the question names,
    else the latest. None do where it asks for what changed, or was so in a year."""
    otherwise = _EDITION_BEHIND.sub("", question)
    if (
        _BEFORE.search(question)
        or _PRECEDING.search(question)
        or re.search(r"(?<![\w.-])(?:19|20)\d\d(?![\w-])", otherwise)
    ):
        return frozenset()
    asked = {edition for edition, _ in _editions(question)}
    series: dict[tuple[str, str], dict[str, str]] = {}  # titles, by their edition's mark
    for document in dict.fromkeys(documents):
        for name in (_FILE.sub(r"\1", document) if _FILE.search(document) else "", document):
            words = _ENDING.sub("", name.replace("_", " "))
            editions = {edition for edition, _ in _editions(words)}
            bare = _EDITION_BEHIND.sub(" ", _EDITION_ZH.sub(" ", _EDITION.sub(" ", words)))
            bare = _YEAR.sub(" ", bare)
            rest = " ".join(re.findall(r"\w+", bare.casefold()))
            if len(editions) == 1 and (name == document or len(rest) >= MIN_NAME_LETTERS):
                ((word, mark),) = editions
                series.setdefault((rest, word), {})[document] = mark
                break  # files of one name are editions of one document, whatever their titles are
    replaced: set[str] = set()
    for (_, word), marks in series.items():
        named = [mark for kind, mark in asked if kind == word and mark in marks.values()]
        if not named and any(kind == word and is_year(mark) for kind, mark in asked):
            continue  # which of them that year's is, their names do not say
        if len({mark[0].isdigit() for mark in marks.values()}) == 1 and len(named) < 2:
            in_force_mark = named[0] if named else max(marks.values(), key=_place)
            replaced |= {document for document, mark in marks.items() if mark != in_force_mark}
    return frozenset(replaced)


def _called(piece: Evidence) -> str:
    return f"{piece.source} ({piece.name})" if piece.name not in piece.source else piece.source


def _place(mark: str) -> tuple[int | str, ...]:
    """Return the place of a mark among others of its kind."""
    return tuple(map(int, mark.split("."))) if mark[0].isdigit() else (mark,)
