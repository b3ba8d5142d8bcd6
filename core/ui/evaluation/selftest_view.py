"""The self-test over time: its scores as lines, what fell and what was different, the questions asked."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.i18n.escaping import join, layout, line
from core.i18n.messages import mark, plain, say_plain, t, tn
from core.i18n.recorded_messages import translated_plain
from core.learning.selftest import SelfTest, differences, falls
from core.ui.shared import display_text, session, st, widgets

MEASURES = {
    "recall@1": mark("passage first"),
    "recall@5": mark("passage among 5"),
    "recall@10": mark("passage among 10"),
    "mrr": mark("reciprocal rank"),
    "support": mark("sentences supported"),
    "found": mark("answers citing it"),
    "answered": mark("answers right"),
}
DRAWN_MEASURES: tuple[tuple[str, str, str], ...] = (
    ("recall@5", "rgb(26, 100, 114)", "solid"),
    ("mrr", "rgb(100, 116, 139)", "solid"),
    ("support", "rgb(180, 83, 9)", "dot"),
    ("answered", "rgb(79, 70, 140)", "dash"),
)


def page() -> None:
    """Show the tests over time, and run one."""
    learning = session.assistant().learning
    st.markdown(
        t(
            "Questions made from what was distilled, asked of the search without the statement they came "
            "from. A change of chunking, model or prompt that makes the library worse shows here."
        )
    )
    with st.container(horizontal=True, gap="small"):
        now = st.button(t("Test now"), type="primary", icon=":material/fact_check:", key="learning.test")
        anew = st.button(t("Make new questions and test"), type="tertiary", key="learning.renew")
    if now or anew:
        with session.Guard(), st.spinner(t("Asking the library its own questions …")):
            learning.self_test(renew=anew)
    history = learning.self_tests()
    if not history:
        st.caption(t("No test was made yet. One takes a few seconds with the built-in engine."))
        return
    _falls(history)
    _scores(history)
    st.plotly_chart(figure(history), config={"displayModeBar": False}, key="learning.history")
    _table(history)


def _falls(history: Sequence[SelfTest]) -> None:
    fell = falls(history)
    if not fell:
        return
    drops = [
        t(
            "{measure} from {before:.0%} to {after:.0%}",
            measure=measured(fall.measure),
            before=fall.before,
            after=fall.after,
        )
        for fall in fell
    ]
    cause = "; ".join(map(translated_plain, fell[0].changed)) or plain(
        "nothing that is recorded; the library's texts may differ"
    )
    st.warning(
        t(
            "**Worse than the test before: {said}.**  \nDifferent since then: {cause}",
            said=join(", ", drops),
            cause=line(cause, 400),
        ),
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
            line(display_text.sentence(measured(name))),
            layout("{value:.0%}", value=value),
            t("{value:+.0f} points", value=moved * 100) if moved else None,
            border=True,
            height="stretch",
        )
    parts = [
        line(display_text.moment(last.at)),
        tn("{n:,} question", "{n:,} questions", last.questions),
        t("{count} answered in full", count=last.asked),
    ]
    if last.gone:
        parts.append(t("{count} left out as their documents are gone", count=last.gone))
    st.caption(join(" · ", [*parts, line(display_text.seconds(last.seconds))]))


def measured(name: str) -> str:
    """Name a measure of the test."""
    return say_plain(MEASURES[name]) if name in MEASURES else name


def figure(history: Sequence[SelfTest]) -> go.Figure:
    """Return the chart of the scores over time; a ring marks a test whose settings differ from the last."""
    drawn = go.Figure()
    when = [display_text.moment(test.at) for test in history]
    places = list(range(1, len(history) + 1))
    changed = [bool(n and differences(history[n - 1], test)) for n, test in enumerate(history)]
    for name, colour, dash in DRAWN_MEASURES:
        drawn.add_scatter(
            x=places,
            y=[test.scores.get(name) for test in history],
            mode="lines+markers",
            name=measured(name),
            line={"color": colour, "width": 2, "dash": dash},
            marker={
                "size": [11 if ring else 6 for ring in changed],
                "symbol": ["circle-open" if ring else "circle" for ring in changed],
            },
            customdata=when,
            hovertemplate=f"{measured(name)}: %{{y:.0%}}, %{{customdata}}<extra></extra>",
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
    with st.expander(t("Every test, and what was different"), type="compact"):
        for number in range(len(history) - 1, -1, -1):
            test = history[number]
            scores = ", ".join(f"{measured(k)} {v:.0%}" for k, v in test.scores.items())
            st.markdown(
                layout("**{at}** {said}", at=display_text.moment(test.at), said=scores), anchors=False
            )
            if number:
                other = differences(history[number - 1], test)
                if history[number - 1].set != test.set:
                    other = (plain("other questions"), *map(translated_plain, other))
                st.caption(line("; ".join(other), 400) if other else t("Nothing was different."))
    questions = session.assistant().learning.tester.questions().questions
    with st.expander(tn("{n:,} question", "{n:,} questions", len(questions)), type="compact"):
        widgets.facts((f"{n}.", question.question) for n, question in enumerate(questions, start=1))
