"""The revision, version or edition a question asks of, where what was found is of another one."""

import re
from collections.abc import Iterator, Sequence

from core.domain import Evidence
from core.text.codes import THING_CODE

_MARK = r"(?-i:[A-Z])(?![\w-])|\d+(?:\.\d+)*(?![\w-])"
_SAID = re.compile(
    rf"\b(?P<word>revision|rev|version|edition)\b\.?[:\s]\s*(?:no\.?\s*)?(?P<mark>{_MARK})", re.IGNORECASE
)
_SAID_ZH = re.compile(r"(?:第|版本\s*|(?<![A-Za-z\d.-]))(?P<mark>(?-i:[A-Z])|\d+(?:\.\d+)*)\s?版(?!本)")
_SHORT = {"rev": "revision"}


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
    others = sorted(found for (word, _), found in editions.items() if word == wanted[0])
    return ((edition,), tuple(others)) if others else ((), ())


def _editions(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the editions a text names: (kind, mark), and the two as a reader writes them."""
    for found in _SAID.finditer(text):
        word = found["word"].lower()
        word = _SHORT.get(word, word)
        yield (word, found["mark"]), f"{word} {found['mark']}"
    for found in _SAID_ZH.finditer(text):
        yield ("revision", found["mark"]), f"{found['mark']} 版"
