"""Tables as CSV that spreadsheets show and never compute: no cell of theirs begins a formula.

Where numbers are written with a comma, spreadsheets part cells at semicolons, and at line ends in a cell
whose quotes then do not begin it. So what follows one of those begins no formula either.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# What Excel, LibreOffice and Google Sheets take for a formula's beginning, also behind blanks and controls.
_FORMULA = re.compile(r"[\s\x00-\x1f\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_PART = re.compile(r"[;\t\r\n][^;\t\r\n]*")  # what such a spreadsheet makes a cell of, after what parts it
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*%?")


def csv_bytes(frame: "pd.DataFrame") -> bytes:
    """Return the frame as CSV in UTF-8 with a mark, without its index."""
    plain = frame.rename(columns=lambda name: harmless(str(name)))
    plain = plain.map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)
    return plain.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig", "replace")


def harmless(cell: str) -> str:
    """Return a cell no part of which begins a formula: with an apostrophe before it, save of numbers."""
    parts = _PART.sub(lambda part: part[0][0] + _begun(part[0][1:]), cell)
    return f"'{parts}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else parts


def _begun(part: str) -> str:
    return f"'{part}" if _FORMULA.match(part) and not _NUMBER.fullmatch(part.strip()) else part
