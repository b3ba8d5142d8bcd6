"""Cutting a dump into statements and its VALUES into rows, by regular expressions: a dump may be large."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.domain import Cell
from core.ingest.parsers.sql.expressions import expression
from core.ingest.parsers.sql.sql_tokens import of_mysql

_MARKS = (
    r"(?P<space>--[^\n]*|\#[^\n]*(?=\n)|/\*.*?\*/|^\\[a-z!?][^\n]*)"
    r"|(?P<client>^(?:REM|REMARK|PROMPT)\b[^\n]*)"
    r"|(?P<string>(?<!\w)E'(?:[^'\\]|''|\\.)*'|'(?:[^'{escape}]|''{escaped})*')"
    r"|(?P<dollar>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"
    r'|"(?:[^"{escape}]|""{escaped})*"|`(?:[^`]|``)*`|\[[^\]\n]*\]'
    r"|(?P<end>;|^GO\s*$)"
    r"|(?P<open>['\"`]|/\*|\$\w*\$)"  # a quotation that no one closes
)
_NAME = r'(?:\w+|"(?:[^"]|"")+")'
_COPY = re.compile(
    rf"\s*COPY\s+(?P<table>{_NAME}(?:\.{_NAME})*)\s*(?:\((?P<columns>[^)]*)\))?\s+FROM\s+stdin", re.I
)
_COPY_LINE = re.compile(r"^(?=COPY\s[^;]*\sFROM\s+stdin)", re.I | re.M)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "b": "", "Z": ""}
_COPIED = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.S)  # in COPY: a byte by number, or a letter
_VALUE = re.compile(
    r"\s*(?:(?:_\w+\s*)?[NBX]?'(?P<text>(?:[^'\\]|''|\\.)*)'"
    r'|(?P<quoted>"(?:[^"\\]|""|\\.)*")'
    r"|(?P<plain>[^'(),:|$]+?))\s*(?P<after>[,)])",
    re.S | re.I,
)
_SIGN = re.compile(r"^([-+])\s+")
_MOST_FAILED = 20  # expressions of a statement that are none; damage is not looked at over and over
_CLAUSE = re.compile(r"(?:ON|RETURNING|AS|SELECT)\b", re.I)  # what follows the rows
_NEXT_ROW = re.compile(r"\)\s*,\s*(?=(?:ROW\s*)?\()", re.I)
_VALUE_STRICT = re.compile(_VALUE.pattern.replace(r"(?:[^'\\]|''|\\.)*", r"(?:[^']|'')*"), re.S | re.I)


class SqlStatement(NamedTuple):
    """One statement, comments dropped, with its first and last line; `rows` holds what follows a COPY.

    `ended` is False where a dump breaks off in it, its `last` one, or damage makes it run into the next.
    """

    text: str
    lines: tuple[int, int]
    rows: tuple[tuple[Cell, ...], ...] | None = None
    ended: bool = True
    last: bool = False


_BEGINS = re.compile(
    r"^(?=(?:INSERT|REPLACE)\s+(?:INTO|IGNORE|OR|ALL)\b|CREATE\s+(?:TABLE|TEMP|INDEX|UNIQUE|VIEW)\b|DROP\s+TABLE\b"
    r"|ALTER\s+TABLE\b|COPY\s+\S+\s*(?:\(|FROM)|COMMIT\s*;|UNLOCK\s+TABLES)",
    re.I | re.M,
)  # a line that only a statement begins with
_WORD = re.compile(r"\S")
_MOST_BREAKS = 100  # statements that damage makes run into the next
_FORM = re.compile(r"\s*CREATE\b", re.I)  # what is remarked within it explains its columns


def dialect_of(text: str) -> str:
    """Return sqlglot's name of the dialect a dump is written in."""
    head = text[:200_000]
    if re.search(r"`[\w$]+`", head) or "ENGINE=" in head or "AUTO_INCREMENT" in head:
        return "mysql"
    if re.search(r"FROM stdin;|pg_catalog|SET standard_conforming_strings|\bSERIAL\b|::\w+|\$\$", head, re.I):
        return "postgres"
    if re.search(r"^GO\s*$|\bNVARCHAR\b.*\bIDENTITY\b", head, re.M):
        return "tsql"
    return "sqlite"


def _marks_of(dialect: str) -> re.Pattern[str]:
    """Return what finds comments, quotations and ends of statements."""
    backslash = dialect == "mysql"
    marks = _MARKS.replace("{escape}", r"\\" if backslash else "").replace(
        "{escaped}", r"|\\." if backslash else ""
    )
    if dialect != "mysql":
        marks = marks.replace(r"|\#[^\n]*(?=\n)", "")
    if dialect != "tsql":
        marks = marks.replace(r"|^GO\s*$", "")
    return re.compile(marks, re.S | re.M | re.I)


def statements(text: str, dialect: str) -> Iterator[SqlStatement]:
    """Yield the statements of a dump; the data lines of a Postgres COPY belong to its statement."""
    pattern = _marks_of(dialect)
    parts: list[str] = []
    at, begun, line, breaks = 0, 0, 0, 0
    while at < len(text):
        match = pattern.search(text, at)
        if match is None or match["open"] is not None:
            following = _BEGINS.search(text, _filled(text, begun) + 1) if breaks < _MOST_BREAKS else None
            if following is None:
                parts.append(text[at:])
                break
            breaks += 1
            line, last = _lines(text, begun, following.start(), line)
            yield SqlStatement(text[begun : following.start()].strip(), (line, last), ended=False)
            parts, line, at, begun = [], last, following.start(), following.start()
            continue
        parts.append(text[at : match.start()])
        segment, at = _mark_text(match, parts)
        parts.append(segment)
        if match["end"] is None:
            continue
        whole = "".join(parts)
        line, last = _lines(text, begun, at, line)
        rows, ended = None, True
        if (later := _COPY_LINE.search(whole)) and not _COPY.match(whole):  # behind rows whose own is damaged
            line, begun = _lines(whole, 0, later.start(), line)
            yield SqlStatement(whole[: later.start()].strip(), (line, begun), ended=False)
            line, whole = last, whole[later.start() :]
        if _COPY.match(whole):
            rows, at, ended = copied(text, at)
        if whole.strip():
            yield SqlStatement(whole.strip(), (line, last), rows, ended, last=at >= len(text))
        line = last if rows is None else last + len(rows) + 1
        parts, begun = [], at
    if "".join(parts).strip():
        line, last = _lines(text, begun, len(text), line)
        yield SqlStatement("".join(parts).strip(), (line, last), ended=False, last=True)


def _mark_text(match: re.Match[str], parts: list[str]) -> tuple[str, int]:
    """Return what is kept of a mark behind the parts of its statement, and where to read on."""
    first = next(filter(str.strip, parts), "")
    if match["client"] is not None and first:  # such a line begins no statement and is in none
        return match[0][0], match.start() + 1
    remark = match["space"] is not None and _FORM.match(first)
    dropped = match["end"] is not None or match["client"] is not None or match["space"] is not None
    return match[0] if remark or not dropped else "", match.end()


def _filled(text: str, at: int) -> int:
    """Return where the first word from `at` on begins."""
    found = _WORD.search(text, at)
    return found.start() if found else len(text)


def _lines(text: str, start: int, end: int, line: int) -> tuple[int, int]:
    """Return the lines from the first word of text[start:end] to its end, `line` being where it begins."""
    whole = text[start:end]
    blank = len(whole) - len(whole.lstrip())
    first = line + whole.count("\n", 0, blank)
    return first, first + whole.count("\n", blank)


def copied(text: str, at: int) -> tuple[tuple[tuple[Cell, ...], ...], int, bool]:
    """Return the rows after a COPY … FROM stdin, where they end, and whether the line "\\." ends them.

    Without it the dump breaks off, and its last line is no whole row.
    """
    start = (text.find("\n", at) + 1) or len(text)
    end = text.find("\n\\.", start - 1)
    body = text[start:end] if end >= 0 else text[start : text.rfind("\n") + 1]
    following = next(
        (each for each in _BEGINS.finditer(body) if "\t" not in _line_at(body, each.start())), None
    )
    if following:  # the line "\\." is damaged
        body, end = body[: following.start()], -1
    rows = tuple(tuple(_copied_cell(cell) for cell in line.split("\t")) for line in body.split("\n") if line)
    return rows, (start + len(body) if following else len(text) if end < 0 else end + 3), end >= 0


def _line_at(text: str, at: int) -> str:
    return text[at : (text.find("\n", at) + 1) or len(text)]


def _copied_cell(cell: str) -> Cell:
    if cell == "\\N":
        return None
    return _COPIED.sub(_of_escape, cell) if "\\" in cell else cell


def _of_escape(match: re.Match[str]) -> str:
    """Return the character behind a backslash in COPY's text format; a byte by its octal or hex number."""
    mark = match[1]
    if mark[0] == "x" and len(mark) > 1:
        return chr(int(mark[1:], 16))
    if mark[0] in "01234567":
        return chr(int(mark, 8) & 0xFF)
    return {**_ESCAPES, "b": "\b", "f": "\f", "v": "\v"}.get(mark, mark)


def copy_target(statement: str) -> tuple[str, list[str]] | None:
    """Return the table and columns a COPY fills."""
    match = _COPY.match(statement)
    if match is None:
        return None
    columns = [column.strip().strip('"') for column in (match["columns"] or "").split(",") if column.strip()]
    return match["table"].replace('"', ""), columns


def values(text: str, dialect: str, *, ended: bool = True, width: int = 0) -> tuple[list[list[Cell]], int]:
    """Return the rows of "(…), (…)" and how many are broken; `width` is the cells of a row, 0 if not known.

    The unfinished last row of a statement that is not `ended` is not counted as broken.
    """
    reader = _RowReader(text, dialect, width)
    rows: list[list[Cell]] = []
    at, broken = 0, 0
    while (start := text.find("(", at)) >= 0:
        between = text[at:start].strip(" \t\r\n,")
        if between and between.upper() != "ROW":  # of MySQL: VALUES ROW(1, 2), ROW(3, 4)
            following = None if _CLAUSE.match(between) else _NEXT_ROW.search(text, at)
            if following is None:
                break
            at, broken = following.start() + 1, broken + 1
            continue
        row, at = reader.row(start + 1)
        if row:
            rows.append(row)
        elif following := _NEXT_ROW.search(text, at):
            at, broken = following.start() + 1, broken + 1
        else:
            broken += ended
            break
    return rows, broken


@dataclass
class _RowReader:
    """Reads rows of cells: literals by one regular expression, whatever else by its tokens."""

    text: str
    dialect: str
    width: int
    failed: int = 0

    def row(self, at: int) -> tuple[list[Cell], int]:
        """Return the cells up to the bracket that ends their row, none where it breaks, and the place behind.

        A row with more than literals counts only with as many cells as the others have: a torn quotation
        makes one row of two.
        """
        pattern = _VALUE if self.dialect == "mysql" else _VALUE_STRICT
        row: list[Cell] = []
        begun, simple = at, True
        while True:
            if match := pattern.match(self.text, at):
                row.append(_literal(match, self.dialect))
                at = match.end()
            elif self.failed < _MOST_FAILED and (found := expression(self.text, at, self.dialect)):
                row.append(found[0])
                at, simple = found[1] + 1, False
            else:
                self.failed += 1
                return [], at
            if self.text[at - 1] == ")":
                break
        if not simple and self.width and len(row) != self.width:
            self.failed += 1
            return [], begun
        self.width = self.width or len(row)
        return row, at


def _literal(match: re.Match[str], dialect: str) -> Cell:
    if match["text"] is not None:
        text = match["text"].replace("''", "'")
        return of_mysql(text) if dialect == "mysql" else text
    if match["quoted"] is not None:  # MySQL takes double quotes for a string as well
        return of_mysql(match["quoted"][1:-1].replace('""', '"'))
    plain = _SIGN.sub(r"\1", match["plain"].strip())
    if plain.lower() == "null":
        return None
    if plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    try:
        return int(plain) if re.fullmatch(r"[-+]?\d{1,18}", plain) else float(plain)
    except ValueError:
        return plain
