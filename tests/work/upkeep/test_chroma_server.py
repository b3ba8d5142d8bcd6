"""Libraries on one Chroma server: each keeps its own vectors, and what it loses is reported and repaired."""

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import numpy as np
import pytest

from core.bootstrap import maintenance_wiring
from core.domain import Distilled
from core.errors import KnowledgeError, ServerAway
from core.knowledge.stores.external_stores import VECTOR_LAYERS, VectorLayer
from core.knowledge.stores.vector_index.embeddings import collection
from core.knowledge.stores.vector_index.library_collections import own_name
from core.knowledge.stores.vector_index.vectors import ChromaStore
from core.settings import LLMSettings, Settings, StoreSettings
from core.work.upkeep.library_repair import LibraryRepair, OpenedLibrary
from tests.ingest.ingestion_parts import WordEmbedder, ingestion
from tests.making import nothing_left
from tests.work import damage
from tests.work.services import Service, chroma_server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

COLLECTIONS = "/api/v2/tenants/default_tenant/databases/default_database/collections"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Service, str]]:
    service, url = chroma_server(tmp_path)
    yield service, url
    service.kill()


def test_a_file_deleted_from_one_library_stays_whole_in_another(
    tmp_path: Path, server: tuple[Service, str]
) -> None:
    one, other = (damage.make(tmp_path / name, server[1]) for name in ("one", "other"))
    with damage.opened(other, server[1]) as knowledge:
        before = damage.answers(knowledge)
    with damage.opened(one, server[1]) as knowledge:
        for document in knowledge.documents():
            assert nothing_left(knowledge.remove(document.id))
    with damage.opened(other, server[1]) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []


def from_before(folder: Path, url: str) -> None:
    """Make the library what it was before libraries had ids: its collections have the names all shared."""
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as catalog, closing(store(url)) as server:
        ((library,),) = catalog.execute("SELECT id FROM library_id")
        for layer in VECTOR_LAYERS:
            name = collection(layer, WordEmbedder.digest)
            server.rename(own_name(name, library), name)
        catalog.executescript(
            "DROP TABLE library_id; DROP TABLE tag_factors; ALTER TABLE tag_classes DROP COLUMN description;"
            "PRAGMA user_version = 15"
        )
    (folder / "seal.json").unlink()


def store(url: str) -> ChromaStore:
    return ChromaStore(Path(), url)


def test_libraries_that_shared_their_vectors_each_take_their_own(
    tmp_path: Path, server: tuple[Service, str]
) -> None:
    one = damage.make(tmp_path / "one", server[1])
    with damage.opened(one, server[1]) as knowledge:
        before = damage.answers(knowledge)
    from_before(one, server[1])
    other = Path(shutil.copytree(one, tmp_path / "other"))
    assert damage.diagnosis(other, server[1]).faults(deep=True) == []
    with damage.opened(one, server[1]) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []
        for document in knowledge.documents():
            knowledge.remove(document.id)
    with damage.opened(other, server[1]) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []
    assert damage.diagnosis(other, server[1]).faults(deep=True) == []


def test_what_the_shared_collections_had_lost_is_told_before_it_is_made_anew(
    tmp_path: Path, server: tuple[Service, str]
) -> None:
    folder = damage.make(tmp_path / "one", server[1])
    with damage.opened(folder, server[1]) as knowledge:
        before = damage.answers(knowledge)
        lost = [chunk.id for chunk in knowledge.chunks()][:2]
    from_before(folder, server[1])
    with closing(store(server[1])) as chroma:
        shared = chroma.index(collection("chunks", WordEmbedder.digest))
        kept = shared.fetch(lost)
        shared.delete(lost)  # and as many vectors of another library are there
        shared.upsert(["x", "y"], np.stack(list(kept.values())), [{"document": "z"}] * 2)
    with pytest.raises(KnowledgeError, match="Vectors of 2 chunks are missing on the Chroma server"):
        damage.opened(folder, server[1])
    damage.repair(folder, server[1])
    with damage.opened(folder, server[1]) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []


def test_a_copy_of_a_library_has_vectors_of_its_own_and_a_moved_one_keeps_them(
    tmp_path: Path, server: tuple[Service, str]
) -> None:
    one = damage.make(tmp_path / "one", server[1])
    copied = Path(shutil.copytree(one, tmp_path / "copied"))
    with damage.opened(copied, server[1]) as knowledge:
        before = damage.answers(knowledge)
        for document in knowledge.documents():
            knowledge.remove(document.id)
    with damage.opened(one, server[1]) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []
    names = collections(server[1])
    moved = one.rename(tmp_path / "moved")
    with damage.opened(moved, server[1]) as knowledge:
        assert damage.answers(knowledge) == before
    assert collections(server[1]) == names


def test_a_copy_on_another_machine_has_vectors_of_its_own_and_a_new_container_does_not(
    tmp_path: Path, server: tuple[Service, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = damage.make(tmp_path / "one", server[1])
    names = collections(server[1])
    monkeypatch.setattr(platform, "node", lambda: "a container made anew")
    with damage.opened(one, server[1]) as knowledge:
        before = damage.answers(knowledge)
    assert collections(server[1]) == names
    copied = Path(shutil.copytree(one, tmp_path / "copied"))
    out_of_sight = one.rename(tmp_path / "out of sight")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(platform, "node", lambda: "elsewhere")
        for place in (copied.rename(one), one):  # in the same place there, opened twice
            with damage.opened(place, server[1]) as knowledge:
                assert damage.answers(knowledge) == before
            assert len(collections(server[1])) == 2 * len(names)
        with damage.opened(one, server[1]) as knowledge:
            for document in knowledge.documents():
                knowledge.remove(document.id)
    one.rename(copied)
    with damage.opened(out_of_sight.rename(one), server[1]) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []


def collections(url: str) -> set[str]:
    return {held["name"] for held in httpx.get(f"{url}{COLLECTIONS}").json()}


def test_a_library_whose_catalog_is_made_anew_keeps_its_collections(
    tmp_path: Path, server: tuple[Service, str]
) -> None:
    folder = damage.make(tmp_path / "one", server[1])
    names = collections(server[1])
    (folder / "catalog.sqlite").unlink()
    damage.repair(folder, server[1])
    assert collections(server[1]) == names
    assert damage.diagnosis(folder, server[1]).faults(deep=True) == []


@pytest.mark.parametrize("layer", VECTOR_LAYERS)
def test_vectors_of_any_layer_that_the_server_lost_are_told_and_made_anew(
    tmp_path: Path, server: tuple[Service, str], layer: VectorLayer
) -> None:
    folder = damage.make(tmp_path / "one", server[1])
    with damage.opened(folder, server[1]) as knowledge:
        document = knowledge.documents()[0].id
        summary = {knowledge.chunks(document)[0].section_id: "A dry pump ran hot."}
        vectors = {"sections": WordEmbedder().embed(list(summary.values()))}
        knowledge.enrich(document, Distilled(section_summaries=summary), vectors)
        index = knowledge.external.indexes[layer]
        before = index.fetch(sorted(index.ids()))
        lost = sorted(before)[:2]
        index.delete(lost)
    (fault,) = damage.diagnosis(folder, server[1]).faults(deep=True)
    assert lost and fault.message == f"Vectors of {len(lost)} {layer} are missing on the Chroma server."
    assert f"{len(lost)} vectors were made anew." in damage.repair(folder, server[1])
    assert damage.diagnosis(folder, server[1]).faults(deep=True) == []
    with damage.opened(folder, server[1]) as knowledge:
        after = knowledge.external.indexes[layer].fetch(sorted(before))
    assert after.keys() == before.keys()
    assert all(np.allclose(after[each], before[each], atol=1e-6) for each in before)


def settings(folder: Path, url: str) -> Settings:
    return Settings(store=StoreSettings(path=folder, chroma_url=url), llm=LLMSettings(backend="built-in"))


@pytest.mark.parametrize("harm", ["none", "catalog.sqlite"])
def test_a_repair_or_restore_while_the_server_is_away_is_refused_before_it_begins(
    tmp_path: Path, server: tuple[Service, str], harm: str
) -> None:
    service, url = server
    folder = damage.make(tmp_path / "one", url)
    with damage.opened(folder, url) as knowledge:
        before = damage.answers(knowledge)
    backup = maintenance_wiring.back_up(settings(folder, url), None, 1, lambda said: None)
    if harm != "none":
        damage.flip(30)(folder / harm)
    was = {name: (folder / name).read_bytes() for name in damage.files(folder)}
    service.kill()
    for act in (
        lambda: maintenance_wiring.repair(settings(folder, url), lambda said: None),
        lambda: maintenance_wiring.restore(settings(folder, url), backup.name, None, lambda said: None),
    ):
        with pytest.raises(ServerAway, match="Chroma server") as result:
            act()
        assert "STRATA_STORE__CHROMA_URL" in result.value.hint
    assert {name: (folder / name).read_bytes() for name in damage.files(folder)} == was
    service.start()
    if harm != "none":
        damage.repair(folder, url)
    with damage.opened(folder, url) as knowledge:
        assert damage.answers(knowledge) == before


def test_a_repair_during_which_the_server_dies_leaves_a_whole_library_as_it_was(
    tmp_path: Path, server: tuple[Service, str]
) -> None:
    service, url = server
    folder = damage.make(tmp_path / "one", url)
    with damage.opened(folder, url) as knowledge:
        before = damage.answers(knowledge)

    def dies() -> OpenedLibrary:
        into = ingestion(folder, repairing=True, chroma_url=url)
        service.kill()
        return OpenedLibrary(into.knowledge, into, WordEmbedder())

    with pytest.raises(ServerAway):
        LibraryRepair(damage.diagnosis(folder, url), dies).repair()
    service.start()
    with damage.opened(folder, url) as knowledge:
        assert damage.answers(knowledge) == before and knowledge.check() == []
