"""The graph of the three layers: what mass flows along, and how it changes with the library."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.domain import Atom, Distilled, Mention, Relation, Tag, identify
from core.errors import NotFound
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.knowledge.search.layer_graph import EDGE_WEIGHTS, Graph
from core.knowledge.search.neighbourhood import TOGETHER
from core.knowledge.stores.migrations import MIGRATIONS
from tests.knowledge.conftest import distil, entity, entry_of, make_document, vector
from tests.making import nothing_left

Add = Callable[..., IndexableDocument]


def test_page_rank_is_that_of_the_dense_formula() -> None:
    graph = Graph()
    for name in "abcde":
        graph.node(name, -1)
    for a, b, weight in ((0, 1, 1.0), (1, 2, 2.0), (2, 3, 1.0), (0, 3, 0.5)):
        graph.edge("refers", a, b, weight)
    dense = np.zeros((5, 5))
    for a, b, weight in ((0, 1, 1.0), (1, 2, 2.0), (2, 3, 1.0), (0, 3, 0.5)):
        dense[a, b] = dense[b, a] = weight
    transition = dense / np.maximum(dense.sum(axis=0), 1e-9)
    seeds = np.array([1.0, 0, 0, 1.0, 2.0])
    expected = 0.4 * np.linalg.solve(np.eye(5) - 0.6 * transition, seeds)
    found = graph.propagate({0: 1.0, 3: 1.0, 4: 2.0}, 0.6, EDGE_WEIGHTS)
    assert [found[name] for name in "abcde"] == pytest.approx(expected, abs=4e-3)


def test_mass_flows_along_a_reference_to_the_document_it_names(library: KnowledgeBase, add: Add) -> None:
    film = add("The Long Night", "A film directed by Ada Berg in 1950.")
    person = add("Ada Berg", "She was born in Oslo.")
    other = add("Carl Dahl", "He was born in Rome.")
    mass = library.propagate({film.chunks[0].id: 1.0}, 0.5)
    assert mass[person.chunks[0].id] > 0.02 and mass.get(other.chunks[0].id, 0.0) == 0.0
    assert sum(mass.values()) == pytest.approx(1.0, abs=0.02)
    without = library.propagate({film.chunks[0].id: 1.0}, 0.5, {"refers": 0.0, "leads": 0.0})
    assert without.get(person.chunks[0].id, 0.0) == 0.0


def test_mass_flows_through_entities_relations_tags_and_atoms(library: KnowledgeBase, add: Add) -> None:
    one, two, three, four = (add(f"Report {n}", f"Text number {n}.") for n in ("one", "two", "three", "four"))
    distil(library, one, "Pump 7")
    distil(library, two, "Pump 7", "Valve 9")
    relation = Relation(
        id="r",
        subject=identify("Valve 9"),
        predicate="feeds",
        object=identify("Tank 4"),
        chunk_id=two.chunks[0].id,
    )
    library.enrich(two.document.id, Distilled(relations=(relation,)), {})
    distil(library, three, "Tank 4")
    tag = Tag(chunk_id=three.chunks[0].id, name="leak")
    library.enrich(three.document.id, Distilled(tags=(tag,)), {})
    library.enrich(
        four.document.id, Distilled(tags=(tag.model_copy(update={"chunk_id": four.chunks[0].id}),)), {}
    )
    atom = Atom(id="atom", chunk_id=one.chunks[0].id, kind="question", text="Which pump?")
    library.enrich(one.document.id, Distilled(atoms=(atom,)), {})
    mass = library.propagate({"atom": 1.0}, 0.9)
    chain = [mass[p.chunks[0].id] for p in (one, two, three, four)]
    assert chain == sorted(chain, reverse=True) and chain[-1] > 0
    assert mass["atom"] == pytest.approx(0.1) and mass[identify("Tank 4")] > 0 and mass["tag:topic:leak"] > 0
    assert library.propagate({"unknown": 1.0}, 0.5) == {}


def test_an_entity_is_tied_to_the_document_of_its_name_whichever_came_first(
    library: KnowledgeBase, add: Add
) -> None:
    report = add("Report", "It leaks.")
    distil(library, report, "Pump Seven")
    seed = {report.chunks[0].id: 1.0}
    library.propagate(seed, 0.5)
    card = add("Pump seven", "A pump.")
    assert library.propagate(seed, 0.5)[card.chunks[0].id] > 0
    second = add("Second report", "It hums.")
    distil(library, second, "Pump Seven")
    assert library.propagate({second.chunks[0].id: 1.0}, 0.5)[card.chunks[0].id] > 0


def test_an_entity_that_many_chunks_name_takes_less_mass(library: KnowledgeBase, add: Add) -> None:
    report, *others = (add(f"Report {n}", f"Text number {n}.") for n in range(12))
    distil(library, report, "Rare", "Common")
    for other in others:
        distil(library, other, "Common")
    distil(library, others[0], "Rare")
    mass = library.propagate({report.chunks[0].id: 1.0}, 0.1)
    assert mass[identify("Rare")] > 1.5 * mass[identify("Common")]


def test_a_name_leads_to_what_stands_under_it(library: KnowledgeBase, add: Add) -> None:
    start, other, own = add("Report", "By Oslo."), add("Second", "In Oslo."), add("City", "A city.")
    for prepared in (start, other):
        distil(library, prepared, "Oslo")
    about = entity("Oslo").model_copy(update={"about": (own.sections[0].id, "nowhere")})
    mention = Mention(chunk_id=own.chunks[0].id, entity_id=about.id)
    library.enrich(own.document.id, Distilled(entities=(about,), mentions=(mention,)), {})
    assert library.entities(named="Oslo")[0].about == (own.sections[0].id,)
    mass = library.propagate({start.chunks[0].id: 1.0}, 0.5)
    assert mass[own.chunks[0].id] > 3 * mass[other.chunks[0].id]
    library.remove_enrichment(own.document.id)
    assert library.entities(named="Oslo")[0].about == ()


def _tables_of_before(version: int) -> set[str]:
    """Return the tables of a library that an older Strata made."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for migration in MIGRATIONS[:version]:
            migration(connection)
        return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_a_library_of_before_learns_from_its_headings_what_is_about_a_name(
    folder: Path, library: KnowledgeBase, add: Add
) -> None:
    city = add("Oslo", "A city.")
    distil(library, city, "Oslo")
    library.close()
    (folder / "seal.json").unlink()  # older ones wrote none
    with sqlite3.connect(folder / "catalog.sqlite") as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table not in _tables_of_before(4):
                connection.execute(f"DROP TABLE {table}")
        connection.execute("ALTER TABLE chunks DROP COLUMN summary")
        connection.execute("PRAGMA user_version = 4")
    connection.close()
    with KnowledgeBase(folder, "test") as again:
        assert set(again.entities(named="Oslo")[0].about) == {city.document.id, city.sections[0].id}


def test_removing_and_distilling_anew_change_the_graph(library: KnowledgeBase, add: Add) -> None:
    one, two = add("Report one", "Text one."), add("Report two", "Text two.")
    distil(library, one, "Pump 7")
    distil(library, two, "Pump 7")
    seed = {one.chunks[0].id: 1.0}
    assert library.propagate(seed, 0.5)[two.chunks[0].id] > 0
    library.remove_enrichment(two.document.id)
    assert two.chunks[0].id not in library.propagate(seed, 0.5)
    assert library.counts()["mentions"] == 1 and library.counts()["entities"] == 1
    distil(library, two, "Pump 7")
    assert library.propagate(seed, 0.5)[two.chunks[0].id] > 0
    library.remove(two.document.id)
    assert two.chunks[0].id not in library.propagate(seed, 0.5)
    library.add(two, entry_of(two))
    distil(library, two, "Pump 7")
    assert library.propagate(seed, 0.5)[two.chunks[0].id] > 0


def test_the_graph_is_the_same_after_opening_again(folder: Path, library: KnowledgeBase, add: Add) -> None:
    film = add("The Long Night", "A film directed by Ada Berg in 1950.", "It is long.")
    add("Ada Berg", "She was born in Oslo.")
    distil(library, film, "Oslo", place=1)
    gone = add("Gone", "Ada Berg is gone.")
    seed = {film.chunks[0].id: 1.0}
    library.propagate(seed, 0.5)
    library.remove(gone.document.id)
    before = library.propagate(seed, 0.5)
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert again.propagate(seed, 0.5) == pytest.approx(before, abs=1e-6)
        late = make_document("Late", ["Also by Ada Berg."])
        again.add(late, entry_of(late))
        until = (
            time.monotonic() + 20
        )  # a busy machine answers from the graph as it was, and catches up meanwhile
        while late.chunks[0].id not in again.propagate(seed, 0.5) and time.monotonic() < until:
            time.sleep(0.05)
        assert again.propagate(seed, 0.5)[late.chunks[0].id] > 0


def test_a_neighbourhood_is_drawn_from_any_node_within_its_budget(library: KnowledgeBase, add: Add) -> None:
    manual = add("Etch Chamber Manual", "The limits are 60 and 80.", "Pump 7 feeds it.")
    report = add("Report", "See Etch Chamber Manual.")
    distil(library, manual, "Pump 7", place=1)
    tag = Tag(chunk_id=manual.chunks[1].id, name="pumps")
    atom = Atom(id="atom", chunk_id=manual.chunks[0].id, kind="question", text="What are the limits?")
    library.enrich(manual.document.id, Distilled(tags=(tag,), atoms=(atom,)), {})
    for node in (manual.document.id, manual.sections[0].id, manual.chunks[0].id, "atom", "tag:topic:pumps"):
        around = library.neighbourhood(node)
        kinds = {found.kind for found in around.nodes}
        assert kinds == {"document", "section", "chunk", "atom", "entity", "tag"} and not around.more
        assert report.document.id in {found.id for found in around.nodes}
        ids = {found.id for found in around.nodes}
        assert around.edges and all(edge.a in ids and edge.b in ids for edge in around.edges)
    small = library.neighbourhood(identify("Pump 7"), budget=3)
    assert len(small.nodes) == 3 and small.more
    with pytest.raises(NotFound):
        library.neighbourhood("unknown")


def test_things_named_together_often_share_an_edge_that_is_no_relation(
    library: KnowledgeBase, add: Add
) -> None:
    manual = add("Manual", "Pump 7 of Ada Berg.", "Ada Berg and Pump 7.", "Pump 7 and Bo Lee.")
    for place, names in enumerate((("Pump 7", "Ada Berg"), ("Pump 7", "Ada Berg"), ("Pump 7", "Bo Lee"))):
        distil(library, manual, *names, place=place)
    around = library.neighbourhood(identify("Pump 7"))
    together = {frozenset((e.a, e.b)) for e in around.edges if e.kind == TOGETHER}
    assert together == {frozenset((identify("Pump 7"), identify("Ada Berg")))}
    assert list(library.relations(identify("Pump 7"))) == []


def test_what_was_distilled_is_read_back_and_searched(library: KnowledgeBase, add: Add) -> None:
    prepared = add("Etch", "The chamber is heated.", "The pump runs.")
    chunk, section = prepared.chunks[0].id, prepared.sections[0].id
    atoms = (
        Atom(id="a1", chunk_id=chunk, kind="question", text="How warm is the chamber?"),
        Atom(id="a2", chunk_id=prepared.chunks[1].id, kind="statement", text="The pump runs all day."),
    )
    items = Distilled(
        atoms=atoms,
        entities=(entity("Pump", "P"),),
        mentions=(Mention(chunk_id=chunk, entity_id=identify("Pump"), count=2),),
        section_summaries={section: "All about heating."},
        document_summary="Etching.",
    )
    vectors = {
        "atoms": np.stack([vector(a.text) for a in atoms]),
        "sections": vector("All about heating.").reshape(1, -1),
        "document": vector("Etching.").reshape(1, -1),
    }
    library.enrich(prepared.document.id, items, vectors)
    before = library.counts()
    library.enrich(prepared.document.id, items, vectors)
    assert library.counts() == before and library.check() == []
    assert library.atoms([chunk]) == [atoms[0]] and library.atoms_by_id(["a2", "a1"]) == [atoms[1], atoms[0]]
    assert library.entities(named="pum") == [entity("Pump", "P")] == library.entities(chunk_id=chunk)
    assert library.entities_called(["p", "Chamber"]) == [entity("Pump", "P")]
    assert library.entities_called(["pum"]) == []
    assert library.mentions(identify("Pump")) == [chunk]
    assert library.sections(prepared.document.id)[0].summary == "All about heating."
    assert library.document(prepared.document.id).summary == "Etching."
    assert library.nearest(vector("pump runs day"), "atoms", 1)[0].id == "a2"
    assert library.chunk_of(["a1", "x"]) == {"a1": chunk}
    assert library.nearest(vector("heating"), "sections", 3)[0].id == section
    assert library.nearest(vector("etch"), "documents", 3)[0].id == prepared.document.id
    both = [c.id for c in prepared.chunks]
    assert library.chunks_of([section, prepared.document.id, "x"]) == {
        section: both,
        prepared.document.id: both,
    }
    assert nothing_left(library.remove(prepared.document.id)) and library.counts()["entities"] == 0
