"""The names a library goes by: kept up with what comes and goes, whoever added it."""

from pathlib import Path

from core.domain import Entity
from core.ingest.entity_resolution import Resolver
from core.ingest.known_names import LibraryNames
from tests.ingest.ingestion_parts import ingestion
from tests.ingest.test_ingestion import ingest


def note(folder: Path, name: str, title: str) -> Path:
    path = folder / name
    path.write_text(
        f"# {title}\nA text of its own about {name}, the electrostatic chuck (ESC) among others.\n"
    )
    return path


def test_names_come_and_go_with_their_documents(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    vocabulary = LibraryNames(into.knowledge)
    first = ingest(into, note(tmp_path, "a.md", "Etch Chamber Manual"))[1]
    assert [t.document_id for t in vocabulary.names().targets("Etch Chamber Manual")] == [first.document_id]
    second = ingest(into, note(tmp_path, "b.md", "Pump Handbook"))[1]
    assert [t.document_id for t in vocabulary.names().targets("Pump Handbook")] == [second.document_id]
    into.knowledge.remove(first.document_id)
    assert vocabulary.names().targets("Etch Chamber Manual") == ()
    changed = ingest(into, note(tmp_path, "b.md", "Valve Handbook"))[1]
    assert vocabulary.names().targets("Pump Handbook") == ()
    assert [t.document_id for t in vocabulary.names().targets("Valve Handbook")] == [changed.document_id]
    into.knowledge.close()


def test_a_name_of_several_documents_points_to_all_of_them(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    vocabulary = LibraryNames(into.knowledge)
    several = [ingest(into, note(tmp_path, f"{n}.md", "Shift Report"))[1].document_id for n in range(3)]
    assert {t.document_id for t in vocabulary.names().targets("shift report")} == set(several)
    into.knowledge.remove(several[1])
    assert {t.document_id for t in vocabulary.names().targets("Shift Report")} == {several[0], several[2]}
    into.knowledge.close()


def test_a_short_form_is_not_the_one_that_only_ends_in_an_s() -> None:
    def known(names: object) -> list[Entity]:
        return [
            Entity(id="x", name="Model-based Analysis of ChIP-Seq", aliases=("MACS",)),
            Entity(id="y", name="large language model", aliases=("LLMs",)),
        ]

    resolver = Resolver(known)
    forms = [resolver.add_name(name) for name in ("MAC", "LLM")]
    resolver.consult()
    assert [entity.name for entity in resolver.entities(forms)] == ["MAC", "large language model"]


def test_a_heading_without_a_text_of_its_own_is_named_by_what_stands_below_it(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    path = tmp_path / "a.md"
    path.write_text("# Manual\nRead this first.\n## Vacuum Pump Service\n### Seals\nFit new ones.\n")
    document = ingest(into, path)[1].document_id
    first, below = into.knowledge.chunks(document)
    (entity,) = [each for each in into.knowledge.entities() if each.name == "Vacuum Pump Service"]
    assert into.knowledge.mentions(entity.id) == [below.id] and first.id != below.id
    into.knowledge.close()
