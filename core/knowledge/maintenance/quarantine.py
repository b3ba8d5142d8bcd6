"""Sets files aside instead of deleting them, in a folder of the library that bears the date."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.knowledge.stores.database import translated_errors

QUARANTINE = "quarantine"


@dataclass(frozen=True)
class Quarantine:
    """The files set aside in the course of one repair, under the paths they had in the library."""

    folder: Path
    stamp: str

    @classmethod
    def today(cls, folder: Path) -> "Quarantine":
        """Return the quarantine of a repair that begins now."""
        return cls(folder, time.strftime("%Y%m%d-%H%M%S"))

    @property
    def home(self) -> Path:
        return self.folder / QUARANTINE / self.stamp

    def take(self, names: Iterable[str]) -> list[Path]:
        """Move files and folders there, by their names in the library; return where they are now."""
        moved = []
        with translated_errors():
            for name in names:
                source = self.folder / name
                if source.exists() or source.is_symlink():
                    target = _free(self.home / name)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    source.rename(target)
                    moved.append(target)
        return moved


def size_of(folder: Path) -> int:
    """Return the bytes of all that lies in quarantine."""
    return sum(path.stat().st_size for path in (folder / QUARANTINE).rglob("*") if path.is_file())


def _free(path: Path) -> Path:
    candidate, more = path, 1
    while candidate.exists():
        more += 1
        candidate = path.with_name(f"{path.name}-{more}")
    return candidate
