"""The passages that the reader's questions were written over, by their names in `bench/reader_questions/`.

`POOL/ID` is a passage of a public pool (STRATA_BENCH_DATA), `docs/ID` a chunk of the public documents by its
id in a library, `pkg/NAME/N` and `doc/NAME/N` the N-th piece of an installed package's description or
docstring. What is not found, as another version is installed or documents are read otherwise, is left out.
"""

import importlib
import importlib.metadata
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.answers import over
from bench.data import bench_data
from core.cli.eval_answers import read_into

POOLS = ("2wiki", "hotpotqa", "musique", "scifact")
MIN_PIECE_WORDS, MAX_PIECE_WORDS = 45, 170  # words of a piece of documentation
_MARKUP = re.compile(r"<[^>]+>|https?://\S+|\.\. image::.*|:target:.*|:alt:.*")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def pool_passages() -> Iterator[tuple[str, str]]:
    """Yield name and text, with its title as first line, of each passage of the pools."""
    for pool in POOLS:
        for line in bench_data(pool, "corpus.jsonl").open(encoding="utf-8"):
            held = json.loads(line)
            yield f"{pool}/{held['id']}", f"{held['title']}\n{held['text']}"


def document_passages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each chunk of the public documents, read into the library at `folder` where they are not yet."""
    with over(folder) as assistant:
        read_into(assistant, bench_data("docs"))
        for document in assistant.library.contents.documents():
            for chunk in assistant.library.contents.chunks(document.id):
                headings = dict.fromkeys((document.title, *chunk.heading_path))
                yield f"docs/{chunk.id}", f"{' > '.join(filter(None, headings))}\n{chunk.text}"


def package_passages(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of packages' documentation that have these names."""
    wanted = {name.rsplit("/", 1)[0] for name in names}
    for owner in sorted(wanted):
        kind, name = owner.split("/", 1)
        pieces = _described(name) if kind == "pkg" else _documented(name)
        for number, piece in enumerate(pieces):
            yield f"{owner}/{number}", f"{name}\n{piece}"


def _described(package: str) -> list[str]:
    try:
        held = importlib.metadata.metadata(package)
    except importlib.metadata.PackageNotFoundError:
        return []
    text = held.get_payload() or held.get("Description") or ""  # type: ignore[attr-defined]
    text = _MARKUP.sub("", _LINK.sub(r"\1", text))
    return [piece for piece in _pieces(text) if sum(c.isalpha() for c in piece) > 0.6 * len(piece)]


def _documented(name: str) -> list[str]:
    module, _, member = name.rpartition(".")
    try:
        held = getattr(importlib.import_module(module), member)
    except (ImportError, AttributeError):
        return []
    return list(_pieces(inspect.getdoc(held) or ""))


def _pieces(text: str) -> Iterator[str]:
    """Yield paragraphs together, up to `MAX_PIECE_WORDS` words."""
    held: list[str] = []
    count = 0
    for paragraph in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
        words = len(paragraph.split())
        if count + words > MAX_PIECE_WORDS and count >= MIN_PIECE_WORDS:
            yield "\n".join(held)
            held, count = [], 0
        if words <= MAX_PIECE_WORDS:
            held.append(paragraph)
            count += words
    if count >= MIN_PIECE_WORDS:
        yield "\n".join(held)
