"""JSON that is broken: what parses is kept, and it is said where it breaks.

What cannot be read is blanked out, and the rest stays where it stands, so lines and places hold. A member or
item that breaks costs itself; where nothing sound comes after it, what is open is closed.
"""

import json
import re
from typing import Any, NamedTuple

_MOST_BREAKS = 20  # after them the rest is left out
_MIN_READ_SHARE = 0.9  # of the text, which ends with something else
_TOKEN = re.compile(
    r'\s+|"(?:[^"\\\x00-\x1f]|\\.)*"|[{}\[\],:]|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity'
)
_LOOSE = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*")|(?P<gone>//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]]))', re.S
)
_MEMBER = re.compile(r'(?P<next>,)\s*"(?:[^"\\\n]|\\.)*"\s*:|\}')
_RECORD = re.compile(r'(?P<next>,)\s*\{\s*"|\]')
_ITEM = re.compile(r"(?P<next>,)|\]")
_MARK = re.compile(r'(?<=[\[{,:\s])"(?:[^"\\\n]|\\.)*"|[\[{]|[\]}]')  # a string, a bracket
_NOT_LINE = re.compile(r"[^\n]")


class RepairedJson(NamedTuple):
    """The text that parses, as long as the broken one up to its end, and what is to be said of it."""

    text: str
    value: Any
    notes: tuple[str, ...]


class _Open(NamedTuple):
    """A bracket that is open at some place, and where its last whole member ends."""

    bracket: str
    good: int
    last: str  # character with which its last member begins


def repaired_json(text: str) -> RepairedJson | None:
    """Return what parses of a broken JSON text, None where nothing does. Raises RecursionError."""
    loose = _LOOSE.sub(lambda match: match[0] if match["string"] else _blank(match[0]), text)
    for relaxed, fault in ((text, "line breaks inside its strings"), (loose, "comments or needless commas")):
        try:
            whole = json.loads(relaxed, strict=False)
        except ValueError:
            continue
        return RepairedJson(
            relaxed, whole, (f"The JSON holds {fault}, which JSON does not know; it was read.",)
        )
    lines: list[int] = []
    value: Any = None
    for number in range(_MOST_BREAKS + 1):
        try:
            value = json.loads(loose)
            break
        except json.JSONDecodeError as error:
            begun, opened = _scan(loose, error.pos)
            lines.append(loose.count("\n", 0, begun) + 1)
            if opened:
                loose = _without_break(loose, begun, opened, to_end=number == _MOST_BREAKS - 1)
            elif begun < _MIN_READ_SHARE * len(loose):
                closed = len(loose[:begun].rstrip())
                if not _continues(loose, closed):
                    return None  # a value at the head of something else
                loose = loose[: closed - 1] + " " + loose[closed:]  # it was closed too early
            else:
                loose = loose[:begun]
    if not value or not isinstance(value, dict | list):
        return None
    where = ", ".join(map(str, dict.fromkeys(lines[:5]))) + (" and more" if len(lines) > 5 else "")
    fault = f"The JSON is broken in line {where}; what could be read of it was kept."
    return RepairedJson(loose, value, (fault,))


def _continues(text: str, closed: int) -> bool:
    """Say whether what follows the last closing bracket is more of the same text: an opening one was lost."""
    return text[closed - 1] in "}]" and text[closed:].lstrip()[:1] in (",", "}", "]")


def _blank(text: str) -> str:
    return _NOT_LINE.sub(" ", text)


def _scan(text: str, end: int) -> tuple[int, list[_Open]]:
    """Return where the text breaks, at `end` or before it, and the brackets that are open there."""
    opened: list[_Open] = []
    at, named = 0, False  # after a colon
    while at < end and (match := _TOKEN.match(text, at)):
        token, at = match[0], match.end()
        if token in "{[":
            opened.append(_Open(token, at, ""))
        elif token in "}]":
            if not opened:
                break
            opened.pop()
            _complete(opened, at, "{" if token == "}" else "[")
        elif not token.isspace() and token not in ":,":
            cut_number = at == len(text) and token[-1].isdigit()
            if (named or not opened or opened[-1].bracket == "[") and not cut_number:
                _complete(opened, at, token[0])
        if not token.isspace():
            named = token == ":"
    return min(at, end), opened


def _complete(opened: list[_Open], at: int, begins: str) -> None:
    if opened:
        opened[-1] = _Open(opened[-1].bracket, at, begins)


def _without_break(text: str, begun: int, opened: list[_Open], *, to_end: bool) -> str:
    """Return the text without what is broken: up to the next sound member, or to its end."""
    top = opened[-1]
    form = _MEMBER if top.bracket == "{" else _RECORD if top.last == "{" else _ITEM
    found = None if to_end else _next_sound(text, begun, form)
    if found is None:
        closing = "".join("}" if each.bracket == "{" else "]" for each in reversed(opened))
        return text[: top.good] + closing
    first = bool(found["next"]) and not top.last  # no comma stands before the first member
    after = found.start() + first
    return text[: top.good] + _blank(text[top.good : after]) + text[after:]


def _next_sound(text: str, begun: int, form: re.Pattern[str]) -> re.Match[str] | None:
    """Return where the next member or item begins, or the bracket ends; what is bracketed is passed over."""
    at, depth = begun, 0
    while at < len(text):
        if depth <= 0 and (found := form.match(text, at)):
            return found
        mark = _MARK.match(text, at)
        depth += (mark[0] in "[{") - (mark[0] in "]}" and depth > 0) if mark else 0
        at = mark.end() if mark else at + 1
    return form.search(text, begun)
