"""One point of a forecast: its value, and the rows or the passage it was computed from, marked."""

from collections.abc import Sequence

import pandas as pd

from core.domain import Forecast, Interval, Passage, Point, Row
from core.i18n.escaping import layout, line
from core.i18n.messages import plain, t, tn
from core.ui.inspector import source_view
from core.ui.inspector.selection import ForecastPoint, Source
from core.ui.shared import components, display_text, session, st

MAX_SOURCES = 3  # rows of one point that are shown where they stand
CONTEXT_ROWS = 4


def show(chosen: ForecastPoint) -> None:
    """Show the point; of a forecast value its intervals, of a past one where it was read."""
    made = chosen.made
    unit = f" {made.series.unit}" if made.series.unit else ""
    st.markdown(layout("## {period}", period=display_text.period(chosen.period)), anchors=False)
    past = next((point for point in made.series.points if point.period == chosen.period), None)
    if past is not None:
        st.markdown(layout("**{value}**", value=f"{past.value:.10g}{unit}"), anchors=False)
        st.caption(line(f"{made.series.name}, {made.series.aggregate}"))
        _read_from(past, chosen)
        return
    ahead = next((point for point in made.points if point.period == chosen.period), None)
    if ahead is not None:
        _forecast(ahead, made, unit)


def _forecast(ahead: Interval, made: Forecast, unit: str) -> None:
    st.markdown(layout("**{value}**", value=f"{ahead.value:.4g}{unit}"), anchors=False)
    st.caption(line(plain("Forecast by the {model}. The row of the table is marked.", model=made.model)))
    rows = [
        {
            "number": n,
            "cells": [
                display_text.period(point.period),
                f"{point.value:.4g}",
                f"{point.low80:.4g} – {point.high80:.4g}",
                f"{point.low95:.4g} – {point.high95:.4g}",
            ],
            "marked": point.period == ahead.period,
            "own": True,
        }
        for n, point in enumerate(made.points, 1)
    ]
    columns = [
        plain("Period"),
        plain("Value{value}", value=f" [{made.series.unit}]" if made.series.unit else ""),
        "80 %",
        "95 %",
    ]
    data = {"columns": columns, "rows": rows, "label": plain("Forecast"), "turn": ahead.period}
    components.rows(data, key="inspector_ahead")


def _read_from(point: Point, chosen: ForecastPoint) -> None:
    tables: dict[str, list[int]] = {}
    for row in point.rows:
        if row.table_id and row.row is not None:
            tables.setdefault(row.table_id, []).append(row.row)
    for table, numbers in tables.items():
        _table(table, sorted(numbers), chosen)
    texts = [row for row in point.rows if not row.table_id]
    for n, row in enumerate(texts[:MAX_SOURCES]):
        passage = passage_of(row, chosen.passages)
        if passage is not None:
            source = Source(passage=passage, claim=row.text, run=chosen.run)
            source_view.show(source, key=f"inspector_point_{n}")
    if not point.rows:
        st.caption(t("This point was filled in; it has no source of its own."))


def _table(table: str, numbers: Sequence[int], chosen: ForecastPoint) -> None:
    """Draw the rows a value was computed from where they are in their table."""
    library = session.assistant().library.contents
    offset = max(0, numbers[0] - CONTEXT_ROWS)
    span = min(numbers[-1] - offset + 1 + CONTEXT_ROWS, source_view.MOST_ROWS)
    frame: pd.DataFrame = library.rows(table, offset, span)
    passage = next((p for p in chosen.passages if p.chunk.table_id == table), None)
    titled = passage.document_title if passage is not None else ""
    counted = tn("{n:,} row", "{n:,} rows", len(numbers))
    st.caption(
        line(
            plain("Computed from {counted} of {titled}", counted=counted, titled=titled)
            if titled
            else plain("Computed from {counted}", counted=counted)
        )
    )
    rows = [
        {
            "number": offset + n + 1,
            "cells": [source_view.written(cell) for cell in frame.iloc[n]],
            "marked": offset + n in numbers,
            "own": offset + n in numbers,
        }
        for n in range(len(frame))
    ]
    columns = source_view.headings(table, frame, passage.chunk.document_id if passage is not None else None)
    data = {
        "columns": columns,
        "rows": rows,
        "label": plain("Rows of {titled}", titled=titled),
        "turn": chosen.period,
    }
    components.rows(data, key=f"inspector_rows_{table}")


def passage_of(row: Row, passages: Sequence[Passage]) -> Passage | None:
    """Return the passage a value was read from in a text, None where it is no longer there."""
    passage = next((p for p in passages if row.chunk_id and p.chunk.id == row.chunk_id), None)
    if passage is not None or not row.chunk_id:
        return passage
    found = session.assistant().library.contents.chunks(ids=[row.chunk_id])
    return Passage(chunk=found[0], document_title="", query="", score=0.0) if found else None
