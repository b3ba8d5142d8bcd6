"""The sources of an answer: named in order of their numbers, opened by a press, left out by a tick."""

from core.answering.comparison_table import comparison
from core.domain import Edits, Outcome, Passage, Report
from core.i18n.escaping import layout, line, shorten
from core.i18n.messages import t, tn
from core.knowledge.stores.records import Run
from core.ui.inspector import exact_marks
from core.ui.inspector.selection import Source, select
from core.ui.shared import session, st
from core.ui.trace import trace_charts

MAX_CLOSEST = 5  # passages shown where none answers
EXCERPT_LETTERS = 220  # letters of a preview


def cited(report: Report) -> list[tuple[int, Passage]]:
    """Return the passages the answer cites, with their numbers."""
    numbers = {n for sentence in report.sentences for n in sentence.citations}
    return [(n, report.passages[n - 1]) for n in sorted(numbers) if 0 < n <= len(report.passages)]


def previews(report: Report) -> dict[int, dict[str, str]]:
    """Return what a citation shows when it is pointed at: the name of its source, and what it says."""
    return {
        n: {"name": trace_charts.name(passage), "text": excerpt(passage)}
        for n, passage in enumerate(report.passages, start=1)
    }


def excerpt(passage: Passage, claim: str = "") -> str:
    """Return the part of a passage that matters, on one line."""
    marks = exact_marks.exact(passage, claim)
    text = passage.chunk.text
    marked_text = " … ".join(text[start:end] for start, end in marks[:2]) or text
    return shorten(marked_text, EXCERPT_LETTERS)


def shown(report: Report) -> list[tuple[int, Passage]]:
    """Return the sources to list: those cited, by the table of a comparison too, or where nothing answers the
    nearest passages."""
    table = comparison(report.plan, report.parts)
    compared = frozenset(table.chunks() if table is not None else ())
    numbers = {n for n, _ in cited(report)}
    named = [
        (n, passage)
        for n, passage in enumerate(report.passages, start=1)
        if n in numbers or passage.chunk.id in compared
    ]
    if named or report.outcome is not Outcome.CLOSEST:
        return named
    return list(enumerate(report.passages[:MAX_CLOSEST], start=1))


def show(run: Run, report: Report) -> None:
    """List the sources; with some of them left out, the question can be asked again."""
    sources = shown(report)
    if not sources:
        return
    closest = report.outcome is Outcome.CLOSEST
    left_out: list[str] = []
    with st.container(gap="xxsmall", key=f"sources_{run.id}"):
        st.header(t("Closest passages") if closest else t("Sources"), anchor=False)
        for number, passage in sources:
            used = _source(run, passage, number)
            left_out += [] if used else [passage.chunk.id]
    if left_out:
        st.button(
            t("Ask again without {source}", source=tn("{n:,} source", "{n:,} sources", len(left_out))),
            icon=":material/refresh:",
            key=f"without_{run.id}",
            type="primary",
            on_click=_again,
            args=(run.id, tuple(left_out)),
        )


def _source(run: Run, passage: Passage, number: int) -> bool:
    name = trace_charts.name(passage)
    with st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="xsmall",
        wrap=False,
        key=f"source_row_{run.id}_{number}",
    ):
        st.button(
            layout("**{number}**\u2002{name}", number=number, name=line(name, 110)),
            key=f"source_{run.id}_{number}",
            type="tertiary",
            on_click=select,
            args=(Source(passage=passage, number=number, run=run.id),),
        )
        return st.checkbox(
            t("Use source {number}", number=number),
            value=True,
            key=f"use_{run.id}_{passage.chunk.id}",
            label_visibility="collapsed",
            help=t("Without the tick, the question can be asked again without this source."),
        )


def _again(run: str, chunks: tuple[str, ...]) -> None:
    with session.Guard():
        questions = session.assistant().questions
        new = questions.rerun(run, Edits(banned=chunks))
        session.go(conversation=questions.run(new).conversation, run=new)
