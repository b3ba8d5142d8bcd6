"""Calls by which dumps write a text: a line break in SQLite, a character by its number."""

import re
from collections.abc import Callable, Sequence

from core.domain import Cell
from core.ingest.parsers.sql.sql_tokens import character

_UNICODE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))")


class NotPlainError(Exception):
    """Raised for an expression that only the database could evaluate."""


def _replaced(arguments: Sequence[Cell]) -> Cell:
    """Return `replace('a\\nb', '\\n', char(10))`; nothing may grow by it."""
    match arguments:
        case [str(text), str(old), str(new)] if 0 < len(old) >= len(new):
            return text.replace(old, new)
    raise NotPlainError


def _character(arguments: Sequence[Cell]) -> Cell:
    codes = [code for code in arguments if isinstance(code, int)]
    if len(codes) != len(arguments):
        raise NotPlainError
    return "".join(map(character, codes))


def _of_unicode(arguments: Sequence[Cell]) -> Cell:
    match arguments:
        case [str(text)]:
            return _UNICODE.sub(lambda found: character(int(found[found.lastindex or 1], 16)), text)
    raise NotPlainError


def _joined(arguments: Sequence[Cell]) -> Cell:
    return None if None in arguments else "".join(map(str, arguments))


COMPUTED: dict[str, Callable[[Sequence[Cell]], Cell]] = {
    "replace": _replaced,
    "char": _character,
    "chr": _character,
    "unistr": _of_unicode,
    "concat": _joined,
}
