"""The trace of a forecast: what it was made of, other groupings, the chart, how the candidates did."""

import pandas as pd

from core.domain import Report
from core.errors import StrataError
from core.forecast.induce import Grouping
from core.forecast.note_translation import translated_note
from core.forecast.request import Aggregate
from core.i18n.escaping import escape, join, layout, line
from core.i18n.messages import language, plain, plain_n, t
from core.i18n.recorded_messages import translated, translated_plain
from core.text.periods import FREQUENCIES
from core.trace import ProseExtracted, RowsStructured
from core.ui.inspector import forecast_chart, point_view
from core.ui.inspector.selection import ForecastPoint, selected
from core.ui.shared import display_text, session, st, widgets

AGGREGATES: tuple[Aggregate, ...] = ("mean", "sum", "count", "last")


def _rows(run: str) -> None:
    """Say what the series was made of: how many rows, from where, by which query, with which conflicts."""
    events = [stamped.event for stamped in session.assistant().questions.events(run)]
    for event in events:
        if isinstance(event, ProseExtracted):
            _prose(event)
        if isinstance(event, RowsStructured):
            read = plain(
                "{values} from {sources}",
                values=plain_n("{n:,} dated value", "{n:,} dated values", event.total),
                sources=", ".join(event.sources),
            )
            widgets.facts(
                [(plain("Rows"), read), *((plain("The sources disagree"), text) for text in event.conflicts)]
            )
            if event.sql:
                with st.expander(t("Query"), type="compact"):
                    st.code(event.sql, language="sql", wrap_lines=True)


def _prose(event: ProseExtracted) -> None:
    """Say which dated events were found in prose, and what a reading said that does not stand there."""
    found = [(display_text.period(each.period), each.text) for each in event.events]
    widgets.facts([*found, *((plain("Dropped"), translated_plain(text)) for text in event.dropped)])


def trace(run: str, report: Report) -> None:
    """Show the forecast with how the candidates did, and let the reader change grouping and horizon."""
    made = report.forecast
    if made is None:
        return
    drawn = st.container()  # the chart comes first, what changes it below
    _rows(run)
    with st.expander(t("Group or look ahead another way"), type="compact", key=f"grouping_{run}"):
        left, middle, right = st.columns(3)
    frequency = left.selectbox(
        t("Group by"), FREQUENCIES, index=None, placeholder=plain("As asked"), key=f"by_{run}"
    )
    aggregate = middle.selectbox(
        t("Join by"), AGGREGATES, index=None, placeholder=plain("As asked"), key=f"join_{run}"
    )
    horizon = right.number_input(
        t("Steps ahead"), 1, 60, value=None, placeholder=plain("As asked"), key=f"steps_{run}"
    )
    if frequency or aggregate or horizon:
        try:
            outlook = session.assistant().questions.forecast_again(
                run, Grouping(frequency, aggregate, horizon)
            )
        except StrataError as error:
            st.warning(translated(str(error)))
            return
        if outlook.forecast is None:
            st.warning(translated(outlook.reason))
            return
        made, report = outlook.forecast, report.model_copy(update={"passages": outlook.passages})
        for sentence in outlook.sentences:
            drawn.markdown(escape(sentence.text), anchors=False)
    with drawn:
        forecast_chart.draw(made, report, key=f"trace_{run}", run=run)
        chosen = selected()
        if isinstance(chosen, ForecastPoint) and chosen.run == run:
            point_view.show(chosen)
    for title, lines in (
        (t("Made of"), made.series.notes),
        (t("Why not to trust it"), made.cautions),
    ):
        if lines:
            st.caption(title)
            st.markdown(
                join(
                    "\n", [layout("- {text}", text=line(translated_note(text, language()))) for text in lines]
                ),
                anchors=False,
            )
    if made.trials:
        st.caption(
            t("Backtest by rolling origin: MASE (1 is as good as the naive step) and sMAPE in percent")
        )
        tried = sorted(made.trials, key=lambda trial: trial.mase)
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        plain("Model"): trial.model,
                        plain("MASE"): round(trial.mase, 3),
                        plain("sMAPE"): round(trial.smape, 2),
                    }
                    for trial in tried
                ]
            ),
            hide_index=True,
            width="content",
            column_config={plain("Model"): st.column_config.Column(width=170)},
        )
