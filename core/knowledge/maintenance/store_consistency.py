"""Compares the stores with the catalog, which is the truth, and repairs what the catalog can repair."""

from dataclasses import dataclass

from core.domain import identify
from core.errors import KnowledgeError
from core.i18n.messages import recorded
from core.knowledge.maintenance.quarantine import Quarantine
from core.knowledge.search.graph_index import PersistentGraph
from core.knowledge.search.keyword_refresh import PersistentKeywordIndex
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.external_stores import VECTOR_LAYERS, VISIBLE, ExternalStores, VectorLayer


@dataclass(frozen=True)
class StoreConsistency:
    """Finds and repairs what a crash, a full disk or a deleted file left behind."""

    external: ExternalStores
    words: PersistentKeywordIndex
    graph: PersistentGraph
    tokens: TokenFile

    def check(self) -> list[str]:
        """Return the disagreements between stores, one sentence each."""
        found: list[str] = []
        for layer in VECTOR_LAYERS:
            missing, extra = self._vectors(layer)
            found += _sentence(f"vectors of {layer} are missing", missing)
            found += _sentence(f"vectors of {layer} belong to nothing", extra)
        missing, extra = self._tables()
        found += _sentence("tables are missing", missing)
        found += _sentence("tables belong to nothing", extra)
        found += _sentence("folders of files belong to nothing", self._folders())
        found += _sentence("chunks are not in the keyword index or too many in it", self._keywords())
        found += self.tokens.check()
        with self.external.database.reading() as connection:
            for row in connection.execute("PRAGMA quick_check"):
                if row[0] != "ok":
                    found.append(f"the catalog is damaged: {row[0]}")
        return found

    def repair(self, quarantine: Quarantine) -> list[str]:
        """Tidy away what belongs to nothing; what nobody could make again goes into quarantine.

        Raises KnowledgeError where the catalog is empty and other stores are not: then it is the catalog that
        is to be rebuilt.
        """
        self._refuse()
        done: list[str] = []
        finished = self.external.sweep()
        if finished:
            done.append(recorded(f"{finished} unfinished changes were taken back."))
        for layer in VECTOR_LAYERS:
            missing, extra = self._vectors(layer)
            if extra:
                self.external.indexes[layer].delete(sorted(extra))
                done.append(
                    recorded(f"{len(extra)} vectors of {layer} that belonged to nothing were deleted.")
                )
            if missing:
                done.append(
                    recorded(f"{len(missing)} vectors of {layer} are missing in {self._owners(missing)}.")
                )
        missing, extra = self._tables()
        if extra:
            self._set_aside(sorted(extra), quarantine)
            done.append(
                recorded(f"{len(extra)} tables that belonged to nothing were set aside in {quarantine.home}.")
            )
        if missing:
            done.append(recorded(f"The rows of {', '.join(sorted(missing))} are missing."))
        folders = sorted(self._folders())
        if folders:
            quarantine.take(f"{kind}/{each}" for kind in ("originals", "images") for each in folders)
            done.append(
                recorded(f"Files of {len(folders)} unknown documents were set aside in {quarantine.home}.")
            )
        if self._keywords():
            self.words.rebuild()
            done.append(recorded("The keyword index was built anew."))
        self.graph.rebuild()
        done += self.tokens.repair()
        return done

    def _refuse(self) -> None:
        with self.external.database.reading() as connection:
            if connection.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is not None:
                return
            going = connection.execute("SELECT 1 FROM unfinished LIMIT 1").fetchone() is not None
        if not going and self.external.originals.documents():
            raise KnowledgeError("The catalog holds no document, while kept originals are there.")

    def _set_aside(self, names: list[str], quarantine: Quarantine) -> None:
        """Write the rows of tables that belong to nothing as CSV into quarantine, then drop them."""
        home = quarantine.home / "tables"
        home.mkdir(parents=True, exist_ok=True)
        for number, name in enumerate(names):
            rows = self.external.tables.rows(name, 0, 1 << 40)
            rows.to_csv(home / f"{number}-{identify(name)}.csv", index=False)
        self.external.tables.drop(names)

    def _vectors(self, layer: VectorLayer) -> tuple[set[str], set[str]]:
        """Return the ids that lack a vector and the vectors that lack an id. Layers but the chunks may lack
        vectors: enriching without an embedder is allowed."""
        indexed = self.external.indexes[layer].ids()
        with self.external.database.reading() as connection:
            shown = {row[0] for row in connection.execute(VISIBLE[layer])}
        return (shown - indexed if layer == "chunks" else set()), indexed - shown

    def _owners(self, ids: set[str]) -> str:
        with self.external.database.reading() as connection:
            rows = connection.execute(
                "SELECT d.title, c.id FROM chunks c JOIN documents d ON d.id = c.document_id"
            )
            titles = sorted({row[0] for row in rows if row[1] in ids})
        return ", ".join(titles[:5]) + (f" and {len(titles) - 5} more" if len(titles) > 5 else "")

    def _tables(self) -> tuple[set[str], set[str]]:
        stored = self.external.tables.names()
        with self.external.database.reading() as connection:
            shown = {row[0] for row in connection.execute("SELECT sql_name FROM tables")}
        return shown - stored, stored - shown

    def _folders(self) -> set[str]:
        stored = self.external.originals.documents() | self.external.images.documents()
        with self.external.database.reading() as connection:
            return stored - {row[0] for row in connection.execute("SELECT id FROM documents")}

    def _keywords(self) -> set[str]:
        indexed = self.words.fresh().ids()
        with self.external.database.reading() as connection:
            return indexed ^ {row[0] for row in connection.execute("SELECT id FROM chunks")}


def _sentence(what: str, ids: set[str]) -> list[str]:
    return [f"{len(ids)} {what}: {', '.join(sorted(ids)[:3])}"] if ids else []
