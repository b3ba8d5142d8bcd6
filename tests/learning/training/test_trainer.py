"""Training runs on a processor in seconds, resumes where it was cut off, and refuses what does not fit."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from filelock import FileLock

from core.errors import TrainingError
from core.learning.training.base_model import CARD, adapter_base
from core.learning.training.proposer import TrainedProposer
from core.learning.training.small import make
from core.learning.training.trainer import Training
from core.learning.training.training_runs import WHOLE, LossPoint, Seed
from core.learning.training_workspace import TrainingWorkspace
from core.settings import TrainSettings
from core.tasks import NextQuestion, ProposeNext
from tests.conftest import ROOT
from tests.learning import sample_attempts
from tests.learning.training.conftest import NUMBERS


class PowerCut(Exception):
    """The machine stops here."""


def losses(seed: Seed) -> list[tuple[int, bool, float]]:
    return [(point.step, point.held_out, round(point.loss, 4)) for point in seed.curve()]


def test_training_lowers_the_loss_and_a_run_cut_off_comes_to_the_same_end(training_workspace, base, tmp_path):
    whole = training_workspace.begin("sft", "data", str(base))
    Training(whole).train()
    ended = whole.seeds[0].ended()
    assert whole.state() == "done" and ended is not None
    assert ended.held_out < ended.held_out_before
    assert (whole.best().adapter / "adapter_model.safetensors").is_file()

    other = TrainingWorkspace(tmp_path / "other", sample_attempts.plain, NUMBERS)
    sample_attempts.data(other.data("data"), questions=24)
    cut = other.begin("sft", "data", str(base))

    def stop(seed: Seed, point: LossPoint) -> None:
        if point.step == 5:
            raise PowerCut

    with pytest.raises(PowerCut):
        Training(cut, stop).train()
    assert cut.state() == "interrupted"
    torn = cut.seeds[0].steps / "checkpoint-4"  # one that was being written when the power went
    torn.mkdir()
    (torn / "trainer_state.json").write_text("{")
    with cut.seeds[0].curve_file.open("a") as curve:
        curve.write('{"step": 5, "epo')
    Training(cut).train()
    assert not torn.exists()
    assert losses(cut.seeds[0]) == losses(whole.seeds[0])
    Training(cut).train()  # a run that has ended is left alone
    assert losses(cut.seeds[0]) == losses(whole.seeds[0])


def test_a_run_shorter_than_a_step_of_its_log_ends_like_any_other(training_workspace, base):
    numbers = NUMBERS.model_copy(update={"log_steps": 100, "seeds": (1, 2)})
    run = TrainingWorkspace(training_workspace.folder, sample_attempts.plain, numbers).begin(
        "sft", "data", str(base)
    )
    Training(run).train()
    ended = [seed.ended() for seed in run.seeds]
    assert run.state() == "done" and [one and one.loss for one in ended] == [None, None]


def test_preferences_are_learnt_from_the_adapter_of_the_samples(training_workspace, base):
    first = training_workspace.begin("sft", "data", str(base))
    Training(first).train()
    adapter = first.best().adapter
    run = training_workspace.begin("dpo", "data", str(base), adapter)
    Training(run).train()
    ended = run.best().ended()
    assert ended is not None and ended.held_out < ended.held_out_before
    assert sorted(p.name for p in run.best().adapter.glob("*.safetensors")) == ["adapter_model.safetensors"]
    assert not (run.best().adapter / "ref").exists()
    assert {one.id for one in training_workspace.runs.list()} == {first.id, run.id}
    assert adapter_base(run.best().adapter).name == str(base)


def test_an_adapter_for_another_base_model_is_refused_with_what_to_do(training_workspace, base, tmp_path):
    run = training_workspace.begin("sft", "data", str(base))
    adapter = run.seeds[0].adapter
    adapter.mkdir(parents=True)
    (adapter / CARD).write_text(run.recipe.base.model_dump_json())
    (adapter / "adapter_config.json").write_text("{}")
    other = make(tmp_path / "other", ["quite other words"], words=300, width=32, layers=1, heads=2)
    with pytest.raises(TrainingError, match=r"trained on .*tiny .* not on .*other") as refused:
        training_workspace.begin("dpo", "data", str(other), adapter)
    assert "strata train sft" in refused.value.hint
    proposer = TrainedProposer(adapter, sample_attempts.plain, base=str(other))
    with pytest.raises(TrainingError, match="not on"):
        proposer.run(ProposeNext(question="Who?"), NextQuestion)
    (adapter / CARD).unlink()
    with pytest.raises(TrainingError, match="no adapter that Strata trained"):
        training_workspace.begin("dpo", "data", str(base), adapter)


def test_a_base_that_is_not_on_the_machine_is_refused(training_workspace):
    with pytest.raises(TrainingError, match="no model nowhere/at-all on this machine"):
        training_workspace.begin("sft", "data", "nowhere/at-all")


def test_data_that_changed_since_the_run_began_are_refused(training_workspace, base):
    run = training_workspace.begin("sft", "data", str(base))
    sample_attempts.data(training_workspace.data("data"), questions=20)
    with pytest.raises(TrainingError, match="made anew since it began"):
        Training(run).train()


def test_a_run_is_trained_by_one_process_at_a_time(training_workspace, base):
    run = training_workspace.begin("sft", "data", str(base))
    with FileLock(run.folder / "lock"), pytest.raises(TrainingError, match="Another process is training"):
        Training(run).train()


def test_a_sample_that_would_be_cut_is_refused(training_workspace, base):
    tight = TrainingWorkspace(
        training_workspace.folder, sample_attempts.plain, NUMBERS.model_copy(update={"max_length": 64})
    )
    with pytest.raises(TrainingError, match="tokens, 64 are allowed") as refused:
        Training(tight.begin("sft", "data", str(base))).train()
    assert "STRATA_TRAIN__MAX_LENGTH" in refused.value.hint


@pytest.mark.slow
def test_a_killed_training_goes_on_from_its_last_whole_checkpoint(training_workspace, base):
    numbers: TrainSettings = NUMBERS.model_copy(update={"epochs": 6.0, "save_steps": 2})
    run = TrainingWorkspace(training_workspace.folder, sample_attempts.plain, numbers).begin(
        "sft", "data", str(base)
    )
    store = training_workspace.folder.parent
    environment = {
        **os.environ,
        "STRATA_STORE__PATH": str(store),
        "STRATA_LLM__BACKEND": "built-in",
        "PYTHONPATH": str(ROOT),
    }
    script = "from core.cli import main; main()"
    command = [sys.executable, "-c", script, "train", "resume", run.id]
    seed = run.seeds[0]
    child = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list(seed.steps.glob(f"checkpoint-*/{WHOLE}")) and time.monotonic() < deadline:
        assert child.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert run.state() == "interrupted"
    went_on = subprocess.run(
        [*command, "--json"], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(went_on.stdout)["state"] == "done"
    steps = [point.step for point in seed.curve() if not point.held_out]
    assert steps == list(range(1, steps[-1] + 1))
