"""A tiny random base, training data of hand-made attempts, and a training workspace around them."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from core.learning.training.small import make
from core.learning.training_workspace import TrainingWorkspace
from core.settings import TrainSettings
from tests.learning import sample_attempts

if find_spec("trl") is None:  # importing it takes a second, in each worker
    pytest.skip("the extra `train` is not installed", allow_module_level=True)

NUMBERS = TrainSettings(
    seeds=(1,),
    epochs=1,
    batch=8,
    accumulate=1,
    learning_rate=3e-3,
    log_steps=1,
    save_steps=3,
    eval_steps=6,
    rank=4,
    dropout=0.0,
)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    texts = [sample_attempts.known(n).question for n in range(24)]
    return make(folder / "tiny", texts, words=300, width=16, layers=1, heads=2, window=512)


@pytest.fixture
def training_workspace(tmp_path: Path) -> TrainingWorkspace:
    """A training workspace with data of 24 questions under the name "data"."""
    made = TrainingWorkspace(tmp_path / "learning", sample_attempts.plain, NUMBERS)
    sample_attempts.data(made.data("data"), questions=24)
    return made
