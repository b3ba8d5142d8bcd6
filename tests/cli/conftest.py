"""The command line over a library in the tests' folder."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli import main
from tests.flow.conftest import DOCUMENTS

Run = Callable[..., Result]


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cli")


@pytest.fixture(scope="package")
def strata(folder: Path) -> Run:
    """Run `strata ARGUMENTS` on a library in the test's folder and expect an exit status."""
    environment = {"STRATA_STORE__PATH": str(folder / "data")}

    def run(*arguments: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, arguments, env=environment)
        assert result.exit_code == status, (result.output, result.exception)
        return result

    return run


@pytest.fixture(scope="package")
def filled(strata: Run, folder: Path) -> Path:
    """A library with the documents of the flow's tests, and the folder they came from."""
    files = folder / "files"
    files.mkdir()
    for name, text in DOCUMENTS.items():
        (files / name).write_text(text, "utf-8")
    jobs = json.loads(strata("ingest", str(files), "--json").stdout)
    assert {job["outcome"] for job in jobs} == {"read"}
    assert sorted(Path(job["path"]).name for job in jobs) == sorted(DOCUMENTS)
    assert all(job["sections"] and job["chunks"] and job["seconds"] > 0 for job in jobs)
    assert {"reason", "hint", "tables", "figures", "collection", "document_id"} <= set(jobs[0])
    return files
