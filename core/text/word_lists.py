"""Lists of words as data: one TOML file a subject in `vocabulary`, a list of words a name."""

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
    """Return one list of words of a subject, written in the file with white space between the words."""
    return word_set(word_file(subject)[name])
