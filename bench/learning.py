"""How much a library learns, without a model server: `python -m bench.learning [--curve|--scratch] [--json]`.

Without a flag: paths to the right answer found by one greedy attempt and by sampled ones (PIKE-RAG's
Algorithm 2, there 58 % against 84 %), on questions of 2Wiki over a small library, with the built-in engine
or, with --double, a local double of Ollama. --curve: plans of held-out questions after 0, 10, 50, 200
accepted plans. --scratch: a small model with random weights learns to propose, on the processor; its held-
out proposals before and after.
"""

import argparse
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.data import bench_data
from core.assistant import Assistant
from core.bootstrap import build
from core.bootstrap.trajectory_wiring import collector_of, known_of
from core.domain import Plan, SubQuestion
from core.evaluation.answer_scores import answer_f1, mean
from core.learning.trajectories import coverage
from core.settings import LLMSettings, Settings, StoreSettings
from core.text.tokens import content_words

SETS = ("musique", "strategyqa", "fanoutqa_dev", "break_qdmr_highlevel_dev")
MAX_PARTS = 5
Row = dict[str, Any]


def lines(*parts: str) -> list[Row]:
    """Return the objects of a JSONL file of the evaluation data."""
    return [json.loads(line) for line in bench_data(*parts).read_text("utf-8").splitlines() if line.strip()]


@contextmanager
def house(folder: Path, host: str | None = None) -> Iterator[Assistant]:
    """Open a library, searched by the rules or through the double at `host`."""
    llm = LLMSettings(backend="ollama" if host else "built-in", host=host)
    assistant = build(Settings(store=StoreSettings(path=folder), llm=llm), warm=False)
    try:
        yield assistant
    finally:
        assistant.close()


# -- trajectories ----------------------------------------------------------------------------


def attempt(count: int, attempts: int, passages: int, seed: int, *, double: bool) -> dict[str, Any]:
    """Try questions of 2Wiki over a library of their gold passages and others."""
    dice = random.Random(seed)
    questions = dice.sample(lines("2wiki", "questions.jsonl"), count)
    pool = lines("2wiki", "corpus.jsonl")
    needed = {key for question in questions for key in question["gold_ids"]}
    gold = [passage for passage in pool if passage["id"] in needed]
    others = [passage for passage in pool if passage["id"] not in needed]
    chosen = [*gold, *dice.sample(others, max(0, passages - len(gold)))]
    dice.shuffle(chosen)
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as scratch:
        corpus = Path(scratch) / "corpus.jsonl"
        corpus.write_text("\n".join(map(json.dumps, chosen)), "utf-8")
        folder = Path(scratch) / "data"
        with house(folder) as assistant:
            assistant.library.wait(assistant.library.ingest([corpus]))
        began = time.perf_counter()
        if not double:
            with house(folder) as assistant:
                found = _collected(assistant, questions, corpus, attempts)
        else:
            from tests.ollama_double import OllamaDouble

            with OllamaDouble() as served, house(folder, served.host) as assistant:
                found = _collected(assistant, questions, corpus, attempts)
    return {**found, "passages": len(chosen), "seconds": round(time.perf_counter() - began, 1)}


def _collected(assistant: Assistant, questions: Sequence[Row], corpus: Path, attempts: int) -> dict[str, Any]:
    file = assistant.library.path / "attempts.jsonl"
    collector = collector_of(assistant, Settings().loop, file, attempts)
    made = list(collector.collect(known_of(assistant, questions, corpus)))
    return {"engine": made[0].engine, **coverage(made).model_dump()}


# -- accepted plans --------------------------------------------------------------------------


def plan_of(row: Row) -> Plan:
    """Return a gold decomposition as a reader would have accepted it."""
    parts = tuple(
        SubQuestion(id=part["id"], question=part["question"], depends_on=tuple(part["depends_on"]))
        for part in row["sub_questions"]
    )
    return Plan(question=row["question"], parts=parts, by="reader")


def curve(counts: Sequence[int], held_out: int, seed: int) -> dict[str, Any]:
    """Score plans of the same held-out questions after ever more accepted plans of other questions."""
    each: dict[str, Row] = {}
    for name in SETS:
        for row in lines("decomposition", f"{name}.jsonl"):
            each.setdefault(row["question"].lower(), {**row, "set": name})
    rows = list(each.values())
    random.Random(seed).shuffle(rows)
    asked, pool = rows[:held_out], rows[held_out:]
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder, house(Path(folder)) as assistant:
        embed = assistant.questions.steps().loop.retriever.vector
        base: dict[str, Plan] = {}
        accepted = 0
        for count in counts:
            for row in pool[accepted:count]:
                assistant.library.knowledge.learned.plans.accept(
                    row["question"], plan_of(row), vector=embed(row["question"])
                )
            accepted = max(accepted, count)
            plans = {row["question"]: assistant.questions.read(row["question"]).plan for row in asked}
            base = base or plans
            result[str(count)] = _scored(asked, plans, base)
    return {"held_out": len(asked), "accepted": result}


def _scored(asked: Sequence[Row], plans: dict[str, Plan], base: dict[str, Plan]) -> dict[str, Any]:
    """Return exact number of parts, F1 of edges, share of the question's words that the parts keep."""
    exact: dict[str, list[float]] = defaultdict(list)
    kept: list[float] = []
    both = mine = theirs = changed = better = worse = 0
    for row in asked:
        plan, before, gold = plans[row["question"]], base[row["question"]], row["sub_questions"]
        edges = {(part.id, need) for part in plan.parts for need in part.depends_on}
        wanted = {(part["id"], need) for part in gold for need in part["depends_on"]}
        both, mine, theirs = both + len(edges & wanted), mine + len(edges), theirs + len(wanted)
        hit = float(len(plan.parts) == len(gold))
        was = float(len(before.parts) == len(gold))
        exact["all"].append(hit)
        exact[row["set"]].append(hit)
        words = set(content_words(row["question"]))
        planned_words = {word for part in plan.parts for word in content_words(part.question)}
        kept.append(len(words & planned_words) / max(1, len(words)))
        changed += plan.parts != before.parts
        better += hit > was
        worse += hit < was
    return {
        "exact": {name: round(mean(hits), 4) for name, hits in sorted(exact.items())},
        "edge_f1": round(2 * both / (mine + theirs), 4) if mine + theirs else 0.0,
        "words_kept": round(mean(kept), 4),
        "changed": changed,
        "better": better,
        "worse": worse,
    }


# -- a small model from scratch ---------------------------------------------------------------


def compact(task: Any) -> tuple[str, str]:
    """Lay a task out in few words, as a very small model needs it."""
    return "", "\n".join((task.question, *task.asked))


def scratch(questions: int, epochs: float, seed: int, folder: Path) -> dict[str, Any]:
    """Train every weight of a small Llama on gold decompositions and compare its held-out proposals."""
    from bench.proposals import proposals, trajectories_of
    from core.learning.dataset import build as build_data
    from core.learning.dataset import samples_of
    from core.learning.samples import SampleMaker
    from core.learning.training.small import make
    from core.learning.training.trainer import Training
    from core.learning.training_workspace import TrainingWorkspace
    from core.settings import TrainSettings

    rows = [row for name in ("musique", SETS[3]) for row in lines("decomposition", f"{name}.jsonl")]
    random.Random(seed).shuffle(rows)
    numbers = TrainSettings(
        seeds=(seed,), epochs=epochs, batch=16, accumulate=1, learning_rate=2e-3, rank=0, max_length=512,
        log_steps=20, save_steps=200, eval_steps=100, warmup=0.05,
    )  # fmt: skip
    shop = TrainingWorkspace(folder, compact, numbers)
    data = shop.data("gold")
    card = build_data(data, SampleMaker(compact), trajectories_of(rows[:questions]), [])
    held_out = samples_of(data, "test")[:60]
    texts = [message.content for sample in samples_of(data, "train") for message in sample.messages]
    base = make(folder / "base", texts, words=1500, width=160, layers=3, heads=4, window=512, seed=seed)
    run = shop.begin("sft", "gold", str(base))
    Training(
        run, lambda one, point: print(point.step, point.held_out, round(point.loss, 3), flush=True)
    ).train()
    ended = run.best().ended()
    assert ended is not None
    return {
        "train": card.files["sft-train.jsonl"],
        "held_out": len(held_out),
        "steps": ended.steps,
        "seconds": ended.seconds,
        "loss_before": round(ended.held_out_before, 3),
        "loss_after": round(ended.held_out, 3),
        "before": proposals(base, compact, held_out, answer_f1),
        "after": proposals(run.best().adapter, compact, held_out, answer_f1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=50, help="of 2Wiki that are attempted")
    parser.add_argument("--attempts", type=int, default=8, help="sampled attempts of each")
    parser.add_argument("--passages", type=int, default=500)
    parser.add_argument("--double", action="store_true", help="ask a local double of Ollama")
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--accepted", type=int, nargs="+", default=[0, 10, 50, 200])
    parser.add_argument("--held-out", type=int, default=400)
    parser.add_argument("--scratch", action="store_true")
    parser.add_argument("--trained-on", type=int, default=899, help="gold decompositions")
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.curve:
        figures = curve(given.accepted, given.held_out, given.seed)
    elif given.scratch:
        with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
            figures = scratch(given.trained_on, given.epochs, given.seed, Path(folder))
    else:
        figures = attempt(given.questions, given.attempts, given.passages, given.seed, double=given.double)
    print(json.dumps(figures, indent=None if given.json else 2, ensure_ascii=False))


if __name__ == "__main__":
    main()
