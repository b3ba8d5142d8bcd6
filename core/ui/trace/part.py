"""The trace of one part of a plan, or of the whole question: searches, tools, tables, evidence, answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.domain import Passage, SubQuestion
from core.trace import Event, Proposed, TableQueried
from core.ui.chat import feedback_form, prose, sources
from core.ui.shared import components, display_text, safe, session
from core.ui.trace import charts, event_lines
from core.ui.trace.pending_edits import Draft
from core.ui.trace.story import Part

SHOWN = 5


def show(
    held: Part, asked: SubQuestion, run: str, cited: Sequence[str] = (), marking: Draft | None = None
) -> None:
    """Show what was asked, found and answered for one part; with a draft, its passages can be marked."""
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
        feedback_form.part(run, asked.id)
    evidence(held, run, cited, marking)


def evidence(held: Part, run: str, cited: Sequence[str] = (), marking: Draft | None = None) -> None:
    """Show the searches, what they brought with its scores, and how reranking changed the order."""
    _reused(held)
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
        components.slope(chart, key=f"slope_{key}")
    for trimmed in held.trimmed:
        st.caption(safe.line(event_lines.say(trimmed).label))
    rows = _Rows(run, cited, marking)
    rows.draw(passages[:SHOWN], f"evidence_{key}")
    if len(passages) > SHOWN:
        with st.expander(f"{display_text.count(len(passages) - SHOWN, 'more passage')}", type="compact"):
            rows.draw(passages[SHOWN:], f"more_{key}")


def _reused(held: Part) -> None:
    """Say that nothing was searched because nothing had changed, with the way to where it was."""
    if held.reused:
        st.page_link(
            session.TRACE,
            label="As found in the run before: nothing it needs has changed",
            icon=":material/history:",
            query_params={session.RUN: held.reused},
        )


@dataclass(frozen=True)
class _Rows:
    """Draws passages; one that is pressed opens, and with a draft one can be pinned or banned."""

    run: str
    cited: Sequence[str]
    marking: Draft | None

    def draw(self, passages: Sequence[Passage], key: str) -> None:
        if self.marking is None:
            pressed = components.evidence(charts.evidence(passages, self.cited), key=key)
        else:
            marking = self.marking
            drawn = charts.evidence(passages, self.cited, marking.state)

            def mark(index: int, what: str) -> None:
                if index < len(passages):
                    marking.mark(passages[index], "pinned" if what == "pinned" else "banned")

            pressed = components.markable(drawn, mark, key=key)
        if pressed is not None and pressed < len(passages):
            sources.open_passage(passages[pressed], run=self.run)


def _searches(held: Part) -> None:
    found: list[Event] = [*held.mapped, *held.tools, *held.searches]
    said = [event_lines.say(event) for event in found]
    if said:
        rows = [f"- {safe.line(row.label)}: {safe.line(row.text, 240)}" for row in said]
        st.markdown("\n".join(rows), anchors=False)


def _round(asked: Proposed, key: str) -> None:
    with st.expander(safe.line(event_lines.say(asked).label), type="compact", key=f"round_{key}"):
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
    st.caption(safe.line(event_lines.say(query).label))
    st.code(query.sql, language="sql", wrap_lines=True)
    if query.rows:
        frame = {name: [row[n] for row in query.rows] for n, name in enumerate(query.columns)}
        st.dataframe(frame, hide_index=True, width="stretch", key=f"rows_{key}")
