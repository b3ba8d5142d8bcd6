"""Parses what a reader writes during a run: a further question, or a restriction of the answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Passage
from core.text.periods import BARE_YEAR
from core.text.quantities import ENGLISH_NUMBERS, spelled_number
from core.text.tokens import detect_language

_ALSO = re.compile(
    r"^(?:please\s+|and\s+)*"
    r"(?:also|too|in addition|additionally|what about|how about|don't forget|as well as)\b"
    r"(?:\s+(?:please|consider|include|check|cover|look (?:at|into|up)|tell me|say|add|answer))*[\s:,]*",
    re.I,
)
_ALSO_ZH = re.compile(
    r"^(?:请)?(?:另外|此外|还有|还要|同时|也|再)(?:请)?(?:考虑|包括|看看|查|查一下|说明|回答)?[，,:：\s]*"
)
_ASKS = re.compile(
    r"^(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could)\b", re.I
)
_ONLY = r"(?:only|just|limit(?:ed)? (?:it )?to|restrict(?:ed)? (?:it )?to|nothing but)"
_YEAR = f"({BARE_YEAR})"
_SPAN = re.compile(rf"{_YEAR}\s*(?:to|until|and|-|–|—|到|至)\s*{_YEAR}", re.I)
_SINCE = re.compile(
    rf"(?:since|from|after|not before)\s+(?:the year\s+)?{_YEAR}|{_YEAR}\s*年?(?:以来|以后|之后|起)", re.I
)
_UNTIL = re.compile(
    rf"(?:before|until|up to)\s+(?:the year\s+)?{_YEAR}|{_YEAR}\s*年?(?:以前|之前|为止)", re.I
)
_ONE_YEAR = re.compile(rf"(?:{_ONLY}|仅|只|限于)\D{{0,24}}(?<![A-Za-z_-]){_YEAR}|{_YEAR}\s+only\b", re.I)
_ANY_YEAR = re.compile(rf"(?<!\d){_YEAR}(?!\d)")
_SENTENCES = re.compile(
    rf"\b({'|'.join(ENGLISH_NUMBERS[:5])}|a single|\d{{1,2}})\s+(?:short\s+)?sentences?\b"
    r"|用?([一两二三四五1-9])句(?:话)?",
    re.I,
)
_SHORT = re.compile(
    r"\b(?:briefly|in brief|keep it short|short answer|be brief|concise(?:ly)?)\b|简短|简要|简洁", re.I
)
BRIEF_SENTENCES = 2  # sentences of an answer that is to be short


@dataclass(frozen=True)
class Instruction:
    """An instruction in a run. `question` is "" for a restriction; `years` are the first and the last."""

    text: str = ""
    question: str = ""
    sentences: int = 0  # most of the answer, 0: as many as it takes
    years: tuple[int, int] | None = None

    def beside(self, question: str) -> str:
        """Return the question with the instruction behind it, as the writer reads it."""
        return f"{question} ({self.text})" if self.text else question

    def narrow(self, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Return the passages that mention the years wished for; all of them where none does.

        Years count in the words, the title and the document's own date; what is pinned stays.
        """
        if self.years is None:
            return tuple(passages)
        first, last = self.years
        speaking = {
            p.chunk.id
            for p in passages
            if any(
                first <= int(year) <= last
                for year in _ANY_YEAR.findall(f"{p.date} {p.document_title} {p.chunk.passage_text()}")
            )
        }
        return tuple(p for p in passages if not speaking or p.pinned or p.chunk.id in speaking)


def read(text: str) -> Instruction:
    """Return an instruction parsed: a further question, or a restriction."""
    cleaned = " ".join(text.split())
    years, sentences = _years(cleaned), _sentences(cleaned)
    rest = (
        _ALSO_ZH.sub("", _ALSO.sub("", cleaned))
        if _ALSO.match(cleaned) or _ALSO_ZH.match(cleaned)
        else cleaned
    )
    also = rest != cleaned
    asks = bool(_ASKS.match(rest)) or (not also and rest.endswith(("?", "？")))
    if rest and (asks or also) and not sentences and not years:
        return Instruction(cleaned, question=rest if asks else _as_question(rest))
    return Instruction(cleaned, sentences=sentences, years=years)


def combined(wishes: Sequence[str]) -> Instruction:
    """Return all restrictions of a run as one: the last that says a length or a time holds."""
    each = [read(wish) for wish in wishes]
    return Instruction(
        text="; ".join(wish.text.rstrip(".。;") for wish in each),
        sentences=next((wish.sentences for wish in reversed(each) if wish.sentences), 0),
        years=next((wish.years for wish in reversed(each) if wish.years), None),
    )


def _as_question(topic: str) -> str:
    """Return a question that stands alone about what is to be considered as well."""
    bare = topic.rstrip(".。!！?？ ")
    if detect_language(topic) == "zh":
        return f"关于{bare}，资料中说了什么？"
    return f"What is said about {bare}?"


def _years(text: str) -> tuple[int, int] | None:
    if match := _SPAN.search(text):
        first, last = sorted((int(match[1]), int(match[2])))
        return first, last
    if match := _SINCE.search(text):
        return int(match[1] or match[2]), 9999
    if match := _UNTIL.search(text):
        return 0, int(match[1] or match[2]) - 1
    if match := _ONE_YEAR.search(text):
        year = int(match[1] or match[2])
        return year, year
    return None


def _sentences(text: str) -> int:
    if match := _SENTENCES.search(text):
        word = (match[1] or match[2]).lower()
        if word.isdigit():
            return int(word)
        return 1 if word == "a single" else spelled_number(word) or 1
    return BRIEF_SENTENCES if _SHORT.search(text) else 0
