"""Makes foreign text harmless where Streamlit reads markdown.

Document text, model output and file names are data: nothing in them may become a link, an image, HTML,
LaTeX, an icon or a heading. Every character that markdown gives a meaning is written with a backslash.
Streamlit's front end also looks for addresses, e-mails, `:icons:` and `:emoji:` in text that is already
parsed, where a backslash no longer helps: those are broken with an invisible word joiner.
"""

import re
from typing import NewType

import pandas as pd

Safe = NewType("Safe", str)

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:^=&])")
_LATE = re.compile(r"(?i)(?<=:)(?=[\w/+\-])|(?<=\bwww)(?=\.)|(?=@)")
_ORDINAL = re.compile(r"(?m)^(\s*\d+)\.(?=\s)")
_INDENT = re.compile(r"(?m)^[ \t]+")  # four spaces would be a code block
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_JOINER = "\u2060"


def escape(text: str) -> Safe:
    """Return markdown that shows the text as it is, line by line."""
    plain = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    broken = _LATE.sub(_JOINER, plain)
    escaped = _ORDINAL.sub(r"\1\\.", _SPECIAL.sub(r"\\\1", broken))
    indented = _INDENT.sub(lambda match: "\u00a0" * len(match.group()), escaped)
    return Safe(indented.replace("\n", "  \n"))


def line(text: str, limit: int = 0) -> Safe:
    """Return the text on one line, escaped, and shortened to `limit` characters (0: not at all)."""
    return escape(shorten(text, limit))


def cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as `st.table` shows it: its cells and the names of its columns are markdown there."""
    plain = frame.rename(columns=lambda name: line(str(name)))
    return plain.map(lambda cell: line(cell) if isinstance(cell, str) else cell)


def shorten(text: str, limit: int = 0) -> str:
    """Return the text on one line with an ellipsis after `limit` characters (0: not at all). Not escaped."""
    flat = " ".join(text.split())
    return flat if not limit or len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"
