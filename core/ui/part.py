"""The trace of one part of a plan, or of the whole question: searches, tools, tables, evidence, answer."""

from collections.abc import Sequence

import streamlit as st

from core.domain import SubQuestion
from core.trace import Event, Proposed, TableQueried
from core.ui import charts, events, figures, prose, safe, sources, words
from core.ui.story import Part

SHOWN = 5


def show(held: Part, asked: SubQuestion, run: str, cited: Sequence[str] = ()) -> None:
    """Show what was asked, found and answered for one sub-question."""
    st.markdown(f"**{safe.line(held.asked or asked.question)}**", anchors=False)
    needs = f" · needs the answer of {', '.join(map(str, asked.depends_on))}" if asked.depends_on else ""
    written = (
        f" · planned as “{safe.line(asked.question)}”" if held.asked and held.asked != asked.question else ""
    )
    st.caption(f"{asked.type}{needs}{written}")
    answer = held.answer
    if answer is not None:
        said = (
            prose.plain(answer.answer)
            if answer.found
            else answer.failure or "Nothing in the library answers this."
        )
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", key=f"part_{run}_{asked.id}"
        ):
            status = held.status()
            st.badge(
                "found" if status == "found" else "not found",
                color="green" if status == "found" else "orange",
            )
            st.markdown(safe.line(said, 600), anchors=False)
    evidence(held, run, cited)


def evidence(held: Part, run: str, cited: Sequence[str] = ()) -> None:
    """Show the searches, what they brought with its scores, and how reranking changed the order."""
    key = f"{run}_{held.id if held.id is not None else 'whole'}"
    _searches(held)
    for n, asked in enumerate(held.rounds):
        _round(asked, f"{key}_{n}")
    for n, query in enumerate(held.queries):
        _query(query, f"{key}_{n}")
    passages = held.passages()
    if not passages:
        if held.searches:
            st.markdown("No passage was found.")
        return
    reranked = held.reranked[-1] if held.reranked else None
    chart = charts.slope(reranked.passages) if reranked is not None else None
    if chart is not None and reranked is not None:
        st.caption(f"Order before and after reranking with {safe.line(reranked.reranker)}. {chart['label']}.")
        figures.slope(chart, key=f"slope_{key}")
    for trimmed in held.trimmed:
        st.caption(safe.line(events.say(trimmed).label))
    pressed = figures.evidence(charts.evidence(passages[:SHOWN], cited), key=f"evidence_{key}")
    if pressed is not None and pressed < len(passages):
        sources.open_passage(passages[pressed])
    if len(passages) > SHOWN:
        with st.expander(f"{words.count(len(passages) - SHOWN, 'more passage')}", type="compact"):
            more = figures.evidence(charts.evidence(passages[SHOWN:], cited), key=f"more_{key}")
            if more is not None and SHOWN + more < len(passages):
                sources.open_passage(passages[SHOWN + more])


def _searches(held: Part) -> None:
    found: list[Event] = [*held.mapped, *held.tools, *held.searches]
    said = [events.say(event) for event in found]
    if said:
        rows = [f"- {safe.line(row.label)}: {safe.line(row.text, 240)}" for row in said]
        st.markdown("\n".join(rows), anchors=False)


def _round(asked: Proposed, key: str) -> None:
    with st.expander(safe.line(events.say(asked).label), type="compact", key=f"round_{key}"):
        st.markdown("\n".join(f"- {safe.line(q)}" for q in asked.questions), anchors=False)
        if asked.candidates:
            frame = {
                "candidate": list(asked.candidates),
                "score": [*asked.scores, *[None] * (len(asked.candidates) - len(asked.scores))],
                "chosen": [index == asked.chosen for index in range(len(asked.candidates))],
            }
            st.dataframe(frame, hide_index=True, width="stretch")
        if asked.reason:
            st.caption(safe.line(asked.reason))


def _query(query: TableQueried, key: str) -> None:
    st.caption(safe.line(events.say(query).label))
    st.code(query.sql, language="sql", wrap_lines=True)
    if query.rows:
        frame = {name: [row[n] for row in query.rows] for n, name in enumerate(query.columns)}
        st.dataframe(frame, hide_index=True, width="stretch", key=f"rows_{key}")
