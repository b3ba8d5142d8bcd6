"""By which version of reading a document was made: a change of what reads its kind counts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.ingest.reading_version import closure, reading_versions
from core.knowledge.stores.value_cache import CacheStore

CORE = Path(core.__path__[0])
PRINT = "import json; from core.ingest.reading_version import reading_versions as v; print(json.dumps(v()))"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to be changed."""
    to = tmp_path_factory.mktemp("copy")
    shutil.copytree(CORE, to / "core", ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    return to


def versions(copy: Path) -> dict[str, str]:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PRINT], env=environment, cwd=copy, capture_output=True, text=True, check=True
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def changed(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), "utf-8")


def test_a_change_counts_for_the_kinds_that_it_reads(copy: Path) -> None:
    first = versions(copy)
    assert first == reading_versions()
    changed(copy / "core/ingest/parsers/sql/scan.py", "\nfrom ", "\n# where a statement ends\nfrom ")
    changed(copy / "core/i18n/messages.py", "\nfrom ", "\nOTHER = 1\nfrom ")
    changed(copy / "core/answering/suggestions.py", "\nfrom ", "\nOTHER = 1\nfrom ")
    assert versions(copy) == first, "a comment, or what reads no file, was taken for another reading"
    changed(copy / "core/ingest/parsers/sql/scan.py", "\nfrom ", "\nOTHER = 1\nfrom ")
    second = versions(copy)
    other = {kind for kind in first if first[kind] != second[kind]}
    assert "application/sql" in other
    assert "application/zip" in other and "message/rfc822" in other, "they hold files of any kind"
    assert not other & {"application/pdf", "text/csv", "text/html", "image/png"}
    changed(copy / "core/ingest/chunker.py", "\nfrom ", "\nOTHER = 1\nfrom ")
    third = versions(copy)
    assert all(third[kind] != second[kind] for kind in first), "every file is cut into chunks"
    changed(copy / "core/text/vocabulary/names.toml", "\n", "\n[other]\nword = 'x'\n")
    assert versions(copy) != third, "a list of words was changed"


def test_what_a_module_imports_of_reading_belongs_to_it() -> None:
    found = {str(file.relative_to(CORE)) for file in closure([CORE / "ingest/parsers/pdf/parser.py"])}
    assert {"ingest/parsers/pdf/tables/ruled.py", "text/tokens.py"} <= found
    assert not {name for name in found if name.startswith(("i18n", "knowledge", "ingest/parsers/sql"))}


def test_the_versions_are_kept_with_the_library(tmp_path: Path) -> None:
    kept = CacheStore(tmp_path / "cache.sqlite")
    assert reading_versions(kept) == reading_versions(kept) == reading_versions()
    assert len(set(reading_versions().values())) > 15
