"""Puts a backup in the library's place; what stood there is set aside."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.i18n.messages import recorded
from core.knowledge.maintenance.backups import PAGE_FOLDERS, POOL, Backup, Backups, must_be_whole, put_back
from core.knowledge.maintenance.diagnosis import DISPOSABLE, PLACES, Fault, Store
from core.knowledge.maintenance.repair_plan import SettingAside
from core.knowledge.maintenance.seal import Seal
from core.knowledge.stores.database import translated_errors

GIVEN_BY: dict[Store, str] = {"tables": "tables.duckdb", "vectors": "chroma", "tokens": "tokens"}


@dataclass(frozen=True)
class Restoring:
    """Restores one backup. Its caller holds the claim on the folder, and repairs what the backup lacked."""

    library: Path
    backups: Backups
    backup: Backup

    def restore(self) -> list[str]:
        """Return what was done, one sentence each. Raises KnowledgeError for a damaged backup."""
        must_be_whole(self.backups, self.backup)
        home = self.backups.folder / self.backup.name
        gives: list[Store] = ["catalog", *DISPOSABLE]
        gives += [store for store, name in GIVEN_BY.items() if self._has(name)]
        if "tokens" not in gives:
            gives.append("tokens")
        act = SettingAside.begin(self.library, [Fault(store="repair", message="restoring")])
        set_aside = act.quarantine.take(place for store in gives for place in PLACES[store])
        set_aside += act.quarantine.take(name for name in PAGE_FOLDERS if self._has(name))
        Seal(self.library).open()
        later = self._later()
        set_aside += act.quarantine.take(f"{POOL}/{each}" for each in later)
        put_back(self.backup.files, home, self.library)
        self._originals()
        if not self._has("tokens"):
            self._without_tokens()
        done = [recorded(f"The backup {self.backup.name} is in its place.")]
        if set_aside:
            done.append(recorded(f"What was there before was set aside in {act.quarantine.home}."))
        if later:
            done.append(
                recorded(
                    f"{len(later)} documents that came after the backup are among it; add their files again "
                    "to have them back."
                )
            )
        return done

    def _has(self, name: str) -> bool:
        return any(each == name or each.startswith(f"{name}/") for each in self.backup.files)

    def _later(self) -> list[str]:
        there = {path.name for path in (self.library / POOL).glob("*") if path.is_dir()}
        return sorted(there - set(self.backup.documents))

    def _originals(self) -> None:
        """Put back the originals that are not there."""
        pool = self.backups.folder / POOL
        for document_id in self.backup.documents:
            if not (self.library / POOL / document_id).is_dir():
                files = [f"{document_id}/{path.name}" for path in (pool / document_id).glob("*")]
                put_back(files, pool, self.library / POOL)

    def _without_tokens(self) -> None:
        """Let the catalog forget token vectors the backup does not hold; a repair makes them anew."""
        with translated_errors(), closing(sqlite3.connect(self.library / "catalog.sqlite")) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if "token_spans" in tables:
                connection.execute("DELETE FROM token_spans")
                connection.execute("DELETE FROM counters WHERE name IN ('tokens file', 'tokens width')")
                connection.commit()
