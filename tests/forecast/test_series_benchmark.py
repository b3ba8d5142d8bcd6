"""`strata eval forecast` scores a file of series, and says what is wrong with one that is none."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from core.cli import main
from core.errors import ParseError
from core.forecast.series_benchmark import owa, read_series


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    lines = []
    for i in range(3):
        y = 100 + 3 * np.arange(26) + rng.normal(0, 2, 26)
        lines.append(
            {"id": f"Y{i}", "freq": "yearly", "period": 1, "train": list(y[:20]), "test": list(y[20:])}
        )
    path = tmp_path / "series.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


def test_the_terminal_scores_a_file_of_series(data: Path):
    done = CliRunner().invoke(main, ["eval", "forecast", "--data", str(data), "--json"])
    assert done.exit_code == 0, done.output
    scores = json.loads(done.stdout)
    assert set(scores) == {
        "series",
        "owa",
        "smape",
        "mase",
        "coverage80",
        "coverage95",
        "seconds_per_series",
        "frequencies",
    }
    assert scores["series"] == scores["frequencies"]["yearly"]["series"] == 3
    assert scores["owa"] < 0.6  # a clear trend that the naive forecast misses
    assert 0 <= scores["coverage80"] <= scores["coverage95"] <= 1
    assert (
        "yearly" in CliRunner().invoke(main, ["eval", "forecast", "--data", str(data), "--limit", "1"]).stdout
    )


def test_a_line_that_is_no_series_is_named(tmp_path: Path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "a"}\n', "utf-8")
    with pytest.raises(ParseError, match="line 1"):
        list(read_series(path))
    done = CliRunner().invoke(main, ["eval", "forecast", "--data", str(path)])
    assert done.exit_code == 1
    assert "line 1" in done.stderr


def test_owa_is_the_mean_of_the_two_ratios():
    assert owa(np.array([[10.0, 1.0]]), np.array([[20.0, 1.0]])) == pytest.approx(0.75)
