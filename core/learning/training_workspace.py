"""Where a library keeps what its decomposer is trained with: trajectories, training data, training runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import TrainingError
from core.learning import dataset
from core.learning.context_sampling import SamplingSummary, sampling_of
from core.learning.dataset import Card
from core.learning.journal import repair
from core.learning.samples import Render, SampleMaker
from core.learning.training.base_model import describe, fitting
from core.learning.training.training_runs import Method, Recipe, TrainingRun, TrainingRuns
from core.learning.trajectories import Coverage, Trajectory, coverage, read_trajectories
from core.settings import LoopSettings, TrainSettings


@dataclass(frozen=True)
class TrainingWorkspace:
    """A folder of the library; nothing in it is needed to answer questions."""

    folder: Path
    render: Render
    numbers: TrainSettings
    exploration: float = LoopSettings().exploration  # c of the bounds by which passages were drawn

    @property
    def runs(self) -> TrainingRuns:
        return TrainingRuns(self.folder / "training")

    def training_runs(self) -> list[TrainingRun]:
        """Return the training runs, the newest first."""
        return list(self.runs.list())

    def trajectories(self, name: str) -> Path:
        """Return the file of a set of trajectories. Raises TrainingError for a name that is a path."""
        return self._inside("trajectories", name).with_suffix(".jsonl")

    def sets(self) -> list[str]:
        """Return the names of the sets of trajectories."""
        return sorted(path.stem for path in (self.folder / "trajectories").glob("*.jsonl"))

    def data(self, name: str) -> Path:
        return self._inside("data", name)

    def coverage(self, name: str) -> Coverage:
        """Return for how many questions a path to the right answer was found. Raises TrainingError."""
        return coverage(read_trajectories(self.trajectories(name), growing=True))

    def sampling(self, name: str) -> SamplingSummary:
        """Return a summary of the bandit's draws in a set of attempts. Raises TrainingError."""
        return sampling_of(read_trajectories(self.trajectories(name), growing=True), self.exploration)

    def cards(self) -> list[Card]:
        """Return the cards of the training data there are, by name."""
        paths = sorted((self.folder / "data").glob(f"*/{dataset.CARD}"))
        return [Card.model_validate_json(path.read_text("utf-8")) for path in paths]

    def build(self, name: str, sets: Sequence[str]) -> Card:
        """Make training data of sets of trajectories (all of them if none is named). Raises TrainingError."""
        folder = self.data(name)
        paths = [self.trajectories(one) for one in sets or self.sets()]
        attempts: list[Trajectory] = []
        for path in paths:
            repair(path)
            attempts += read_trajectories(path)
        if not attempts:
            raise TrainingError("There are no trajectories.", hint="Make some with `strata train collect`.")
        return dataset.build(folder, SampleMaker(self.render), attempts, paths)

    def begin(self, method: Method, data: str, base: str, adapter: Path | None = None) -> TrainingRun:
        """Return the run of this data, base and settings, kept or new; nothing is trained yet.

        Raises TrainingError for data that are not whole, a base that is not here, an adapter of another base.
        """
        folder = self.data(data)
        card = dataset.opened(folder)
        here = fitting(adapter, base) if adapter else describe(base)
        recipe = Recipe(
            method=method,
            base=here,
            data=str(folder),
            data_digest=card.digest,
            adapter=str(adapter) if adapter else "",
            numbers=self.numbers,
        )
        return self.runs.begin(recipe)

    def _inside(self, kind: str, name: str) -> Path:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise TrainingError(
                f"{name!r} cannot be a name.", hint="Use letters, digits, hyphens and underscores."
            )
        return self.folder / kind / name
