"""Draws evaluations of retrieval: recall by depth, ranking quality, latency; an earlier run beside them."""

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.colors import hex_to_rgb

from core.evaluation.retrieval_scores import DEPTHS
from core.i18n.messages import mark, plain, say_plain
from core.ui.shared import display_text
from core.work.checks.evaluation_records import EvaluationRecord

# The theme's own categorical colours, one a leg; what is unknown comes last.
COLOURS = {
    "keyword": "#b7791f",
    "semantic": "#7a5a86",
    "hybrid": "#6f7674",
    "graph": "#3f7d5a",
    "all": "#1a6472",
}
OTHER = "#b0453d"
NAMES = {
    "keyword": mark("words"),
    "semantic": mark("meaning"),
    "hybrid": mark("both"),
    "graph": mark("with graph"),
    "all": mark("reranked"),
}
MEASURES = {"ndcg@10": "nDCG@10", "mrr": "MRR"}


def leg(name: str) -> str:
    """Name a leg of an evaluation."""
    return say_plain(NAMES[name]) if name in NAMES else display_text.leg(name)


def _framed(height: int) -> go.Figure:
    drawn = go.Figure()
    drawn.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        barmode="group",
    )
    return drawn


def recall(after: EvaluationRecord, before: EvaluationRecord | None = None) -> go.Figure:
    """Draw recall by depth, a line a leg; the earlier run is dotted."""
    drawn = _framed(340)
    for record, dash in ((before, "dot"), (after, "solid")):
        when = plain("now") if record is after else plain("before")
        # The whole comes first and wide, so that a leg as good as it stays visible upon it.
        for name, found in sorted((record.legs if record else {}).items(), key=lambda item: item[0] != "all"):
            depths = [depth for depth in DEPTHS if f"recall@{depth}" in found]
            drawn.add_scatter(
                x=[str(depth) for depth in depths],
                y=[found[f"recall@{depth}"] for depth in depths],
                mode="lines+markers",
                name=leg(name),
                legendgroup=name,
                showlegend=record is after,
                opacity=0.85,
                marker={"size": 9 if name == "all" else 6},
                line={"color": COLOURS.get(name, OTHER), "width": 5 if name == "all" else 1.75, "dash": dash},
                hovertemplate=plain(
                    "{leg}, {when}: {share} among the first {depth}",
                    leg=leg(name),
                    when=when,
                    share="%{y:.1%}",
                    depth="%{x}",
                )
                + "<extra></extra>",
            )
    drawn.update_yaxes(tickformat=".0%")
    drawn.update_xaxes(type="category")
    return drawn


def quality(after: EvaluationRecord, before: EvaluationRecord | None = None) -> go.Figure:
    """Draw nDCG@10 and MRR, a bar a leg; the earlier run is a mark on it."""
    return _bars(after, before, (("ndcg@10", 1.0), ("mrr", 0.45)), COLOURS["all"], "%{x:.3f}")


def latency(after: EvaluationRecord, before: EvaluationRecord | None = None) -> go.Figure:
    """Draw the median and the 95th percentile of each leg's milliseconds; the earlier run is a mark."""
    return _bars(after, before, (("p50_ms", 1.0), ("p95_ms", 0.45)), COLOURS["hybrid"], "%{x:.0f} ms")


def _bars(
    after: EvaluationRecord,
    before: EvaluationRecord | None,
    measures: Sequence[tuple[str, float]],
    colour: str,
    text: str,
) -> go.Figure:
    drawn = _framed(60 + 52 * len(after.legs))
    top = 0.0
    for measure, opacity in measures:
        legs = [name for name, found in after.legs.items() if measure in found]
        values = [after.legs[name][measure] for name in legs]
        top = max([top, *values])
        drawn.add_bar(
            y=[leg(name) for name in legs],
            x=values,
            name=title(measure),
            orientation="h",
            marker={"color": _faint(colour, opacity)},
            texttemplate=text,
            textposition="outside",
            textfont={"size": 11},
            cliponaxis=False,
            offsetgroup=measure,
            hovertemplate=f"{title(measure)}: %{{x}}<extra>%{{y}}</extra>",
        )
        known = [name for name in legs if before is not None and measure in before.legs.get(name, {})]
        if before is not None and known:
            earlier = [before.legs[name][measure] for name in known]
            top = max([top, *earlier])
            drawn.add_bar(
                y=[leg(name) for name in known],
                x=earlier,
                name=plain("{measure} before", measure=title(measure)),
                orientation="h",
                marker={"color": "rgba(0,0,0,0)", "line": {"color": COLOURS["keyword"], "width": 1.5}},
                offsetgroup=measure,
                hovertemplate=plain("{measure} before", measure=title(measure)) + ": %{x}<extra>%{y}</extra>",
            )
    drawn.update_xaxes(range=[0, 1.18 * top or 1.0], showticklabels=False, showgrid=False)
    drawn.update_yaxes(autorange="reversed")
    return drawn


def _faint(colour: str, opacity: float) -> str:
    """Return a colour that lets the page through; an opacity of the bars would be left out of the legend."""
    red, green, blue = hex_to_rgb(colour)
    return f"rgba({red},{green},{blue},{opacity})"


def table(after: EvaluationRecord, change: Mapping[str, Mapping[str, float]] | None = None) -> pd.DataFrame:
    """Return the figures, a row a leg; with what changed behind each where two runs are compared."""
    rows = []
    for name, found in after.legs.items():
        row: dict[str, str] = {plain("Leg"): leg(name)}
        for measure, value in found.items():
            digits = 1 if measure.endswith("_ms") else 4
            grown = (change or {}).get(name, {}).get(measure)
            shown = f" ({grown:+.{digits}f})" if grown is not None else ""
            row[title(measure)] = f"{value:.{digits}f}{shown}"
        rows.append(row)
    return pd.DataFrame(rows)


def title(measure: str) -> str:
    """Name a measure as the field does."""
    if measure.startswith("recall@"):
        return f"R@{measure.removeprefix('recall@')}"
    return {**MEASURES, "p50_ms": "p50 [ms]", "p95_ms": "p95 [ms]"}.get(measure, measure)
