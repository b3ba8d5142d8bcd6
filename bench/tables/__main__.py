"""Cells of tables: what the parsers read beside what stands on the page, and the same through others.

    python -m bench.tables [--json] [--peer PYTHON]

`truth/` holds the cells of tables of public files, typed while looking at the pages; half of the documents
were looked at while the parsers were corrected, the other half only tells. A cell is right where its text,
white space aside, is in its row under its column. "^" begins a cell that continues the row above: to repeat
it is as right as to leave it out. A form's cells are right where label and value stand beside each other.
`--peer` is an interpreter that has markitdown.
"""

import argparse
import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from bench.data import data_folder
from core.errors import ParseError
from core.ingest.sandbox import parse_in_worker

HERE = Path(__file__).parent
Rows = list[list[str]]
_PEER = """
import json, sys
from markitdown import MarkItDown
converter = MarkItDown()
out = {}
for path in json.load(sys.stdin):
    try:
        out[path] = converter.convert(path).text_content or ""
    except BaseException:
        out[path] = ""
json.dump(out, sys.stdout)
"""


class Score(NamedTuple):
    """Cells found rightly, cells given, cells that are there; rows that hold several of the page's rows."""

    right: int = 0
    given: int = 0
    there: int = 0
    fused: int = 0

    def plus(self, other: "Score") -> "Score":
        return Score(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, self.given + self.there)


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("−", "-").replace("–", "-")
    return "".join(plain.split())


def score(truth: Rows, given: Rows, *, form: bool) -> Score:
    """Return how a table that was read compares with the true one."""
    if form:
        return _form_score(truth, given)
    best = Score(0, 0, sum(bool(cell) and not cell.startswith("^") for row in truth for cell in row))
    for heads in (1, 2, 3):  # a header given as several rows counts as the one it is
        found = _grid_score(truth, _with_header(given, heads))
        best = max(best, found, key=lambda each: (each.f1, -each.given))
    return best


def _with_header(rows: Rows, heads: int) -> Rows:
    if heads == 1 or len(rows) <= heads:
        return rows
    joined = [" ".join(dict.fromkeys(filter(None, column))) for column in zip(*rows[:heads], strict=False)]
    return [joined, *rows[heads:]]


def _grid_score(truth: Rows, given: Rows) -> Score:
    there = sum(bool(cell) and not cell.startswith("^") for row in truth for cell in row)
    want = [[folded(cell.removeprefix("^")) for cell in row] for row in truth]
    have = [[folded(cell) for cell in row] for row in given]
    columns = _matched(len(want[0]), max(map(len, have), default=0), lambda a, b: _shared(want, have, a, b))
    rows = _matched(len(want), len(have), lambda a, b: _same(want[a], have[b], columns))
    right, repeated = 0, 0
    for a, b in rows:
        for left, over in columns:
            if over < len(have[b]) and have[b][over] and have[b][over] == want[a][left]:
                again = truth[a][left].startswith("^")
                right, repeated = right + (not again), repeated + again
    count = sum(bool(cell) for row in have for cell in row) - repeated
    return Score(right, count, there, _fused(want, have))


def _shared(want: Rows, have: Rows, a: int, b: int) -> int:
    ours = {row[a] for row in want if row[a]}
    return sum(b < len(row) and row[b] in ours for row in have)


def _same(want: Sequence[str], have: Sequence[str], columns: Sequence[tuple[int, int]]) -> int:
    return sum(b < len(have) and bool(have[b]) and have[b] == want[a] for a, b in columns)


def _matched(first: int, second: int, worth: Any) -> list[tuple[int, int]]:
    """Return the pairs, in order on both sides, that are worth most together."""
    table = [[0] * (second + 1) for _ in range(first + 1)]
    for a in range(first - 1, -1, -1):
        for b in range(second - 1, -1, -1):
            table[a][b] = max(table[a + 1][b], table[a][b + 1], table[a + 1][b + 1] + worth(a, b))
    pairs, a, b = [], 0, 0
    while a < first and b < second:
        if table[a][b] == table[a + 1][b]:
            a += 1
        elif table[a][b] == table[a][b + 1]:
            b += 1
        else:
            pairs.append((a, b))
            a, b = a + 1, b + 1
    return pairs


def _fused(want: Rows, have: Rows) -> int:
    """Count the rows given in which two cells or more hold those of several rows, one after the other."""
    joined = {
        "".join(row[column] for row in want[first:last])
        for column in range(len(want[0]))
        for first in range(1, len(want))
        for last in range(first + 2, len(want) + 1)
        if all(row[column] for row in want[first:last])
    }
    single = {cell for row in want for cell in row}
    return sum(sum(cell in joined and cell not in single for cell in row) > 1 for row in have)


def _form_score(truth: Rows, given: Rows) -> Score:
    pairs = {(folded(label), folded(value)) for label, value in truth}
    filled = [[folded(cell) for cell in row if cell] for row in given]
    found = {pair for row in filled for pair in pairwise(row)}
    count = sum(len(row) for row in filled if row != ["field", "value"])
    return Score(2 * len(pairs & found), count, 2 * len(pairs))


def ours(path: Path) -> list[tuple[int, Rows]]:
    """Return the tables the parsers read, each with its page (from 1)."""
    try:
        parsed = parse_in_worker(path, path.name)
    except ParseError:
        return []
    found = []
    for block in parsed.blocks:
        if block.kind == "table":
            rows = [line.split(" | ") for line in block.text.split("\n")]
            if all(cell.startswith("column ") for cell in rows[0]):
                rows = rows[1:]
            rows[0] = ["" if cell.startswith("column ") else cell for cell in rows[0]]
            found.append(((block.location.page or 0) + 1, rows))
    return found


def of_pdfplumber(path: Path) -> list[tuple[int, Rows]]:
    import pdfplumber

    if path.suffix != ".pdf":
        return []
    with pdfplumber.open(path) as document:
        return [
            (page.page_number, [[str(cell or "") for cell in row] for row in table])
            for page in document.pages
            for table in page.extract_tables()
        ]


def of_markdown(text: str) -> Iterator[tuple[int, Rows]]:
    """Yield the tables of a Markdown text; their pages are not known (0)."""
    rows: Rows = []
    for line in [*text.split("\n"), ""]:
        if line.strip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if any(cell.strip(":- ") for cell in cells):
                rows.append(cells)
        elif rows:
            yield 0, rows
            rows = []


def best(table: dict[str, Any], found: Sequence[tuple[int, Rows]]) -> Score:
    """Return the score of the table that fits best."""
    form = table["kind"] == "form"
    nothing = Score(0, 0, sum(bool(c) and not c.startswith("^") for row in table["rows"] for c in row))
    scores = [
        score(table["rows"], rows, form=form) for page, rows in found if page in (0, table["page"]) and rows
    ]
    return max(scores, key=lambda each: (each.f1, -each.given), default=nothing)


def compared(truths: Sequence[dict[str, Any]], docs: Path, peer: str) -> Iterator[dict[str, Any]]:
    """Yield the score of each table on each side."""
    paths = [docs / truth["file"] for truth in truths]
    texts = markdown_of(paths, peer) if peer else {}
    for truth, path in zip(truths, paths, strict=True):
        sides = {"strata": ours(path), "pdfplumber": of_pdfplumber(path)}
        if texts:
            sides["markitdown"] = list(of_markdown(texts[str(path)]))
        for number, table in enumerate(truth["tables"]):
            for side, found in sides.items():
                about = {"side": side, "half": truth["half"], "kind": table["kind"]}
                yield about | {"table": f"{truth['file']} {number + 1}", **best(table, found)._asdict()}


def markdown_of(paths: Sequence[Path], interpreter: str) -> dict[str, str]:
    """Return what markitdown makes of the files."""
    given = json.dumps([str(path) for path in paths])
    command = [interpreter, "-c", _PEER]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    texts: dict[str, str] = json.loads(done.stdout)
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--peer", default="")
    asked = parser.parse_args()
    docs = data_folder() / "docs"
    truths = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted((HERE / "truth").glob("*.json"))
    ]
    lines = list(compared(truths, docs, asked.peer))
    if asked.json:
        json.dump(lines, sys.stdout, ensure_ascii=False)
        return
    for line in lines:
        if line["side"] == "strata" and line["right"] < max(line["there"], line["given"]):
            print(line)
    for side in dict.fromkeys(line["side"] for line in lines):
        for half in ("look", "report"):
            for ocr in (False, True):
                _summary(
                    side, half, ocr, [each for each in lines if each["side"] == side and each["half"] == half]
                )


def _summary(side: str, half: str, ocr: bool, lines: Sequence[dict[str, Any]]) -> None:
    chosen = [line for line in lines if (line["kind"] == "ocr") == ocr]
    total = Score()
    for line in chosen:
        total = total.plus(Score(line["right"], line["given"], line["there"], line["fused"]))
    whole = sum(line["right"] == line["given"] == line["there"] for line in chosen)
    precision, recall = total.right / max(1, total.given), total.right / max(1, total.there)
    print(
        f"{side:11} {half:7} {'ocr' if ocr else 'text'}: precision {precision:.3f} recall {recall:.3f} "
        f"F1 {total.f1:.3f}, {whole} of {len(chosen)} tables whole, {total.fused} fused rows"
    )


if __name__ == "__main__":
    main()
