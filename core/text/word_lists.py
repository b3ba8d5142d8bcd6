"""Lists of words as data: a TOML file for each subject in `vocabulary`, with named lists of words."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.text.tokens import word_set

_FOLDER = Path(__file__).parent / "vocabulary"


@cache
def word_file(subject: str) -> Mapping[str, Any]:
    """Return what the file of a subject holds."""
    return tomllib.loads((_FOLDER / f"{subject}.toml").read_text("utf-8"))


def word_list(subject: str, name: str) -> frozenset[str]:
    """Return a list of words by its subject and name; the file separates words by white space."""
    return word_set(word_file(subject)[name])
