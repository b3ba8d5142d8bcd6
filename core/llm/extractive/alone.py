"""Makes a sentence stand alone: its pronoun becomes what the source is about, a label gets what it labels."""

import re

from core.llm.extractive.reading import Line, bag_of, lines_of
from core.llm.extractive.spans import cells
from core.tasks import Evidence
from core.text.proper_names import names_in, thing_at_start
from core.text.tokens import is_cjk

_PRONOUN = re.compile(r"^(?:(?P<its>His|Her|Its|Their)|(?P<it>He|She|It|They))\b")
_MARK = re.compile(r"^(?:[-*•·]\s+|\d{1,2}[.)]\s+)")
_LABEL = re.compile(r"^(?:[A-Z][a-z]+(?: [a-z]+){0,2}|[\u4e00-\u9fff]{2,6})[:：]\s?\S.{0,80}$")
_IT = re.compile(r"^(?:It|Its|They|Their)\b")
_PRONOUN_ZH = re.compile(r"^(?:它|他|她|该(?:设备|机台|公司|系统))")


def in_context(line: Line, source: Evidence, question: str) -> str:
    """Return a label with what it belongs to: "Open an 8D report – Owner: Mei Lin"."""
    text = alone(line, source)
    if line.at == 0 or not _LABEL.match(text) or len(cells(text)) > 1 or " | " in source.text:
        return text
    before = lines_of(source)[line.at - 1].strip()
    near = before and not _LABEL.match(before) and "\n" not in _between(before, line.text, source.text)
    if not near or set(bag_of(question)).isdisjoint(bag_of(before)):
        return f"{source.source} – {text}" if source.source else text
    return f"{_MARK.sub('', before).rstrip('.。;； ')} – {text}"


def _between(before: str, after: str, text: str) -> str:
    start = text.find(before) + len(before)
    return text[start : max(start, text.find(after, start))]


def alone(line: Line, source: Evidence) -> str:
    """Make a sentence stand alone: its pronoun becomes the title's subject, list marks go."""
    text = _MARK.sub("", " ".join(line.text.split()))
    title = re.sub(r"\s*\([^()]*\)$", "", source.source).strip()
    if not title or cells(text):
        return text
    subject = _subject_before(line, source) or title
    if _IT.match(text) and subject != title and re.fullmatch(r"[A-Z][a-z]+(?: [A-Z][a-z]+)+", subject):
        return text  # "it" is not the person the sentence before began with
    if is_cjk(text):
        return _PRONOUN_ZH.sub(subject, text, count=1)
    match = _PRONOUN.match(text)
    if match is None:
        return text
    return (f"{subject}'s" if match["its"] else subject) + text[match.end() :]


def _subject_before(line: Line, source: Evidence) -> str:
    """Return what the sentence before is about, where it begins with a name or a thing."""
    at = source.text.find(line.text)
    before = source.text[:at].rstrip() if at > 0 else ""
    if not before:
        return ""
    last = re.split(r"(?<=[.!?。！？])\s+|\n+", before.rstrip(".!?。！？"))[-1].strip()
    named = names_in(last)
    if named and named[0].start <= 4:
        return named[0].name
    thing = thing_at_start(last)
    return f"The {thing}" if thing else ""
