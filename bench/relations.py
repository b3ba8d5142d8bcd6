"""How many relations found without a model are right: `python -m bench.relations`.

`--draw N` prints relations to be judged, one JSON object a line: with `--store FOLDER` all of that library,
such as the open files read in; else N drawn by chance (`--seed`) from all passages of the public pools. Those
judged are kept in `judged_relations/labels.jsonl`; its first line says by whom. Without `--draw` the share of
right ones is printed, and of those from the pools also what the rules still find.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.answers import over
from bench.data import bench_data
from core.llm.builtin.enrich.enrich_rule import enrich
from core.tasks import Enrich, EnrichedPiece

Row = dict[str, Any]
LABELS = Path(__file__).parent / "judged_relations" / "labels.jsonl"
POOLS = ("2wiki", "hotpotqa", "musique", "scifact")


def passages(pool: str) -> Iterator[Row]:
    """Yield the passages of a pool: id, title, text."""
    yield from map(json.loads, bench_data(pool, "corpus.jsonl").read_text("utf-8").splitlines())


def found_in(passage: Row) -> list[tuple[str, str, str]]:
    """Return the relations that the rules find in a passage."""
    title = str(passage["title"])
    piece = EnrichedPiece(n=1, text=str(passage["text"]), heading=title)
    (facts,) = enrich(Enrich(title=title, pieces=(piece,))).pieces
    return [(each.subject, each.predicate, each.object) for each in facts.relations]


def of_pools() -> Iterator[Row]:
    """Yield what the rules find in the pools, each with the passage it is in."""
    for pool in POOLS:
        for passage in passages(pool):
            for text in found_in(passage):
                yield {"pool": pool, "id": passage["id"], "said": text, "text": passage["text"]}


def of_library(folder: Path) -> Iterator[Row]:
    """Yield the relations of a library, each with the chunk it is in; `by` says what was read."""
    with over(folder) as assistant:
        held = assistant.library.contents
        files = {document.id: document.name for document in held.documents()}
        for each in held.relations():
            (chunk,) = held.chunks(ids=[each.chunk_id])
            subject, thing = held.entities(ids=[each.subject]), held.entities(ids=[each.object])
            triple = (subject[0].name, each.predicate, thing[0].name)
            yield {"file": files[chunk.document_id], "by": each.by, "said": triple, "text": chunk.text}


def scored() -> None:
    """Print the share of right ones among the judged, by where they come from."""
    rows = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()[1:]]
    held = {(pool, row["id"]): row for pool in POOLS for row in passages(pool)}
    counts: Counter[str] = Counter()
    for row in rows:
        where = "pools" if "pool" in row else f"open files, {row['by']}"
        counts[f"{where}: {'right' if row['right'] else 'wrong'}"] += 1
        if "pool" in row and tuple(row["said"]) in found_in(held[row["pool"], row["id"]]):
            counts[f"{where}, found now: {'right' if row['right'] else 'wrong'}"] += 1
    right = sum(row["right"] for row in rows)
    print(f"{right} of {len(rows)} right ({right / len(rows):.3f})", dict(sorted(counts.items())))


def main() -> None:
    """Draw relations, or score the judged ones."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draw", type=int)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--store", type=Path)
    given = parser.parse_args()
    if given.draw is None:
        scored()
        return
    rows = [*of_library(given.store)] if given.store else [*of_pools()]
    drawn = rows if given.store else random.Random(given.seed).sample(rows, min(given.draw, len(rows)))
    print(*(json.dumps(row, ensure_ascii=False) for row in drawn), sep="\n")


if __name__ == "__main__":
    main()
