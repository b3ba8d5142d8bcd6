"""Tables of Markdown that stand right under each other or right above text, as programs write them.

By the specification (GitHub Flavored Markdown 4.10) a table continues until a blank line: a second row of
dashes would be one of its rows, and so would a paragraph. People see two tables, and a paragraph.
"""

import re
from collections.abc import Sequence

_DASHES = re.compile(r"\s{0,3}\|(?:\s*:?-+:?\s*\|)+\s*")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")


def with_tables_parted(text: str) -> tuple[str, list[int]]:
    """Return the text with a blank line where a table ends, and of each of its lines which one it was."""
    lines = text.split("\n")
    made: list[str] = []
    places: list[int] = []
    fence = ""
    in_table = False
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and in_table and line.strip() and (_begins(lines, at) or not _is_row(line)):
            made.append("")
            places.append(at)
        in_table = not fence and _is_row(line) and (in_table or _DASHES.fullmatch(line) is not None)
        made.append(line)
        places.append(at)
    return "\n".join(made), places


def _begins(lines: Sequence[str], at: int) -> bool:
    """Say whether the labels of a table stand on a line, dashes below them."""
    return _is_row(lines[at]) and at + 1 < len(lines) and _DASHES.fullmatch(lines[at + 1]) is not None


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")
