"""strata train collect, data, sft, dpo, resume, runs, export: from attempts to a decomposer of one's own."""

import time
from pathlib import Path
from typing import Any

import click

from core.cli.eval import read
from core.cli.localized_help import LocalizedGroup
from core.cli.output import command, emit, opened, opened_beside
from core.cli.terminal_escaping import echo
from core.errors import TrainingError
from core.i18n.messages import plain
from core.learning.context_sampling import sampling_of
from core.learning.training.export import export
from core.learning.training.trainer import Training
from core.learning.training.training_runs import LossPoint, Method, Seed, TrainingRun
from core.learning.training_workspace import TrainingWorkspace
from core.learning.trajectories import Trajectory, coverage
from core.settings import Settings
from core.work.checks.evaluation_records import over_file

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group("train", cls=LocalizedGroup)
def train() -> None:
    """Learn from attempts with known answers: collect, make data, train, hand to Ollama."""


@command("collect")
@click.option(
    "--questions", "file", required=True, type=FILE, help="JSONL: question, answer, gold_ids if known."
)
@click.option(
    "--corpus", type=FILE, help="JSONL of passages, searched in a library of its own; without it, yours is."
)
@click.option("--name", default="attempts", show_default=True, help="Of the set; a set can be gone on with.")
@click.option(
    "--attempts",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Sampled, per question.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many questions.")
def collect(
    *, file: Path, corpus: Path | None, name: str, attempts: int, limit: int | None, as_json: bool
) -> None:
    """Try to reach the answers of questions with known answers; what was collected before is kept."""
    from core.bootstrap.training_wiring import untrained
    from core.bootstrap.trajectory_wiring import collector_of, known_of

    settings = untrained(Settings.load())
    target = _workshop().trajectories(name)
    rows = read(file, limit)
    made: list[Trajectory] = []
    folder_name = f"attempts-{over_file(corpus)[:16]}" if corpus else ""
    with opened_beside(corpus, settings, folder_name) if corpus else opened(settings) as assistant:
        collector = collector_of(assistant, settings.loop, target, attempts)
        questions = known_of(assistant, rows, corpus)

        def show_progress(done: int, all_: int) -> None:
            if not as_json:
                echo(plain("\r{done} of {of} questions", done=done, of=all_), nl=done == all_, err=True)

        made += collector.collect(questions, show_progress)
    found = coverage(made)
    drawn = sampling_of(made, settings.loop.exploration)
    if as_json:
        sampled = drawn.model_dump(exclude={"passages"}) | {"pool": len(drawn.passages)}
        emit({"file": str(target), **found.model_dump(), "sampling": sampled})
        return
    echo(
        plain(
            "{attempts} attempts of {questions} questions in {target}",
            attempts=len(made),
            questions=found.questions,
            target=target,
        )
    )
    for kind in ("answer", "passages", "path"):
        one, many = getattr(found, f"greedy_{kind}"), getattr(found, f"any_{kind}")
        label = {
            "answer": plain("right answer"),
            "passages": plain("all gold passages"),
            "path": plain("either"),
        }[kind]
        echo(
            plain(
                "{said:18} one greedy attempt {one:.1%}   any of {attempts} attempts {many:.1%}",
                said=label,
                one=one,
                attempts=found.attempts + 1,
                many=many,
            )
        )
    echo(
        plain(
            "drawn by upper confidence bounds: {draws} of {pool} passages nearly chosen; gold {gold:.1%} of "
            "the draws, {by_chance:.1%} of these passages",
            draws=drawn.draws,
            pool=len(drawn.passages),
            gold=drawn.gold_draws,
            by_chance=drawn.gold_passages,
        )
    )


@command("data")
@click.option("--name", default="data", show_default=True)
@click.option("--from", "sets", multiple=True, help="Set of trajectories; all of them if none is named.")
def data(*, name: str, sets: tuple[str, ...], as_json: bool) -> None:
    """Make training data (JSONL in chat format, split by question) with its card."""
    training_workspace = _workshop()
    card = training_workspace.build(name, sets)
    if as_json:
        emit({"folder": str(training_workspace.data(name)), **card.model_dump(), "digest": card.digest})
        return
    echo(f"{training_workspace.data(name)} ({card.digest})")
    for file, lines in card.files.items():
        echo(plain("  {file:18} {lines:6} lines", file=file, lines=lines))


def _begin(method: Method, data: str, base: str, adapter: Path | None, as_json: bool) -> None:
    run = _workshop().begin(method, data, base, adapter)
    if not as_json:
        echo(plain("run {id} in {folder}", id=run.id, folder=run.folder))
    _go_on(run, as_json)


@command("sft")
@click.option("--data", default="data", show_default=True, help="Name of the training data.")
@click.option("--base", required=True, help="Model in Hugging Face form: a folder, or a name in its cache.")
def sft(*, data: str, base: str, as_json: bool) -> None:
    """Train by example (LoRA, every seed of STRATA_TRAIN__SEEDS); called again, it goes on."""
    _begin("sft", data, base, None, as_json)


@command("dpo")
@click.option("--data", default="data", show_default=True, help="Name of the training data.")
@click.option("--base", required=True, help="Model in Hugging Face form: a folder, or a name in its cache.")
@click.option("--adapter", type=FOLDER, help="Adapter to start from, as `strata train sft` made it.")
def dpo(*, data: str, base: str, adapter: Path | None, as_json: bool) -> None:
    """Train by preference of the better path over the worse; called again, it goes on."""
    _begin("dpo", data, base, adapter, as_json)


@command("resume")
@click.argument("run")
def resume(*, run: str, as_json: bool) -> None:
    """Go on with a run that was interrupted, from its last whole checkpoint."""
    found = _workshop().runs.find(run)
    if found.state() == "done":
        raise TrainingError(f"Run {found.id} has ended.", hint=f"Next: strata train export {found.id}.")
    _go_on(found, as_json)


@command("runs")
def runs(*, as_json: bool) -> None:
    """List the training runs."""
    rows = [_run_json(run) for run in _workshop().runs.list()]
    if as_json:
        emit(rows)
        return
    for row in rows:
        echo(f"{row['run']:18} {row['state']:12} {row['base']}")
        for seed in row["seeds"]:
            echo("  " + "  ".join(f"{key} {value}" for key, value in seed.items()))
    if not rows:
        echo(plain("No runs yet: strata train collect, strata train data, strata train sft"))


@command("export")
@click.argument("run")
@click.option("--name", default="strata-decomposer", show_default=True, help="Of the model in Ollama.")
@click.option("--from", "served", default="", help="Ollama model that is the base, for example llama3.2:3b.")
@click.option("--base", default="", help="Base to put the adapter on; the one it was trained on if unset.")
@click.option("--merge", is_flag=True, help="Write the whole model instead of the adapter.")
@click.option("--to", type=click.Path(path_type=Path), help="Folder; the run's own if unset.")
def export_(
    *, run: str, name: str, served: str, base: str, merge: bool, to: Path | None, as_json: bool
) -> None:
    """Write adapter and Modelfile of the run's best seed, and say what to type."""
    found = _workshop().runs.find(run)
    best = found.best()
    target = to or found.folder / "ollama"
    made = export(best.adapter, target, name=name, served=served, base=base, merge=merge)
    found.export(made)
    if as_json:
        emit(made.model_dump())
        return
    echo(
        plain(
            "seed {number}, {form}, in {folder}",
            number=best.number,
            form=plain("merged") if made.merged else plain("adapter"),
            folder=made.folder,
        )
        + "\n"
    )
    echo("\n".join(made.commands))


def _workshop() -> TrainingWorkspace:
    from core.bootstrap.training_wiring import training_workspace_of

    return training_workspace_of(Settings.load())


def _go_on(run: TrainingRun, as_json: bool) -> None:
    began = time.perf_counter()

    def show_loss(seed: Seed, point: LossPoint) -> None:
        if not as_json:
            text = plain(
                "seed {seed}  step {step:5}  {kind} loss {loss:.4f}",
                seed=seed.number,
                step=point.step,
                kind=plain("held out") if point.held_out else plain("training"),
                loss=point.loss,
            )
            echo(f"{text}  {time.perf_counter() - began:7.1f} s", err=True)

    Training(run, show_loss).train()
    row = _run_json(run)
    if as_json:
        emit(row)
        return
    for seed in row["seeds"]:
        echo("  ".join(f"{key} {value}" for key, value in seed.items()))
    echo(plain("next: strata train export {id} --from OLLAMA_MODEL", id=run.id))


def _run_json(run: TrainingRun) -> dict[str, Any]:
    seeds = []
    for seed in run.seeds:
        ended = seed.ended()
        if ended:
            seeds.append(
                {
                    "seed": seed.number,
                    "steps": ended.steps,
                    "loss": "-" if ended.loss is None else round(ended.loss, 4),
                    "held_out": f"{ended.held_out_before:.4f} -> {ended.held_out:.4f}",
                    "seconds": ended.seconds,
                }
            )
        else:
            curve = seed.curve()
            seeds.append({"seed": seed.number, "steps": curve[-1].step if curve else 0})
    recipe = run.recipe
    return {
        "run": run.id,
        "state": run.state(),
        "base": recipe.base.name,
        "data": recipe.data,
        "seeds": seeds,
    }


for made in (collect, data, sft, dpo, resume, runs, export_):
    train.add_command(made)
