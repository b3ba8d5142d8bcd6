"""Work grows with the length of what is read: eight times as much takes about eight times as long.

Measured in processor time, so that other work on the machine does not count. What grew with the square
would take sixty-four times as long.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import Document
from core.ingest.chunker import Chunker
from core.ingest.parsers import read
from tests.ingest.ingestion_parts import WordEmbedder, ingestion
from tests.ingest.test_ingestion import ingest

TIMES = 8
AT_MOST = 24.0  # times as long


def inserts(n: int) -> str:
    rows = "".join(
        f"INSERT INTO t VALUES ({i},'lot {i}; it''s','2025-01-{i % 28 + 1:02d}');\n" for i in range(n)
    )
    return f"CREATE TABLE t (id int, name text, day date);\n{rows}"


def one_insert(n: int) -> str:
    rows = ",".join(f"({i},'lot {i}')" for i in range(n))
    return f"CREATE TABLE `t` (`id` int, `name` varchar(9)) ENGINE=InnoDB;\nINSERT INTO `t` VALUES {rows};\n"


def copied(n: int) -> str:
    rows = "".join(f"{i}\tlot {i}\\tx\t\\N\n" for i in range(n))
    return f"CREATE TABLE t (id int, name text, x text);\nCOPY t (id, name, x) FROM stdin;\n{rows}\\.\n"


def klarf(n: int) -> str:
    rows = "".join(f" {i} {i}.5 2.5 4 0\n" for i in range(n))
    spec = "DefectRecordSpec 5 DEFECTID XREL YREL CLASSNUMBER IMAGELIST ;\nDefectList\n"
    return f'FileVersion 1 2;\nLotID "L1";\nWaferID "W1";\n{spec}{rows};\nEndOfFile;\n'


def repeated(pattern: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return what writes a pattern n times, % standing for the number."""
    return lambda n: before + "".join(pattern.replace("%", str(i)) for i in range(n)) + after


FORMATS: dict[str, tuple[int, Callable[[int], str]]] = {
    "inserts.sql": (800, inserts),
    "rows.sql": (1500, one_insert),
    "copy.sql": (1500, copied),
    "defects.klarf": (1500, klarf),
    "table.csv": (1500, repeated("%,%.25,word %\n", "a,b,c\n")),
    "records.jsonl": (1000, repeated('{"a": %, "b": {"c": "word %"}}\n')),
    "notes.md": (400, repeated("# Part %\n\n- one\n  - two\n\nText %.\n\n")),
    "notes.txt": (1500, repeated("7.1 Part\n\nSome words on pump %.\n\n")),
    "page.html": (500, repeated("<h2>Part %</h2><ul><li>a<p>Text %.</ul>")),
    "tree.xml": (800, repeated("<e n='%'><a>%</a><b>word %</b></e>", "<r>", "</r>")),
    "list.yaml": (300, repeated("part%:\n  pump: P-%\n  rate: %.5\n")),
}


def seconds_of(path: Path) -> float:
    start = time.process_time()
    assert read(path, path.name).blocks
    return time.process_time() - start


@pytest.mark.parametrize("name", FORMATS)
def test_reading_takes_as_long_as_the_file_is(name: str, tmp_path: Path) -> None:
    count, made = FORMATS[name]
    small, large = tmp_path / name, tmp_path / f"large-{name}"
    small.write_text(made(count), encoding="utf-8")
    large.write_text(made(TIMES * count), encoding="utf-8")
    first = max(min(seconds_of(small) for _ in range(2)), 0.01)
    tried: list[float] = []
    while not tried or (len(tried) < 2 and tried[-1] >= AT_MOST * first):
        tried.append(seconds_of(large))
    assert tried[-1] < AT_MOST * first, f"{first:.3f} s, then {tried} s"


class Counting(WordEmbedder):
    """Notes how many letters it was asked to count."""

    letters = 0

    def count(self, text: str) -> int:
        self.letters += len(text)
        return super().count(text)


def test_the_tokenizer_sees_every_letter_a_few_times_however_long_the_file_is(tmp_path: Path) -> None:
    seen = []
    for count in (200, TIMES * 200):
        path = tmp_path / "notes.md"
        path.write_text("".join(f"# Part {i}\n\n{'The pump leaks oil. ' * 30}\n\n" for i in range(count)))
        counting = Counting()
        parsed = read(path, path.name)
        document = Document(id="d", title="Notes", media_type="text/markdown", name=path.name)
        Chunker(counting.count, counting.window).chunk(document, parsed)
        seen.append(counting.letters / path.stat().st_size)
    assert seen[1] < 1.1 * seen[0] < 5


def test_a_document_comes_in_as_fast_into_a_full_library_as_into_an_empty_one(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    taken: list[float] = []
    for number in range(120):
        path = tmp_path / f"note-{number}.md"
        path.write_text(f"# Pump log {number}\nPump P-{number} ran after Pump log {number // 2}. " * 3)
        start = time.process_time()
        ingest(into, path)
        taken.append(time.process_time() - start)
    into.knowledge.close()
    first, last = sorted(taken[5:35]), sorted(taken[-30:])
    assert last[15] < 3 * first[15]
