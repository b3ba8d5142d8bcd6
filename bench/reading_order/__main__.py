"""The order in which the parsers read public pages, beside the order a reader reads them in.

    python -m bench.reading_order [--json] [--peer PYTHON] [--details]

`pages.toml` names the first words of the parts of each page in order. Order is the share of neighbours that
are in this order in what was read, one that is missing counting as wrong; kinds the share of headings,
items, footnotes and cells that are read as such, where the page has them. `--peer` is an interpreter that has
markitdown; of it, as of pdfminer's own layout, the order alone is scored.
"""

import argparse
import json
import os
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from bench.data import bench_data
from core.errors import ParseError
from core.ingest.sandbox import parse_in_worker

HERE = Path(__file__).parent
_KINDS = {"# ": ("heading",), "* ": ("list_item",), "^ ": ("footnote",), "| ": ("table",)}
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


class Part(NamedTuple):
    """What was read of a page in one piece, and what it was read as ("" where that is not known)."""

    text: str
    kind: str = ""


class Score(NamedTuple):
    """Neighbours in order of all; parts of the right kind of those that have one; what was wrong."""

    ordered: int
    pairs: int
    kinds: int
    kinded: int
    wrong: tuple[str, ...] = ()


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


def score(order: Sequence[str], parts: Sequence[Part]) -> Score:
    """Return how a page that was read compares with the order written down for it."""
    whole = "".join(folded(part.text) for part in parts)
    kinds = "".join(part.kind[:1] * len(folded(part.text)) if part.kind else "" for part in parts)
    places: list[int] = []
    wrong: list[str] = []
    right = kinded = 0
    at = 0
    for line in order:
        mark = line[:2] if line[:2] in _KINDS else ""
        words = folded(line.removeprefix(mark))
        place = whole.find(words, at)
        place = whole.find(words) if place < 0 else place
        places.append(place)
        at = max(at, place + 1)
        if mark and kinds:
            kinded += 1
            same = place >= 0 and kinds[place] == _KINDS[mark][0][0]
            right += same
            wrong += [] if same else [f"not a {_KINDS[mark][0]}: {line}"]
    pairs = list(pairwise(zip(order, places, strict=True)))
    wrong += [f"missing: {line}" for line, place in zip(order, places, strict=True) if place < 0]
    wrong += [f"after {other}: {line}" for (line, a), (other, b) in pairs if 0 <= b < a]
    return Score(sum(0 <= a < b for (_, a), (_, b) in pairs), len(pairs), right, kinded, tuple(wrong))


def ours(path: Path, page: int) -> list[Part]:
    """Return what the parsers read of a page."""
    try:
        parsed = parse_in_worker(path, path.name)
    except ParseError:
        return []
    paged = [block for block in parsed.blocks if (block.location.page or 0) + 1 == page]
    return [Part(block.text, block.kind) for block in paged]


def of_pdfminer(path: Path, page: int) -> list[Part]:
    """Return the text of a page as pdfminer orders it, which markitdown's PDFs stand on."""
    from pdfminer.high_level import extract_text

    return [Part(extract_text(str(path), page_numbers=[page - 1]))] if path.suffix == ".pdf" else []


def of_markitdown(peer: str, paths: Sequence[Path]) -> dict[str, str]:
    given = json.dumps(sorted({str(path) for path in paths}))
    done = subprocess.run([peer, "-c", _PEER], input=given, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout)) if done.returncode == 0 else {}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--details", action="store_true")
    arguments.add_argument("--peer", default="")
    chosen = arguments.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    pages = tomllib.loads((HERE / "pages.toml").read_text(encoding="utf-8"))["page"]
    paths = [bench_data("docs", page["file"]) for page in pages]
    texts = of_markitdown(chosen.peer, paths) if chosen.peer else {}
    rows = []
    for page, path in zip(pages, paths, strict=True):
        found = score(page["order"], ours(path, page["page"]))
        row = {"file": page["file"], "page": page["page"], "half": page["half"], "strata": found._asdict()}
        if path.suffix == ".pdf":
            row["pdfminer"] = score(page["order"], of_pdfminer(path, page["page"]))._asdict()
        if texts.get(str(path)):
            row["markitdown"] = score(page["order"], [Part(texts[str(path)])])._asdict()
        rows.append(row)
    if chosen.json:
        json.dump(rows, sys.stdout, ensure_ascii=False, indent=1)
        return
    for half in ("look", "report"):
        for reader in ("strata", "pdfminer", "markitdown"):
            scored = [row[reader] for row in rows if row["half"] == half and reader in row]
            if scored:
                print(f"{half:7} {reader:10} {_summed(scored)}")
    for row in rows if chosen.details else ():
        for line in row["strata"]["wrong"]:
            print(f"{row['half']:7} {row['file']} p{row['page']}: {line}")


def _summed(told: Sequence[dict[str, Any]]) -> str:
    ordered, pairs, kinds, kinded = (
        sum(each[field] for each in told) for field in ("ordered", "pairs", "kinds", "kinded")
    )
    whole = sum(each["ordered"] == each["pairs"] for each in told)
    by_kind = f", kinds {kinds / kinded:.3f}" if kinded else ""
    return f"order {ordered / pairs:.3f}, {whole} of {len(told)} pages whole{by_kind}"


if __name__ == "__main__":
    main()
