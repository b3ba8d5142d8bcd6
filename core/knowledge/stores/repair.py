"""Compares the stores with the catalog, which is the truth, and mends what the catalog can mend."""

from dataclasses import dataclass

from core.knowledge.search.graph_index import GraphShelf
from core.knowledge.search.keyword_refresh import KeywordShelf
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.outside import LAYERS, VISIBLE, Shelf, VectorLayer


@dataclass(frozen=True)
class Repairer:
    """Finds and mends what a crash, a full disk or a deleted file left behind."""

    shelf: Shelf
    words: KeywordShelf
    graph: GraphShelf
    tokens: TokenFile

    def check(self) -> list[str]:
        """Return what is wrong, one sentence each; empty if all stores agree."""
        found: list[str] = []
        for layer in LAYERS:
            missing, extra = self._vectors(layer)
            found += _sentence(f"vectors of {layer} are missing", missing)
            found += _sentence(f"vectors of {layer} belong to nothing", extra)
        missing, extra = self._tables()
        found += _sentence("tables are missing", missing)
        found += _sentence("tables belong to nothing", extra)
        found += _sentence("folders of files belong to nothing", self._folders())
        found += _sentence("chunks are not in the keyword index or too many in it", self._keywords())
        found += self.tokens.check()
        with self.shelf.database.reading() as connection:
            for row in connection.execute("PRAGMA quick_check"):
                if row[0] != "ok":
                    found.append(f"the catalog is damaged: {row[0]}")
        return found

    def repair(self) -> list[str]:
        """Mend; return what was done, and what only adding the files again can mend."""
        done: list[str] = []
        finished = self.shelf.sweep()
        if finished:
            done.append(f"{finished} unfinished changes were taken back")
        for layer in LAYERS:
            missing, extra = self._vectors(layer)
            if extra:
                self.shelf.indexes[layer].delete(sorted(extra))
                done.append(f"{len(extra)} vectors of {layer} that belonged to nothing were deleted")
            if missing:
                done.append(
                    f"{len(missing)} vectors of {layer} are missing in {self._owners(missing)}: "
                    "delete these documents and add their files again"
                )
        missing, extra = self._tables()
        if extra:
            self.shelf.tables.drop(sorted(extra))
            done.append(f"{len(extra)} tables that belonged to nothing were deleted")
        if missing:
            done.append(f"the rows of {', '.join(sorted(missing))} are missing: add their files again")
        for document_id in self._folders():
            self.shelf.originals.drop(document_id)
            self.shelf.images.drop(document_id)
            done.append(f"files of {document_id}, which is not in the library, were deleted")
        if self._keywords():
            self.words.rebuild()
            done.append("the keyword index was built anew")
        self.graph.rebuild()
        done += self.tokens.mend()
        return done

    def _vectors(self, layer: VectorLayer) -> tuple[set[str], set[str]]:
        """Return the ids that lack a vector and the vectors that lack an id. Layers but the chunks may lack
        vectors: distilling without an embedder is allowed."""
        held = self.shelf.indexes[layer].ids()
        with self.shelf.database.reading() as connection:
            shown = {row[0] for row in connection.execute(VISIBLE[layer])}
        return (shown - held if layer == "chunks" else set()), held - shown

    def _owners(self, ids: set[str]) -> str:
        with self.shelf.database.reading() as connection:
            rows = connection.execute(
                "SELECT d.title, c.id FROM chunks c JOIN documents d ON d.id = c.document_id"
            )
            titles = sorted({row[0] for row in rows if row[1] in ids})
        return ", ".join(titles[:5]) + (f" and {len(titles) - 5} more" if len(titles) > 5 else "")

    def _tables(self) -> tuple[set[str], set[str]]:
        held = self.shelf.tables.names()
        with self.shelf.database.reading() as connection:
            shown = {row[0] for row in connection.execute("SELECT sql_name FROM tables")}
        return shown - held, held - shown

    def _folders(self) -> set[str]:
        held = self.shelf.originals.documents() | self.shelf.images.documents()
        with self.shelf.database.reading() as connection:
            return held - {row[0] for row in connection.execute("SELECT id FROM documents")}

    def _keywords(self) -> set[str]:
        held = self.words.fresh().ids()
        with self.shelf.database.reading() as connection:
            return held ^ {row[0] for row in connection.execute("SELECT id FROM chunks")}


def _sentence(what: str, ids: set[str]) -> list[str]:
    return [f"{len(ids)} {what}: {', '.join(sorted(ids)[:3])}"] if ids else []
