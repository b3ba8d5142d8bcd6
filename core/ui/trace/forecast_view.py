"""Draws a forecast: history, forecast, intervals, backtest; every point opens what it was computed from."""

import html

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain import Forecast, Frequency, Passage, Point, Report, Row
from core.errors import StrataError
from core.export.csv_file import csv_bytes
from core.forecast.induce import Grouping
from core.forecast.request import Aggregate
from core.text.periods import first_day
from core.trace import RowsStructured
from core.ui.chat import sources
from core.ui.shared import display_text, safe, session, widgets

TEAL, GREY = "26, 100, 114", "100, 116, 139"
KEPT = {"marker": {"opacity": 1.0}}  # a pressed point leaves the others as they are
FREQUENCIES: tuple[Frequency, ...] = ("daily", "weekly", "monthly", "quarterly", "yearly")
AGGREGATES: tuple[Aggregate, ...] = ("mean", "sum", "count", "last")


def show(run: str, report: Report, *, where: str) -> None:
    """Show chart and table of the report's forecast; `where` keeps the keys of chat and trace apart."""
    if report.forecast is not None:
        _draw(report.forecast, report, key=f"{where}_{run}")


def figure(made: Forecast) -> go.Figure:
    """Return the chart; the points of the history carry their place in it, to open their sources."""
    history, ahead = made.series.points, made.points
    last = history[-1]
    days = [first_day(last.period), *(first_day(p.period) for p in ahead)]
    drawn = go.Figure()
    for name, low, high, shade in (
        ("95 % interval", [p.low95 for p in ahead], [p.high95 for p in ahead], 0.12),
        ("80 % interval", [p.low80 for p in ahead], [p.high80 for p in ahead], 0.22),
    ):
        drawn.add_scatter(
            x=[*days, *reversed(days)],
            y=[last.value, *high, *reversed(low), last.value],
            mode="lines",
            fill="toself",
            fillcolor=f"rgba({TEAL}, {shade})",
            line={"width": 0},
            name=name,
            hoverinfo="skip",
        )
    drawn.add_scatter(
        x=[first_day(p.period) for p in history],
        y=[p.value for p in history],
        mode="lines+markers",
        name="history",
        line={"color": f"rgb({GREY})", "width": 1.5},
        marker={"size": 5},
        unselected=KEPT,
        customdata=[[i, p.period] for i, p in enumerate(history)],
        hovertemplate="%{customdata[1]}: %{y}<extra></extra>",
    )
    if made.fitted:
        drawn.add_scatter(
            x=[first_day(p.period) for p in made.fitted],
            y=[p.value for p in made.fitted],
            mode="lines",
            name="backtest",
            line={"color": f"rgb({GREY})", "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
        )
    drawn.add_scatter(
        x=days,
        y=[last.value, *(p.value for p in ahead)],
        mode="lines+markers",
        name="forecast",
        line={"color": f"rgb({TEAL})", "width": 2},
        marker={"size": [0, *[6] * len(ahead)]},
        unselected=KEPT,
        customdata=[[-1, last.period], *([-1, p.period] for p in ahead)],
        hovertemplate="%{customdata[1]}: %{y}<extra></extra>",
    )
    values = {p.period: p.value for p in history}
    odd = [p for p in (*made.outliers, *made.breaks) if p in values]
    if odd:
        drawn.add_scatter(
            x=[first_day(p) for p in odd],
            y=[values[p] for p in odd],
            mode="markers",
            name="break or unusual",
            marker={"size": 10, "symbol": "circle-open", "color": "rgb(217, 119, 6)", "line": {"width": 2}},
            unselected=KEPT,
            hoverinfo="skip",
        )
    drawn.update_layout(
        height=340,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        yaxis_title=html.escape(made.series.unit or made.series.aggregate),
        legend={"orientation": "h", "y": -0.15},
    )
    return drawn


def table(made: Forecast) -> pd.DataFrame:
    """Return history and forecast as one table."""
    rows: list[dict[str, object]] = [
        {"Period": p.period, "Kind": "history", "Value": p.value, "Rows": len(p.rows)}
        for p in made.series.points
    ]
    rows += [
        {
            "Period": p.period,
            "Kind": "forecast",
            "Value": p.value,
            "80 % low": p.low80,
            "80 % high": p.high80,
            "95 % low": p.low95,
            "95 % high": p.high95,
        }
        for p in made.points
    ]
    return pd.DataFrame(rows)


def _rows(run: str) -> None:
    """Say what the series was made of: how many rows, from where, by which query, with which conflicts."""
    events = [stamped.event for stamped in session.assistant().questions.events(run)]
    for event in events:
        if isinstance(event, RowsStructured):
            read = f"{display_text.count(event.total, 'dated value')} from {', '.join(event.sources)}"
            widgets.facts([("Rows", read), *(("The sources disagree", text) for text in event.conflicts)])
            if event.sql:
                st.code(event.sql, language="sql", wrap_lines=True)


def _draw(made: Forecast, report: Report, key: str) -> None:
    unit = f" [{made.series.unit}]" if made.series.unit else ""
    st.caption(
        safe.line(f"{made.series.name}, {made.series.aggregate}{unit}. Press a point to open its source.")
    )
    chosen = st.plotly_chart(
        figure(made),
        key=f"chart_{key}",
        on_select="rerun",
        selection_mode="points",
        config={"displaylogo": False, "displayModeBar": False},
    )
    picked = [p.get("customdata") for p in chosen["selection"]["points"]]
    numbers = [int(data[0]) for data in picked if data]
    opened = f"opened_{key}"
    if numbers and numbers[0] >= 0 and st.session_state.get(opened) != numbers[0]:
        st.session_state[opened] = numbers[0]
        open_point(made.series.points[numbers[0]], report)
    elif not numbers:
        st.session_state.pop(opened, None)
    frame = table(made)
    with st.expander("Numbers"):
        st.dataframe(frame, hide_index=True, width="stretch", height=260)
        st.download_button(
            "Download as CSV",
            data=csv_bytes(frame),
            file_name="forecast.csv",
            mime="text/csv",
            key=f"csv_{key}",
            on_click="ignore",
        )


def open_point(point: Point, report: Report) -> None:
    """Open the first source of a point: its row of the table, or the passage it was read from."""
    passage = next((p for p in (source(row, report) for row in point.rows) if p is not None), None)
    if passage is None:
        st.toast("This point was filled in; it has no source of its own.")
    else:
        sources.open_passage(passage)


def source(row: Row, report: Report) -> Passage | None:
    """Return the place a row was read from as a passage."""
    for passage in report.passages:
        chunk = passage.chunk
        if row.chunk_id and chunk.id == row.chunk_id:
            return passage
        if row.table_id and chunk.table_id == row.table_id and row.row is not None:
            text = f"{row.entity} {row.attribute}, {row.period}: {row.value:.10g} {row.unit}".strip()
            place = chunk.location.model_copy(update={"rows": (row.row, row.row)})
            return passage.model_copy(
                update={"chunk": chunk.model_copy(update={"text": text, "location": place}), "highlights": ()}
            )
    found = session.assistant().library.contents.chunks(ids=[row.chunk_id]) if row.chunk_id else []
    return Passage(chunk=found[0], document_title="", query="", score=1.0) if found else None


def trace(run: str, report: Report) -> None:
    """Show the forecast with how the candidates did, and let the reader change grouping and horizon."""
    made = report.forecast
    if made is None:
        return
    _rows(run)
    left, middle, right = st.columns(3)
    frequency = left.selectbox("Group by", FREQUENCIES, index=None, placeholder="As asked", key=f"by_{run}")
    aggregate = middle.selectbox("Join by", AGGREGATES, index=None, placeholder="As asked", key=f"join_{run}")
    horizon = right.number_input("Steps ahead", 1, 60, value=None, placeholder="As asked", key=f"steps_{run}")
    if frequency or aggregate or horizon:
        try:
            outlook = session.assistant().questions.forecast_again(
                run, Grouping(frequency, aggregate, horizon)
            )
        except StrataError as error:
            st.warning(safe.line(str(error)))
            return
        if outlook.forecast is None:
            st.warning(safe.line(outlook.reason))
            return
        made, report = outlook.forecast, report.model_copy(update={"passages": outlook.passages})
        for sentence in outlook.sentences:
            st.markdown(safe.escape(sentence.text), anchors=False)
    _draw(made, report, key=f"trace_{run}")
    for title, lines in (("Made of", made.series.notes), ("Why not to trust it", made.cautions)):
        if lines:
            st.caption(title)
            st.markdown("\n".join(f"- {safe.line(text)}" for text in lines), anchors=False)
    if made.trials:
        st.caption("Backtest by rolling origin: MASE (1 is as good as the naive step) and sMAPE in percent")
        tried = sorted(made.trials, key=lambda trial: trial.mase)
        st.dataframe(
            pd.DataFrame(
                [{"Model": t.model, "MASE": round(t.mase, 3), "sMAPE": round(t.smape, 2)} for t in tried]
            ),
            hide_index=True,
            width="content",
        )
