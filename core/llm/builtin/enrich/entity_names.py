"""Which of a piece's capitalised runs are things: not what only begins a line, is a label, or is cut.

`names_in` finds candidates, for questions too. Of the chunks of a library every name becomes a page: a word
that is capital only because a sentence, an item or a cell begins with it is none, nor is a label before its
value; a name ends where its last token does.
"""

import re
from collections import Counter
from collections.abc import Iterator

from core.text.english_words import lower_case_stems, lower_case_words
from core.text.proper_names import Name, names_in
from core.text.tokens import STOPWORDS_EN, stem

_STARTS = re.compile(
    r"(?:^|[\n.!?:|•·▪●○■□☐☒☑✓–—*∗†‡§¶⁰¹²³⁴-⁹]|\d[.)]|\([a-z\d]{1,3}\)|(?:^|\n)\w[.)])\s*(?:[-*]\s+)?$"
)
_LABEL = re.compile(r"\s?[:：](?:\s|$)")
_REST = re.compile(r"[\w.,/-]*[\w%]")
_COUNT = re.compile(r"[^\n] \d[\d.,]*\s$")
_ABBREVIATED = re.compile(r"\.\s?\d")
_DECIMAL = re.compile(r"\d+(?:[.,]\d+)*%?")
_OF_FIGURE = re.compile(
    r"(?:\b(?:fig(?:ure)?s?|tables?|panels?|schemes?|plates?|supplements?)\b\.?[^.;()\n]{0,40}?[\s,(–-])$",
    re.IGNORECASE,
)
_PANEL = re.compile(r"\d{1,2}[A-Z]")
_VERBAL = ("ing", "ed", "ly")


def entity_names(text: str) -> list[str]:
    """Return the names of the things a piece mentions, as often as each stands there."""
    found = [name for named in names_in(text) for name in _parts(text, named) if not _is_panel(text, name)]
    firm = Counter(name.text for name in found if not _begins(text, name.start))
    return [name.text for name in found if firm[name.text] or not is_common(name.text)]


def _parts(text: str, name: Name) -> Iterator[Name]:
    """Yield what is left of a capitalised run: whole tokens, no words of grammar, no label at its end."""
    words = [Name(name.start + m.start(), name.start + m.end(), m[0]) for m in re.finditer(r"\S+", name.text)]
    if words and _cuts_into(text, name.start):
        words = words[1:]
    words = _without_label(text, _whole(text, words))
    for run in _runs(words):
        led = len(run) > 1 and _begins(text, run[0].start) and _is_verbal(run[0].text)
        remaining = run[1:] if led else run
        if not remaining or _is_counted(text, remaining[0]):
            continue
        if led and (
            not remaining[0].text[0].isupper() or (len(remaining) == 1 and is_common(remaining[0].text))
        ):
            continue
        phrase = text[remaining[0].start : remaining[-1].end]
        short = (
            len(remaining) == 1 and len(phrase) < 5 and _ABBREVIATED.match(text, remaining[0].end)
        )  # "Fig. 5"
        if len(phrase) > 1 and not short:
            yield Name(remaining[0].start, remaining[-1].end, phrase)


def _without_label(text: str, words: list[Name]) -> list[Name]:
    """Return the words without a label that a value follows: "45782 Date: 1 May" leaves the first."""
    if not words or not _LABEL.match(text, words[-1].end):
        return words
    coded = [at for at, word in enumerate(words) if any(char.isdigit() for char in word.text)]
    if coded:
        rest = words[coded[-1] + 1 :]
        return words[: coded[-1] + 1] if all(_is_plain(word.text) for word in rest) else words
    label = _begins(text, words[0].start) and all(_is_plain(word.text) for word in words)
    return [] if label else words


def _runs(words: list[Name]) -> list[list[Name]]:
    """Part the words where a sentence begins among them: "Applicable This 90-day" is no name."""
    at = next(
        (
            at
            for at, word in enumerate(words)
            if at and word.text[0].isupper() and word.text.lower() in STOPWORDS_EN
        ),
        None,
    )
    if at is None or all(word.text.isupper() for word in words):
        return [words]
    parts = [words[:at], words[at + 1 :]]
    return [
        part
        for part in parts
        if part and part[0].text[0].isupper() and not (len(part) == 1 and is_common(part[0].text))
    ]


def _is_counted(text: str, word: Name) -> bool:
    """Say whether a word is what a number before it counts: "1 Year 9 Months"."""
    return is_common(word.text) and _COUNT.search(text[max(0, word.start - 12) : word.start]) is not None


def _cuts_into(text: str, start: int) -> bool:
    """Say whether a run begins in the midst of a token: "R1" of "23.7.R1"."""
    return start > 1 and text[start - 1] in "./_" and text[start - 2].isalnum()


def _whole(text: str, words: list[Name]) -> list[Name]:
    """Return the words with the last one whole: "23" of "23.7.R1" continues, "6" of "6.8%" is a figure."""
    if not words:
        return words
    *before, last = words
    end = last.end
    if text[end : end + 1] == "@":  # of an address
        return before[:-1] if len(before) > 2 else []
    cut = end < len(text) and (
        text[end].isalnum()
        or (text[end] in ".,/" and text[end + 1 : end + 2].isdigit() and last.text[-1].isdigit())
    )
    if not cut:
        return words
    more = _REST.match(text, last.end)
    whole = text[last.start : more.end()] if more else last.text
    if _DECIMAL.fullmatch(whole) or not whole[-1].isascii() or len(last.text) == 1:
        return before if before and not (len(before) == 1 and len(before[0].text) == 1) else []
    return [*before, Name(last.start, last.start + len(whole), whole)]


def _is_panel(text: str, name: Name) -> bool:
    """Say whether a name is the panel of a figure: "2B" of "Figure 1A and 2B"."""
    before = text[max(0, name.start - 50) : name.start]
    return _PANEL.fullmatch(name.text) is not None and _OF_FIGURE.search(before) is not None


def _begins(text: str, start: int) -> bool:
    """Say whether any word would be capital here."""
    return _STARTS.search(text[max(0, start - 12) : start]) is not None


def is_common(name: str) -> bool:
    """Say whether a lone word is one that English writes small."""
    low = name.lower()
    small = name.isalpha() and name[1:].islower()
    return small and (
        low in lower_case_words() or (low.endswith(_VERBAL) and stem(low) in lower_case_stems())
    )


def _is_plain(word: str) -> bool:
    return is_common(word) or word.lower() in STOPWORDS_EN


def _is_verbal(word: str) -> bool:
    return len(word) > 4 and word.lower().endswith(_VERBAL) and is_common(word)
