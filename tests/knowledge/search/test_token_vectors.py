"""Token vectors on disk, and MaxSim over them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import KnowledgeError
from core.knowledge.base import KnowledgeBase
from core.knowledge.search.token_projection import DIMENSIONS
from core.knowledge.search.token_vectors import TokenFile
from core.ports import Vectors
from tests.knowledge.conftest import entry_of, make_document, token_vectors

DIMENSION = 192


def passages(count: int, seed: int = 0, prefix: str = "") -> list[tuple[str, Vectors]]:
    """Return token vectors of norm 1 that lie near a subspace, as those of a language do."""
    random = np.random.default_rng(seed)
    basis = np.random.default_rng(99).normal(size=(40, DIMENSION))
    made = []
    for number in range(count):
        drawn = random.normal(size=(random.integers(5, 30), 40)) @ basis
        drawn += random.normal(size=drawn.shape) * 0.3
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        made.append((f"{prefix}chunk{number}", drawn.astype(np.float32)))
    return made


def max_sim(question: Vectors, rows: Vectors) -> float:
    return float((question @ rows.T).max(axis=1).mean())


@pytest.fixture
def opened(folder: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(folder, "test") as library:
        with library.database.writing() as connection:
            # Spans belong to chunks; here there are none.
            connection.execute("DROP TABLE token_spans")
            connection.execute(
                "CREATE TABLE token_spans (chunk_id TEXT PRIMARY KEY, start INTEGER, rows INTEGER)"
            )
        yield library


def put(tokens: TokenFile, library: KnowledgeBase, rows: list[tuple[str, Vectors]]) -> None:
    spans = tokens.append(rows)
    with library.database.writing() as connection:
        tokens.record(connection, spans)


def test_int8_rows_give_nearly_the_scores_of_the_full_vectors(opened: KnowledgeBase, tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "t", opened.database)
    rows = passages(50)
    put(tokens, opened, rows)
    question = rows[7][1][:6]
    scores = tokens.late_interaction(question, [name for name, _ in rows] + ["unknown"])
    assert scores[-1] is None
    assert scores[:-1] == pytest.approx([max_sim(question, vectors) for _, vectors in rows], abs=0.02)


def test_once_there_is_enough_rows_are_reduced_and_rank_as_before(
    opened: KnowledgeBase, tmp_path: Path
) -> None:
    tokens = TokenFile(tmp_path / "t", opened.database, enough=1500)
    rows = passages(60)
    put(tokens, opened, rows)
    assert tokens.read(["chunk0"])[0].shape[1] == DIMENSION
    late, last = passages(60, 1, "late"), passages(10, 2, "last")
    put(tokens, opened, late)
    assert tokens.read(["chunk0"])[0].shape == (len(rows[0][1]), DIMENSIONS)
    put(tokens, opened, last)
    every = rows + late + last
    question = passages(1, seed=5)[0][1]
    expected = [max_sim(question, vectors) for _, vectors in every]
    found = tokens.late_interaction(question, [name for name, _ in every])
    assert found == pytest.approx(expected, abs=0.05)
    again = TokenFile(tmp_path / "t", opened.database, enough=1500)
    assert again.late_interaction(question, [name for name, _ in every]) == found
    assert [path.stem for path in (tmp_path / "t").glob("*.int8")] == ["tokens-1"]


def test_rows_that_were_written_but_never_recorded_are_written_over(
    opened: KnowledgeBase, tmp_path: Path
) -> None:
    tokens = TokenFile(tmp_path / "t", opened.database)
    rows = passages(3)
    put(tokens, opened, rows[:1])
    tokens.append(rows[1:2])
    put(tokens, opened, rows[2:])
    size = (tmp_path / "t" / "tokens-0.int8").stat().st_size
    assert size == (len(rows[0][1]) + len(rows[2][1])) * DIMENSION
    assert tokens.late_interaction(rows[2][1], ["chunk2"])[0] == pytest.approx(1.0, abs=0.02)


def test_space_of_removed_chunks_is_given_back_by_repair(folder: Path, library: KnowledgeBase) -> None:
    documents = [make_document(f"Report {n}", [f"Passage {n} on pumps and valves."]) for n in range(6)]
    for prepared in documents:
        library.add(prepared, entry_of(prepared))
    question = token_vectors("pumps")
    last = documents[-1].chunks[0].id
    before = library.late_interaction(question, [last])
    size = (folder / "tokens" / "tokens-0.int8").stat().st_size
    for prepared in documents[:-1]:
        library.remove(prepared.document.id)
    library.repair()
    assert (folder / "tokens" / "tokens-1.int8").stat().st_size == size // 6
    assert library.late_interaction(question, [last]) == before
    assert library.check() == []


def test_a_token_file_that_was_cut_is_noticed_and_mended(folder: Path, library: KnowledgeBase) -> None:
    documents = [make_document(f"Report {n}", [f"Passage {n} on pumps."]) for n in range(2)]
    for prepared in documents:
        library.add(prepared, entry_of(prepared))
    library.close()
    path = folder / "tokens" / "tokens-0.int8"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(KnowledgeError, match="token file ends at row 7") as result:
        KnowledgeBase(folder, "test")
    assert "strata doctor --repair" in result.value.hint
    with KnowledgeBase(folder, "test", repairing=True) as again:
        assert "token file" in again.check()[0]
        assert "1 chunks" in again.repair()[0] and again.check() == []
        ids = [prepared.chunks[0].id for prepared in documents]
        assert [score is None for score in again.late_interaction(token_vectors("pumps"), ids)] == [
            False,
            True,
        ]


def test_chunks_without_token_vectors_have_no_rows(library: KnowledgeBase) -> None:
    prepared = make_document("Plain", ["No tokens here."], tokens=False)
    library.add(prepared, entry_of(prepared))
    ids = [prepared.chunks[0].id]
    assert len(library.tokens.read(ids)[0]) == 0
    assert library.late_interaction(token_vectors("tokens"), ids) == [None]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux how much is in memory")
def test_rows_read_from_a_mapped_file_do_not_stay_in_memory(opened: KnowledgeBase, tmp_path: Path) -> None:
    size, texts = 64 << 20, 1024
    rows = size // (2 * DIMENSION * texts)
    (tmp_path / "spool").write_bytes(np.zeros(texts * rows * DIMENSION, np.float16).tobytes())
    mapped = np.memmap(tmp_path / "spool", np.float16, "r", shape=(texts, rows, DIMENSION))
    most = 0

    def in_memory() -> int:
        status = Path("/proc/self/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssFile")) >> 10

    class Watching(TokenFile):
        def _quantised(self, vectors):  # type: ignore[no-untyped-def]
            nonlocal most
            most = max(most, in_memory())
            return super()._quantised(vectors)

    before = in_memory()
    Watching(tmp_path / "t", opened.database, enough=10**9).append(
        [(str(at), mapped[at]) for at in range(texts)]
    )
    assert most - before < 32
