"""Measures a council against one agent: diversity, citations, and time against the critical path.

    python -m bench.council                         over examples/fab, built-in engine
    python -m bench.council --corpus FOLDER --json  over other documents

Diversity is the mean pairwise Jaccard distance, of the chunks two perspectives rest on and of the words of
their proposals. The one agent has no lens and is asked as many times as the council has roles: in the very
same words ("same"), and, since rules do not vary, in slightly other words each time ("reworded").
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from typing import TypeVar

from core.cli.output import opened_beside
from core.domain import Passage, Perspective, Role, Scope
from core.llm.extractive import ExtractiveLLM
from core.perspectives.council import Council, Held
from core.perspectives.referee import rests_on
from core.ports import LLM, Listener
from core.tasks import Reply, Task
from core.text.tokens import content_words, detect_language

R = TypeVar("R", bound=Reply)
CORPUS = Path(__file__).resolve().parent.parent / "examples" / "fab"
PAUSE = 0.2  # seconds the double takes for a task, and a search
STEPS = ("plan the roles", "search", "argue", "criticise", "settle")  # each needs the one before
QUESTIONS = (
    "How could we reduce edge particles on ETCH-03 without losing throughput?",
    "What could we do so that a worn electrostatic chuck is noticed earlier?",
    "Suggest ways to shorten the wet clean of a PE-300 chamber.",
    "How might we lower the cost of an excursion like the one of March 2025?",
    "What would make the helium leak alarms more useful?",
    "How should we train new technicians for ETCH-03?",
    "如何在不增加成本的情况下提高 A77 的良率？",
    "怎样才能更早发现静电吸盘密封带老化？",
    "请提出减少 ETCH-03 停机时间的方案。",
    "如何改进聚焦环的更换周期？",
)
WORDINGS = {
    "en": ("{}", "Please tell us: {}", "{} What do you suggest?", "Once more: {}", "{} Give ideas."),
    "zh": ("{}", "请告诉我们：{}", "{}你有什么建议？", "再问一次：{}", "{}请给出想法。"),
}
AGENT = Role(id="agent", name="Agent")


class Slow:
    """An LLM that takes `PAUSE` seconds for every task."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        time.sleep(PAUSE)
        return self._llm.run(task, into, listener)


def distance(sets: Sequence[set[str]]) -> float:
    """Return the mean pairwise Jaccard distance (0: all alike, 1: nothing shared)."""
    return mean(1 - len(a & b) / len(a | b) if a | b else 0.0 for a, b in combinations(sets, 2))


def spread(given: Sequence[Perspective]) -> tuple[float, float]:
    """Return the distances of evidence and of the proposals' words."""
    words = [{w for p in one.proposals for w in content_words(p.text)} for one in given]
    return distance([rests_on(one) for one in given]), distance(words)


def slow(council: Council, question: str) -> float:
    """Return seconds a council takes where every task and every search takes `PAUSE`."""
    known: dict[tuple[str, tuple[str, ...]], Sequence[Passage]] = {}

    def recorded(query: str, scope: Scope, topics: Sequence[str], limit: int) -> Sequence[Passage]:
        return known.setdefault((query, tuple(topics)), council.research(query, scope, topics, limit))

    def replayed(query: str, scope: Scope, topics: Sequence[str], limit: int) -> Sequence[Passage]:
        time.sleep(PAUSE)
        return known[query, tuple(topics)]

    language = detect_language(question)
    _hold(replace(council, research=recorded), question, language)
    started = time.monotonic()
    _hold(replace(council, llm=Slow(council.llm), research=replayed), question, language)
    return time.monotonic() - started


def _hold(council: Council, question: str, language: str, chosen: Sequence[Role] = ()) -> Held:
    return council.hold(question, (), Scope(), lambda event: None, language, chosen)


def measure(council: Council, tell: Callable[[str], None]) -> dict[str, object]:
    """Return the figures over all questions."""
    rows: list[dict[str, float]] = []
    cited = made = 0
    for question in QUESTIONS:
        language = detect_language(question)
        report = _hold(council, question, language).report
        n = len(report.perspectives)
        wordings = [form.format(question) for form in WORDINGS[language]][:n]
        same = [_hold(council, question, language, (AGENT,)).report.perspectives[0] for _ in range(n)]
        reworded = [_hold(council, text, language, (AGENT,)).report.perspectives[0] for text in wordings]
        made += len(report.proposals)
        cited += sum(bool(proposal.chunks) for proposal in report.proposals)
        row: dict[str, float] = {}
        for name, given in (("council", report.perspectives), ("same", same), ("reworded", reworded)):
            row[f"{name}_evidence"], row[f"{name}_proposals"] = spread(given)
        rows.append(row)
        tell(f"{row['council_evidence']:.2f} {row['council_proposals']:.2f}  {question}")
    means = {name: round(mean(row[name] for row in rows), 3) for name in rows[0]}
    times = [slow(council, question) for question in QUESTIONS[:3]]
    return {
        "questions": len(rows),
        "diversity": means,
        "evidence_ratio": _ratio(means["council_evidence"], means["reworded_evidence"]),
        "proposals_ratio": _ratio(means["council_proposals"], means["reworded_proposals"]),
        "proposals": made,
        "proposals_cited": round(cited / made, 3),
        "critical_path_seconds": PAUSE * len(STEPS),
        "seconds": round(median(times), 3),
        "time_over_critical_path": round(median(times) / (PAUSE * len(STEPS)), 3),
        "load": round(os.getloadavg()[0], 1),
    }


def _ratio(of: float, to: float) -> float | None:
    """Return the ratio, None where the one agent did not vary at all."""
    return round(of / to, 2) if to else None


def main() -> None:
    """Read the corpus into a library of its own, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with opened_beside(given.corpus) as assistant:
        council = replace(assistant.questions.steps().council, llm=ExtractiveLLM())
        figures = measure(council, lambda line: None if given.json else print(line))
    print(json.dumps(figures, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
