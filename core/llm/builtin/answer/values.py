"""The value a question asks for, found in the piece that states it."""

import re
from collections.abc import Sequence

from core.llm.builtin.answer.asked import Asked, names
from core.llm.builtin.answer.evidence_units import Unit, tells
from core.llm.builtin.answer.word_matching import SAME, Word, likeness, words_of
from core.text.tokens import is_cjk

_FIGURE = re.compile(
    r"(?:[$€£¥₩]|US\$|CHF )?\s?(?<![\w.,])[-+−]?\d+(?:[.,]\d+)*(?:\s?(?:%|‰|°C|°F|℃|percent\b|per cent\b"
    r"|(?:million|billion|thousand|trillion)\b|万|亿|千|만\s?원|억|원|元|[a-zµμΩ]{1,4}(?:/[a-z]+)?\b|[kMG]\b))?"
)
_COUNTED = re.compile(
    r"\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|both|none)\b|[一二两三四五六七八九十百]+(?=[个名人位次种条台件])",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
)
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\.? (?:{_MONTH}) \d{{4}}"
    rf"|\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?(?:, ?\d{{4}})?"
    rf"|\b(?:{_MONTH}),? \d{{4}}|\b\d{{4}}-\d{{2}}(?:-\d{{2}})?|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b"
    r"|\d{4} ?[年년] ?(?:\d{1,2} ?[月월])?(?: ?\d{1,2} ?[日일])?|\b(?:1[5-9]|20)\d\d\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w’'.-]*(?: (?:(?:de|van|von|der|of|la|du|bin|al) )?[A-ZÀ-Þ][\w’'.-]*)*")
_DURATION = re.compile(
    r"\b\d[\d.,]*\s?(?:s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?)\b"
    r"|\d[\d.,]*\s?(?:秒|分钟|分|小时|天|日|周|个月|年|시간|분|초|일|주|개월|년)",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"(?P<label>[^\s:：;|][^:：;|\n]{1,50}?)\s?[:：]\s+(?P<value>[^;|\n]+?)(?=\s{2,}|\s[A-Z]\w{1,20}:\s|[;|\n]|$)"
)

_PLAIN = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNIT = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\))$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")


def spans_of(asked: Asked, text: str) -> list[tuple[int, int]]:
    """Return where the text holds what is of the type asked for and does not stand in the question."""
    pattern = {
        "date": _DATE, "duration": _DURATION, "count": _FIGURE, "amount": _FIGURE, "person": _NAME,
        "place": _NAME,
    }.get(asked.kind)  # fmt: skip
    if pattern is None:
        return []
    spans = [match.span() for match in pattern.finditer(text)]
    if asked.kind == "count":
        spans = sorted([*spans, *(match.span() for match in _COUNTED.finditer(text))])
    if asked.kind == "duration" and not spans:
        spans = [match.span() for match in _FIGURE.finditer(text)]
    if asked.kind in ("person", "place") and is_cjk(text):
        return spans or [(0, len(text))]
    return [span for span in spans if not _said(asked, text[slice(*span)])]


def _said(asked: Asked, value: str) -> bool:
    """Say whether the question says the value itself."""
    held = words_of(value)
    return not held or all(any(likeness(word.key, one.key) >= 0.8 for one in asked.words) for word in held)


def field_of(asked: Asked, text: str) -> tuple[int, int] | None:
    """Return where the value of a field stands whose label the question says, and not as a name."""
    plain = [word.key for word in asked.words if not names(word, asked.question)]
    for match in _FIELD.finditer(text):
        label = words_of(match.group("label"))
        said = [max((likeness(key, one.key) for key in plain), default=0.0) for one in label]
        if said and min(said) >= 0.8:
            return match.span("value")
    return None


def fits(asked: Asked, unit: Unit) -> float:
    """Return 1.0 where the piece holds a value of the type asked for, 0.0 where not, 0.5 for any type.

    Of "how many X" the figure must stand beside the X for the whole 1.0.
    """
    if asked.kind not in ("date", "duration", "count", "amount", "person", "place"):
        return 0.5
    if unit.kind == "row":
        return float(any(spans_of(asked, value) for _, value in unit.cells))
    spans = spans_of(asked, unit.text)
    if not spans:
        return 0.0
    if asked.kind == "count" and asked.counted and unit.kind == "sentence":
        return 1.0 if _beside(unit.own, spans, asked.counted) else 0.4
    return 1.0


def _beside(words: Sequence[Word], spans: Sequence[tuple[int, int]], counted: str) -> bool:
    """Say whether a figure stands within three words before the counted word, or one behind it."""
    places = [at for at, word in enumerate(words) if likeness(counted, word.key) >= 0.8]
    figures = [at for at, word in enumerate(words) if any(a <= word.start < b for a, b in spans)]
    return any(0 < place - figure <= 3 or 0 < figure - place <= 1 for place in places for figure in figures)


def value_of(asked: Asked, unit: Unit) -> tuple[int, int] | None:
    """Return where the value that answers stands in the unit's text, None where that is not clear.

    A field whose label the question says gives its value; else the value of the type asked for that is
    nearest to the words asked.
    """
    return span_in(asked, unit.text)


def span_in(asked: Asked, text: str) -> tuple[int, int] | None:
    """Return where the value that answers stands in a text, None where that is not clear."""
    field = field_of(asked, text)
    if field is not None:
        return field
    spans = spans_of(asked, text)
    if not spans or spans == [(0, len(text))]:
        return None
    if asked.kind in ("person", "place") and len({text[slice(*span)] for span in spans}) > 1:
        return None  # which of several names is meant, nearness does not tell
    own = words_of(text)
    anchors = [w.start for w in own if any(likeness(one.key, w.key) >= 0.8 for one in asked.words)]
    if asked.counted:
        near = [w.start for w in own if likeness(asked.counted, w.key) >= 0.8]
        anchors = near or anchors
    if not anchors:
        return spans[0] if len(spans) == 1 else None
    return min(spans, key=lambda span: min(abs(span[0] - place) for place in anchors))


def asked_columns(asked: Asked, unit: Unit) -> list[tuple[str, str]]:
    """Return the cells whose column the question names, all of its words."""
    found = []
    for name, value in unit.cells:
        own = words_of(_CAMEL.sub(" ", _UNIT.sub("", name)))
        if own and all(any(likeness(word.key, one.key) >= SAME for one in asked.words) for word in own):
            found.append((name, value))
    return found


def named_by(asked: Asked, unit: Unit) -> tuple[float, str]:
    """Return how well the question says one of a row's cells, and that cell; else the first one in words."""
    best, label = 0.0, ""
    for name, value in unit.cells:
        own = () if out_of_place(asked, name, value) else words_of(value)
        said = sum(any(likeness(word.key, one.key) >= SAME for one in asked.words) for word in own)
        if own and said / len(own) > best:
            best, label = said / len(own), value
    if best >= 0.5:
        return best, label
    return best, next((value for _, value in unit.cells if re.search(r"[^\W\d]", value)), "")


def out_of_place(asked: Asked, column: str, value: str) -> bool:
    """Say whether a cell is a figure of something the question does not speak of.

    17 under "price" is not chromosome 17. Years, and columns without a name, stand for themselves.
    """
    figure = _PLAIN.fullmatch(value)
    if figure is None or _YEAR.fullmatch(value) or not tells(column):
        return False
    return not any(likeness(word.key, one.key) >= SAME for word in words_of(column) for one in asked.words)
