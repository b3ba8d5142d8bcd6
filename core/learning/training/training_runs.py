"""Training runs as they lie in the library's folder: what was asked for, how far it is, its loss curves.

training/<run>/run.json            recipe, data and base, written once
training/<run>/seed-<n>/curve.jsonl  a point every few steps, kept as they are made
training/<run>/seed-<n>/steps/       checkpoints; one counts once its mark `whole` is written
training/<run>/seed-<n>/adapter/     the result
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from core.domain import Value, identify
from core.errors import TrainingError
from core.learning.journal import read, repair, write
from core.learning.training.base_model import Base
from core.settings import TrainSettings

Method = Literal["sft", "dpo"]
WHOLE = "whole"
EXPORTED = "exported.json"


class LossPoint(Value):
    """A point of a loss curve: of the training data, or of the validation data (`held_out`)."""

    step: int
    epoch: float
    loss: float
    held_out: bool = False
    rate: float = 0.0
    accuracy: float | None = (
        None  # share (0 to 1) of tokens (sft) or preferences (dpo), None where the trainer gives none
    )


class Recipe(Value):
    """Everything a run depends on. Its id is a hash of it, so the same run is never made twice."""

    method: Method
    base: Base
    data: str  # folder
    data_digest: str
    adapter: str = ""  # folder of the adapter a dpo run starts from
    numbers: TrainSettings

    @property
    def id(self) -> str:
        content = self.model_dump_json(exclude={"data"})
        return f"{self.method}-{identify(content)[:10]}"


class Ended(Value):
    """The result of a seed. `loss` is the last one reported, None for a run shorter than `log_steps`.

    `seconds` is the time since it was last begun or resumed.
    """

    steps: int
    loss: float | None
    held_out_before: float
    held_out: float
    seconds: float


class Exported(Value):
    """What was handed to Ollama: where, the text of its Modelfile, and what to type next."""

    folder: str
    modelfile: str
    commands: tuple[str, ...]
    merged: bool


@dataclass(frozen=True)
class Seed:
    """One of a run's seeds: its folder."""

    folder: Path
    number: int

    @property
    def curve_file(self) -> Path:
        return self.folder / "curve.jsonl"

    @property
    def adapter(self) -> Path:
        return self.folder / "adapter"

    @property
    def steps(self) -> Path:
        return self.folder / "steps"

    def curve(self) -> list[LossPoint]:
        """Return the curve so far; a line that is just being written is left out."""
        if not self.curve_file.is_file():
            return []
        lines = self.curve_file.read_bytes().split(b"\n")[:-1]
        return [LossPoint.model_validate_json(line) for line in lines if line.strip()]

    def ended(self) -> Ended | None:
        path = self.folder / "ended.json"
        return Ended.model_validate_json(path.read_text("utf-8")) if path.is_file() else None

    def end(self, ended: Ended) -> None:
        """Save the result of the seed, atomically."""
        draft = self.folder / ".ended.json.new"
        draft.write_text(ended.model_dump_json(indent=2), "utf-8")
        draft.replace(self.folder / "ended.json")

    def checkpoint(self) -> Path | None:
        """Return the newest whole checkpoint; what was cut short while it was written is removed."""
        whole: list[tuple[int, Path]] = []
        for path in sorted(self.steps.glob("checkpoint-*")):
            if (path / WHOLE).is_file():
                whole.append((int(path.name.rsplit("-", 1)[1]), path))
            else:
                shutil.rmtree(path)
        return max(whole)[1] if whole else None

    def back_to(self, step: int) -> None:
        """Cut the curve back to a step, before training resumes from there."""
        repair(self.curve_file)
        remaining = [point for point in read(self.curve_file, LossPoint) if point.step <= step]
        write(self.curve_file, remaining)


@dataclass(frozen=True)
class TrainingRun:
    """A training run in its folder."""

    folder: Path
    recipe: Recipe

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def seeds(self) -> tuple[Seed, ...]:
        return tuple(Seed(self.folder / f"seed-{n}", n) for n in self.recipe.numbers.seeds)

    def exported(self) -> Exported | None:
        """Return the last export of the run, or None."""
        path = self.folder / EXPORTED
        return Exported.model_validate_json(path.read_text("utf-8")) if path.is_file() else None

    def export(self, made: Exported) -> None:
        """Keep what was exported."""
        (self.folder / EXPORTED).write_text(made.model_dump_json(indent=2), "utf-8")

    def state(self) -> Literal["new", "interrupted", "done"]:
        """Say how far it is. A run that is being trained just now reads "interrupted", too."""
        ended = [seed.ended() is not None for seed in self.seeds]
        if all(ended):
            return "done"
        return "interrupted" if any(ended) or any(seed.curve() for seed in self.seeds) else "new"

    def best(self) -> Seed:
        """Return the seed with the lowest held-out loss. Raises TrainingError where none has ended."""
        ended = [(end.held_out, seed.number, seed) for seed in self.seeds if (end := seed.ended())]
        if not ended:
            raise TrainingError(
                f"Run {self.id} has no trained adapter yet.",
                hint=f"Let it end with `strata train resume {self.id}`.",
            )
        return min(ended, key=lambda one: one[:2])[2]


@dataclass(frozen=True)
class TrainingRuns:
    """All runs of a library: `folder` is its `training` folder."""

    folder: Path

    def begin(self, recipe: Recipe) -> TrainingRun:
        """Return the run of the recipe, kept from before or new."""
        folder = self.folder / recipe.id
        path = folder / "run.json"
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            draft = folder / ".run.json.new"
            draft.write_text(recipe.model_dump_json(indent=2), "utf-8")
            draft.replace(path)
        return TrainingRun(folder, recipe)

    def find(self, run: str) -> TrainingRun:
        """Return a run by its id or the beginning of it. Raises TrainingError."""
        found = [one for one in self.list() if one.id.startswith(run)]
        if len(found) != 1:
            there = ", ".join(one.id for one in self.list()) or "there is none"
            raise TrainingError(
                f"{run} names {'no' if not found else 'more than one'} training run.",
                hint=f"Runs: {there}.",
            )
        return found[0]

    def list(self) -> Sequence[TrainingRun]:
        """Return the runs, the newest first."""
        paths = sorted(self.folder.glob("*/run.json"), key=lambda p: (-p.stat().st_mtime, p.parent.name))
        return [TrainingRun(path.parent, _recipe(path)) for path in paths]


def _recipe(path: Path) -> Recipe:
    try:
        return Recipe.model_validate_json(path.read_text("utf-8"))
    except ValidationError as error:
        raise TrainingError(
            f"The training run {path.parent.name} cannot be read.",
            hint=f"Delete the folder {path.parent.name} under training, or use the Strata that made it.",
        ) from error
