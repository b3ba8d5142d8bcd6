"""People's names on a line of their own, as authors stand under a title or behind a label.

There is no list of names: a name is two to six words with capitals that are not all ordinary words and none
of which is an institution's. What stands alone needs something that speaks for it, as "New York" has the form
of a name, too.
"""

import re
from collections.abc import Iterator, Sequence

from core.text.english_words import lower_case_words
from core.text.tokens import is_cjk

_BETWEEN = re.compile(r"\s*(?:[,;·•&|、，；]|\s{2}|\band\b|\bund\b|\bet\b)\s*")
_MARKS = re.compile(r"[\s\d∗*†‡§¶#$+⁺✉⋆★()⁰¹²³⁴-⁹ᵃ-ᶻ]+$")
_ADDRESS = re.compile(r"[(<\[]?\S*[\w.}]@[\w-]+\.\S*")
_WORD = r"[^\W\d_a-z][^\W\d_]*(?:[.’'-]+[^\W\d_]*)*"
_NAME = re.compile(rf"{_WORD}(?: (?:(?!of|for|the|in|on|at|to|by|or)[^\W\d_A-Z]{{1,3}}|{_WORD})){{1,5}}")
_INSTITUTION = re.compile(
    r"\b(?:univ|instit|depart|dept|facult|labor|colleg|school|academ|cent(?:er|re)|corp|inc|ltd|gmbh|company"
    r"|ministr|bank|committee|group|team|societ|foundation|association|agency|office|hospital|project|council)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:(?:written|prepared|compiled|speech|talk|lecture|report|paper)? ?by|authors?|author\(s\))\b\s*:?\s*"
    r"(?P<names>.*)|(?:作者|著者|撰写人?|撰稿人?|编写人?)\s*[:：]\s*(?P<zh>.+)",
    re.IGNORECASE,
)
_NAME_ZH = re.compile(r"[\u4e00-\u9fff]{2,4}")
_GLUED = re.compile(r"(?<=[^\W\d_])(\d(?:,\d)*)(?=\s*(?:\(\s*\))?\s*(?:[,;]|$|and\b))")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_BYLINE_LINES, _MAX_SKIPPED_LINES = 14, 3  # looked at under a title; before the names: a second title, a date
MAX_AUTHORS = 60  # of a document
_MAX_LINE_CHARACTERS = 400  # of names


def is_names(text: str) -> bool:
    """Say whether a line is a list of two people's names or more."""
    return len(names_on(text)) > 1


def names_on(text: str) -> list[str]:
    """Return the names a line holds, none where a part of it is no name."""
    if len(text) > _MAX_LINE_CHARACTERS or text.isupper() or is_cjk(text):
        return []
    parts = [_MARKS.sub("", part) for part in _BETWEEN.split(_ADDRESS.sub("", text))]
    names = [" ".join(part.split()) for part in parts if part]
    if not all(_NAME.fullmatch(name) and not _INSTITUTION.search(name) for name in names):
        return []
    return names if sum(map(_is_ordinary, names)) < max(1, 0.5 * len(names)) else []


def authors_under(lines: Sequence[str], text: str, claimed: str = "") -> list[str]:
    """Return the authors named on the lines under a title; wide gaps in them are two spaces.

    A name alone counts where a mark or an address stands at it, where the text cites it with initials or
    where the file's own data claim it (`claimed`).
    """
    lines = list(_whole(lines[:_BYLINE_LINES]))
    found: list[str] = []
    before = ""
    for at, line in enumerate(lines):
        names = names_on(line)
        sure = len(names) > 1 or (names and _is_backed(names[0], line, lines[at + 1 :], text, claimed))
        continues = (
            not found or before.rstrip().endswith((",", " and", "&", "·", ";")) or "@" in before + line
        )
        if (sure and continues) or (names and found and before.rstrip().endswith((",", " and", "&"))):
            found += names
        elif not found and at >= _MAX_SKIPPED_LINES:
            break
        before = line
    return list(dict.fromkeys(found))[:MAX_AUTHORS]


def _whole(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines; one that ends within a name ("Ann Lee, Bo" / "Dahl, Cy Berg") with the next."""
    pending = ""
    for line in lines:
        open_end = "," in pending and not pending.rstrip().endswith((",", ";", "and", "&"))
        if pending and open_end and not names_on(line) and names_on(f"{pending} {line}"):
            pending = f"{pending} {line}"
            continue
        if pending:
            yield pending
        pending = line
    yield from filter(None, [pending])


def authors_labelled(lines: Sequence[str]) -> list[str]:
    """Return the names behind "Author:", "By" or "作者：", or under such a word that stands alone."""
    for at, line in enumerate(lines):
        match = _LABEL.fullmatch(" ".join(line.split()))
        if match is None:
            continue
        if match["zh"]:
            parts = [part for part in re.split(r"[、,，;；\s]+", match["zh"]) if part]
            if parts and all(_NAME_ZH.fullmatch(part) for part in parts):
                return parts
        elif names := names_on(match["names"] or (lines[at + 1] if at + 1 < len(lines) else "")):
            return names
    return []


def claimed_names(text: str) -> list[str]:
    """Return the authors a file's own data name: "Ann Lee and Bo Dahl", "Lee, Ann; Dahl, Bo"."""
    parts = [" ".join(part.split()) for part in text.split(";")]
    if len(parts) == 1:
        listed = [part for part in re.split(r"\s*,\s*(?:and )?|\s+(?:and|&)\s+", parts[0].strip()) if part]
        parts = listed if all(" " in part for part in listed) else parts
    return [_turned(part) for part in parts if part]


def with_raised_marks(line: str) -> str:
    """Return a line of names with the figures behind them raised, as a scan loses: "Ann Lee²"."""
    return _GLUED.sub(lambda match: match[1].translate(_RAISED), line) if is_names(line) else line


def _turned(name: str) -> str:
    """Return "Ann Lee" for "Lee, Ann"."""
    last, comma, first = name.partition(", ")
    return f"{first} {last}" if comma and "," not in first else name


def _is_ordinary(name: str) -> bool:
    return all(word.lower() in lower_case_words() for word in re.findall(r"[^\W\d_]{2,}", name))


def _is_backed(name: str, line: str, below: Sequence[str], text: str, claimed: str) -> bool:
    """Say whether more than its form speaks for a name that stands alone."""
    if any(word.lower() in lower_case_words() for word in name.split()):
        return False
    if re.search(r"[∗*†‡§¶⁰¹²³⁴-⁹]", line) or name.casefold() in claimed.casefold():
        return True
    last = name.split()[-1]
    addresses = " ".join(match for each in (line, *below[:6]) for match in _ADDRESS.findall(each))
    return last.casefold() in addresses.casefold() or any(
        re.search(pattern, text) for pattern in _cited(name.split()[0][0], last)
    )


def _cited(initial: str, last: str) -> Iterator[str]:
    """Yield how a list of references writes a name: "E. Paradis", "Paradis, E.", "Paradis E"."""
    yield rf"\b{re.escape(initial)}\.(?: ?[A-Z]\.)* ?{re.escape(last)}\b"
    yield rf"\b{re.escape(last)},? {re.escape(initial)}(?:\.|[A-Z]?\b)"
