"""Finds the tables that hold what a question asks for, and reads their rows from DuckDB."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.domain import Column, Passage, Row, Scope, Table
from core.forecast.link import SeriesLink
from core.forecast.request import ForecastRequest
from core.knowledge.base import KnowledgeBase
from core.text.glossary import query_terms
from core.text.periods import as_period, find_periods
from core.text.sql_quoting import quoted
from core.text.tokens import content_words, is_cjk

MOST_ROWS = 50_000
MOST_TABLES = 24  # looked into for one question
MOST_VALUES = 300  # different values of a column that names things; more is free text
_YEAR_NAMES = re.compile(r"^(?:fiscal )?(?:year|jahr|fy|年|年份|年度)$", re.IGNORECASE)
_PART_NAMES = re.compile(r"^(?:month|quarter|week|月|月份|季度|季|周)$", re.IGNORECASE)
_TIME_WORDS = set(content_words("day daily week weekly month monthly quarter quarterly year yearly log"))


@dataclass(frozen=True)
class TableLinker:
    """Links questions to tables by names of columns, the values in them, captions and titles."""

    knowledge: KnowledgeBase

    def link(self, wanted: ForecastRequest, evidence: Sequence[Passage], scope: Scope) -> list[SeriesLink]:
        """Return the tables that can answer, best first; each holds every code the question names."""
        found: list[SeriesLink] = []
        seen = {passage.chunk.table_id for passage in evidence} - {None}
        titles = self.knowledge.titles()
        for table in self._touched(wanted, seen, titles, scope):
            made = self._link(table, titles.get(table.document_id, ""), wanted)
            if made:
                bonus = 0.5 if table.id in seen else 0.0
                found.append(SeriesLink(**{**made.__dict__, "score": made.score + bonus}))
        return sorted(found, key=lambda each: (-each.score, each.table.id))

    def _touched(
        self, wanted: ForecastRequest, seen: set[str | None], titles: dict[str, str], scope: Scope
    ) -> list[Table]:
        """Return the tables whose names share most words with the question; only these are looked into."""
        rated = []
        for table in self.knowledge.tables(scope=scope):
            headers = " ".join(column.name for column in table.columns)
            about = query_terms(f"{table.name} {table.caption} {titles.get(table.document_id, '')} {headers}")
            shared = len(about & wanted.words) + (table.id in seen)
            if shared and table.row_count >= 3:
                rated.append((-shared, table.id, table))
        return [table for _, _, table in sorted(rated, key=lambda each: each[:2])[:MOST_TABLES]]

    def rows(self, link: SeriesLink, scope: Scope) -> list[Row]:
        """Return the rows of a linked table, newest `MOST_ROWS` at most. Raises QueryError."""
        sql, values = link.query()
        frame = self.knowledge.query(sql, limit=MOST_ROWS, scope=scope, parameters=values)
        attribute, unit = link.name(), link.unit()
        rows = []
        for record in frame.itertuples(index=False, name=None):
            period = period_of(record[1 : 1 + len(link.time)], link)
            value = 1.0 if link.value is None else number(record[-1])
            if period and value is not None:
                rows.append(
                    Row(
                        entity=link.entity(),
                        attribute=attribute,
                        period=period,
                        value=value,
                        unit=unit,
                        table_id=link.table.id,
                        row=int(record[0]),
                    )
                )
        return rows

    def span(self, link: SeriesLink, scope: Scope) -> tuple[str, str] | None:
        """Return the first and last day the whole table covers, whatever is filtered."""
        columns = ", ".join(quoted(c.name) for c in link.time)
        name = quoted(link.table.sql_name)
        frame = self.knowledge.query(f"SELECT DISTINCT {columns} FROM {name}", limit=MOST_ROWS, scope=scope)
        periods = [p for p in (period_of(r, link) for r in frame.itertuples(index=False, name=None)) if p]
        return (min(periods), max(periods)) if periods else None

    def _link(self, table: Table, title: str, wanted: ForecastRequest) -> SeriesLink | None:
        time, year = self._time(table, title)
        if not time:
            return None
        filters = self._filters(table, wanted, {c.name for c in time})
        about = query_terms(f"{table.name} {table.caption} {title}")
        texts = {v.upper() for _, values in filters for v in values} | {w.upper() for w in about}
        missing = [code for code in wanted.codes if not any(code in text for text in texts)]
        headed = {w for each in table.columns for w in query_terms(each.name)}
        said = about | headed | {w for _, values in filters for v in values for w in query_terms(v)}
        if missing or any(said.isdisjoint(thing) for thing in wanted.things if not _is_code(thing, wanted)):
            return None
        column, fit = self._value(table, wanted, time)
        named = {w for _, values in filters for v in values for w in content_words(v)}
        topic = len(wanted.words & about) / max(len(about), 1)
        headers = {w for c in table.columns if c.type == "text" for w in query_terms(c.name)}
        known = headers | about | named
        counted = wanted.counting and bool(wanted.words & known) and wanted.measured - _TIME_WORDS <= known
        if column is None or (wanted.counting and fit < 1 and counted):
            if not counted:
                return None
            column, fit = None, 0.5 + 0.5 * len(wanted.words & (headers | about)) / max(len(wanted.words), 1)
        own = set(content_words(column.name)) if column else set()
        coded = {w for code in wanted.codes for w in content_words(code)}
        vague = column is not None and bool(
            (set(content_words(table.name)) & wanted.words) - own - coded - named - _TIME_WORDS
        )
        return SeriesLink(table, time, column, filters, 2 * fit + len(filters) + topic, vague, year)

    def _time(self, table: Table, title: str) -> tuple[tuple[Column, ...], str]:
        """Return the columns that say when, and the year of a table that leaves it to its name."""
        for column in table.columns:
            if column.type in {"date", "datetime"}:
                return (column,), ""
        year = next((c for c in table.columns if _YEAR_NAMES.match(c.name.strip())), None)
        part = next((c for c in table.columns if _PART_NAMES.match(c.name.strip())), None)
        if year and part and part is not year:
            return (year, part), ""
        if year:
            return (year,), ""
        for column in table.columns:
            if column.type == "text":
                values = self._values(table, column)
                dated = [v for v in values if as_period(v)]
                if values and len(dated) >= 0.8 * len(values):
                    return (column,), ""
        if part:
            named = find_periods(f"{table.name} {table.caption} {title}")
            return ((part,), named[0].period[:4]) if named else ((), "")
        return (), ""

    def _values(self, table: Table, column: Column) -> list[str]:
        name = quoted(column.name)
        frame = self.knowledge.query(
            f"SELECT DISTINCT {name} AS v FROM {quoted(table.sql_name)} WHERE {name} IS NOT NULL",
            limit=MOST_VALUES + 1,
        )
        values = sorted(str(v) for v in frame["v"])
        return values if len(values) <= MOST_VALUES else []

    def _filters(
        self, table: Table, wanted: ForecastRequest, time: set[str]
    ) -> tuple[tuple[Column, tuple[str, ...]], ...]:
        """Return the columns of which the question names values, with these values."""
        found = []
        for column in table.columns:
            if column.type == "text" and column.name not in time:
                values = tuple(v for v in self._values(table, column) if _named(v, column.name, wanted))
                if values:
                    found.append((column, values))
        return tuple(found)

    def _value(
        self, table: Table, wanted: ForecastRequest, time: Sequence[Column]
    ) -> tuple[Column | None, float]:
        """Return the numeric column the question names, and how fully it does (0 to 1, more words first)."""
        best: tuple[float, Column | None] = (0.0, None)
        for column in table.columns:
            if column.type not in {"integer", "real"} or column in time:
                continue
            words = set(content_words(column.name)) - set(content_words(column.unit))
            shared = words & wanted.words
            if shared and (fit := len(shared) / len(words) + 0.1 * len(shared)) > best[0]:
                best = (fit, column)
        return best[1], best[0]


def _is_code(thing: frozenset[str], wanted: ForecastRequest) -> bool:
    """Say whether a thing is one that the question calls by its code."""
    return any(not thing.isdisjoint(content_words(code)) for code in wanted.codes)


def _named(value: str, column: str, wanted: ForecastRequest) -> bool:
    """Say whether the question names this value: as a whole, by all its words, or as "chamber B"."""
    value = value.strip()
    if not value:
        return False
    pattern = re.escape(value)
    if len(value) == 1:
        return bool(
            re.search(
                rf"\b{re.escape(column)}\s+{pattern}\b|(?<![A-Za-z\d]){pattern}\s*腔", wanted.question, re.I
            )
        )
    if re.search(rf"(?<![A-Za-z\d-]){pattern}(?![A-Za-z\d]|-\d)", wanted.question, re.IGNORECASE) and (
        not value.isdigit() or len(value) > 4
    ):
        return True
    words = set(content_words(value))
    return (
        len(words) > 1 and not is_cjk(value) and words <= wanted.words and not any(c.isdigit() for c in value)
    )


def period_of(cells: Sequence[Any], link: SeriesLink) -> str | None:
    """Return the period a row's time cells name."""
    import pandas as pd

    if any(cell is None or pd.isna(cell) for cell in cells):
        return None
    if len(cells) == 1 and not link.year:
        return as_period(cells[0])
    year = link.year or str(int(cells[0]))
    part = str(cells[-1]).strip()
    part = part.removesuffix(".0")
    if part.isdigit():
        name = link.time[-1].name.lower()
        kind = "Q" if name.startswith(("q", "季")) else "W" if name.startswith(("w", "周")) else ""
        return f"{year}-{kind}{int(part)}" if kind == "Q" else f"{year}-{kind}{int(part):02}"
    found = find_periods(part, year)
    return found[0].period if found else None


def number(cell: object) -> float | None:
    """Return a finite number, or None."""
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return None
    value = float(cell)
    return value if math.isfinite(value) else None
