"""Caches on disk: a JSON value and arrays side by side, read back only if both are whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from core import memory


def write_cache(folder: Path, name: str, value: object, arrays: Mapping[str, Any]) -> None:
    """Write the value and the arrays under a name; an old cache is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    number = int.from_bytes(np.random.default_rng().bytes(6), "big")
    text, data = folder / f"{name}.tmp.json", folder / f"{name}.tmp.npz"
    text.write_text(json.dumps([number, value]), encoding="utf-8")
    np.savez(data, cache_number=np.int64(number), **arrays)
    text.replace(folder / f"{name}.json")
    data.replace(folder / f"{name}.npz")


def read_cache(folder: Path, name: str) -> tuple[Any, dict[str, Any]] | None:
    """Return what `write_cache` wrote; None where it is missing, broken or only half replaced."""
    try:
        number, value = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        with np.load(folder / f"{name}.npz") as kept:
            arrays = {key: kept[key] for key in kept.files}
    except (OSError, ValueError, TypeError, KeyError, EOFError, BadZipFile):
        return None
    memory.keep()
    return (value, arrays) if int(arrays.pop("cache_number", -1)) == number else None
