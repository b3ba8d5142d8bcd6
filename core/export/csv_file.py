"""Tables as CSV that spreadsheets show and never compute: no cell of theirs begins a formula."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# What Excel, LibreOffice and Google Sheets take for a formula's beginning, also behind blanks and controls.
_FORMULA = re.compile(r"[\s\x00-\x1f\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*%?")


def csv_bytes(frame: "pd.DataFrame") -> bytes:
    """Return the frame as CSV in UTF-8 with a mark, without its index."""
    plain = frame.rename(columns=lambda name: harmless(str(name)))
    plain = plain.map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)
    return plain.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig", "replace")


def harmless(cell: str) -> str:
    """Return a cell that begins no formula: with an apostrophe before it, unless it is a plain number."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell
