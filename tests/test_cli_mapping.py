"""strata mapping: a machine file's mapping is checked, tried, kept and used at ingestion."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli import main

MAPPING = """name: Pump log
match: "pump_*.log"
delimiter: ";"
header: true
columns:
  - {source: ts, name: Time, type: datetime, time: true}
  - {source: P, name: Pressure, type: real, unit: mTorr}
"""
LOG = "ts;P;pump\n2025-03-18 10:00:00;3.5;VP-7\n2025-03-18 10:01:00;3.75;VP-7\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path / "library"))
    (tmp_path / "pump.yaml").write_text(MAPPING)
    (tmp_path / "pump_1.log").write_text(LOG)
    return tmp_path


def test_a_mapping_is_tried_on_a_sample_in_the_terminal(files: Path) -> None:
    done = CliRunner().invoke(main, ["mapping", "check", str(files / "pump.yaml"), str(files / "pump_1.log")])
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "Time                 Pressure",
        "datetime, time       real, mTorr",
        "2025-03-18 10:00:00  3.5",
        "2025-03-18 10:01:00  3.75",
    ]


def test_an_error_in_a_mapping_leaves_with_its_line(files: Path) -> None:
    (files / "pump.yaml").write_text(MAPPING.replace("type: real", "type: number"))
    done = CliRunner().invoke(main, ["mapping", "add", str(files / "pump.yaml")])
    assert done.exit_code == 1
    assert "pump.yaml, line 7: column 2, type: " in done.stderr


def test_a_kept_mapping_reads_the_files_it_is_for(files: Path) -> None:
    assert CliRunner().invoke(main, ["mapping", "add", str(files / "pump.yaml")]).exit_code == 0
    listed = json.loads(CliRunner().invoke(main, ["mapping", "list", "--json"]).stdout)
    assert [each["file"] for each in listed] == ["pump-log.yaml"]
    assert CliRunner().invoke(main, ["ingest", str(files / "pump_1.log")]).exit_code == 0
    documents = json.loads(CliRunner().invoke(main, ["documents", "--json"]).stdout)
    assert [document["title"] for document in documents] == ["Pump log: pump_1"]
    assert CliRunner().invoke(main, ["mapping", "delete", "pump-log.yaml"]).exit_code == 0
    assert json.loads(CliRunner().invoke(main, ["mapping", "list", "--json"]).stdout) == []
