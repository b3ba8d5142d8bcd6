"""Which embedding model the library's vectors come from, and how another one takes over.

The model that serves is in the catalog. Another one's vectors are laid beside it, layer by layer, in
collections of its own; when none is missing it takes over at once, and what the old one left can be
dropped. Token vectors are of one model only: they are made anew after the change.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.domain import Value
from core.errors import NotFound
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents import catalog, distilled
from core.knowledge.stores.external_stores import (
    VECTOR_LAYERS,
    VISIBLE,
    ExternalStores,
    MakeIndex,
    VectorLayer,
    owners_of,
)
from core.ports import VectorIndex, Vectors


class EmbeddingModel(Value):
    """An embedder as the library remembers it: enough to load it again."""

    digest: str
    backend: str
    model: str = ""  # id, path or name; "" for the packaged one
    name: str = ""


def serving_digest(database: Database) -> str | None:
    """Return the digest of the model whose vectors serve, None where that was never written down."""
    with database.reading() as connection:
        row = connection.execute("SELECT digest FROM embedders WHERE state = 'serving'").fetchone()
    return None if row is None else str(row[0])


@dataclass(frozen=True)
class Embeddings:
    """The vectors of a library by embedding model. Its caller's lock lets one change in at a time."""

    database: Database
    external: ExternalStores
    tokens: TokenFile
    make: MakeIndex
    drop_index: Callable[[str], None]
    changing: threading.RLock
    _indexes: dict[str, dict[VectorLayer, VectorIndex]] = field(default_factory=dict)

    def _named(self, state: str) -> list[EmbeddingModel]:
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT digest, backend, model, name FROM embedders WHERE state = ? ORDER BY at", (state,)
            ).fetchall()
        return [EmbeddingModel(digest=r[0], backend=r[1], model=r[2], name=r[3]) for r in rows]

    def serving(self) -> EmbeddingModel | None:
        """Return the model whose vectors are searched."""
        return next(iter(self._named("serving")), None)

    def old(self) -> list[EmbeddingModel]:
        """Return the models whose vectors are kept and searched no more."""
        return self._named("old")

    def indexes(self, digest: str) -> dict[VectorLayer, VectorIndex]:
        """Return the model's indexes by layer, made if they are not there."""
        with self.changing:
            if digest not in self._indexes:
                self._indexes[digest] = {
                    layer: self.make(collection(layer, digest)) for layer in VECTOR_LAYERS
                }
            return self._indexes[digest]

    def vector_count(self, digest: str) -> int:
        """Return how many vectors of chunks there are of the model."""
        return self.indexes(digest)["chunks"].count()

    def missing(self, digest: str, layer: VectorLayer) -> list[str]:
        """Return the ids of a layer that have no vector of the model."""
        indexed = self.indexes(digest)[layer].ids()
        with self.database.reading() as connection:
            return [row[0] for row in connection.execute(VISIBLE[layer]) if row[0] not in indexed]

    def size(self) -> int:
        """Return how many vectors the whole library needs."""
        with self.database.reading() as connection:
            counts = (
                connection.execute(f"SELECT count(*) FROM ({VISIBLE[layer]})") for layer in VECTOR_LAYERS
            )
            return sum(int(count.fetchone()[0]) for count in counts)

    def texts(self, layer: VectorLayer, ids: Sequence[str]) -> dict[str, str]:
        """Return id -> the text its vector is made of; ids that are gone are left out."""
        with self.database.reading() as connection:
            if layer == "chunks":
                return {c.id: c.passage_text() for c in catalog.chunks(connection, None, None, ids)}
            if layer == "atoms":
                return {atom.id: atom.text for atom in distilled.atoms_by_id(connection, ids)}
            return dict(
                connection.execute(
                    f"SELECT id, summary FROM {layer} WHERE summary <> '' AND id {catalog.IN}",
                    (catalog.many(ids),),
                ).fetchall()
            )

    def put(self, digest: str, layer: VectorLayer, ids: Sequence[str], vectors: Vectors) -> None:
        """Give ids vectors (n, d) of the model; ids that are gone meanwhile are passed over."""
        with self.changing:
            with self.database.reading() as connection:
                owners = owners_of(connection, layer, ids)
            present = [place for place, row_id in enumerate(ids) if row_id in owners]
            if present:
                self.indexes(digest)[layer].upsert(
                    [ids[place] for place in present],
                    vectors[present],
                    [{"document": owners[ids[place]]} for place in present],
                )
                if digest == serving_digest(self.database):
                    with self.database.writing() as connection:
                        catalog.count_change(connection)

    # -- changing the model ----------------------------------------------------------------

    def serve(self, model: EmbeddingModel) -> None:
        """Write down whose vectors serve, where that is new: an empty library, or one from before."""
        with self.changing, self.database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO embedders (digest, backend, model, name, state, tokens, at)"
                " VALUES (?, ?, ?, ?, 'serving', 1, ?)",
                (model.digest, model.backend, model.model, model.name, time.time()),
            )
        self._point(model.digest)

    def switch(self, model: EmbeddingModel, *, whole: bool = True) -> bool:
        """Let the model serve from now on; `whole`: only if it lacks no vector. Say whether it does."""
        with self.changing:
            if whole and any(self.missing(model.digest, layer) for layer in VECTOR_LAYERS):
                return False
            for layer in VECTOR_LAYERS:
                self._tidy(model.digest, layer)
            with self.database.writing() as connection:
                connection.execute("UPDATE embedders SET state = 'old' WHERE state = 'serving'")
                connection.execute(
                    "INSERT OR REPLACE INTO embedders (digest, backend, model, name, state, tokens, at)"
                    " VALUES (?, ?, ?, ?, 'serving', 0, ?)",
                    (model.digest, model.backend, model.model, model.name, time.time()),
                )
                self.tokens.forget(connection)
                catalog.count_change(connection)
            self.tokens.begin_anew()
            self._point(model.digest)
            return True

    def _tidy(self, digest: str, layer: VectorLayer) -> None:
        """Delete vectors of what has left the library since they were made."""
        index = self.indexes(digest)[layer]
        with self.database.reading() as connection:
            shown = {row[0] for row in connection.execute(VISIBLE[layer])}
        extra = index.ids() - shown
        if extra:
            index.delete(sorted(extra))

    def _point(self, digest: str) -> None:
        for layer, index in self.indexes(digest).items():
            self.external.indexes[layer] = index

    def unfinished(self) -> bool:
        """Say whether the model that serves still lacks vectors of chunks or tokens since it took over."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT 1 FROM embedders WHERE state = 'serving' AND tokens = 0")
            return row.fetchone() is not None

    def without_tokens(self, lost: bool = False) -> list[str]:
        """Return the chunks that still wait for token vectors after a change of the model; `lost`: at any
        time, as when the file of the vectors was lost."""
        if not lost and not self.unfinished():
            return []
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM chunks WHERE id NOT IN (SELECT chunk_id FROM token_spans) ORDER BY n"
            )
            return [row[0] for row in rows]

    def put_tokens(self, rows: Sequence[tuple[str, Vectors]]) -> None:
        """Keep token vectors (t, d) of chunks that have none."""
        with self.changing:
            with self.database.reading() as connection:
                here = catalog.known(connection, "chunks", [row[0] for row in rows])
            bare = set(here) - self.tokens.spans([row[0] for row in rows]).keys()
            spans = self.tokens.append([row for row in rows if row[0] in bare])
            with self.database.writing() as connection:
                self.tokens.record(connection, spans)

    def tokens_done(self) -> None:
        """Note that every chunk has its token vectors, or that the model gives none."""
        with self.changing, self.database.writing() as connection:
            connection.execute("UPDATE embedders SET tokens = 1 WHERE state = 'serving'")

    def drop(self, digest: str) -> None:
        """Delete the vectors of a model that serves no more. Raises NotFound."""
        with self.changing:
            if digest not in {model.digest for model in self.old()}:
                raise NotFound(f"there are no old vectors of {digest}")
            for layer in VECTOR_LAYERS:
                self.drop_index(collection(layer, digest))
            self._indexes.pop(digest, None)
            with self.database.writing() as connection:
                connection.execute("DELETE FROM embedders WHERE digest = ?", (digest,))

    def drop_old(self) -> int:
        """Delete the vectors of all models that serve no more; return of how many models."""
        old = self.old()
        for model in old:
            self.drop(model.digest)
        return len(old)


def collection(layer: VectorLayer, digest: str) -> str:
    """Return the name of a model's collection for a layer."""
    return f"{layer}-{digest[:32]}"
