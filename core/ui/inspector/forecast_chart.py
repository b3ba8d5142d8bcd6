"""Draws a forecast: history, forecast, intervals, backtest; a point that is pressed is inspected."""

import html
import textwrap
from collections.abc import Mapping
from functools import partial

import pandas as pd
import plotly.graph_objects as go

from core.domain import DatedEvent, Forecast, JointScenario, Report
from core.export.csv_file import csv_bytes
from core.i18n.escaping import line
from core.i18n.messages import plain, t
from core.text.periods import first_day
from core.ui.inspector import scenario_choice
from core.ui.inspector.selection import ForecastPoint, select
from core.ui.shared import display_text, st, widgets

COLOURS = {
    "light": {"forecast": "26, 100, 114", "history": "92, 106, 128", "odd": "180, 95, 6"},
    "dark": {"forecast": "127, 196, 207", "history": "152, 163, 180", "odd": "233, 160, 70"},
}
UNCHANGED = {"marker": {"opacity": 1.0}}  # a pressed point leaves the others as they are


def draw(made: Forecast, report: Report, key: str, run: str) -> None:
    """Draw the chart; its numbers stand below, closed."""
    unit = f", {made.series.unit}" if made.series.unit else ""
    st.caption(
        line(
            plain(
                "{name}, {aggregate}{unit}. Press a point to see what it rests on.",
                name=made.series.name,
                aggregate=made.series.aggregate,
                unit=unit,
            )
        )
    )
    scenario = scenario_choice.choose(made, report, key, run)
    st.plotly_chart(
        figure(made, COLOURS[widgets.theme()], scenario),
        key=f"chart_{key}",
        on_select=partial(_pressed, made, report, f"chart_{key}"),
        selection_mode="points",
        config={"displaylogo": False, "displayModeBar": False},
        alt=plain("Chart of {name}: history and forecast with its intervals", name=made.series.name),
    )
    frame = table(made, scenario)
    with st.expander(t("Numbers"), type="compact"):
        st.dataframe(frame, hide_index=True, width="stretch", height=260)
        st.download_button(
            t("Download as CSV"),
            data=csv_bytes(frame),
            file_name="forecast.csv",
            mime="text/csv",
            key=f"csv_{key}",
            on_click="ignore",
        )


def _pressed(made: Forecast, report: Report, key: str) -> None:
    points = st.session_state[key]["selection"]["points"]
    picked = [point["customdata"][0] for point in points if point.get("customdata")]
    if picked:
        chosen = ForecastPoint(run=report.run, period=picked[0], made=made, passages=report.passages)
        select(chosen)


def figure(
    made: Forecast, colours: Mapping[str, str] = COLOURS["light"], scenario: JointScenario | None = None
) -> go.Figure:
    """Return the chart; points carry their period, by which they open. A scenario is drawn beside."""
    history, ahead = made.series.points, made.points
    last = history[-1]
    unit = html.escape(f" {made.series.unit}" if made.series.unit else "")
    days = [first_day(last.period), *(first_day(p.period) for p in ahead)]
    drawn = go.Figure()
    for name, low, high, shade in (
        (plain("95 % interval"), [p.low95 for p in ahead], [p.high95 for p in ahead], 0.12),
        (plain("80 % interval"), [p.low80 for p in ahead], [p.high80 for p in ahead], 0.22),
    ):
        drawn.add_scatter(
            x=[*days, *reversed(days)],
            y=[last.value, *high, *reversed(low), last.value],
            mode="lines",
            fill="toself",
            fillcolor=f"rgba({colours['forecast']}, {shade})",
            line={"width": 0},
            name=name,
            hoverinfo="skip",
        )
    drawn.add_scatter(
        x=[first_day(p.period) for p in history],
        y=[p.value for p in history],
        mode="lines+markers",
        name=plain("history"),
        line={"color": f"rgb({colours['history']})", "width": 1.5},
        marker={"size": 5},
        unselected=UNCHANGED,
        customdata=[[p.period, display_text.period(p.period)] for p in history],
        hovertemplate=f"%{{customdata[1]}}: %{{y:.6~g}}{unit}<extra></extra>",
    )
    if made.fitted:
        drawn.add_scatter(
            x=[first_day(p.period) for p in made.fitted],
            y=[p.value for p in made.fitted],
            mode="lines",
            name=plain("backtest"),
            line={"color": f"rgb({colours['history']})", "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
        )
    drawn.add_scatter(
        x=days,
        y=[last.value, *(p.value for p in ahead)],
        mode="lines+markers",
        name=plain("forecast"),
        line={"color": f"rgb({colours['forecast']})", "width": 2},
        marker={"size": [0, *[6] * len(ahead)]},
        unselected=UNCHANGED,
        customdata=[[at, display_text.period(at)] for at in (last.period, *(p.period for p in ahead))],
        hovertemplate=f"%{{customdata[1]}}: %{{y:.6~g}}{unit}<extra></extra>",
    )
    values = {p.period: p.value for p in history}
    odd = [p for p in (*made.outliers, *made.breaks) if p in values]
    if odd:
        drawn.add_scatter(
            x=[first_day(p) for p in odd],
            y=[values[p] for p in odd],
            mode="markers",
            name=plain("break or unusual"),
            marker={
                "size": 10,
                "symbol": "circle-open",
                "color": f"rgb({colours['odd']})",
                "line": {"width": 2},
            },
            unselected=UNCHANGED,
            hoverinfo="skip",
        )
    if scenario is not None and scenario.points:
        _draw_scenario(drawn, made, scenario, colours)
    events = made.events if scenario is None else tuple(dict.fromkeys((*made.events, *scenario.events)))
    lowest = [p.low95 for p in (scenario.points if scenario and scenario.points else made.points)]
    _mark(drawn, events, min(*lowest, *(p.low95 for p in ahead), *(p.value for p in history)), colours)
    drawn.update_layout(
        height=340,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        yaxis_title=html.escape(made.series.unit or made.series.aggregate),
        legend={"orientation": "h", "y": -0.15},
    )
    return drawn


def _draw_scenario(
    drawn: go.Figure, made: Forecast, scenario: JointScenario, colours: Mapping[str, str]
) -> None:
    """Draw the values as if the event happened, with their 80 % interval."""
    days = [first_day(p.period) for p in scenario.points]
    unit = html.escape(f" {made.series.unit}" if made.series.unit else "")
    drawn.add_scatter(
        x=[*days, *reversed(days)],
        y=[*(p.high80 for p in scenario.points), *(p.low80 for p in reversed(scenario.points))],
        mode="lines",
        fill="toself",
        fillcolor=f"rgba({colours['odd']}, 0.15)",
        line={"width": 0},
        name=plain("80 % interval, as if"),
        showlegend=False,
        hoverinfo="skip",
    )
    drawn.add_scatter(
        x=days,
        y=[p.value for p in scenario.points],
        mode="lines+markers",
        name=plain("as if"),
        line={"color": f"rgb({colours['odd']})", "width": 2, "dash": "dash"},
        marker={"size": 6},
        unselected=UNCHANGED,
        customdata=[[p.period, display_text.period(p.period)] for p in scenario.points],
        hovertemplate=f"%{{customdata[1]}}: %{{y:.6~g}}{unit}<extra></extra>",
    )


def _mark(drawn: go.Figure, events: tuple[DatedEvent, ...], foot: float, colours: Mapping[str, str]) -> None:
    """Mark the dates of events by lines; a mark at their foot, a value of the chart, says which."""
    if not events:
        return
    for event in events:
        drawn.add_vline(
            x=first_day(event.period), line={"color": f"rgb({colours['odd']})", "width": 1, "dash": "dot"}
        )
    drawn.add_scatter(
        x=[first_day(event.period) for event in events],
        y=[foot] * len(events),
        mode="markers",
        name=plain("event"),
        marker={"size": 9, "symbol": "diamond", "color": f"rgb({colours['odd']})"},
        unselected=UNCHANGED,
        text=[
            "<br>".join(map(html.escape, textwrap.wrap(f"{display_text.period(e.period)}: {e.text}", 50)))
            for e in events
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def table(made: Forecast, scenario: JointScenario | None = None) -> pd.DataFrame:
    """Return history, forecast and the values as if something happened as one table, each period as a reader
    writes it."""
    unit = f" [{made.series.unit}]" if made.series.unit else ""
    rows: list[dict[str, object]] = [
        {
            plain("Period"): display_text.period(p.period),
            plain("Kind"): plain("history"),
            plain("Value{unit}", unit=unit): p.value,
            plain("Rows"): len(p.rows),
        }
        for p in made.series.points
    ]
    ahead = [(plain("forecast"), p) for p in made.points]
    ahead += [(plain("as if"), p) for p in (scenario.points if scenario is not None else ())]
    rows += [
        {
            plain("Period"): display_text.period(p.period),
            plain("Kind"): kind,
            plain("Value{unit}", unit=unit): round(p.value, 4),
            plain("80 % low"): round(p.low80, 4),
            plain("80 % high"): round(p.high80, 4),
            plain("95 % low"): round(p.low95, 4),
            plain("95 % high"): round(p.high95, 4),
        }
        for kind, p in ahead
    ]
    return pd.DataFrame(rows)
