"""What can be searched: words, vectors, names, the graph, token vectors. Every answer leads to chunks."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from core.domain import Scope
from core.knowledge.search.entity_linking import EntityLinker
from core.knowledge.search.graph_index import PersistentGraph
from core.knowledge.search.keyword_refresh import PersistentKeywordIndex, names_of_documents
from core.knowledge.search.neighbourhood import around
from core.knowledge.search.postings import Floats
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.documents import catalog, distilled
from core.knowledge.stores.documents.catalog_queries import EVERYTHING, CatalogQueries
from core.knowledge.stores.external_stores import VectorLayer, owners_of, visible
from core.knowledge.stores.records import Neighbourhood
from core.ports import QueryTerms, Vectors
from core.text.tokens import index_words, normal

WIDE_SCOPE_DOCUMENTS = 300  # documents in a scope above which vectors are searched unfiltered first
MAX_UNFILTERED_NEIGHBOURS = 1000  # most neighbours looked at that way

# The chunks of a document, and those of a section with all that is under it. A column with a bare + is not
# looked up in an index: a few chunks known by their ids need not go through all those of the owner.
UNDER = (
    "WITH RECURSIVE under (id) AS (SELECT ?1 UNION SELECT s.id FROM sections s JOIN under u"
    " ON s.parent_id = u.id) "
)
OF_AN_OWNER = (
    ("SELECT id FROM chunks WHERE {}document_id = ?1", ""),
    ("SELECT id FROM chunks WHERE {}section_id IN under", UNDER),
)
FIRST_ROWS = "{} ORDER BY place LIMIT ?2"
AMONG = f"{{}} AND id {catalog.IN.replace('?', '?2')} ORDER BY +place"


class Hit(NamedTuple):
    """Something found: a chunk, or what the search was for, and how near it is."""

    id: str
    score: float


class Searcher(CatalogQueries):
    """The searching half of the knowledge base. Its indexes catch up with the catalog when they are asked."""

    words: PersistentKeywordIndex
    tokens: TokenFile
    graph: PersistentGraph
    linker: EntityLinker

    def keyword(self, query: str, limit: int, scope: Scope = EVERYTHING) -> list[Hit]:
        """Return the best chunks by BM25 over `Chunk.passage_text`; only chunks with a word of the query."""
        with self.database.reading() as connection:
            only = catalog.in_scope(connection, scope)
        found = self.words.fresh().search(self.words.asked(query), limit + len(scope.without), only)
        return [Hit(*hit) for hit in found if hit[0] not in scope.without][:limit]

    def nearest(
        self, vector: Vectors, layer: VectorLayer, limit: int, scope: Scope = EVERYTHING
    ) -> list[Hit]:
        """Return the nearest by cosine; for another layer than chunks, the ids are that layer's."""
        with self.database.reading() as connection:
            only = catalog.in_scope(connection, scope)
        wide = only is not None and len(only) > WIDE_SCOPE_DOCUMENTS
        allowed = set(only or ())
        more = limit * 4 if wide else limit
        while True:
            # A filtered search costs many times an unfiltered one; a wide scope is cut out afterwards.
            unfiltered = wide and more <= MAX_UNFILTERED_NEIGHBOURS
            hits = self.external.indexes[layer].nearest(vector, more, None if unfiltered else only)
            with self.database.reading() as connection:
                # A vector is there a moment before its document is visible, and after it was removed.
                shown = visible(connection, layer, [hit[0] for hit in hits])
                owners = owners_of(connection, layer, sorted(shown)) if unfiltered else {}
            remaining = [Hit(*hit) for hit in hits if hit[0] in shown]
            if unfiltered:
                remaining = [hit for hit in remaining if owners[hit.id] in allowed]
            if scope.without:
                remaining = self._not_banned(remaining, layer, scope)
            if len(remaining) >= limit or len(hits) < more:
                return remaining[:limit]
            more *= 4

    def _not_banned(self, hits: Sequence[Hit], layer: VectorLayer, scope: Scope) -> list[Hit]:
        """Return the hits but for banned chunks and what was distilled from them."""
        chunks = self.chunk_of([hit.id for hit in hits]) if layer == "atoms" else {}
        return [hit for hit in hits if chunks.get(hit.id, hit.id) not in scope.without]

    def chunk_of(self, atom_ids: Sequence[str]) -> dict[str, str]:
        """Return atom id -> chunk id."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT id, chunk_id FROM atoms WHERE id {catalog.IN}", (catalog.many(atom_ids),)
            )
            return {row[0]: row[1] for row in rows}

    def chunks_of(
        self, ids: Sequence[str], most: int | None = None, rather: Sequence[str] = ()
    ) -> dict[str, list[str]]:
        """Return section or document id -> its chunks' ids in reading order. A section has those of the
        sections under it, too. Of one with more than `most`, only those of `rather` are given if it has any
        of them, else the first."""
        found: dict[str, list[str]] = {}
        with self.database.reading() as connection:
            for owner in ids:
                for chunks_of_it, before in OF_AN_OWNER:
                    limit = -1 if most is None else most + 1
                    first = before + FIRST_ROWS.format(chunks_of_it.format(""))
                    chunks = [row[0] for row in connection.execute(first, (owner, limit))]
                    if most is not None and len(chunks) > most:
                        among = before + AMONG.format(chunks_of_it.format("+"))
                        rows = connection.execute(among, (owner, catalog.many(rather)))
                        chunks = [row[0] for row in rows] or chunks[:most]
                    if chunks:
                        found[owner] = chunks
                        break
        return found

    def tables_among(self, ids: Sequence[str]) -> list[str]:
        """Return those of the ids that are chunks of tables."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT id FROM chunks WHERE kind = 'table' AND id {catalog.IN}", (catalog.many(ids),)
            )
            return [row[0] for row in rows]

    def tagged(self, names: Sequence[str]) -> set[str]:
        """Return the ids of the chunks that carry one of the tags, in whatever case they are written."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT chunk_id FROM tags WHERE name COLLATE NOCASE {catalog.IN}", (catalog.many(names),)
            )
            return {row[0] for row in rows}

    def is_known_name(self, term: str) -> bool:
        """Say whether the library has the term as the name of an entity or as a tag."""
        key = normal(term)
        with self.database.reading() as connection:
            row = connection.execute(
                "SELECT 1 FROM entity_names WHERE key = ?1"
                " UNION ALL SELECT 1 FROM tags WHERE name IN (?2, ?1) LIMIT 1",
                (key, term),
            ).fetchone()
        return row is not None

    def word_matches(self, text: str, chunk_ids: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the weight of each word of the text (w, sum 1) and how far each chunk holds it (n, w)."""
        return self.words.fresh().matches(self.words.asked(text), chunk_ids)

    def contains_words(self, phrase: str) -> bool:
        """Say whether a passage holds all words of the phrase."""
        return self.words.fresh().holding(phrase, 0) != []

    def chunks_with_words(self, phrase: str, most: int) -> list[str]:
        """Return the chunks that hold all words of the phrase, in any order; none where over `most` do."""
        return self.words.fresh().holding(phrase, most) or []

    def occur_in_documents(self, lines: Sequence[str], many: int, least: int) -> list[bool]:
        """Say of each line whether it has at least so many (`least`) different words of matter, and so many
        documents have a passage with all of them."""
        index = self.words.fresh()
        return [index.appears_in_documents(line, many, least) for line in lines]

    def words_of_documents(self, text: str, documents: Collection[str]) -> dict[str, frozenset[str]]:
        """Return, per document, which words of the text any of its passages holds."""
        return self.words.fresh().words_of_documents(text, documents)

    def query_terms(self, text: str, documents: Collection[str]) -> QueryTerms:
        """Return the words of a question that the library knows with what they weigh, in all of it and within
        documents, and those that are in a document's title or file name."""
        words, weights, within = self.words.fresh().within(self.words.asked(text), documents)
        with self.database.reading() as connection:
            called = names_of_documents(connection, documents)
        named = {document: frozenset(index_words(called.get(document, ""))) for document in documents}
        return QueryTerms(words, weights, within, named)

    def co_occur(self, one: str, other: str) -> bool:
        """Say whether a passage holds the words of both terms."""
        return self.contains_words(f"{one} {other}")

    def late_interaction(self, tokens: Vectors, chunk_ids: Sequence[str]) -> list[float | None]:
        """Return per chunk the mean MaxSim (-1 to 1) of a question's token vectors (t, d), or None."""
        return self.tokens.late_interaction(tokens, chunk_ids)

    def link_entities(self, text: str) -> list[tuple[str, float]]:
        """Return the entities and documents named in the text with their specificity (0 to 1), best first."""
        return self.linker.link(text)

    def propagate(
        self, seeds: Mapping[str, float], damping: float, weights: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Return node id -> mass of a personalised PageRank over the whole graph, from seeds of any kind.

        The masses add up to those of the seeds. `weights` changes how readily edges of a kind are followed
        (`layer_graph.EDGE_WEIGHTS`). While the library grows fast, the graph may be a moment behind.
        """
        return self.graph.propagate(seeds, damping, weights)

    def hops(
        self, chunk_ids: Sequence[str], weights: Mapping[str, float] | None = None
    ) -> dict[tuple[str, str], tuple[float, str]]:
        """Return (chunk, chunk) -> how readily the graph leads from one to the other in two steps (0 to 1),
        and the name of the entity that ties them, "" for another tie. Pairs nothing ties are left out."""
        hops = self.graph.hops(chunk_ids, weights)
        with self.database.reading() as connection:
            names = distilled.names_of(connection, {through for _, through in hops.values()})
        return {pair: (share, names.get(through, "")) for pair, (share, through) in hops.items()}

    def neighbourhood(self, node: str, budget: int = 60) -> Neighbourhood:
        """Return the nodes and edges around a node, at most `budget`, nearest first. Raises NotFound."""
        with self.database.reading() as connection:
            return around(connection, node, budget)
