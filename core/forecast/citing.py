"""Turns what a series was computed from into passages a reader can open."""

from collections.abc import Sequence

from core.domain import Chunk, DatedEvent, Passage, Series, Table, identify
from core.forecast.evidence_rows import Structured
from core.knowledge.base import KnowledgeBase

MAX_QUOTED_POINTS = 12  # points of a table that its passage quotes
MAX_PASSAGES = 12  # passages in all


def cite(
    knowledge: KnowledgeBase,
    structured: Structured,
    series: Series,
    question: str,
    evidence: Sequence[Passage],
    events: Sequence[DatedEvent] = (),
) -> tuple[tuple[Passage, ...], tuple[int, ...]]:
    """Return the passages, those the series rests on first, and their numbers (from 1).

    Those that tell of the events stand among them too.
    """
    used: list[Passage] = []
    tables = {table.id: table for table in knowledge.tables()}
    for table_id in dict.fromkeys(row.table_id for row in structured.rows if row.table_id):
        rows = [r.row for r in structured.rows if r.table_id == table_id and r.row is not None]
        used.append(
            _from_table(knowledge, tables[table_id], (min(rows), max(rows)), structured, series, question)
        )
    by_chunk = {passage.chunk.id: passage for passage in evidence}
    for chunk in structured.chunks[: MAX_PASSAGES - 1]:
        used.append(
            by_chunk.get(chunk.id) or _passage(knowledge, chunk, question, "holds values of the series")
        )
    used_ids = {passage.chunk.id for passage in used}
    event_chunks = list(
        dict.fromkeys(e.chunk_id for e in events if e.chunk_id and e.chunk_id not in used_ids)
    )
    dated = [
        by_chunk.get(chunk.id) or _passage(knowledge, chunk, question, "tells of a dated event")
        for chunk in (knowledge.chunks(ids=event_chunks) if event_chunks else ())
    ]
    used_ids |= {passage.chunk.id for passage in dated}
    rest = [passage for passage in evidence if passage.chunk.id not in used_ids]
    passages = (*used, *dated, *rest[: max(0, MAX_PASSAGES - len(used) - len(dated))])
    return passages, tuple(range(1, len(used) + 1))


def _passage(knowledge: KnowledgeBase, chunk: Chunk, question: str, why: str) -> Passage:
    title = knowledge.document(chunk.document_id).title
    return Passage(chunk=chunk, document_title=title, query=question, score=1.0, why=(why,))


def _from_table(
    knowledge: KnowledgeBase,
    table: Table,
    rows: tuple[int, int],
    structured: Structured,
    series: Series,
    question: str,
) -> Passage:
    unit = f" {series.unit}" if series.unit else ""
    lines = [f"{p.period}: {p.value:.10g}{unit}" for p in series.points[-MAX_QUOTED_POINTS:]]
    if len(series.points) > MAX_QUOTED_POINTS:
        lines.insert(0, f"({len(series.points) - MAX_QUOTED_POINTS} earlier values)")
    text = f"{series.name}, {series.aggregate}\n" + "\n".join(lines)
    sql = structured.link.sql() if structured.link else ""
    chunk = Chunk(
        id=identify("series", table.id, sql, text),
        document_id=table.document_id,
        section_id="",
        text=text,
        heading_path=(table.name,),
        order=0,
        tokens=0,
        kind="table",
        location=table.location.at_rows(*rows),
        table_id=table.id,
    )
    return Passage(
        chunk=chunk,
        document_title=knowledge.document(table.document_id).title,
        query=question,
        score=1.0,
        scores={"table": 1.0},
        why=(f"computed from {table.name}: {sql}",),
    )
