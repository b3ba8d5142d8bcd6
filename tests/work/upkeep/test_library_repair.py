"""The damage matrix: whatever happens to a file of the library, the answers are the same again at the end."""

import os
import shutil
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from core.bootstrap import maintenance_wiring
from core.errors import KnowledgeError
from core.knowledge.base import KnowledgeBase
from core.knowledge.maintenance.backups import Backups
from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from core.knowledge.maintenance.repair_plan import SettingAside
from core.knowledge.maintenance.restore import Restoring
from core.settings import Settings, StoreSettings
from core.work.upkeep.library_repair import claimed_for_now
from tests.ingest.ingestion_parts import WordEmbedder
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
    wrong = LibraryDiagnosis(folder).faults(deep=True)
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
    assert LibraryDiagnosis(folder).faults(deep=True) == []
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


def test_all_but_the_originals_may_be_lost_together(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    shutil.copytree(library / "originals", folder / "originals")
    shutil.copy(library / "second_copy.sqlite", folder)
    with pytest.raises(KnowledgeError, match="The catalog is gone, while 3 kept originals are there"):
        opened(folder)
    done = damage.repair(folder)
    assert "3 documents were made anew from their originals." in done
    assert opened(folder) == before and LibraryDiagnosis(folder).faults(deep=True) == []


def test_documents_come_back_from_the_paths_an_old_catalog_remembers(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    folder = damage.damaged(library, tmp_path / "library", "catalog.sqlite", "1 byte")
    shutil.rmtree(folder / "originals")
    damage.repair(folder)
    assert opened(folder) == before and LibraryDiagnosis(folder).faults(deep=True) == []


def test_what_can_be_made_from_nothing_is_said_and_set_aside(library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library, folder)
    (folder / "catalog.sqlite").unlink()
    record = next((folder / "originals").glob("*/pump.md"))
    kept = record.read_bytes()[:-1]
    record.write_bytes(kept)
    sources = library.parent / "sources"
    moved = sources.rename(tmp_path / "away")
    try:
        done = damage.repair(folder)
    finally:
        moved.rename(sources)
    (stated,) = [each for each in done if "could not be made anew" in each]
    assert stated.startswith("pump.md could not") and "Put the file back and run `strata ingest /" in stated
    assert any(path.read_bytes() == kept for path in (folder / "quarantine").rglob("pump.md"))
    with KnowledgeBase(folder, WordEmbedder.digest) as knowledge:
        assert sorted(document.name for document in knowledge.documents()) == ["report.md", "yield.csv"]
    assert LibraryDiagnosis(folder).faults(deep=True) == []


def test_a_repair_that_was_interrupted_is_finished_before_questions_are_answered(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    folder = damage.damaged(library, tmp_path / "library", "catalog.sqlite", "removed")
    faults = LibraryDiagnosis(folder).faults(deep=True)
    SettingAside.begin(folder, faults).work(faults)
    with pytest.raises(KnowledgeError, match="repair of this library was not finished"):
        opened(folder)
    damage.repair(folder)
    assert opened(folder) == before


def test_bits_that_rot_without_a_trace_are_found_by_the_doctor(library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library, folder)
    path = folder / "tables.duckdb"
    times = path.stat()
    damage.flip(1)(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert [fault.store for fault in LibraryDiagnosis(folder).faults(deep=True)][:1] == ["tables"]


def test_a_seal_that_is_damaged_is_told_since_what_it_tells_of_is_not(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    for how in ("emptied", "1 byte"):
        folder = damage.damaged(library, tmp_path / how, "seal.json", how)
        (fault,) = LibraryDiagnosis(folder).faults()
        assert fault.message.startswith("seal.json is damaged") and not fault.stops
        assert outcome(folder, before) == "the same, repaired"


def test_files_changed_by_hand_can_be_trusted(library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library, folder)
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as connection:
        connection.execute("UPDATE documents SET title = 'By hand'")
        connection.commit()
    settings = Settings(store=StoreSettings(path=folder))
    with pytest.raises(KnowledgeError, match="changed or went"):
        opened(folder)
    maintenance_wiring.trust(settings)
    with KnowledgeBase(folder, WordEmbedder.digest) as knowledge:
        assert {document.title for document in knowledge.documents()} == {"By hand"}
    damage.flip(30)(folder / "tables.duckdb")
    (folder / "catalog.sqlite").write_bytes(b"no database")
    with pytest.raises(KnowledgeError, match="no SQLite file"):
        maintenance_wiring.trust(settings)


def test_a_backup_brings_the_library_back_and_sets_aside_what_was_there(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library, folder)
    settings = Settings(store=StoreSettings(path=folder))
    made = [maintenance_wiring.back_up(settings, None, 2, lambda said: None) for _ in range(3)]
    assert [each.name for each in Backups(folder).list()] == [each.name for each in reversed(made[1:])]
    with KnowledgeBase(folder, WordEmbedder.digest) as knowledge:
        for document in knowledge.documents():
            knowledge.remove(document.id)
    backups = Backups(folder)
    with claimed_for_now(folder):
        done = Restoring(folder, backups, backups.get()).restore()
    assert "in its place" in done[0] and "set aside" in done[1]
    damage.repair(folder)
    assert opened(folder) == before and LibraryDiagnosis(folder).faults(deep=True) == []


def test_the_newest_backup_is_the_one_made_last_although_the_clock_was_set_back(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(library, tmp_path / "library"))
    settings, real, made = Settings(store=StoreSettings(path=folder)), time.time, []
    for days in (0, 1, 400, 2):
        monkeypatch.setattr(time, "time", lambda back=days * 86_400: real() - back)
        made.append(maintenance_wiring.back_up(settings, None, 2, lambda said: None).name)
    assert [each.name for each in Backups(folder).list()] == [made[3], made[2]]
    assert Backups(folder).get().name == made[3]


def test_a_backup_beside_an_open_library_holds_what_the_rest_is_rebuilt_from(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library, folder)
    settings = Settings(store=StoreSettings(path=folder))
    with KnowledgeBase(folder, WordEmbedder.digest):
        made = maintenance_wiring.back_up(settings, tmp_path / "else", 3, lambda said: None)
        health = maintenance_wiring.health_of(settings)
    assert not made.whole and "Another process has the library open" in health.findings[1].message
    assert health.counts["documents"] == 3
    assert [f.message for f in health.findings if f.severity == "error"] == []
    shutil.rmtree(folder)
    backups = Backups(folder, tmp_path / "else")
    with claimed_for_now(folder):
        Restoring(folder, backups, backups.get(made.name)).restore()
    damage.repair(folder)
    assert opened(folder) == before


def test_a_damaged_backup_is_refused_and_the_library_left_as_it_is(library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shutil.copytree(library, folder)
    settings = Settings(store=StoreSettings(path=folder))
    made = maintenance_wiring.back_up(settings, None, 3, lambda said: None)
    damage.flip(1)(folder / "backups" / made.name / "catalog.sqlite")
    was = damage.files(folder)
    with pytest.raises(KnowledgeError, match=r"backup .* is damaged: catalog.sqlite"):
        maintenance_wiring.restore(settings, "", None, lambda said: None)
    assert damage.files(folder) == was
    (folder / "catalog.sqlite").write_bytes(b"")
    with pytest.raises(KnowledgeError, match="catalog is empty"):
        maintenance_wiring.back_up(settings, None, 3, lambda said: None)
    assert len(Backups(folder).list()) == 1


@pytest.mark.parametrize("name", ["catalog.sqlite", "tables.duckdb", "chroma/chroma.sqlite3"])
def test_a_folder_where_a_database_was_is_said_and_repaired(
    library: Path, before: dict[str, object], tmp_path: Path, name: str
) -> None:
    folder = damage.damaged(library, tmp_path / "library", name, "removed")
    (folder / name).mkdir()
    (folder / name / "x").write_text("y", "utf-8")
    assert outcome(folder, before) == "repaired"


def test_a_folder_where_the_seal_was_is_left_and_the_library_opens(
    library: Path, before: dict[str, object], tmp_path: Path
) -> None:
    folder = damage.damaged(library, tmp_path / "library", "seal.json", "removed")
    (folder / "seal.json").mkdir()
    assert outcome(folder, before).startswith("the same")


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("how", damage.DAMAGES)
def test_every_file_may_be_damaged_in_every_way(
    library: Path, before: dict[str, object], tmp_path: Path, how: str
) -> None:
    names = damage.files(library)
    ends = Counter()
    for number, name in enumerate(names):
        folder = damage.damaged(library, tmp_path / str(number), name, how)
        ends[outcome(folder, before)] += 1
        shutil.rmtree(folder)
    print(how, dict(ends))
    assert ends.total() == len(names)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("how", ["removed", "emptied", "truncated"])
def test_damage_is_found_after_a_crash_too_when_nothing_was_sealed(
    library: Path, before: dict[str, object], tmp_path: Path, how: str
) -> None:
    names = [name for name in damage.files(library) if name != "seal.json"]
    ends = Counter()
    for number, name in enumerate(names):
        folder = damage.damaged(library, tmp_path / str(number), name, how)
        (folder / "seal.json").unlink()
        ends[outcome(folder, before)] += 1
        shutil.rmtree(folder)
    print(how, dict(ends))
    assert ends.total() == len(names)
