"""Turns runs into the data the figures draw: plan graph, slope of reranking, evidence, ledger."""

from collections.abc import Callable, Sequence

from core.answering.document_contribution import Attribution
from core.domain import Outcome, Passage, Plan, Report, Sentence, SubQuestion
from core.i18n.escaping import shorten
from core.i18n.messages import mark, plain, plain_n, say_plain
from core.i18n.recorded_messages import translated_plain
from core.ui.chat import answer_layout
from core.ui.shared import display_text, trust_level
from core.ui.trace import run_tree, score_scales
from core.ui.trace.run_trace import PartTrace, RunTrace

MAX_TITLE_LETTERS = 60  # letters of a title, so that the place behind it is read, too
Data = dict[str, object]
PIN_LABELS = {"pinned": mark("pinned"), "banned": mark("banned")}


def plan(trace: RunTrace, *, compact: bool = False) -> Data:
    """Draw the plan: the question, a column a wave, the answer; edges are who needs whom.

    Compact leaves the words of question and answer out, where they stand beside the drawing.
    """
    made = trace.plan
    if made is None or not made.parts:
        return {"columns": [], "edges": [], "label": plain("no plan")}
    waves = _columns(made)
    over = trace.report is not None or trace.failed is not None
    columns = [
        [_ask("" if compact else made.question)],
        *[[_part(part, trace) for part in wave] for wave in waves],
        [_reply(trace, compact)],
    ]
    needed = {needs for part in made.parts for needs in part.depends_on}
    edges: list[tuple[str, str, str]] = []
    for part in made.parts:
        running = not over and trace.parts.get(part.id, PartTrace()).status() == "running"
        live = "live" if running else ""
        edges += [(f"part{needs}", f"part{part.id}", live) for needs in part.depends_on] or [
            ("question", f"part{part.id}", live)
        ]
        if part.id not in needed:
            edges.append((f"part{part.id}", "answer", ""))
    sequence = plain(", then ").join(
        plain(" and ").join(plain("part {id}", id=part.id) for part in wave) for wave in waves
    )
    return {
        "compact": compact,
        "columns": columns,
        "edges": edges,
        "label": plain("Plan: {said}, then the answer", said=sequence),
    }


def _columns(made: Plan) -> list[list[SubQuestion]]:
    """Return the parts by wave, none left of a smaller number: a second round stands behind the first."""
    depths = {part.id: at for at, wave in enumerate(made.waves()) for part in wave}
    columns: dict[int, list[SubQuestion]] = {}
    reached = 0
    for part in sorted(made.parts, key=lambda part: part.id):
        reached = max(reached, depths[part.id])
        columns.setdefault(reached, []).append(part)
    return list(columns.values())


def _ask(question: str) -> Data:
    return {"id": "question", "status": "question", "kicker": plain("Question"), "title": question}


def _part(asked: SubQuestion, trace: RunTrace) -> Data:
    part = trace.parts.get(asked.id)
    status, word, _ = run_tree.part_state(trace, part)
    answer = part.answer if part is not None else None
    needs = ", ".join(str(n) for n in asked.depends_on)
    return {
        "id": f"part{asked.id}",
        "status": status,
        "label": str(asked.id),
        "kicker": say_plain(display_text.PART_TYPES[asked.type]),
        "state": word,
        "title": run_tree.part_words(trace, asked),
        "note": shorten(answer_layout.plain(answer.answer), 160)
        if answer is not None and answer.found
        else "",
        "needs": plain("needs {needs}", needs=needs) if needs else "",
        "part": asked.id,
    }


def _reply(trace: RunTrace, compact: bool) -> Data:
    report = trace.report
    title = (
        say_plain(display_text.OUTCOMES[report.outcome][0])
        if report is not None
        else (plain("writing …") if trace.text else "…")
    )
    status = "found" if report is not None and report.outcome is Outcome.ANSWER else "answer"
    return {
        "id": "answer",
        "status": " ".join(("answer", status)),
        "kicker": plain("Answer"),
        "title": "" if compact else title,
    }


def slope(passages: Sequence[Passage], limit: int = 14) -> Data | None:
    """Draw the order before and after reranking; None where the order is not known."""
    known = [p for p in passages if p.rank_before is not None and p.rank_after is not None]
    if len(known) < 2:
        return None
    rows = []
    for p in sorted(known, key=lambda p: p.rank_after or 0)[:limit]:
        before, after = p.rank_before or 0, p.rank_after or 0
        state = "up" if after < before else ("same" if after == before else "down")
        score = p.scores.get("rerank")
        rows.append(
            {
                "before": before,
                "after": after,
                "state": state,
                "name": name(p),
                "score": f"{score:.2f}" if score is not None else "",
            }
        )
    rose = sum(row["state"] == "up" for row in rows)
    return {
        "rows": rows,
        "heads": [plain("as found"), plain("as reranked")],
        "label": plain("Reranking moved {rose} of {rows} passages up", rose=rose, rows=len(rows)),
    }


def name(passage: Passage) -> str:
    """Name a passage as a reader would: title and place, or its heading where the file has no places."""
    title = shorten(passage.document_title, MAX_TITLE_LETTERS)
    heading = next(iter(passage.chunk.heading_path[-1:]), "")
    place = passage.chunk.location.in_words() or (heading if heading != passage.document_title else "")
    return f"{title}, {shorten(place, MAX_TITLE_LETTERS)}" if place else title


def sources(report: Report) -> dict[int, str]:
    """Name the report's passages by their citation numbers (1-based)."""
    return {n: name(passage) for n, passage in enumerate(report.passages, start=1)}


def _marked(state: str) -> str:
    return say_plain(PIN_LABELS[state]) if state in PIN_LABELS else ""


def marks(passage: Passage) -> list[tuple[int, int]]:
    """Return the ranges of the passage's text to mark, in order."""
    return sorted((span.start, span.end) for span in passage.highlights)


def evidence(
    passages: Sequence[Passage], cited: Sequence[str] = (), state: Callable[[str], str] = lambda chunk: ""
) -> list[Data]:
    """Draw passages as rows: one relevance figure each, and a bar a leg relative to that leg's best.

    `state` says of a chunk whether the reader has just pinned or banned it.
    """
    legs = list(
        dict.fromkeys(leg for p in passages for leg in p.scores if leg not in display_text.INNER_LEGS)
    )
    best = {leg: max((p.scores.get(leg, 0.0) for p in passages), default=0.0) for leg in legs}
    rows: list[Data] = []
    for rank, (p, share) in enumerate(zip(passages, score_scales.relevance(passages), strict=True), start=1):
        text, ranges = _excerpt(p)
        marked = state(p.chunk.id)
        rows.append(
            {
                "id": p.chunk.id,
                "rank": str(rank),
                "title": p.document_title,
                "place": p.chunk.location.in_words(),
                "badge": ", ".join(
                    filter(
                        None,
                        (
                            plain("cited") if p.chunk.id in cited else "",
                            _marked(marked or ("pinned" if p.pinned else "")),
                        ),
                    )
                ),
                "faded": marked == "banned",
                "state": marked,
                "lead": shorten(_lead(p), 160),
                "figure": f"{100 * share:.0f}",
                "share": share,
                "meaning": say_plain(score_scales.RELEVANCE),
                "text": text,
                "marks": ranges,
                "why": [translated_plain(why) for why in p.why[:3]],
                "scores": [_score(p, leg, best[leg]) for leg in legs if leg in p.scores],
            }
        )
    return rows


def _lead(passage: Passage) -> str:
    """Return the words that matter most, else the first."""
    ranges = marks(passage)
    return passage.chunk.text[ranges[0][0] : ranges[0][1]] if ranges else passage.chunk.text


def _score(passage: Passage, leg: str, best: float) -> Data:
    score = passage.scores[leg]
    return {
        "leg": display_text.leg(leg),
        "value": f"{score:.2f}",
        "share": max(0.0, min(1.0, score / best)) if best > 0 else 0.0,
        "scale": say_plain(score_scales.SCALES[leg]) if leg in score_scales.SCALES else "",
    }


def shares(found: Attribution) -> Data:
    """Draw how much of the answer rests on each document."""
    rows = [
        {
            "name": share.title,
            "share": share.share,
            "value": f"{share.share:.0%}",
            "title": plain(
                "{passages}; without it {lost} of {sentences} would fall",
                passages=plain_n("{n:,} passage", "{n:,} passages", share.passages),
                lost=len(share.lost),
                sentences=plain_n("{n:,} supported sentence", "{n:,} supported sentences", found.supported),
            ),
        }
        for share in found.shares
        if share.share
    ]
    return {"rows": rows, "label": plain("Share of the answer that rests on each document")}


def _excerpt(passage: Passage, limit: int = 1600) -> tuple[str, list[tuple[int, int]]]:
    """Return the part of the text around its first mark, and the marks within it."""
    text, ranges = passage.chunk.text, marks(passage)
    start = max(0, ranges[0][0] - 80) if ranges and len(text) > limit else 0
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = min(len(text), start + limit)
    lead = "… " if start else ""
    visible_marks = [
        (max(a, start) - start + len(lead), min(b, end) - start + len(lead))
        for a, b in ranges
        if b > start and a < end
    ]
    return f"{lead}{text[start:end]}{' …' if end < len(text) else ''}", visible_marks


def ledger(sentences: Sequence[Sentence]) -> list[Data]:
    """Draw the answer sentence by sentence with what bears it out."""
    return [
        {
            "rank": str(n),
            "text": answer_layout.plain(sentence.text),
            "cites": list(sentence.citations),
            "support": str(sentence.support),
            "word": say_plain(trust_level.of_sentence(sentence)[0]),
        }
        for n, sentence in enumerate(sentences, start=1)
    ]
