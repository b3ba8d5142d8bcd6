"""Everyday words for file formats, as questions use them: "per the csv", "in the slides"."""

import tomllib
from functools import cache
from pathlib import Path

from core.text.tokens import index_words

_FILE = Path(__file__).parent / "file_kinds.toml"


@cache
def kind_words(media_type: str) -> frozenset[str]:
    """Return the words for files of a media type, as the index has words; none for a type not known."""
    matching = (words for start, words in _kinds().items() if media_type.startswith(start))
    return frozenset[str]().union(*matching)


@cache
def _kinds() -> dict[str, frozenset[str]]:
    """Return the words by how the media type begins."""
    table = tomllib.loads(_FILE.read_text("utf-8"))
    return {
        start: frozenset(word for name in names.split() for word in index_words(name))
        for start, names in table.items()
    }
