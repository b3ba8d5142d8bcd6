"""What the knowledge-aware loop reads: gold passages a retrieval, by how the next one is chosen.

    python -m bench.loop_choice --pool musique --questions 60

By the built-in rules, or with `--host URL` by the model of a server that speaks Ollama's protocol; over the
gold passages of the questions and three times as many others drawn at even steps. `nearest` reads the
candidate most like a proposal, `random` any, `select` what the engine selects, `bounds` (as set) the highest
upper confidence bound.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.data import bench_data
from core.answering.knowledge_loop import Candidate, KnowledgeLoop
from core.bootstrap import build
from core.bootstrap.trajectory_wiring import known_of
from core.domain import Scope
from core.settings import LLMSettings, Settings, StoreSettings

WEIGHTINGS: dict[str, dict[str, float]] = {
    "nearest": {"exploration": 0.0, "adds": 0.0, "liked": 0.0},
    "random": {"exploration": 0.0, "adds": 0.0, "liked": 0.0},
    "select": {"liked": 100.0},
    "bounds": {},
}


class Drawn(KnowledgeLoop):
    """Reads any candidate."""

    def _candidates(self, proposals: Sequence[str], state: Any) -> list[tuple[Candidate, float]]:
        found = super()._candidates(proposals, state)
        dice = random.Random(found[0][0].text if found else "")
        return [(candidate, dice.random()) for candidate, _ in found]


def rows_of(pool: str, count: int, offset: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return questions at even steps, from `offset` on, and the passages they are asked over."""
    questions = [json.loads(one) for one in _lines(pool, "questions.jsonl")]
    asked = questions[offset :: max(1, len(questions) // count)][:count]
    gold = {key for row in asked for key in row["gold_ids"]}
    passages = [json.loads(one) for one in _lines(pool, "corpus.jsonl")]
    others = [row for row in passages if row["id"] not in gold]
    drawn = others[:: max(1, len(others) // (3 * len(gold)))]
    return asked, [row for row in passages if row["id"] in gold] + drawn


def _lines(pool: str, name: str) -> Sequence[str]:
    return bench_data(pool, name).read_text("utf-8").splitlines()


def main() -> None:
    """Print per weighting the gold passages found a retrieval, and the share of all gold passages found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", choices=["musique", "2wiki"], default="musique")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--offset", type=int, default=0, help="other questions of the same pool")
    parser.add_argument("--host", help="server whose model proposes and selects")
    given = parser.parse_args()
    asked, passages = rows_of(given.pool, given.questions, given.offset)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.jsonl"
        corpus.write_text("".join(f"{json.dumps(row)}\n" for row in passages), "utf-8")
        settings = Settings(
            store=StoreSettings(path=Path(folder) / "library"), llm=LLMSettings(host=given.host)
        )
        assistant = build(settings, warm=False)
        assistant.library.wait(assistant.library.ingest([corpus]))
        known = known_of(assistant, asked, corpus)
        as_set = vars(assistant.questions.steps().loop)
        for name, weights in WEIGHTINGS.items():
            kind = Drawn if name == "random" else KnowledgeLoop
            loop = kind(**{**as_set, **weights})
            read = found = wanted = 0
            for one in known:
                ids = {p.chunk.id for p in loop.run(one.question, Scope(), lambda event: None, "en").passages}
                read += len(ids)
                found += sum(not ids.isdisjoint(chunks) for chunks in one.gold)
                wanted += len(one.gold)
            each, share = found / max(1, read), found / wanted
            print(f"{name:8} gold a retrieval {each:.3f}  gold found {share:.3f}  read {read}", flush=True)
        assistant.close()


if __name__ == "__main__":
    main()
