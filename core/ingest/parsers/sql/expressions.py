"""Expressions in a dump instead of plain values: casts, dates, concatenated strings, calls, subselects.

Values are made of literals only, by the few functions that dumps themselves write. What only the database
could work out is kept as its own text; nothing of it is run.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.domain import Cell
from core.ingest.parsers.sql.sql_tokens import STRINGS, Token, string_of, tokens_of
from core.ingest.parsers.sql.text_calls import COMPUTED, NotPlainError
from core.text.tokens import word_set

_MAX_CHARACTERS = 4000  # of an expression, what its literals say left out
_MAX_DEPTH = 20  # brackets in brackets
_CONSTANTS: dict[str, Cell] = {"null": None, "true": True, "false": False}
_TYPED = word_set("date time timestamp timestamptz datetime datetime2 datetimeoffset interval")
_DATED = word_set("to_date to_timestamp str_to_date date datetime timestamp")  # their first argument says it
_SEQUENCES = word_set("nextval currval lastval setval")
_OF_SYSTEM = word_set("pg_catalog sys information_schema")
_WORDS = word_set(
    """select from where and or not in is as like ilike between then else when case end by escape zone at
    collate limit order group having union all on using distinct top offset fetch join exists any some
    year month day hour minute second date time timestamp timestamptz datetime interval cast ilike similar
    regexp rlike glob match div mod over partition asc desc with without"""
)  # what may stand beside a literal
_BEFORE_ROW = word_set("all distinct select")
_BEHIND_ROW = word_set("from where on")
_NOTHING = ("not exists (", "conflict", "duplicate key")  # behind a row, taking nothing from it
_MAX_SUBSELECT = 300  # characters
_OF_ROW = re.compile(
    r"\(\s*select\s+[\w.\"`\[\]]+\s+from\s+(?P<table>[\w.\"`\[\]]+).*?\bwhere\b(?!.*\bnot\b).*?"
    r"(?P<column>[\w.\"`\[\]]+)\s*(?:=|i?like)\s*(?P<value>'(?:[^']|'')*'|\d+)\s*(?:limit\s+\d+\s*)?\)",
    re.I | re.S,
)  # a row of another table, found by one literal
_QUOTES = '"`[]'


def expression(text: str, at: int, dialect: str) -> tuple[Cell, int] | None:
    """Return what is in a cell that begins at `at`, and where the comma or bracket behind it stands.

    None where it is no expression: damage, an open quotation.
    """
    tokens: list[Token] = []
    depth, length = 0, 0
    for token in tokens_of(text, at, dialect):
        if depth == 0 and token.text in (",", ")"):
            whole = text[at : token.start].strip()
            return (cell(tokens, whole, dialect), token.start) if is_expression(tokens) else None
        depth += (token.text == "(") - (token.text == ")")
        tokens.append(token)
        length += 1 if token.kind in STRINGS else len(token.text)
        if not token.kind or length > _MAX_CHARACTERS:
            return None
    return None


def selected(text: str, dialect: str) -> list[list[Cell]]:
    """Return the rows of `SELECT 1, 'a' UNION ALL SELECT 2, 'b'`; none where they come from a table."""
    rows = []
    for select in parted([*tokens_of(text, 0, dialect)], "union"):
        first = next((at for at, token in enumerate(select) if token.text.lower() not in _BEFORE_ROW), 0)
        cells, *rest = parted(select[first:], *_BEHIND_ROW)
        clauses = (" ".join(token.text.lower() for token in part[:4]) for part in rest)
        if not all(part == "dual" or part.startswith(_NOTHING) for part in clauses):
            return []
        row = []
        for item in parted(cells, ","):
            named = len(item) > 2 and item[-2].text.lower() == "as"
            value = item[:-2] if named else item
            if not is_expression(value):
                return []
            row.append(cell(value, text[value[0].start : value[-1].end], dialect))
        rows.append(row)
    return rows


def parted(tokens: Sequence[Token], *marks: str) -> list[list[Token]]:
    """Return the tokens between words or signs that are in no bracket."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if depth == 0 and token.text.lower() in marks:
            parts.append([])
            continue
        depth += (token.text == "(") - (token.text == ")")
        parts[-1].append(token)
    return parts


def is_expression(tokens: Sequence[Token]) -> bool:
    """Say whether literals and words follow each other as they do in SQL, not as in a damaged text."""
    if not tokens or not all(token.kind for token in tokens):
        return False
    for before, after in pairwise(tokens):
        if not {before.kind, after.kind} & {*STRINGS, "number"}:
            continue
        literal, beside = (before, after) if before.kind in (*STRINGS, "number") else (after, before)
        if beside.kind in (*STRINGS, "number", "quoted"):
            return False
        if beside.kind == "name" and literal.kind in STRINGS and beside.text.lower() not in _WORDS:
            return False
    return True


def cell(tokens: Sequence[Token], whole: str, dialect: str) -> Cell:
    """Return the value of an expression, or of what only the database could work out a text that says it."""
    try:
        return _Reader(tokens, dialect).whole()
    except NotPlainError:
        pass
    normalised = " ".join(whole.split())
    literals = sum(token.kind in (*STRINGS, "number") for token in tokens)
    row = _OF_ROW.fullmatch(normalised) if len(normalised) <= _MAX_SUBSELECT else None
    if row is None or literals > 1 + (" limit " in normalised.lower()):
        return normalised
    value = row["value"][1:-1].replace("''", "'") if row["value"][0] == "'" else row["value"]
    table, column = (name.translate({ord(c): None for c in _QUOTES}) for name in row.group("table", "column"))
    return f"{value} ({table.rsplit('.', 1)[-1]} {column.rsplit('.', 1)[-1]})"


@dataclass
class _Reader:
    """Reads an expression of literals from its tokens."""

    tokens: Sequence[Token]
    dialect: str
    at: int = 0
    depth: int = 0

    def whole(self) -> Cell:
        found = self._glued()
        if self.at < len(self.tokens):
            raise NotPlainError
        return found

    def _peek(self, ahead: int = 0) -> Token:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else Token("", "", 0, 0)

    def _take(self, text: str = "") -> Token:
        token = self._peek()
        if not token.kind or (text and token.text.lower() != text):
            raise NotPlainError
        self.at += 1
        return token

    def _glued(self) -> Cell:
        parts = [self._signed()]
        while self._peek().text == "||" and self.dialect != "mysql":
            self._take()
            parts.append(self._signed())
        if len(parts) == 1:
            return parts[0]
        if None in parts:
            return None
        return "".join(map(str, parts))

    def _signed(self) -> Cell:
        sign = self._peek().text
        if sign not in ("-", "+"):
            return self._cast(self._primary())
        self._take()
        value = self._cast(self._primary())
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise NotPlainError
        return -value if sign == "-" else value

    def _cast(self, value: Cell) -> Cell:
        while self._peek().text == "::":
            self._take()
            self._type()
        if self._peek().text.lower() == "collate":
            self._take()
            self._type()
        return value

    def _type(self) -> None:
        """Pass over the name of a type: `double precision`, `public.mood`, `numeric(8, 2)[]`."""
        begun = self.at
        while self._peek().kind in ("name", "quoted") or (self._peek().text == "." and self.at > begun):
            self._take()
        if self.at == begun:
            raise NotPlainError
        if self._peek().text == "(":
            while self._take().text != ")":
                pass
        while self._peek().kind in ("name", "quoted"):  # "with time zone", "[]"
            self._take()

    def _primary(self) -> Cell:
        token = self._take()
        if token.kind in STRINGS:
            return string_of(token, self.dialect)
        if token.kind == "number":
            return int(token.text) if re.fullmatch(r"\d{1,18}", token.text) else float(token.text)
        if token.text == "(":
            return self._inside()
        if token.kind not in ("name", "quoted"):
            raise NotPlainError
        name = token.text.lower()
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name.startswith("0x"):
            return token.text
        if name in _TYPED and (found := self._typed(name)) is not None:
            return found
        path = [name.strip(_QUOTES)]
        while self._peek().text == ".":
            self._take()
            path.append(self._take().text.lower().strip(_QUOTES))
        self._take("(")
        return self._call_value(path)

    def _inside(self) -> Cell:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise NotPlainError
        value = self._glued()
        self._take(")")
        self.depth -= 1
        return value

    def _typed(self, name: str) -> Cell:
        """Return the value of `DATE '2024-05-01'`, None where it is something else."""
        ahead = 0
        while self._peek(ahead).text.lower() in ("with", "without", "time", "zone"):
            ahead += 1
        if self._peek(ahead).kind not in STRINGS:
            return None
        self.at += ahead
        value = string_of(self._take(), self.dialect)
        units = []
        while name == "interval" and self._peek().kind == "name":
            units.append(self._take().text.lower())
        return " ".join([value, *units])

    def _call_value(self, path: Sequence[str]) -> Cell:
        """Return the value of a call, the bracket of which is open."""
        name = path[-1]
        if name in ("cast", "try_cast"):
            value = self._glued()
            self._take("as")
            self._type()
            self._take(")")
            return value
        literal = self._peek().kind in STRINGS and self._peek(1).text == ")"
        arguments = [self._inside_list()]
        while self._peek().text == ",":
            self._take()
            arguments.append(self._inside_list())
        self._take(")")
        if name in COMPUTED and len(path) == 1:
            return COMPUTED[name](arguments)
        if name in _DATED and len(path) == 1 and isinstance(arguments[0], str):
            return arguments[0]
        if literal and _is_of_the_file(path):
            return arguments[0]
        raise NotPlainError

    def _inside_list(self) -> Cell:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise NotPlainError
        value = self._glued()
        self.depth -= 1
        return value


def _is_of_the_file(path: Sequence[str]) -> bool:
    """Say whether a function is one that the file's own system made: of its only argument it makes a text in
    another language, an id, not another value that a reader could work out."""
    if len(path) > 1:
        return path[0] not in _OF_SYSTEM
    from sqlglot import exp

    return path[0] not in _SEQUENCES and path[0].upper() not in exp.FUNCTION_BY_NAME
