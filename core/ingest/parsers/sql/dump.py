"""SQL dumps: CREATE TABLE through sqlglot, data through INSERT and COPY. Nothing in a dump is ever run."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.domain import Cell, Location, Parsed
from core.ingest.column_notes import explain_last
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import text_of
from core.ingest.parsers.sql.expressions import selected
from core.ingest.parsers.sql.insert_forms import assigned, inserts_of_all
from core.ingest.parsers.sql.scan import SqlStatement, copy_target, dialect_of, statements, values

if TYPE_CHECKING:
    from sqlglot import exp

_NAME = r"(?:\"[^\"]+\"|`[^`]+`|\[[^\]]+\]|[\w$]+)"
_INSERT = re.compile(
    r"\s*(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+)?(?:(?:LOW_PRIORITY|HIGH_PRIORITY|DELAYED|IGNORE)\s+)*(?:INTO\s+)?"
    rf"(?P<table>{_NAME}(?:\s*\.\s*{_NAME})*)\s*"
    r"(?:\((?P<columns>[^)]*)\))?\s*(?:OVERRIDING\s+\w+\s+VALUE\s+)?(?P<how>VALUES?|SELECT|SET)\b\s*",
    re.I,
)
_INSERT_ALL = re.compile(r"\s*INSERT\s+(?:ALL|FIRST)\b", re.I)
_COMPUTED = re.compile(r"\s*(INSERT|REPLACE|UPDATE|MERGE)\b", re.I)
_CREATE = re.compile(r"\s*CREATE\s+(?:GLOBAL\s+|LOCAL\s+|TEMP(?:ORARY)?\s+|UNLOGGED\s+)*TABLE\b", re.I)
_ON_COLUMN = re.compile(
    r"\s*COMMENT\s+ON\s+COLUMN\s+(?P<table>[\w.`\"\[\]$]+)\.(?P<column>\w+|\"[^\"]+\")\s+IS\s+'(?P<says>(?:[^']|'')*)'",
    re.I,
)
_STATEMENT = re.compile(
    r"\s*(CREATE\s+(OR\s+REPLACE\s+)?(VIEW|FUNCTION|PROCEDURE|TRIGGER|MATERIALIZED)|SELECT|WITH)\b", re.I
)
_QUOTED = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/", re.S)
_QUOTATION = re.compile(r"[`\"\[\]]")
_QUOTES = '`"[] \n\t'


@dataclass
class _Table:
    name: str
    columns: list[str] = field(default_factory=list)
    comment: str = ""
    notes: list[str] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)
    remarks: dict[str, str] = field(default_factory=dict)  # column -> its comment
    truths: set[str] = field(default_factory=set)  # columns declared as boolean
    lines: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class DumpParser:
    """Reads .sql written by SQLite, PostgreSQL, MySQL or SQL Server."""

    media_types: tuple[str, ...] = ("application/sql",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        draft.title = Path(name).stem  # a dump is not called by its first table
        text = text_of(path, draft)
        dialect = dialect_of(text)
        draft.metadata["dialect"] = dialect
        found = _Dump(draft, dialect)
        for statement in statements(text, dialect):
            found.take(statement)
        found.write()
        return draft.parsed()


class _Dump:
    def __init__(self, draft: Draft, dialect: str) -> None:
        self.draft = draft
        self.dialect = dialect
        self.tables: dict[str, _Table] = {}
        self.other: list[SqlStatement] = []
        self.unread = 0
        self.broken = 0  # rows

    def take(self, statement: SqlStatement) -> None:
        """Classify a statement: a table's definition, its data, something worth showing, or none of these."""
        text = statement.text
        if not statement.ended and (statement.rows is not None or not _is_whole(text)):
            where = "The dump breaks off in its last statement" if statement.last else "A statement is broken"
            self.draft.skipped.append(f"{where} (line {statement.lines[0] + 1}); what is whole was kept.")
        if _CREATE.match(text):
            self._create(statement)
        elif match := _INSERT.match(text):
            self._insert(match, statement)
        elif _INSERT_ALL.match(text):
            self._insert_all(statement)
        elif statement.rows is not None and (target := copy_target(text)):
            self._fill(target[0], target[1], [list(row) for row in statement.rows], statement)
        elif remark := _ON_COLUMN.match(text):
            self._table(remark["table"], statement).remarks[remark["column"].strip(_QUOTES)] = remark[
                "says"
            ].replace("''", "'")
        elif _COMPUTED.match(text):
            self.unread += 1
        elif _STATEMENT.match(text):
            self.other.append(statement)

    def _insert_all(self, statement: SqlStatement) -> None:
        parts = inserts_of_all(statement.text, self.dialect)
        found = [(match, text) for text in parts if (match := _INSERT.match(text))]
        for match, text in found:
            self._insert(match, statement._replace(text=text))
        self.unread += len(parts) - len(found) if parts else 1

    def _insert(self, match: re.Match[str], statement: SqlStatement) -> None:
        columns, text = _names(match["columns"]), statement.text[match.end() :]
        how, broken = match["how"].upper(), 0
        if how == "SELECT":
            rows = selected(text, self.dialect)
        elif how == "SET":
            names, row = assigned(text, "mysql")
            columns, rows = [name.strip(_QUOTES) for name in names], [row] if row else []
        else:
            known = self.tables.get(_key(match["table"]))
            width = len(columns or (known.columns if known is not None else ()))
            rows, broken = values(text, self.dialect, ended=statement.ended, width=width)
        self.broken += broken
        if rows:
            self._fill(match["table"], columns, rows, statement)
        elif not broken:
            self.unread += 1

    def _fill(self, table: str, columns: list[str], rows: list[list[Cell]], statement: SqlStatement) -> None:
        target = self._table(table, statement)
        if not target.columns:
            target.columns = columns or [f"column {i + 1}" for i in range(len(rows[0]) if rows else 0)]
        if columns and columns != target.columns:
            for column in columns:
                if column not in target.columns:
                    target.columns.append(column)
            order = [columns.index(column) if column in columns else -1 for column in target.columns]
            rows = [[row[i] if 0 <= i < len(row) else None for i in order] for row in rows]
        target.rows.extend(rows)
        target.lines = (target.lines[0], statement.lines[1])

    def _table(self, name: str, statement: SqlStatement) -> _Table:
        return self.tables.setdefault(_key(name), _Table(_bare(name), lines=statement.lines))

    def _create(self, statement: SqlStatement) -> None:
        import sqlglot
        from sqlglot import exp

        logging.getLogger("sqlglot").setLevel(logging.ERROR)
        try:
            tree = sqlglot.parse_one(statement.text, read=self.dialect)
        except (sqlglot.errors.SqlglotError, RecursionError, ValueError):
            self.other.append(statement)
            return
        if not isinstance(tree, exp.Create) or not isinstance(tree.this, exp.Schema):
            self.other.append(statement)
            return
        table = self._table(tree.this.this.name, statement)
        for column in tree.this.expressions:
            if isinstance(column, exp.ColumnDef):
                table.columns.append(column.name)
                table.notes.append(_described(column, self.dialect))
                if remark := _remark(column):
                    table.remarks[column.name] = remark
                kind = column.args.get("kind")
                if kind is not None and kind.this == exp.DataType.Type.BOOLEAN:
                    table.truths.add(column.name)
            elif isinstance(column, exp.Constraint | exp.ForeignKey | exp.PrimaryKey):
                table.notes.extend(_keys(column, self.dialect))
        comment = tree.find(exp.SchemaCommentProperty)
        table.comment = comment.name if comment is not None else ""

    def write(self) -> None:
        """Put the tables into the draft: their definition as text, their rows as a table."""
        for table in self.tables.values():
            _make_true(table)
            self.draft.heading(f"Table {table.name}", 1, Location(lines=table.lines))
            self.draft.paragraph(table.comment, Location(lines=table.lines))
            self.draft.paragraph(
                "Columns: " + "; ".join(table.notes) if table.notes else "", Location(lines=table.lines)
            )
            rows: list[Sequence[object]] = [table.columns, *table.rows]
            if table.rows:
                self.draft.rows(
                    table.name,
                    rows,
                    caption=table.comment,
                    location=Location(rows=(0, len(table.rows) - 1)),
                    header=1,
                )
                explain_last(self.draft, table.remarks)
            else:
                self.draft.skipped.append(f"Table {table.name} has no rows in this dump.")
        for statement in self.other:
            self.draft.add("code", statement.text, Location(lines=statement.lines))
        if self.broken:
            self.draft.skipped.append(f"Rows that hold more than plain values, or are broken: {self.broken}.")
        if self.unread:
            self.draft.skipped.append(f"Statements that compute what they write were not run: {self.unread}.")


def _bare(name: str) -> str:
    """Return the name of a table without quotes and without that of what holds it."""
    return _QUOTATION.sub("", name).rsplit(".", 1)[-1].strip()


def _key(name: str) -> str:
    return _bare(name).lower()


def _is_whole(text: str) -> bool:
    """Say whether a statement that nothing ends lacks only its semicolon."""
    bare = _QUOTED.sub("", text)
    return not any(mark in bare for mark in _QUOTES[:3]) and "'" not in bare and _balanced(bare)


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and not text.endswith((",", "("))


def _make_true(table: _Table) -> None:
    """Turn what a dump writes for yes and no ("t", "f", 1, 0) into that, in columns declared so."""
    truth_values: dict[object, bool] = {"t": True, "f": False, "1": True, "0": False, 1: True, 0: False}
    for place, column in enumerate(table.columns):
        if column in table.truths:
            for row in table.rows:
                if place < len(row):
                    row[place] = truth_values.get(row[place], row[place])


def _names(columns: str | None) -> list[str]:
    return [column.strip(_QUOTES) for column in (columns or "").split(",") if column.strip()]


def _remark(column: "exp.ColumnDef") -> str:
    """Return what the dump says of a column: its COMMENT, or what stands behind it after two hyphens."""
    from sqlglot import exp

    comment = column.find(exp.CommentColumnConstraint)
    if comment is not None and hasattr(comment.this, "name"):
        return str(comment.this.name)
    return " ".join(
        remark.strip() for node in column.walk() for remark in node.comments or () if remark[0] != "!"
    )


def _described(column: "exp.ColumnDef", dialect: str) -> str:
    from sqlglot import exp

    kind: Any = column.args.get("kind")
    definition = f"{column.name} {kind.sql(dialect=dialect).lower() if kind is not None else ''}".strip()
    comment = column.find(exp.CommentColumnConstraint)
    return (
        f"{definition} ({comment.this.name})"
        if comment is not None and hasattr(comment.this, "name")
        else definition
    )


def _keys(constraint: "exp.Expression", dialect: str) -> Iterator[str]:
    """Yield in words which columns are a table's key, and which refer to another table."""
    from sqlglot import exp

    found = [*constraint.find_all(exp.PrimaryKey, exp.ForeignKey)]
    if not found:
        yield constraint.sql(dialect=dialect)
    for key in found:
        own = ", ".join(column.name for column in key.expressions)
        reference: Any = key.args.get("reference")
        table = reference.find(exp.Table) if reference is not None else None
        if isinstance(key, exp.PrimaryKey):
            yield f"primary key: {own}"
        elif table is not None:
            theirs = ", ".join(column.name for column in reference.this.expressions)
            yield f"{own} refers to {table.name}" + (f" ({theirs})" if theirs else "")
