"""Every file of `docs/` through the parsers: what came of it, and the same files through markitdown.

    python -m bench.formats [--json] [--only TEXT] [--peer PYTHON]

`--peer` is an interpreter that has markitdown; without it the comparison is made where this one has it.
Three times are taken: each file's own, one after the other, on both sides; and, from the start of the
first process to the last answer, the whole folder through as many parsers at once as ordinary ingestion
uses, and through markitdown. A file's own time holds no start of a process, no import and no loading of
what all files share: markitdown loads its model with its imports, ours reads the picture of a word before.
Text recall is the share of the words of `docs/expected` that a reading holds, counted with repetition;
cell recall the share of its table cells that a reading gives as cells of a table.
"""

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bench.data import data_folder
from core.domain import Parsed
from core.errors import ParseError
from core.ingest.sandbox import Sandbox, parse_in_worker
from core.settings import IngestSettings

ROOT = Path(__file__).resolve().parent.parent
_WORD = re.compile(r"\w+")
_MADE_UP = re.compile(r"column \d+|unnamed: \d+|nan")  # names and fillings no file contains
_CUT = re.compile(r"(\w)-\n\s*([a-z])")  # a word cut at a line's end is one word on every side
_PEER = """
import json, sys, time, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from markitdown import MarkItDown
converter = MarkItDown()
for path in json.load(sys.stdin):
    begun = time.perf_counter()
    try:
        text, error = converter.convert(path).text_content or "", ""
    except BaseException as caught:
        text, error = "", type(caught).__name__
    print(json.dumps({"path": path, "text": text, "error": error, "seconds": time.perf_counter() - begun}))
"""


class Row(NamedTuple):
    """What came of one file."""

    file: str
    outcome: str  # parsed, refused (a clear error), failed
    reason: str
    seconds: float
    headings: int
    blocks: int
    tables: int
    cells: int
    letters: int
    skipped: int
    text: str
    table_cells: tuple[str, ...]


def files(data: Path, only: str) -> list[Path]:
    """Return the files to read, those that hold expected texts left out."""
    docs = data / "docs"
    every = (path for path in sorted(docs.rglob("*")) if path.is_file() and path.parent != docs)
    return [path for path in every if path.parent.name != "expected" and only in str(path.relative_to(docs))]


def ours(path: Path, docs: Path) -> Row:
    """Read one file in the sandbox."""
    name = str(path.relative_to(docs))
    begun = time.perf_counter()
    try:
        parsed = parse_in_worker(path, path.name)
    except ParseError as error:
        clear = path.name in str(error) and bool(error.hint)
        return _row(name, "refused" if clear else "failed", str(error), time.perf_counter() - begun)
    seconds = time.perf_counter() - begun
    silent = not parsed.blocks and not parsed.skipped
    return _row(name, "failed" if silent else "parsed", "; ".join(parsed.skipped), seconds, parsed)


def _row(name: str, outcome: str, reason: str, seconds: float, parsed: Parsed | None = None) -> Row:
    blocks = parsed.blocks if parsed else ()
    tables = parsed.tables if parsed else ()
    cells = _cells(parsed) if parsed else ()
    text = "\n".join([parsed.title if parsed else "", *(block.text for block in blocks)])
    return Row(
        file=name,
        outcome=outcome,
        reason=reason,
        seconds=round(seconds, 3),
        headings=sum(block.kind == "heading" for block in blocks),
        blocks=len(blocks),
        tables=len(tables),
        cells=len(cells),
        letters=sum(len(block.text) for block in blocks),
        skipped=len(parsed.skipped) if parsed else 0,
        text=text,
        table_cells=cells,
    )


def _cells(parsed: Parsed) -> tuple[str, ...]:
    """Return the written cells of all tables, as the converter sees them."""
    lines = [line for block in parsed.blocks if block.kind == "table" for line in block.text.split("\n")]
    return tuple(
        cell
        for line in lines
        for cell in map(_folded, line.split(" | "))
        if cell and not _MADE_UP.fullmatch(cell)
    )


def _folded(cell: object) -> str:
    return " ".join(str(cell).lower().split())


def warm() -> None:
    """Start a worker and let it load what reads pictures: that is no file's time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "warm.png")
        picture = Image.new("RGB", (320, 96), "white")
        ImageDraw.Draw(picture).text((24, 24), "warm", fill="black", font=ImageFont.load_default(32))
        picture.save(path)
        parse_in_worker(path, path.name)


def whole_folder(paths: Sequence[Path], workers: int) -> float:
    """Return the seconds in which `workers` parsers at once read all files, their start included."""
    begun = time.perf_counter()
    sandbox = Sandbox(workers)

    def read(path: Path) -> None:
        with suppress(ParseError):
            sandbox.parse(path, path.name)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(read, paths))
    seconds = time.perf_counter() - begun
    sandbox.close()
    return seconds


def peer(paths: Sequence[Path], interpreter: str) -> tuple[dict[str, dict[str, Any]], float]:
    """Read the same files with markitdown in one process.

    Return what it read, with the seconds of each file, and the seconds from its start to its end.
    """
    begun = time.perf_counter()
    done = subprocess.run(
        [interpreter, "-c", _PEER],
        input=json.dumps([str(p) for p in paths]),
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - begun
    return {row["path"]: row for row in map(json.loads, done.stdout.splitlines())}, seconds


def markdown_cells(text: str) -> tuple[str, ...]:
    """Return the cells of the tables in a Markdown text: lines between pipes, rulings left out."""
    lines = [line.strip() for line in text.split("\n") if line.strip().startswith("|")]
    cells = [_folded(cell) for line in lines for cell in line.strip("|").split("|")]
    return tuple(cell for cell in cells if cell.strip(":- ") and not _MADE_UP.fullmatch(cell))


def recall(expected: Iterable[str], found: Iterable[str]) -> float:
    """Return the share of the expected items that were found, counted with repetition."""
    wanted, given = Counter(expected), Counter(found)
    return sum((wanted & given).values()) / max(1, wanted.total())


def joined_recall(expected: Iterable[str], found: Sequence[str]) -> float:
    """Return the recall where two neighbouring cells that make up an expected one together count as it.

    The expected tables join the heads of narrow columns ("Show Screen" over a number and a screen).
    """
    wanted, given = Counter(expected), Counter(found)
    pairs = Counter(f"{left} {right}" for left, right in pairwise(found))
    return ((wanted & given).total() + ((wanted - given) & pairs).total()) / max(1, wanted.total())


def against_expected(
    data: Path, rows: Sequence[Row], theirs: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Compare both readings with each expected text that has its file."""
    found = []
    for path in sorted((data / "docs" / "expected").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        cells = markdown_cells(text)
        for row in rows:
            if Path(row.file).stem != path.stem or not row.file.startswith("pdf/"):
                continue
            other = theirs.get(str(data / "docs" / row.file), {}).get("text", "")
            found.append(
                {
                    "file": row.file,
                    "text": round(recall(words(text), words(row.text)), 4),
                    "text_markitdown": round(recall(words(text), words(other)), 4) if theirs else None,
                    "cells": round(recall(cells, row.table_cells), 4) if cells else None,
                    "cells_markitdown": round(recall(cells, markdown_cells(other)), 4)
                    if cells and theirs
                    else None,
                    "cells_joined": round(joined_recall(cells, row.table_cells), 4) if cells else None,
                    "cells_joined_markitdown": round(joined_recall(cells, markdown_cells(other)), 4)
                    if cells and theirs
                    else None,
                }
            )
    return found


def words(text: str) -> list[str]:
    return _WORD.findall(_CUT.sub(r"\1\2", text).lower())


def summary(rows: Sequence[Row], theirs: dict[str, dict[str, Any]], docs: Path) -> dict[str, Any]:
    """Return the counts and, with a peer, both sides on the files both could read."""
    total: dict[str, Any] = dict(Counter(row.outcome for row in rows))
    total["seconds"] = round(sum(row.seconds for row in rows), 2)
    if not theirs:
        return total
    both = [(row, theirs[str(docs / row.file)]) for row in rows if str(docs / row.file) in theirs]
    shared = [(row, other) for row, other in both if row.outcome == "parsed" and other["text"].strip()]
    total["markitdown"] = {
        "with text": sum(bool(other["text"].strip()) for _, other in both),
        "errors": sum(bool(other["error"]) for _, other in both),
        "silent empties": sum(not other["error"] and not other["text"].strip() for _, other in both),
        "seconds": round(sum(other["seconds"] for _, other in both), 2),
        "files both read": len(shared),
        "seconds on those": round(sum(other["seconds"] for _, other in shared), 2),
        "our seconds on those": round(sum(row.seconds for row, _ in shared), 2),
        "our seconds on the others": round(
            sum(row.seconds for row, other in both if row.outcome == "parsed" and not other["text"].strip()),
            2,
        ),
        "its cells on those": sum(len(markdown_cells(other["text"])) for _, other in shared),
        "our cells on those": sum(row.cells for row, _ in shared),
    }
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", default="", help="only files whose path holds this text")
    parser.add_argument("--peer", default=sys.executable if importlib.util.find_spec("markitdown") else "")
    asked = parser.parse_args()
    data = data_folder()
    paths = files(data, asked.only)
    if not paths:
        sys.exit(f"no files under {data}/docs; name the data folder in STRATA_BENCH_DATA")
    warm()
    rows = [ours(path, data / "docs") for path in paths]
    workers = IngestSettings().workers
    counted = summary(rows, {}, data / "docs")
    wall = {f"whole folder, {workers} parsers at once": round(whole_folder(paths, workers), 2)}
    theirs: dict[str, dict[str, Any]] = {}
    if asked.peer:
        theirs, seconds = peer(paths, asked.peer)
        wall["whole folder, markitdown"] = round(seconds, 2)
        counted = summary(rows, theirs, data / "docs")
    result = {
        "files": [row._asdict() | {"text": None, "table_cells": None} for row in rows],
        "expected": against_expected(data, rows, theirs),
        "summary": counted | {"seconds from start to end": wall},
    }
    if asked.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    for row in rows:
        counts = (
            f"{row.headings:4} headings {row.tables:4} tables {row.cells:6} cells {row.letters:8} letters"
        )
        print(f"{row.outcome:8} {row.seconds:7.2f} s {counts}  {row.file}  {row.reason[:100]}")
    for line in result["expected"]:
        print(line)
    print(json.dumps(result["summary"], indent=1))


if __name__ == "__main__":
    main()
