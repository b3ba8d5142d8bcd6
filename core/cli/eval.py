"""strata eval retrieval, gate, plan, forecast: scores any JSONL of the data's form, a question a line."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click

from core.cli.commands_on_demand import GroupOnDemand
from core.cli.interrupted_evaluation import nothing_stored_when_interrupted
from core.cli.output import command, emit, opened, opened_beside
from core.cli.terminal_escaping import echo
from core.errors import StrataError
from core.evaluation.answer_scores import mean, score_plan, split_on_and
from core.evaluation.retrieval_scores import read_questions
from core.forecast.series_benchmark import evaluate_forecast, read_series
from core.i18n.messages import plain, plain_n
from core.i18n.recorded_messages import translated_plain
from core.work.checks.evaluation_records import (
    EvaluationRecord,
    EvaluationRecords,
    differences,
    grown,
    over_file,
    question_set_digest,
    read_record,
    record_of,
)

Question = dict[str, Any]


@click.group(
    "eval",
    cls=GroupOnDemand,
    on_demand={
        "answers": "core.cli.eval_answers:answers",
        "decomposer": "core.cli.eval_decomposer:decomposer",
        "qa": "core.cli.eval_judged:qa",
        "law": "core.cli.eval_judged:law",
        "self": "core.cli.learn:self_test",
    },
)
def evaluate() -> None:
    """Score the engine against questions with known answers."""


def _questions(function: Callable[..., Any]) -> Callable[..., Any]:
    option = click.option(
        "--questions",
        "file",
        required=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="JSONL.",
    )
    return option(click.option("--limit", type=click.IntRange(1), help="Only the first so many.")(function))


def read(file: Path, limit: int | None) -> list[Question]:
    """Return the questions of a JSONL file. Raises StrataError for a line that is none."""
    found: list[Question] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise StrataError(
                f"{file}, line {number} is not JSON.", hint="Give one object a line."
            ) from error
        if not isinstance(value, dict) or not isinstance(value.get("question"), str):
            raise StrataError(f"{file}, line {number} has no question.", hint='Each line needs "question".')
        found.append(value)
    return found[:limit]


@command("retrieval")
@_questions
@click.option(
    "--corpus",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL of passages (id, title, text), read into a library of its own beside yours.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON of a run: what changed since is told, then this run is written there, too.",
)
@nothing_stored_when_interrupted()
def retrieval(*, file: Path, limit: int | None, corpus: Path, record: Path | None, as_json: bool) -> None:
    """Score the search by words, by meaning, both, with the graph, reranked (fields: question, gold_ids).

    Every run is kept in the library's folder: `strata eval records`, `strata eval compare OLD NEW`.
    """
    before = read_record(record) if record and record.is_file() else None
    began = time.time()
    with opened_beside(corpus) as assistant:
        evaluator = assistant.admin.retrieval_scores()
        result = evaluator.evaluate(corpus, file, limit)
        asked = question_set_digest(read_questions(file)[:limit])
        made = record_of(result, evaluator, began, corpus.name, asked, over_file(corpus))
    made = stored_records().keep(made)
    if record:
        record.write_text(made.model_dump_json(indent=2), "utf-8")
    if as_json:
        emit(made.scores())
        return
    _show(made.legs)
    echo(plain("kept as {name}", name=made.name))
    if before is not None:
        echo(plain("changed since the last run"))
        _warn(before, made)
        _show(grown(before, made))


@command("gate")
@_questions
@nothing_stored_when_interrupted()
def gate(*, file: Path, limit: int | None, as_json: bool) -> None:
    """Score simple or composite, per data set (fields: question, label, dataset)."""
    rows: dict[str, list[float]] = defaultdict(list)
    times: list[float] = []
    with opened() as assistant:
        for question in read(file, limit):
            began = time.perf_counter()
            gated = assistant.questions.read(question["question"])
            times.append((time.perf_counter() - began) * 1000)
            right = gated.composite == (question.get("label") == "composite")
            rows[str(question.get("dataset", ""))].append(float(right))
    datasets = {name: {"accuracy": mean(hits), "questions": len(hits)} for name, hits in sorted(rows.items())}
    _print_result(
        {
            "accuracy": mean(hit for hits in rows.values() for hit in hits),
            "questions": sum(map(len, rows.values())),
            "p50_ms": _quantile(times, 0.5),
            "p95_ms": _quantile(times, 0.95),
            "datasets": datasets,
        },
        as_json,
    )


@command("plan")
@_questions
@nothing_stored_when_interrupted()
def plan(*, file: Path, limit: int | None, as_json: bool) -> None:
    """Score plans, per data set (fields: question, sub_questions[id, question, depends_on], dataset)."""
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    with opened() as assistant:
        for question in read(file, limit):
            gold = question.get("sub_questions") or []
            made = score_plan(assistant.questions.read(question["question"]).plan.parts, gold)
            base = score_plan(split_on_and(question["question"]), gold)
            rows[str(question.get("dataset") or file.stem)].append(
                {
                    "accuracy": made.same_length,
                    "length_error": made.length_error,
                    "edge_f1": made.edges,
                    "baseline_accuracy": base.same_length,
                    "baseline_length_error": base.length_error,
                    "baseline_edge_f1": base.edges,
                }
            )
    every = [row for found in rows.values() for row in found]
    datasets = {name: _means(found) for name, found in sorted(rows.items())}
    _print_result({**_means(every), "datasets": datasets}, as_json)


@command("forecast")
@click.option(
    "--data",
    "file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL of series: id, freq, period, train, test.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many.")
@nothing_stored_when_interrupted()
def forecast(*, file: Path, limit: int | None, as_json: bool) -> None:
    """Score forecasts against what came: OWA over Naive2, sMAPE, MASE, coverage, seconds per series."""
    result = evaluate_forecast(islice(read_series(file), limit))
    if as_json:
        emit(result)
        return
    frequencies = result.pop("frequencies")
    for name, row in [*frequencies.items(), ("all", result)]:
        shown = "  ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items())
        echo(f"{name:10} {shown}")


@command("records")
def records(*, as_json: bool) -> None:
    """List the kept evaluations of retrieval, newest first."""
    evaluations = stored_records().list()
    if as_json:
        emit([record.model_dump(mode="json") for record in evaluations])
        return
    for record in evaluations:
        whole = record.legs.get("all") or next(iter(record.legs.values()), {})
        shown = "  ".join(
            f"{name} {whole[name]:.3f}" for name in ("recall@5", "ndcg@10", "mrr") if name in whole
        )
        asked = plain_n("{n:6} question", "{n:6} questions", record.questions)
        echo(f"{record.name:44} {asked}  {shown}  {record.embedder}")


@command("compare")
@click.argument("old")
@click.argument("new")
def compare(old: str, new: str, *, as_json: bool) -> None:
    """Say per leg how much each measure grew from OLD to NEW: names of `strata eval records`, or files.

    What keeps the two from being comparable is said first: other questions, another corpus.
    """
    before, after = stored_records().get(old), stored_records().get(new)
    found = grown(before, after)
    if as_json:
        warnings = list(differences(before, after))
        emit({"old": before.name, "new": after.name, "legs": found, "warnings": warnings})
        return
    _warn(before, after)
    _show(found)


def stored_records() -> EvaluationRecords:
    """Return the records in the library's folder; the library itself stays closed."""
    from core.settings import Settings

    return EvaluationRecords(Settings.load().store.path / "evaluations")


def _warn(before: EvaluationRecord, after: EvaluationRecord) -> None:
    """Say what else differs between two evaluations than what is measured."""
    for warning in map(translated_plain, differences(before, after)):
        echo(plain("Careful: {warning}", warning=warning))
    for old, new in ((before.embedder, after.embedder), (before.reranker, after.reranker)):
        if old != new:
            echo(plain("{old} then, {new} now", old=old or "?", new=new or "?"))


def _show(legs: dict[str, dict[str, float]]) -> None:
    """Print a row per leg under the names of its measures."""
    names = list(next(iter(legs.values()), ()))
    echo(f"{'leg':10}" + "".join(f"{name:>11}" for name in names))
    for leg, row in legs.items():
        echo(f"{leg:10}" + "".join(f"{row[name]:11.3f}" for name in names if name in row))


def _means(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {**{name: mean(row[name] for row in rows) for name in (rows or [{}])[0]}, "questions": len(rows)}


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def _print_result(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(result)
        return
    for name, row in [*result.pop("datasets", {}).items(), ("all", result)]:
        shown = "  ".join(
            f"{key} {value:.3f}" if key != "questions" else f"n {value}" for key, value in row.items()
        )
        echo(f"{name or '-':28} {shown}")


for made in (retrieval, records, compare, gate, plan, forecast):
    evaluate.add_command(made)
