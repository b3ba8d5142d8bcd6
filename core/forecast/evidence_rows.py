"""From evidence to rows: tables first, then text; sources compared, differences shown."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain import Chunk, Passage, Row, Scope
from core.forecast.link import SeriesLink
from core.forecast.request import ForecastRequest
from core.forecast.table_rows import TableLinker
from core.knowledge.base import KnowledgeBase
from core.text.codes import THING_CODE
from core.text.dated_values import read_values
from core.text.glossary import query_terms
from core.text.periods import frequency_of, year_named
from core.text.quantities import convert

LEAST_FIT = 1.2
MOST_CHUNKS = 600  # text read for one question
SAME_VALUE_TOLERANCE = 0.002  # relative difference below which two sources say the same


@dataclass(frozen=True)
class Conflict:
    """Two sources give different values for one period; the first is used."""

    period: str
    used: float
    used_source: str
    other: float
    other_source: str
    unit: str = ""


@dataclass(frozen=True)
class Structured:
    """Rows of one quantity, how they were read and what the sources disagree about."""

    rows: tuple[Row, ...]
    name: str
    entity: str = ""
    unit: str = ""
    link: SeriesLink | None = None  # None: read from text
    span: tuple[str, str] | None = None  # first and last period of the source, before any filter
    sources: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    merged: int = 0  # rows another source repeats
    chunks: tuple[Chunk, ...] = ()  # that text rows were read from

    @property
    def counted(self) -> bool:
        """Say whether the rows are events that count as one each."""
        return self.link.value is None if self.link else all(r.value == 1.0 and not r.unit for r in self.rows)


@dataclass(frozen=True)
class Structurer:
    """Makes rows [entity, attribute, period, value, unit, source] of what a question needs."""

    knowledge: KnowledgeBase

    def structure(
        self,
        wanted: ForecastRequest,
        evidence: Sequence[Passage],
        scope: Scope,
        extracted: Sequence[Row] = (),
    ) -> Structured | None:
        """Return the rows of the quantity the question asks for, or None. Raises QueryError.

        `extracted` were read from passages of the evidence by a task; they join those that rules read.
        """
        linker = TableLinker(self.knowledge)
        links = [link for link in linker.link(wanted, evidence, scope) if link.score >= LEAST_FIT]
        text = self._from_text(wanted, evidence, extracted)
        if not links:
            return text
        link = links[0]
        rows = linker.rows(link, scope)
        if wanted.since:
            rows = [row for row in rows if row.period >= wanted.since]
        made = Structured(
            rows=tuple(rows),
            name=link.name(),
            entity=link.entity(),
            unit=link.unit(),
            link=link,
            span=linker.span(link, scope),
            sources=(self._source(link),),
        )
        if link.value is None:
            return made
        for other in links[1:3]:
            if _same_quantity(link, other):
                made = _compare(made, linker.rows(other, scope), self._source(other))
        return _compare(made, text.rows, text.sources[0]) if text and text.sources else made

    def _source(self, link: SeriesLink) -> str:
        title = self.knowledge.titles().get(link.table.document_id, "")
        return f"{title}, {link.table.name}" if title and title != link.table.name else link.table.name

    def _from_text(
        self, wanted: ForecastRequest, evidence: Sequence[Passage], extracted: Sequence[Row]
    ) -> Structured | None:
        """Read the documents of the evidence, best first; keep what the question's words name."""
        titles = {p.chunk.document_id: p.document_title for p in evidence}
        dates = {p.chunk.document_id: p.date for p in evidence}
        chunks = [c for d in titles for c in self.knowledge.chunks(document_id=d) if c.table_id is None][
            :MOST_CHUNKS
        ]
        found: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for chunk in chunks:
            title = titles[chunk.document_id]
            lead = chunk.heading_path[-1] if chunk.heading_path else title
            for row in _read(chunk, _year(chunk, title, dates[chunk.document_id]), lead):
                if _matches_question(row, wanted, f"{title} {' '.join(chunk.heading_path)}"):
                    found[_group(row)].append(row)
        keys = {row.key() for rows in found.values() for row in rows}
        for row in extracted:
            if row.key() not in keys:
                found[_home(row, found)].append(row)
        if not found:
            return None
        rows = max(found.values(), key=lambda group: len({row.period for row in group}))
        if all(
            row.value == 1.0 and not row.unit for row in rows
        ):  # events: things of one kind count together
            rows = [
                r for g in found.values() for r in g if r.attribute == rows[0].attribute and r.value == 1.0
            ]
        return _united(rows, {c.id: titles[c.document_id] for c in chunks}, {c.id: c for c in chunks})


def _group(row: Row) -> tuple[str, str]:
    """Return the key of a row's series: the entity, and the words of its attribute."""
    return row.entity.upper(), " ".join(sorted(query_terms(row.attribute)))


def _home(row: Row, found: Mapping[tuple[str, str], Sequence[Row]]) -> tuple[str, str]:
    """Return the series a row read by a task belongs to: a task may name entity and attribute more fully."""
    own, words = _group(row), query_terms(row.attribute)
    near = [
        key
        for key in found
        if words & set(key[1].split()) and (not row.entity or not key[0] or row.entity.upper() == key[0])
    ]
    return own if own in found or not near else max(near, key=lambda key: len(found[key]))


def _read(chunk: Chunk, year: str, lead: str) -> Iterator[Row]:
    for read in read_values(chunk.text, year, lead):
        yield Row(
            entity=read.entity,
            attribute=read.attribute,
            period=read.period,
            value=read.value,
            unit=read.unit,
            chunk_id=chunk.id,
            text=read.text,
        )


def _year(chunk: Chunk, title: str, date: str) -> str:
    return year_named(" ".join((title, *chunk.heading_path))) or date[:4]


def _matches_question(row: Row, wanted: ForecastRequest, around: str) -> bool:
    """Say whether a row is about what the question asks: its words in the attribute, its codes nearby."""
    words = query_terms(row.attribute) - query_terms(row.entity)
    if not words & wanted.words:
        return False
    codes = {code.upper() for code in THING_CODE.findall(f"{row.entity} {row.text} {around}")}
    return wanted.codes <= codes and (not wanted.since or row.period >= wanted.since)


def _same_quantity(link: SeriesLink, other: SeriesLink) -> bool:
    """Say whether two tables hold the same quantity of the same thing."""
    if link.value is None or other.value is None or other.table.id == link.table.id:
        return False
    named, also = (query_terms(each.name()) for each in (link, other))
    mine = {v.upper() for _, values in link.filters for v in values}
    return set(named) == set(also) and mine == {v.upper() for _, values in other.filters for v in values}


def _kind(rows: Sequence[Row]) -> set[str]:
    return {frequency_of(row.period) for row in rows}


def _compare(made: Structured, rows: Sequence[Row], source: str) -> Structured:
    """Compare another source's rows with those in use; take only periods that are missing."""
    finest = next(
        (f for f in ("daily", "weekly", "monthly", "quarterly", "yearly") if f in _kind(made.rows)), None
    )
    by_month: dict[str, list[float]] = defaultdict(list)
    for row in made.rows:
        by_month[_month_start(row.period)].append(row.value)
    conflicts, more, merged = list(made.conflicts), [], 0
    for row in rows:
        value = convert(row.value, row.unit, made.unit)
        if value is None or (frequency_of(row.period) != finest and _month_start(row.period) not in by_month):
            continue
        known = by_month.get(_month_start(row.period))
        if known is None:
            more.append(row.model_copy(update={"value": value, "unit": made.unit}))
        elif len(known) == 1 and abs(known[0] - value) <= SAME_VALUE_TOLERANCE * max(
            abs(known[0]), abs(value)
        ):
            merged += 1
        elif len(known) == 1:
            conflicts.append(Conflict(row.period, known[0], made.sources[0], value, source, made.unit))
    return replace(
        made,
        rows=(*made.rows, *more),
        conflicts=tuple(conflicts),
        merged=made.merged + merged,
        sources=(*made.sources, source) if more or merged else made.sources,
    )


def _month_start(period: str) -> str:
    """Read the first day of a month as the month, as tables write months."""
    return period[:7] if len(period) == 10 and period.endswith("-01") else period


def _united(rows: Sequence[Row], titles: dict[str, str], chunks: dict[str, Chunk]) -> Structured:
    """Bring rows of text to one unit, merge what is said twice and name what is said differently."""
    units = [row.unit for row in rows if row.unit]
    unit = max(set(units), key=units.count) if units else ""
    unique: list[Row] = []
    conflicts: list[Conflict] = []
    merged = 0
    counted = all(row.value == 1.0 and not row.unit for row in rows)
    for row in rows:
        value = convert(row.value, row.unit, unit)
        if value is None:
            continue
        same = [
            k
            for k in unique
            if k.period == row.period and k.text != row.text and (not counted or k.entity == row.entity)
        ]
        if not same:
            unique.append(row.model_copy(update={"value": value, "unit": unit}))
        elif any(abs(k.value - value) <= SAME_VALUE_TOLERANCE * max(abs(k.value), abs(value)) for k in same):
            merged += 1
        else:
            first = same[0]
            conflicts.append(
                Conflict(row.period, first.value, titles[first.chunk_id], value, titles[row.chunk_id], unit)
            )
    attribute = unique[0].attribute
    return Structured(
        rows=tuple(unique),
        name=attribute,
        entity=unique[0].entity if len({row.entity for row in unique}) == 1 else "",
        unit=unit,
        sources=tuple(dict.fromkeys(titles[row.chunk_id] for row in unique)),
        conflicts=tuple(conflicts),
        merged=merged,
        chunks=tuple(chunks[c] for c in dict.fromkeys(row.chunk_id for row in unique)),
    )
