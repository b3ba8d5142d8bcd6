"""Cuts English and Chinese text into sentences; rows, list items and headings count as sentences."""

import re

from core.text.locales import month_number
from core.text.tokens import is_cjk, word_set
from core.text.word_lists import word_list

_ABBREVIATIONS = word_list("names", "abbreviation")
_BREAK = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？…]+[”’」』）\"]*|\n\s*\n\s*|\n")
_STARTERS = word_set(
    """the a an it he she they we this that these those in on at as but and however there his her its
    their if when"""
)
_MARKER = re.compile(r"\s*(?:[-*•·▪‣–—]\s|\d{1,3}[.)、]\s?|[a-zA-Z][.)]\s|[（(]\d+[)）]|#{1,6}\s|\|)")
_UNTICKED = re.compile(r"\s*☐(?!.*[☑☒])", re.DOTALL)
_ROW_START = re.compile(r"\s*[^:：.\n]{1,36}[:：] ")
_ROW = re.compile(r"[:：]\s|\t| \| ")


# A capital that is a unit or an index ("12 W", "chamber B") is no initial of a name.
_LETTERED = re.compile(
    r"(?:\d|\b(?:chamber|type|class|group|section|figure|table|appendix|annex|version|phase|level|option|zone|"
    r"bay|side|model|part|lot|plan|line|step|vitamin|hepatitis)) ?[A-Z]$",
    re.IGNORECASE,
)


def _ends_sentence(text: str, start: int, end: int, mark: str) -> bool:
    """Decide whether the full stop at [start, end) ends a sentence or belongs to an abbreviation."""
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    window = text[max(0, start - 24) : start]
    last = window.split()[-1].lstrip("([\"“'‘") if window and not window[-1].isspace() else ""
    word = last.lower()
    following = text[end : end + 24].split(None, 1)
    after = following[0] if following else ""
    if len(last) == 1 and last.isupper():
        return _LETTERED.search(window) is not None  # else an initial: "J. Smith"
    if len(word) <= 2 and word.isdigit():
        if after[:1].islower() or _is_month(after, following[1:]):
            return False  # "am 3. und 14. April 2025"
        line_start = text.rfind("\n", 0, start) + 1
        return text[line_start:start].strip() != word  # a list number heads its line: "1. Open the valve"
    if word in _ABBREVIATIONS:
        return word in {"etc", "inc", "ltd", "co", "corp", "al"} and after[:1].isupper()
    if "." in word and len(word) <= 7 and all(len(part) <= 1 for part in word.split(".")):
        return not after or after.lower() in _STARTERS  # "the U.S. Army" continues, "the U.S. It" does not
    return not (after[:1].islower() and len(word) <= 3)


def _is_month(word: str, behind: list[str]) -> bool:
    """Say whether a word behind a number and a full stop is a month: May and March where a figure follows."""
    name = word.rstrip(".,;:")
    doubtful = name in ("May", "March") and not "".join(behind)[:1].isdigit()
    return month_number(name) > 0 and not doubtful


def _line_wraps(text: str, line_start: int, start: int, end: int) -> bool:
    """Decide whether a single line end only wraps a sentence."""
    line = text[line_start:start]
    following = text[end : end + 40]
    if not line.strip() or _MARKER.match(following) or line.rstrip()[-1] in ".!?。！？；:：;":
        return False
    head = following.lstrip()[:1]
    if len(line) < 25 or _ROW_START.match(following):
        return False
    if head.islower():
        pairs = len(_ROW.findall(line))
        return pairs == 0 or (pairs == 1 and len(line) > 40)
    return len(line) > 60 and not _ROW.search(line) and not is_cjk(line[-1]) and head.isalnum()


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the sentences as [start, end) without surrounding white space, in order, never overlapping.

    Rows of a table, list items and headings on lines of their own count as sentences.
    """
    spans: list[tuple[int, int]] = []
    begin = line_start = 0

    def close(end: int) -> None:
        piece = text[begin:end]
        left = len(piece) - len(piece.lstrip())
        stripped = piece.strip()
        if stripped:
            spans.append((begin + left, begin + left + len(stripped)))

    for match in _BREAK.finditer(text):
        start, end = match.span()
        mark = match.group()
        if mark[0] == "\n":
            continues = mark.count("\n") == 1 and _line_wraps(text, line_start, start, end)
            line_start = end
            if continues:
                continue
        elif not _ends_sentence(text, start, end, mark):
            continue
        close(end)
        begin = end
    close(len(text))
    return spans


def is_unticked(line: str) -> bool:
    """Say whether a line is an option of a form that nobody ticked: it tells what is not the case."""
    return _UNTICKED.match(line) is not None


def sentences(text: str) -> list[str]:
    """Return the sentences of the text, as they stand."""
    return [text[start:end] for start, end in sentence_spans(text)]
