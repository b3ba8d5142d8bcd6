"""Puts the collecting of trajectories together: the loop, the sampled attempts, the reading of answers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.assistant import Assistant
from core.domain import Passage
from core.evaluation.answer_scores import answer_f1, exact_match
from core.flow.short_answers import short_answer_from
from core.learning.exploration import Explorer
from core.learning.trajectories import Known
from core.learning.trajectory_collector import Collector, LoggedLoop
from core.settings import LoopSettings
from core.text.tokens import detect_language


def collector_of(assistant: Assistant, numbers: LoopSettings, file: Path, attempts: int) -> Collector:
    """Return a collector of attempts at questions over the assistant's library, kept in the file."""
    nodes = assistant.questions.steps()
    library = assistant.library.knowledge

    def answer(known: Known, chunk_ids: tuple[str, ...]) -> str:
        chunks = {chunk.id: chunk for chunk in library.chunks(ids=list(chunk_ids))}
        titles = library.titles()
        passages = [
            Passage(
                chunk=chunks[key],
                document_title=titles.get(chunks[key].document_id, ""),
                query=known.question,
                score=1.0,
            )
            for key in chunk_ids
            if key in chunks
        ]
        return short_answer_from(nodes, known.question, passages, known.language)

    def judge(text: str, golds: Sequence[str]) -> tuple[float, float]:
        return exact_match(text, golds), answer_f1(text, golds)

    explorer = Explorer(
        llm=nodes.loop.llm,
        knowledge=library,
        vector=nodes.loop.retriever.vector,
        answer=answer,
        judge=judge,
        rounds=numbers.rounds,
        proposals=numbers.proposals,
        top_k=numbers.top_k,
        threshold=numbers.threshold,
        wide_k=numbers.wide_k,
        wide_threshold=numbers.wide_threshold,
        exploration=numbers.exploration,
    )
    return Collector(LoggedLoop(nodes.loop, nodes.call_log), explorer, file, attempts)


def known_of(
    assistant: Assistant, rows: Sequence[Mapping[str, Any]], corpus: Path | None = None
) -> list[Known]:
    """Return the questions of a JSONL file; `corpus` names the file whose records `gold_ids` means."""
    gold: dict[str, set[str]] = {}
    if corpus is not None:
        for chunk, record in assistant.admin.retrieval_scores().records(corpus).items():
            gold.setdefault(record, set()).add(chunk)
    found = []
    for number, row in enumerate(rows, start=1):
        answers = [str(row.get("answer") or ""), *map(str, row.get("answer_aliases") or ())]
        wanted = [tuple(sorted(gold.get(str(key), ()))) for key in row.get("gold_ids") or ()]
        found.append(
            Known(
                id=str(row.get("id") or number),
                question=row["question"],
                answers=tuple(answer for answer in answers if answer.strip()),
                gold=tuple(chunks for chunks in dict.fromkeys(wanted) if chunks),
                language=detect_language(row["question"]),
            )
        )
    return found
