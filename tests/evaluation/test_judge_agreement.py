"""bench.judge_agreement: Cohen's kappa, and the answers graded by hand it is given; bench.sample."""

import json
from collections import Counter

import pytest

from bench import sample
from bench.judge_agreement import LABELS, kappa, labels, main


def lines(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_kappa_takes_off_what_chance_gives():
    # Cohen's textbook table: 20 both yes, 15 both no, 5 and 10 apart; 0.7 equal, 0.5 by chance
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert kappa(one, other) == pytest.approx(0.4)
    assert kappa(one, one) == 1
    assert kappa(["right"] * 4, ["right"] * 4) == 1


def test_sixty_answers_are_graded_each_once():
    text, *rows = (json.loads(line) for line in LABELS.read_text("utf-8").splitlines())
    assert "stand-in" in text["by"]
    assert len({(row["id"], row["answer"]) for row in rows}) == len(rows) == 60
    assert Counter(row["grade"] for row in rows).keys() == {"right", "partly", "wrong"}
    assert all(row["answer"].strip() for row in rows)


def test_the_agreement_is_told_with_where_the_two_differ(monkeypatch, tmp_path, capsys):
    lines(
        tmp_path / "pool" / "questions.jsonl",
        [
            {"id": "a", "question": "Where is it?", "answer": "Paris"},
            {"id": "b", "question": "Who is it?", "answer": "Ada", "answer_aliases": ["Lovelace"]},
        ],
    )
    labelled = lines(
        tmp_path / "labels.jsonl",
        [
            {"by": "a test"},
            {"pool": "pool", "id": "a", "answer": "Paris", "grade": "right"},
            {"pool": "pool", "id": "b", "answer": "Grace", "grade": "right"},
        ],
    )
    monkeypatch.setenv("STRATA_BENCH_DATA", str(tmp_path))
    assert [row["golds"] for row in labels(labelled)] == [("Paris",), ("Ada", "Lovelace")]
    monkeypatch.setattr("sys.argv", ["judge_agreement", "--labels", str(labelled)])
    main()
    output = capsys.readouterr().out
    assert "right by hand, wrong: 'Grace' for 'Ada'" in output and "Paris" not in output
    assert "right or not: equal 0.500, kappa 0.000, n 2" in output


def test_a_sample_keeps_the_gold_of_its_questions():
    corpus = [{"id": str(number)} for number in range(100)]
    questions = [{"question": "?", "gold_ids": [str(number)]} for number in (3, 50, 97, 98)]
    asked, passages = sample.sample(questions, corpus, 2, 10)
    assert [question["gold_ids"] for question in asked] == [["3"], ["97"]]
    assert {"3", "97"} <= {row["id"] for row in passages} and len(passages) == 10
