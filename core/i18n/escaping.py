"""Text that may stand where Streamlit reads Markdown: the type, and how foreign text becomes it.

Document text, model output and file names are data: nothing in them may become a link, an image, HTML,
LaTeX, an icon or a heading. Every character that Markdown gives a meaning is written with a backslash.
Streamlit's front end also looks for addresses, e-mails, `:icons:` and `:emoji:` in text that is already
parsed, where a backslash no longer helps: those are broken with an invisible word joiner.
"""

import re
import string
from collections.abc import Iterable
from typing import Any


class Safe(str):
    """Markdown of our own in which every foreign part is escaped. Made only in this module."""

    __slots__ = ()


_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:^=&])")
_LATE = re.compile(r"(?i)(?<=:)(?=[\w/+\-])|(?<=\bwww)(?=\.)|(?=@)")
_ORDINAL = re.compile(r"(?m)^(\s*\d+)\.(?=\s)")
_INDENT = re.compile(r"(?m)^[ \t]+")  # four spaces would be a code block
_COMMAND = re.compile(r"`([\w ./=:-]+)`")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_JOINER = "\u2060"


def escape(text: str) -> Safe:
    """Return Markdown that shows the text as it is, line by line."""
    plain = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    broken = _LATE.sub(_JOINER, plain)
    escaped = _ORDINAL.sub(r"\1\\.", _SPECIAL.sub(r"\\\1", broken))
    indented = _INDENT.sub(lambda match: "\u00a0" * len(match.group()), escaped)
    return Safe(indented.replace("\n", "  \n"))


def line(text: str, limit: int = 0) -> Safe:
    """Return the text on one line, escaped, and shortened to `limit` characters (0: not at all)."""
    return escape(shorten(text, limit))


def shorten(text: str, limit: int = 0) -> str:
    """Return the text on one line with an ellipsis after `limit` characters (0: not at all). Not escaped."""
    flat = " ".join(text.split())
    return flat if not limit or len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"


def commands(text: str, limit: int = 0) -> Safe:
    """Return the text on one line, escaped; what is in backticks and can only be a command is code."""
    pieces = _COMMAND.split(shorten(text, limit))  # what lies between, and what stood in backticks, in turn
    return Safe("".join(f"`{piece}`" if n % 2 else _between(piece) for n, piece in enumerate(pieces)))


def _between(text: str) -> str:
    """Return the text escaped as part of a line: the spaces before it are none of a line's beginning."""
    words = text.lstrip(" ")
    return " " * (len(text) - len(words)) + escape(words)


class _Escaping(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Safe):
            return value
        written = format(value, format_spec)
        return written if isinstance(value, int | float) else line(written)  # a number holds no markup


def layout(markup: str, /, **values: object) -> Safe:
    """Return Markdown of our own that has no words, such as "**{name}**", filled with escaped values."""
    return Safe(_Escaping().vformat(markup, (), values))


def join(separator: str, parts: Iterable[str]) -> Safe:
    """Return the parts in one text, escaped but for those that are safe; the separator is our own."""
    return Safe(separator.join(part if isinstance(part, Safe) else line(part) for part in parts))
