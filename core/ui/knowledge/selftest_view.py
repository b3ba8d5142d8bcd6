"""The self-test over time: its scores as lines, what fell and what was different, the questions asked."""

from collections.abc import Sequence
from datetime import datetime

import plotly.graph_objects as go
import streamlit as st

from core.learning.selftest import SelfTest, differences, falls
from core.ui.shared import display_text, safe, session, widgets

MEASURES = {
    "recall@1": "passage first",
    "recall@5": "passage among 5",
    "recall@10": "passage among 10",
    "mrr": "reciprocal rank",
    "support": "sentences supported",
    "found": "answers citing it",
    "answered": "answers right",
}
DRAWN: tuple[tuple[str, str, str], ...] = (
    ("recall@5", "rgb(26, 100, 114)", "solid"),
    ("mrr", "rgb(100, 116, 139)", "solid"),
    ("support", "rgb(180, 83, 9)", "dot"),
    ("answered", "rgb(79, 70, 140)", "dash"),
)


def page() -> None:
    """Show the tests over time, and run one."""
    learning = session.assistant().learning
    st.markdown(
        "Questions made from what was distilled, asked of the search without the statement they came from. "
        "A change of chunking, model or prompt that makes the library worse shows here."
    )
    with st.container(horizontal=True, gap="small"):
        now = st.button("Test now", type="primary", icon=":material/fact_check:", key="learning.test")
        anew = st.button("Make new questions and test", type="tertiary", key="learning.renew")
    if now or anew:
        with session.Guard(), st.spinner("Asking the library its own questions …"):
            learning.self_test(renew=anew)
    history = learning.self_tests()
    if not history:
        st.caption("No test was made yet. One takes a few seconds with the built-in engine.")
        return
    _falls(history)
    _scores(history)
    st.plotly_chart(figure(history), config={"displayModeBar": False}, key="learning.history")
    _table(history)


def _falls(history: Sequence[SelfTest]) -> None:
    fell = falls(history)
    if not fell:
        return
    said = ", ".join(
        f"{MEASURES.get(fall.measure, fall.measure)} from {fall.before:.0%} to {fall.after:.0%}"
        for fall in fell
    )
    cause = "; ".join(fell[0].changed) or "nothing that is recorded; the library's texts may differ"
    st.warning(
        f"**Worse than the test before: {said}.**  \nDifferent since then: {safe.line(cause, 400)}",
        icon=":material/trending_down:",
    )


def _scores(history: Sequence[SelfTest]) -> None:
    last = history[-1]
    before = next((test for test in reversed(history[:-1]) if test.set == last.set), None)
    names = [name for name in ("recall@1", "recall@5", "support", "answered") if name in last.scores]
    for name, column in zip(names, st.columns(len(names)), strict=True):
        value = last.scores[name]
        moved = value - before.scores.get(name, value) if before else 0.0
        column.metric(
            MEASURES[name].capitalize(),
            f"{value:.0%}",
            f"{moved * 100:+.0f} points" if moved else None,
            border=True,
            height="stretch",
        )
    gone = f", {last.gone} left out as their documents are gone" if last.gone else ""
    st.caption(
        f"{display_text.moment(last.at)}: {display_text.count(last.questions, 'question')}, "
        f"{last.asked} answered in full"
        f"{gone}, {display_text.seconds(last.seconds)}."
    )


def figure(history: Sequence[SelfTest]) -> go.Figure:
    """Return the chart of the scores over time; a ring marks a test whose settings differ from the last."""
    drawn = go.Figure()
    when = [datetime.fromtimestamp(test.at).strftime("%d %b %H:%M") for test in history]
    places = list(range(1, len(history) + 1))
    changed = [bool(n and differences(history[n - 1], test)) for n, test in enumerate(history)]
    for name, colour, dash in DRAWN:
        drawn.add_scatter(
            x=places,
            y=[test.scores.get(name) for test in history],
            mode="lines+markers",
            name=MEASURES[name],
            line={"color": colour, "width": 2, "dash": dash},
            marker={
                "size": [11 if ring else 6 for ring in changed],
                "symbol": ["circle-open" if ring else "circle" for ring in changed],
            },
            customdata=when,
            hovertemplate=f"{MEASURES[name]}: %{{y:.0%}}, %{{customdata}}<extra></extra>",
        )
    drawn.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": -0.25},
        yaxis={"range": [0, 1.05], "tickformat": ".0%"},
        xaxis={"tickvals": places, "ticktext": when, "range": [0.5, len(history) + 0.5]},
    )
    return drawn


def _table(history: Sequence[SelfTest]) -> None:
    with st.expander("Every test, and what was different", type="compact"):
        for number in range(len(history) - 1, -1, -1):
            test = history[number]
            said = ", ".join(f"{MEASURES.get(k, k)} {v:.0%}" for k, v in test.scores.items())
            st.markdown(f"**{display_text.moment(test.at)}** {safe.line(said)}", anchors=False)
            if number:
                other = differences(history[number - 1], test)
                if history[number - 1].set != test.set:
                    other = ("other questions", *other)
                st.caption(safe.line("; ".join(other), 400) if other else "Nothing was different.")
    questions = session.assistant().learning.tester.questions().questions
    with st.expander(display_text.count(len(questions), "question"), type="compact"):
        widgets.facts((f"{n}.", question.question) for n, question in enumerate(questions, start=1))
