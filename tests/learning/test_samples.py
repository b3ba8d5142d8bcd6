"""A path of t sub-questions becomes t + 1 samples, two paths become a pair; bad data is refused."""

import json

import pytest

from core.errors import TrainingError
from core.learning.dataset import build, opened, pairs_of, samples_of
from core.learning.journal import append, repair
from core.learning.samples import SPLITS, SampleMaker, split_of
from core.learning.trajectories import checked, coverage, read_trajectories
from tests.learning import sample_attempts

MAKER = SampleMaker(sample_attempts.plain)


def replies(samples):
    return [json.loads(sample.messages[-1].content) for sample in samples]


def test_a_path_of_t_sub_questions_becomes_t_plus_one_samples():
    samples = MAKER.samples([sample_attempts.right(1)])
    assert replies(samples) == [
        {"question": "Who founded company 1?", "enough": False},
        {"question": "Where was founder 1 born?", "enough": False},
        {"question": "", "enough": True},
    ]
    assert [message.role for message in samples[0].messages] == ["system", "user", "assistant"]
    # What was drawn by chance stays in the context; what came after the last gold passage does not.
    assert "Text of x1." in samples[1].messages[1].content
    assert "Text of y1." not in samples[2].messages[1].content
    assert samples[2].stop and samples[2].step == 2


def test_only_paths_to_a_right_answer_are_learnt_and_each_point_once():
    both = [sample_attempts.wrong(1), sample_attempts.right(1), sample_attempts.right(1, attempt=2)]
    assert len(MAKER.samples(both)) == 3
    with pytest.raises(TrainingError, match="nothing to learn from") as refused:
        MAKER.samples([sample_attempts.wrong(1)])
    assert "--attempts" in refused.value.hint


def test_the_better_path_of_a_question_is_preferred_where_the_two_part():
    (pair,) = MAKER.pairs([sample_attempts.wrong(1), sample_attempts.right(1)])
    assert "Who founded company 1?" in pair.chosen[0].content
    assert "What is company 1?" in pair.rejected[0].content
    assert pair.margin == 1.0
    assert MAKER.pairs([sample_attempts.wrong(1)]) == []


def test_the_bandits_dictionaries_stand_beside_the_samples(tmp_path):
    attempts = [
        sample_attempts.right(1, attempt=2),
        sample_attempts.wrong(1),
        sample_attempts.right(1, attempt=1),
    ]
    card = build(tmp_path / "d", MAKER, [*attempts, sample_attempts.right(2)], [])
    held = [json.loads(line) for line in (tmp_path / "d" / "contexts.jsonl").read_text("utf-8").splitlines()]
    assert held == [
        {"question_id": "q1", "scores": {"x1": 0.3}, "visits": {"x1": 3}},  # drawn twice
        {"question_id": "q2", "scores": {"x2": 0.3}, "visits": {"x2": 2}},
    ]
    assert card.files["contexts.jsonl"] == 2
    (tmp_path / "d" / "contexts.jsonl").write_text("", "utf-8")
    with pytest.raises(TrainingError, match=r"contexts\.jsonl is not as its card says"):
        opened(tmp_path / "d")


def test_a_question_stands_in_one_split_however_it_is_spelled(tmp_path):
    assert split_of("Who  is it?") == split_of("who is it?")
    card = build(
        tmp_path / "d",
        MAKER,
        [w for n in range(60) for w in (sample_attempts.wrong(n), sample_attempts.right(n))],
        [],
    )
    held = [{row.question_id for row in samples_of(tmp_path / "d", split)} for split in SPLITS]
    assert not (held[0] & held[1] or held[0] & held[2] or held[1] & held[2])
    assert all(held) and sum(map(len, held)) == 60
    text = (tmp_path / "d" / "README.md").read_text()
    assert f"| sft-train.jsonl | {card.files['sft-train.jsonl']} |" in text and card.digest in text
    assert opened(tmp_path / "d") == card


@pytest.mark.parametrize("kind", ["changed", "twice", "two splits", "no data"])
def test_training_data_that_are_not_as_they_were_made_are_refused(tmp_path, kind):
    data = sample_attempts.data(tmp_path / "d")
    train, valid = data / "sft-train.jsonl", data / "sft-valid.jsonl"
    first = train.read_text().splitlines(keepends=True)[0]
    if kind == "changed":
        train.write_text(first)
        with pytest.raises(TrainingError, match="changed or cut short") as refused:
            opened(data)
    elif kind == "twice":
        train.write_text(first + train.read_text())
        with pytest.raises(TrainingError, match=r"1 lines .* twice") as refused:
            samples_of(data, "train")
    elif kind == "two splits":
        valid.write_text(first.replace('"split":"train"', '"split":"valid"'))
        with pytest.raises(TrainingError, match="stands in two splits") as refused:
            samples_of(data, "train")
    else:
        (data / "card.json").unlink()
        with pytest.raises(TrainingError, match="is no training data") as refused:
            pairs_of(data, "train") and opened(data)
    assert "strata train data" in refused.value.hint


def test_a_trajectory_cut_short_or_there_twice_is_refused(tmp_path):
    file = tmp_path / "attempts.jsonl"
    append(file, sample_attempts.right(1))
    with file.open("ab") as half:
        half.write(sample_attempts.right(2).model_dump_json().encode()[:200])
    with pytest.raises(TrainingError, match="line 2 was cut short") as refused:
        read_trajectories(file)
    assert "again" in refused.value.hint
    assert repair(file) and not repair(file)
    assert len(read_trajectories(file)) == 1
    append(file, sample_attempts.right(1))
    with pytest.raises(TrainingError, match="attempt 1 of question q1 is there twice"):
        read_trajectories(file)
    file.unlink()
    append(file, sample_attempts.right(1).model_copy(update={"ended": ""}))
    with pytest.raises(TrainingError, match="does not say why it ended"):
        read_trajectories(file)


def test_trajectories_that_were_collected_by_an_older_version_are_read(tmp_path):
    file = tmp_path / "attempts.jsonl"
    old = sample_attempts.right(1).model_dump_json().replace('"attempt":', '"walk":')
    file.write_text(old + "\n", "utf-8")
    assert read_trajectories(file) == [sample_attempts.right(1)]


def test_a_question_set_with_duplicates_or_without_answers_is_refused():
    with pytest.raises(TrainingError, match="Questions 1 and 3 are the same"):
        checked([sample_attempts.known(1), sample_attempts.known(2), sample_attempts.known(1)])
    with pytest.raises(TrainingError, match="has no answer"):
        checked([sample_attempts.known(1).model_copy(update={"answers": (" ",)})])
    with pytest.raises(TrainingError, match="no questions"):
        checked([])


def test_coverage_compares_the_greedy_attempt_with_all():
    found = coverage(
        [
            sample_attempts.wrong(1),
            sample_attempts.right(1),
            sample_attempts.wrong(2),
            sample_attempts.right(3, attempt=0),
        ]
    )
    assert (found.questions, found.greedy_answer, found.any_answer) == (3, 0.3333, 0.6667)
