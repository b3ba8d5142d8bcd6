"""Evaluations of answers: measures of each data set or task as bars, an earlier run chosen beside it."""

import pandas as pd
import plotly.graph_objects as go

from core.i18n.escaping import line
from core.i18n.messages import mark, plain, plain_n, say_plain, t
from core.ui.shared import display_text, session, st
from core.work.checks.answer_records import ALL, AnswerRecord

COMMAND = "strata eval qa --questions questions.jsonl --corpus passages.jsonl --judge MODEL"
LAW = "strata eval law --data FOLDER --judge MODEL"
MEASURES = {
    "accuracy": (mark("right, says the judge"), "#1a6472"),
    "partly": (mark("partly right, says the judge"), "#8fb3ba"),
    "score": (mark("the task's own measure"), "#3f7d5a"),
    "em": (mark("exact match"), "#7a5a86"),
    "f1": (mark("F1 of words"), "#b7791f"),
}
BAR_PIXELS = 20  # of height for each bar, so that its label has room


def page() -> None:
    """Show the records, or how to make the first one."""
    records = list(session.assistant().admin.answer_records.list())
    if not records:
        st.markdown(t("No evaluation of answers has been kept yet. One is made from the terminal:"))
        st.code(f"{COMMAND}\n{LAW}", language="shell", wrap_lines=True)
        st.caption(t("One that was ended goes on with the same command. A judge is a model, or “built-in”."))
        return
    place = st.selectbox(
        t("Evaluation"),
        range(len(records)),
        format_func=lambda at: _label(records[at]),
        key=f"evaluation.answers.{records[0].at}",  # a new one is shown at once
        placeholder="",
    )
    record = records[place]
    engines = ", ".join(map(display_text.engine, record.engines))
    facts = [
        plain("answered by {engines}", engines=engines) if engines else "",
        plain("judged by {judge}", judge=display_text.engine(record.judge))
        if record.judge
        else plain("not judged: --judge MODEL"),
    ]
    st.caption(line(" · ".join(filter(None, facts))))
    st.plotly_chart(chart(record), config={"displayModeBar": False}, key="evaluation.answers.chart")
    with st.expander(t("Numbers"), type="compact", expanded=True):
        st.dataframe(table(record), hide_index=True, width="stretch")


def _label(record: AnswerRecord) -> str:
    asked = plain_n("{n:,} question", "{n:,} questions", record.counts.get(ALL, 0))
    return " · ".join((display_text.moment(record.at), record.of, asked))


def _name(group: str) -> str:
    return plain("all together") if group == ALL else group or "–"


def chart(record: AnswerRecord) -> go.Figure:
    """Draw a group of bars for each data set or task, a bar a measure that it has.

    The bars lie: side by side on a phone, the labels of those of no height would cover one another.
    """
    drawn = go.Figure()
    bars = sum(measure in found for found in record.groups.values() for measure in MEASURES)
    drawn.update_layout(
        height=110 + BAR_PIXELS * bars,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        barmode="group",
    )
    for measure, (name, colour) in MEASURES.items():
        values = {group: found[measure] for group, found in record.groups.items() if measure in found}
        if not values:
            continue
        drawn.add_bar(
            x=list(values.values()),
            y=[_name(group) for group in values],
            name=say_plain(name),
            orientation="h",
            marker={"color": colour},
            texttemplate="%{x:.2f}",
            textposition="outside",
            cliponaxis=False,
            hovertemplate=f"{say_plain(name)}: %{{x:.3f}}<extra>%{{y}}</extra>",
        )
    drawn.update_xaxes(range=[0, 1.1], tickformat=".0%", automargin=True)
    order = [_name(group) for group in record.groups]
    drawn.update_yaxes(
        type="category", categoryorder="array", categoryarray=order, autorange="reversed", automargin=True
    )
    return drawn


def table(record: AnswerRecord) -> pd.DataFrame:
    """Return the figures, a row a data set or task."""
    rows = []
    for group, found in record.groups.items():
        row: dict[str, str] = {
            plain("Data set or task"): _name(group),
            plain("Questions"): f"{record.counts.get(group, 0):,}",
        }
        for measure, (name, _) in MEASURES.items():
            if any(measure in scores for scores in record.groups.values()):
                row[say_plain(name)] = f"{found[measure]:.3f}" if measure in found else ""
        rows.append(row)
    return pd.DataFrame(rows)
