"""strata feedback, learn and eval self, as a reader types them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli import main
from tests.learning.papers import MANUAL

QUESTION = "How long does the wet clean of a PE-300 chamber take?"


@pytest.fixture
def strata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Type a command over a library of one document."""
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path / "library"))
    (tmp_path / "manual.md").write_text(MANUAL, encoding="utf-8")

    def typed(*words: str) -> Result:
        return CliRunner().invoke(main, list(words))

    assert typed("ingest", str(tmp_path / "manual.md")).exit_code == 0
    return typed


def test_feedback_is_listed_and_undone_from_the_terminal(strata):
    run = json.loads(strata("ask", QUESTION, "--json").stdout)["run"]
    made = json.loads(strata("feedback", run, "corrected", "--correction", "6.5 hours.", "--json").stdout)
    assert [change["kind"] for change in made] == ["verified answer"]
    assert json.loads(strata("ask", QUESTION, "--json").stdout)["level"] == "L0"
    assert made[0]["id"] in strata("learn", "list").stdout
    assert strata("learn", "undo", made[0]["id"]).exit_code == 0
    assert "Nothing was learnt yet." in strata("learn", "list").stdout


def test_bad_feedback_and_bad_sets_are_refused_in_words(strata):
    refused = strata("feedback", "-", "corrected", "--target", "tag:zap")
    assert refused.exit_code == 2
    assert "The correction is empty." in refused.stderr
    twice = strata("learn", "questions", "--set", "Who?", "--set", "who")
    assert twice.exit_code == 2
    assert "twice" in twice.stderr


def test_gaps_are_listed_and_asked_again(strata):
    strata("ask", "Who won the chess olympiad of 1972?")
    assert "chess olympiad" in strata("learn", "gaps").stdout
    assert "asked 1, 0 came out differently" in strata("learn", "update").stdout


def test_the_self_test_prints_its_scores(strata):
    result = json.loads(strata("eval", "self", "--json").stdout)
    assert 0 <= result["scores"]["recall@5"] <= 1
    assert result["fingerprint"]["chunking"]
    assert result["falls"] == []
