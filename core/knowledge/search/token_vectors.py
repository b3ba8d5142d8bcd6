"""Token vectors for late interaction: int8 rows in one memory-mapped file, their places in SQLite.

Rows are first kept in full width. With the rows that make them enough, the directions that carry most of
their inner products (uncentred PCA) are fitted, the file is written anew in 128 dimensions, and all later
rows and questions are projected the same way. All rows share one scale, so products of rows rank as
products of vectors do.
"""

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from core.i18n.messages import recorded
from core.knowledge.search.token_projection import DIMENSIONS, Bytes, as_bytes, blocks, fitted, sample
from core.knowledge.stores.database import Database, translated_errors
from core.knowledge.stores.documents.catalog import IN, many
from core.ports import Vectors
from core.text.maxsim import best_matches, on_one_thread

MIN_FITTED_VECTORS = 50_000  # token vectors before the projection is fitted
PROJECTED = "tokens projected"  # the counter that says whether the rows need their projection to be read


class TokenFile:
    """Keeps the token vectors of chunks. `generation` numbers the files: each rewriting makes a new one."""

    def __init__(self, folder: Path, database: Database, enough: int = MIN_FITTED_VECTORS) -> None:
        self._folder = folder
        self._database = database
        self._enough = enough
        self._lock = threading.RLock()
        self._mapped: Bytes | None = None
        with translated_errors():
            folder.mkdir(parents=True, exist_ok=True)
        with database.reading() as connection:
            self._generation = _counter(connection, "tokens file")
            self._width = _counter(connection, "tokens width")
            self._end = _end(connection)
        self._projection: Vectors | None = None
        self._scale = 1.0
        self._read_projection()
        for path in folder.glob("tokens-*"):
            if path.stem != f"tokens-{self._generation}":
                path.unlink()

    def _path(self, suffix: str = "int8") -> Path:
        return self._folder / f"tokens-{self._generation}.{suffix}"

    def _read_projection(self) -> None:
        path = self._path("npz")
        if path.exists():
            with np.load(path) as arrays:
                self._projection, self._scale = arrays["projection"], float(arrays["scale"])

    # -- writing --------------------------------------------------------------------------

    def append(self, tokens: Sequence[tuple[str, Vectors]]) -> list[tuple[str, int, int]]:
        """Write the token vectors (t, d) of chunks behind the last row the catalog knows; return
        (chunk id, first row, rows), which the catalog must record to make them count."""
        if not tokens:
            return []
        with self._lock, translated_errors():
            if not self._width:
                self._width = tokens[0][1].shape[1]
            if self._projection is None and self._width > DIMENSIONS and self._are_enough(tokens):
                self._rewrite(fitted_with=[vectors for _, vectors in tokens])
            with self._database.reading() as connection:
                start = self._end = _end(connection)
            spans: list[tuple[str, int, int]] = []
            with self._path().open("r+b" if self._path().exists() else "w+b") as file:
                file.truncate(start * self._width)
                file.seek(start * self._width)
                for block in blocks([vectors for _, vectors in tokens]):
                    file.write(self._quantised(block).tobytes())
            for chunk_id, vectors in tokens:
                spans.append((chunk_id, start, len(vectors)))
                start += len(vectors)
            self._mapped = None
            return spans

    def _are_enough(self, coming: Sequence[tuple[str, Vectors]]) -> bool:
        """Say whether there are rows enough with these to fit the projection."""
        with self._database.reading() as connection:
            return _rows(connection) + sum(len(vectors) for _, vectors in coming) >= self._enough

    def _quantised(self, vectors: Vectors) -> Bytes:
        reduced = self._reduced(np.asarray(vectors, np.float32))
        return as_bytes(reduced, self._scale)

    def _reduced(self, vectors: Vectors) -> Vectors:
        return vectors if self._projection is None else vectors @ self._projection

    def record(self, connection: sqlite3.Connection, spans: Iterable[tuple[str, int, int]]) -> None:
        """Take the rows up, in the transaction that makes their chunks visible."""
        connection.executemany("INSERT INTO token_spans (chunk_id, start, rows) VALUES (?, ?, ?)", spans)
        _set_counter(connection, "tokens width", self._width)

    def forget(self, connection: sqlite3.Connection) -> None:
        """Release all rows, in the transaction that changes the embedder; `begin_anew` follows it."""
        connection.execute("DELETE FROM token_spans")
        _set_counter(connection, "tokens file", self._generation + 1)
        _set_counter(connection, "tokens width", 0)
        _set_counter(connection, PROJECTED, 0)

    def begin_anew(self) -> None:
        """Start an empty file, for token vectors of any width."""
        with self._lock:
            for suffix in ("int8", "npz"):
                self._path(suffix).unlink(missing_ok=True)
            self._generation += 1
            self._width = self._end = 0
            self._projection, self._scale, self._mapped = None, 1.0, None

    def spans(self, chunk_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return chunk id -> (first row, rows), of those that have rows."""
        with self._database.reading() as connection:
            found = connection.execute(
                f"SELECT chunk_id, start, rows FROM token_spans WHERE chunk_id {IN}", (many(chunk_ids),)
            )
            return {row[0]: (row[1], row[2]) for row in found}

    def compact(self, wholly: bool = False) -> None:
        """Write the file anew without the rows of chunks that are gone, if they are more than half of it, or
        `wholly` if there are any."""
        with self._lock:
            with self._database.reading() as connection:
                rows, end = _rows(connection), _end(connection)
            row_count = len(self._map())
            if rows * 2 < end or (wholly and rows < row_count):
                self._rewrite()

    def _rewrite(self, fitted_with: Sequence[Vectors] = ()) -> None:
        """Write a new file with the rows the catalog knows, in fewer dimensions if there are vectors to fit
        those with; rows that chunks share are written once."""
        with self._database.reading() as connection:
            spans = [tuple(r) for r in connection.execute("SELECT * FROM token_spans ORDER BY start, rows")]
        mapped = self._map()
        projection, scale, width = self._projection, self._scale, self._width
        if fitted_with:
            here = [np.asarray(mapped, np.float32) * np.float32(self.unit())]
            projection, scale = fitted(sample([*here, *fitted_with]))
            width = DIMENSIONS
        old, factor = self._path(), np.float32(self.unit())
        with translated_errors(), self._database.writing() as connection:
            target = self._folder / f"tokens-{self._generation + 1}.int8"
            at = written = 0
            before: tuple[int, int] | None = None
            moved: list[tuple[int, str]] = []
            with target.open("wb") as file:
                for chunk_id, start, rows in spans:
                    if (start, rows) != before:
                        part = mapped[start : start + rows]
                        if fitted_with and projection is not None:
                            part = as_bytes(np.asarray(part, np.float32) @ (projection * factor), scale)
                        file.write(part.tobytes())
                        at, written, before = written, written + rows, (start, rows)
                    moved.append((at, chunk_id))
            if projection is not None:
                np.savez(target.with_suffix(".npz"), projection=projection, scale=scale)
                _set_counter(connection, PROJECTED, 1)
            connection.executemany("UPDATE token_spans SET start = ? WHERE chunk_id = ?", moved)
            _set_counter(connection, "tokens file", self._generation + 1)
            _set_counter(connection, "tokens width", width)
        self._generation += 1
        self._projection, self._scale, self._width, self._mapped = projection, scale, width, None
        old.unlink(missing_ok=True)
        old.with_suffix(".npz").unlink(missing_ok=True)

    # -- reading --------------------------------------------------------------------------

    def _map(self) -> Bytes:
        if self._mapped is None:
            path = self._path()
            size = path.stat().st_size if path.exists() else 0
            width = max(self._width, 1)
            self._mapped = (
                np.memmap(path, np.int8, "r", shape=(size // width, width))
                if size
                else np.zeros((0, width), np.int8)
            )
        return self._mapped

    def read(self, chunk_ids: Sequence[str]) -> list[Bytes]:
        """Return each chunk's rows (t, width), memory-mapped; (0, width) for a chunk that has none."""
        with self._lock:
            spans, mapped = self.spans(chunk_ids), self._map()
            found = (spans.get(chunk_id, (0, 0)) for chunk_id in chunk_ids)
            return [mapped[start : start + rows] for start, rows in found]

    def project(self, tokens: Vectors) -> Vectors:
        """Return token vectors (t, d) of a question in the space of the rows; times a row and `unit()` this
        is the inner product."""
        with self._lock, on_one_thread():
            return self._reduced(np.asarray(tokens, np.float32))

    def unit(self) -> float:
        """Return the value of one step of an int8 vector."""
        return self._scale / 127.0

    def late_interaction(self, tokens: Vectors, chunk_ids: Sequence[str]) -> list[float | None]:
        """Return, per chunk, the mean over the question's tokens of the best inner product with a token of
        the chunk (MaxSim of ColBERT, arXiv 2004.12832, section 3.2); None for a chunk without rows."""
        with self._lock:
            question = self.project(tokens)
            unit = self.unit()
            rows = self.read(chunk_ids)
        if not len(question):
            return [None] * len(rows)
        means = (best_matches(question, rows).mean(axis=1) * unit).tolist()
        return [mean if len(part) else None for part, mean in zip(rows, means, strict=True)]

    def check(self) -> list[str]:
        """Return what the catalog expects and the file does not hold, a sentence each."""
        with self._lock:
            with self._database.reading() as connection:
                end = _end(connection)
            row_count = len(self._map())
            return (
                []
                if end <= row_count
                else [f"the token file ends at row {row_count}, the catalog expects {end}"]
            )

    def repair(self) -> list[str]:
        """Forget spans the file does not hold, and give space back; return what was done. Their chunks are
        then among those without token vectors, which can be made anew."""
        with self._lock:
            done: list[str] = []
            if self.check():
                row_count = len(self._map())
                with self._database.writing() as connection:
                    deleted = connection.execute(
                        "DELETE FROM token_spans WHERE start + rows > ?", (row_count,)
                    )
                    done.append(recorded(f"Token vectors of {deleted.rowcount} chunks were lost."))
            with self._database.reading() as connection:
                bare = not _end(connection) and self._width > 0
            if bare:  # in any width, with a projection of their own
                with self._database.writing() as connection:
                    self.forget(connection)
                self.begin_anew()
            self.compact()
            return done


def _rows(connection: sqlite3.Connection) -> int:
    """Return the rows in use; those that chunks share count once."""
    spans = "SELECT DISTINCT start, rows FROM token_spans"
    return int(connection.execute(f"SELECT ifnull(sum(rows), 0) FROM ({spans})").fetchone()[0])


def _end(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT start + rows FROM token_spans ORDER BY start DESC, rows DESC LIMIT 1")
    found = row.fetchone()
    return 0 if found is None else int(found[0])


def _counter(connection: sqlite3.Connection, name: str) -> int:
    row = connection.execute("SELECT value FROM counters WHERE name = ?", (name,)).fetchone()
    return 0 if row is None else int(row[0])


def _set_counter(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute("INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)", (name, value))
