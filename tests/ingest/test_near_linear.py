"""A text of one short pattern, over and over: its cost grows as it does, not as its square."""

import time
from pathlib import Path

import pytest

from core.domain import Document
from core.errors import ParseError
from core.ingest.chunker import Chunker
from core.ingest.parsers import read
from core.ingest.references import own_codes, references_of
from tests.ingest.ingestion_parts import WordEmbedder

PATTERNS = (
    "a; ", "a, ", "a. ", "(a) ", "[1] ", "1, ", "- a\n", "# a\n", "a: b\n", "| a ", "A-1 ", "a/", "x=1 ",
    '"a" ', "e.g. ", "(", "[", "http://a ", "a@b.c ", "见图1。", "Fig. 1 ", "1.", "a;b\n", "{", "<a>",
    "a\t", "**a** ", "`a` ", "2024-01-01 ", "10 °C ", "and ", "静", "...", "a\n\n",
    "> ", "_", "=\n", "see SOP-1 ", "a",
)  # fmt: skip
SIZE, TIMES = 15_000, 4
SQUARE = TIMES * TIMES  # what quadratic work would take; linear work takes TIMES
FLOOR = 0.15  # seconds below which a machine's noise is all there is


def seconds(path: Path, text: str) -> float:
    """Return the processor's seconds from the bytes to chunks with their references."""
    path.write_text(text, "utf-8")
    embedder = WordEmbedder()
    began = time.process_time()
    try:
        parsed = read(path, path.name)
        document = Document(id="d" * 20, title="x", media_type=parsed.media_type, name=path.name)
        cut = Chunker(embedder.count, embedder.window).chunk(document, parsed)
        codes, _ = own_codes(document, cut.chunks)
        references_of(document, cut.chunks, cut.links, codes)
    except ParseError:
        pass  # refused; how long that took counts too
    return time.process_time() - began


@pytest.mark.parametrize(
    "suffixes",
    [
        (".txt",),
        pytest.param((".md", ".csv", ".html", ".rst", ".sql", ".xml", ".yaml"), marks=pytest.mark.slow),
    ],
)
def test_a_repeated_pattern_takes_time_in_proportion_to_its_length(tmp_path: Path, suffixes):
    seconds(tmp_path / "warm.txt", "a. " * 100)
    steep = []
    for suffix in suffixes:
        for pattern in PATTERNS:
            path = tmp_path / f"x{suffix}"
            long = seconds(path, pattern * (TIMES * SIZE // len(pattern)))
            if long <= 0.65 * SQUARE * FLOOR:
                continue
            short = max(seconds(path, pattern * (SIZE // len(pattern))), FLOOR)
            if long > 0.65 * SQUARE * short:  # once more: other work on the machine slows this, too
                long = min(long, seconds(path, pattern * (TIMES * SIZE // len(pattern))))
            if long > 0.65 * SQUARE * short:
                steep.append((suffix, pattern, round(short, 2), round(long, 2)))
    assert steep == []


def test_two_hundred_kilobytes_of_pieces_are_placed_without_counting_all_of_them_again(tmp_path: Path):
    short, long = (seconds(tmp_path / "x.txt", "a; " * n) for n in (16_000, 64_000))
    assert long < 8 * max(short, FLOOR)
