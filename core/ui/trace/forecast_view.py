"""The trace of a forecast: what it was made of, other groupings, the chart, how the candidates did."""

import pandas as pd
import streamlit as st

from core.domain import Frequency, Report
from core.errors import StrataError
from core.forecast.induce import Grouping
from core.forecast.request import Aggregate
from core.trace import RowsStructured
from core.ui.inspector import forecast_chart, point_view
from core.ui.inspector.selection import ForecastPoint, selected
from core.ui.shared import display_text, safe, session, widgets

FREQUENCIES: tuple[Frequency, ...] = ("daily", "weekly", "monthly", "quarterly", "yearly")
AGGREGATES: tuple[Aggregate, ...] = ("mean", "sum", "count", "last")


def _rows(run: str) -> None:
    """Say what the series was made of: how many rows, from where, by which query, with which conflicts."""
    events = [stamped.event for stamped in session.assistant().questions.events(run)]
    for event in events:
        if isinstance(event, RowsStructured):
            read = f"{display_text.count(event.total, 'dated value')} from {', '.join(event.sources)}"
            widgets.facts([("Rows", read), *(("The sources disagree", text) for text in event.conflicts)])
            if event.sql:
                st.code(event.sql, language="sql", wrap_lines=True)


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
    forecast_chart.draw(made, report, key=f"trace_{run}")
    chosen = selected()
    if isinstance(chosen, ForecastPoint) and chosen.run == run:
        point_view.show(chosen)
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
