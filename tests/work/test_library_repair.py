"""The damage matrix: whatever happens to a file of the library, the answers are the same again at the end."""

import shutil
from pathlib import Path

import pytest

from core.errors import KnowledgeError
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.diagnosis import Examiner
from tests.ingest.house import WordEmbedder
from tests.work import damage

STORES = (
    "catalog.sqlite",
    "second_copy.sqlite",
    "tables.duckdb",
    "chroma",
    "tokens",
    "cache.sqlite",
    "keywords",
    "graph",
    "originals",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return damage.make(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def before(library: Path) -> dict[str, object]:
    return opened(library)


def opened(folder: Path) -> dict[str, object]:
    """Return what the library in a folder answers. Raises KnowledgeError."""
    with KnowledgeBase(folder, WordEmbedder.digest) as knowledge:
        return damage.answers(knowledge)


def outcome(folder: Path, before: dict[str, object]) -> str:
    """Say how a damaged library ends; assert that it ends well."""
    kept = dict(damage.originals(folder))
    wrong = Examiner(folder).faults(deep=True)
    try:
        now = opened(folder)
        how = "the same"
    except KnowledgeError as error:
        assert "strata doctor --repair" in error.hint and str(error).endswith(".")
        assert any(fault.stops for fault in wrong), f"doctor calls clean what does not open: {error}"
        damage.repair(folder)
        now = opened(folder)
        how = "repaired"
    assert now == before
    if how == "the same" and wrong:
        damage.repair(folder)
        assert opened(folder) == before
        how = "the same, repaired"
    assert Examiner(folder).faults(deep=True) == []
    everywhere = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert all(data in everywhere for data in kept.values()), "an original was destroyed"
    return how


def test_every_store_may_be_lost_or_damaged(library: Path, before: dict[str, object], tmp_path: Path) -> None:
    names = damage.files(library)
    chosen = [next(name for name in names if name.startswith(store)) for store in STORES]
    for number, name in enumerate(chosen):
        for how in ("removed", "1 byte"):
            folder = damage.damaged(library, tmp_path / f"{number}-{how}", name, how)
            outcome(folder, before)
            shutil.rmtree(folder)
