"""The training view shows every run as it stands, its curves and what to type next."""

import math

import pytest

from core.learning.journal import append
from core.learning.training.base_model import Base
from core.learning.training.training_runs import Ended, Exported, LossPoint, Recipe, TrainingRun
from core.settings import TrainSettings
from core.ui.knowledge import training_view
from core.ui.shared import session
from tests.learning import sample_attempts
from tests.ui.conftest import page_text

BASE = Base(
    name="models/tiny",
    model_type="llama",
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    vocab_size=300,
    digest="d",
)


def begun(assistant, *, seeds: int = 2) -> TrainingRun:
    numbers = TrainSettings(seeds=(11, 23)[:seeds])
    recipe = Recipe(method="sft", base=BASE, data="data", data_digest="abc123", numbers=numbers)
    return assistant.learning.training_workspace.runs.begin(recipe)


def points(run: TrainingRun, seed: int, *losses: float) -> None:
    append(run.seeds[seed].curve_file, LossPoint(step=0, epoch=0.0, loss=losses[0], held_out=True))
    for step, loss in enumerate(losses, start=1):
        append(run.seeds[seed].curve_file, LossPoint(step=step, epoch=step / 9, loss=loss))


def test_without_a_run_the_four_steps_stand_there(empty, open_page):
    at = open_page(session.KNOWLEDGE, view="learning", learn="training")
    assert "No model was trained yet" in page_text(at)
    assert "strata train collect" in at.code[0].value


def test_the_attempts_say_how_often_a_path_was_found(assistant, open_page):
    file = assistant.learning.training_workspace.trajectories("wiki")
    for attempt in (sample_attempts.wrong(1), sample_attempts.right(1), sample_attempts.wrong(2)):
        append(file, attempt)
    with file.open("a") as half:
        half.write('{"question": {"id')
    at = open_page(session.KNOWLEDGE, view="learning", learn="training")
    assert "2 questions" in page_text(
        at
    ) and "0% by one greedy attempt, 50% by any of 2 attempts" in page_text(at)


def test_what_the_bandit_drew_stands_with_its_scores_visits_and_how_often_it_was_gold(assistant, open_page):
    file = assistant.learning.training_workspace.trajectories("attempts")
    for attempt in (sample_attempts.right(1), sample_attempts.right(1, attempt=2)):
        append(file, attempt)
    at = open_page(session.KNOWLEDGE, view="learning", learn="training")
    assert "1 passage was nearly chosen; 2 draws by upper confidence bounds" in page_text(at)
    [row] = next(table.value for table in at.dataframe if "Drawn" in table.value).to_dict("records")
    assert (row["Score"], row["Drawn"], row["Gold"]) == (0.3, 2, False)
    assert row["Bound"] == pytest.approx(0.3 + 0.2 * math.sqrt(math.log(3) / 3), abs=1e-4)


def test_a_run_shows_its_seeds_its_curves_and_the_way_on(assistant, open_page):
    run = begun(assistant)
    points(run, 0, 2.0, 1.5)
    run.seeds[1].folder.mkdir()
    with run.seeds[1].curve_file.open("ab") as half:  # a line that is just being written
        half.write(LossPoint(step=1, epoch=0.1, loss=2.2).model_dump_json().encode() + b'\n{"step": 2')
    at = open_page(session.KNOWLEDGE, view="learning", learn="training")
    assert "being trained" in page_text(at)
    assert "llama, 2 x 32, 300 words" in page_text(at) and "models/tiny" in page_text(at)
    drawn = training_view.figure(run)
    assert [(trace.name, list(trace.y)) for trace in drawn.data] == [
        ("seed 11", [2.0, 1.5]),
        ("seed 11", [2.0]),
        ("seed 23", [2.2]),
    ]
    rows = training_view.table(run)
    assert list(rows["Held out"]) == ["2.000 → 2.000", "–"]


def test_a_trained_run_says_how_to_hand_it_over_and_then_what_was_handed_over(assistant, open_page):
    run = begun(assistant, seeds=1)
    points(run, 0, 2.0, 1.0)
    ended = Ended(steps=2, loss=1.0, held_out_before=2.0, held_out=1.1, seconds=61.0)
    run.seeds[0].end(ended)
    at = open_page(session.KNOWLEDGE, view="learning", learn="training")
    assert f"strata train export {run.id} --from OLLAMA_MODEL" in [code.value for code in at.code]
    run.export(
        Exported(folder="out", modelfile="FROM x\n", commands=("cd out", "ollama create y"), merged=False)
    )
    at = open_page(session.KNOWLEDGE, view="learning", learn="training")
    assert {"cd out\nollama create y", "FROM x"} <= {code.value for code in at.code}
