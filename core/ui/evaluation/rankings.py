"""Turns tested searches into rankings side by side: legs of one search, or two searches compared."""

from collections.abc import Sequence

from core.domain import Passage
from core.evaluation.retrieval_tester import LegName, RetrievalTest, term_spans
from core.i18n.escaping import shorten
from core.i18n.messages import Message, mark, plain, plain_n, say_plain
from core.ui.shared import display_text
from core.ui.trace import trace_charts

Data = dict[str, object]

NAMES: dict[LegName, tuple[Message, str]] = {
    "keyword": (mark("By words"), "keyword"),
    "semantic": (mark("By meaning"), "chunk"),
    "graph": (mark("All layers"), ""),
    "reranked": (mark("Reranked"), "rerank"),
    "final": (mark("What an answer reads"), "rerank"),
}
PARTS = {
    "graph": mark("the graph"),
    "names": mark("names in the question"),
    "second_search": mark("the second search"),
    "rerank": mark("reranking"),
    "atom": mark("atoms"),
    "section": mark("section summaries"),
    "document": mark("document summaries"),
    "keyword": mark("words"),
    "chunk": mark("meaning of chunks"),
    "late": mark("late interaction"),
}


def sides(tested: RetrievalTest) -> Data:
    """Draw every leg of one search."""
    final_ids = {passage.chunk.id for passage in tested.leg("final")}
    columns = []
    for leg in tested.legs:
        name, score = NAMES[leg.name]
        found = plain_n("{n:,} passage", "{n:,} passages", len(leg.passages))
        note = f"{found}, {display_text.seconds(leg.seconds)}"
        columns.append(_column(say_plain(name), note, leg.passages, score, final_ids))
    return {"columns": columns, "label": plain("What each leg of the search finds, best first")}


def against(one: RetrievalTest, other: RetrievalTest, names: tuple[str, str]) -> Data:
    """Draw two searches: their reranked orders and what an answer would read, with what moved."""
    columns = []
    for leg in ("reranked", "final"):
        for tested, name, before in ((one, names[0], None), (other, names[1], one)):
            passages = tested.leg(leg)
            earlier = before.leg(leg) if before is not None else None
            found = plain_n("{n:,} passage", "{n:,} passages", len(passages))
            note = f"{name}, {found}"
            final_ids = {passage.chunk.id for passage in tested.leg("final")}
            columns.append(
                _column(say_plain(NAMES[leg][0]), note, passages, NAMES[leg][1], final_ids, earlier)
            )
    return {
        "columns": columns,
        "label": plain("The same question {one} and {other}", one=names[0], other=names[1]),
    }


def _column(
    name: str,
    note: str,
    passages: Sequence[Passage],
    score: str,
    final_ids: set[str],
    earlier: Sequence[Passage] | None = None,
) -> Data:
    values = [passage.scores.get(score, passage.score) for passage in passages]
    best = max(values, default=0.0)
    before = {passage.chunk.id: rank for rank, passage in enumerate(earlier or (), start=1)}
    rows = []
    for rank, (passage, value) in enumerate(zip(passages, values, strict=True), start=1):
        delta, turn = _moved(before.get(passage.chunk.id), rank) if earlier is not None else ("", "")
        rows.append(
            {
                "id": passage.chunk.id,
                "rank": rank,
                "title": trace_charts.name(passage),
                "text": shorten(passage.chunk.text, 80),
                "hint": shorten(passage.chunk.text, 400),
                "value": f"{value:.2f}" if value >= 0.005 or value <= 0 else "< 0.01",
                "share": max(0.0, min(1.0, value / best)) if best > 0 else 0.0,
                "kept": passage.chunk.id in final_ids,
                "delta": delta,
                "turn": turn,
                "label": plain(
                    "Rank {rank} in {column}: {title}. {moved}",
                    rank=rank,
                    column=name,
                    title=trace_charts.name(passage),
                    moved=delta,
                ),
            }
        )
    return {"name": name, "note": note, "rows": rows}


def _moved(before: int | None, now: int) -> tuple[str, str]:
    """Say how a rank changed, and which way."""
    if before is None:
        return plain("new"), "up"
    if before == now:
        return "", ""
    return (f"▲ {before - now}", "up") if now < before else (f"▼ {now - before}", "down")


def lit(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages with the words of the question as their marks."""
    return [p.model_copy(update={"highlights": term_spans(question, p.chunk.text)}) for p in passages]
