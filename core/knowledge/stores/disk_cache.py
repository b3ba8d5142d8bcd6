"""Caches on disk: a JSON value and arrays side by side, read back only if both are whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from core.domain import identify
from core.knowledge.stores.documents.originals import digest_of
from core.runtime import memory


def write_cache(folder: Path, name: str, value: object, arrays: Mapping[str, Any]) -> None:
    """Write the value and the arrays under a name; an old cache is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    text, data = folder / f"{name}.tmp.json", folder / f"{name}.tmp.npz"
    np.savez(data, **arrays)
    body = json.dumps([digest_of(data), value])
    text.write_text(f"{identify(body)}\n{body}", encoding="utf-8")
    text.replace(folder / f"{name}.json")
    data.replace(folder / f"{name}.npz")


def read_cache(folder: Path, name: str) -> tuple[Any, dict[str, Any]] | None:
    """Return the value and arrays of `write_cache`; None where they are missing, damaged or half replaced."""
    try:
        own, body = (folder / f"{name}.json").read_text(encoding="utf-8").split("\n", 1)
        if own != identify(body):
            return None
        digest, value = json.loads(body)
        if digest_of(folder / f"{name}.npz") != digest:
            return None
        with np.load(folder / f"{name}.npz") as archive:
            arrays = {key: archive[key] for key in archive.files}
    except (OSError, ValueError, TypeError, KeyError, EOFError, BadZipFile):
        return None
    memory.keep()
    return value, arrays
