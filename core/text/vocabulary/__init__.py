"""Words as data: what readers can see and change in TOML files, and nothing in code holds."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Relations:
    """Nouns by which one thing is found through another; `steps`: a noun said in two of them."""

    people: frozenset[str]
    places: frozenset[str]
    seats: frozenset[str]
    steps: Mapping[str, tuple[str, str]]


@lru_cache(maxsize=2)
def relations(language: str) -> Relations:
    """Return the relational nouns of a language, en or zh."""
    table = tomllib.loads((FOLDER / "relations.toml").read_text(encoding="utf-8"))[language]
    steps = {noun: (first, second) for noun, (first, second) in table.get("steps", {}).items()}
    people, places, seats = (frozenset(table[kind].split()) for kind in ("people", "places", "seats"))
    return Relations(people, places, seats, steps)
