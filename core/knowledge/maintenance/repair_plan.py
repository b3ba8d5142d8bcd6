"""The first half of a repair: what is damaged is set aside, and what only the old catalog knew is kept."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain import Value
from core.errors import KnowledgeError
from core.i18n.messages import recorded
from core.knowledge.maintenance.backups import newest_catalog
from core.knowledge.maintenance.diagnosis import (
    DISPOSABLE,
    PLACES,
    UNDER_REPAIR,
    Fault,
    Store,
)
from core.knowledge.maintenance.provenance import Provenance, read_record
from core.knowledge.maintenance.quarantine import Quarantine
from core.knowledge.maintenance.record_files import unreadable
from core.knowledge.maintenance.salvage import salvage
from core.knowledge.maintenance.seal import Seal
from core.knowledge.maintenance.second_copy import COPY
from core.knowledge.stores.documents.originals import RECORD, FileStore
from core.knowledge.stores.whole_files import write_whole

WITH_CATALOG: tuple[Store, ...] = (
    "tokens",
    "keywords",
    "graph",
)  # useless without it


class RepairPlan(Value):
    """A repair that was begun: the stores that are to be rebuilt, and the name of its quarantine."""

    stamp: str
    stores: tuple[Store, ...] = ()


class SetAside(Value):
    """What was done, one sentence each, and where documents of the old catalog came from."""

    done: tuple[str, ...] = ()
    remembered: tuple[Provenance, ...] = ()
    catalog: bool = False  # it is made anew


@dataclass(frozen=True)
class SettingAside:
    """Makes a library ready to be rebuilt. Its caller holds the claim on the folder."""

    folder: Path
    quarantine: Quarantine
    plan: RepairPlan
    resumed: bool = False  # an interrupted repair resumes

    @classmethod
    def begin(cls, folder: Path, faults: Sequence[Fault]) -> "SettingAside":
        """Write down what is to be rebuilt, together with what an interrupted repair left."""
        before = _interrupted(folder)
        stores: dict[Store, None] = dict.fromkeys(before.stores if before else ())
        for fault in faults:
            if fault.store in PLACES:
                stores[fault.store] = None
                stores |= dict.fromkeys(WITH_CATALOG if fault.store == "catalog" else ())
        quarantine = Quarantine(folder, before.stamp) if before else Quarantine.today(folder)
        plan = RepairPlan(stamp=quarantine.stamp, stores=tuple(stores))
        write_whole(folder / UNDER_REPAIR, plan.model_dump_json())
        return cls(folder, quarantine, plan, before is not None)

    def work(self, faults: Sequence[Fault]) -> SetAside:
        """Set aside what the faults are about; keep what a lost catalog knew. Raises KnowledgeError."""
        named = {fault.store for fault in faults}
        if "catalog" in named:
            named |= set(WITH_CATALOG)
        done = []
        aside = [store for store in PLACES if store in named and self.quarantine.take(PLACES[store])]
        if aside:
            done.append(recorded(f"Set aside in {self.quarantine.home}: {', '.join(aside)}."))
        if "records" in named:
            bad = [path.relative_to(self.folder).as_posix() for path in unreadable(self.folder)]
            self.quarantine.take(bad)
            done.append(recorded(f"Set aside in {self.quarantine.home}: {', '.join(bad)}."))
        Seal(self.folder).open()
        if "catalog" not in self.plan.stores:
            return SetAside(done=tuple(done))
        messages, remembered = self._salvage()
        return SetAside(done=(*done, *messages), remembered=remembered, catalog=True)

    def finish(self) -> None:
        """Note that the repair is through."""
        (self.folder / UNDER_REPAIR).unlink(missing_ok=True)

    def give_up(self) -> None:
        """End a repair that failed. It resumes at the next call; where all that is left to do shows by itself
        at each opening (missing vectors, caches), the library may be opened before that."""
        if not self.resumed and set(self.plan.stores) <= {"vectors", *DISPOSABLE}:
            self.finish()

    def _salvage(self) -> tuple[list[str], tuple[Provenance, ...]]:
        messages: list[str] = []
        remembered: dict[str, Provenance] = {}
        sources = (
            self.quarantine.home / "catalog.sqlite",
            self.folder / COPY,
            self.quarantine.home / COPY,
            newest_catalog(self.folder),
        )
        for source in sources:
            if source is None or not source.exists() or not source.stat().st_size:
                continue
            try:
                found = salvage(source, self.folder / "catalog.sqlite")
            except KnowledgeError as error:
                messages.append(recorded(f"Nothing could be read from {source}: {error}"))
                continue
            remembered = {each.document_id: each for each in found.remembered} | remembered
            if found.rows:
                rows = ", ".join(f"{count} {table.replace('_', ' ')}" for table, count in found.rows.items())
                messages.append(recorded(f"Kept from {source}: {rows}."))
            if found.lost:
                messages.append(recorded(f"{found.lost} rows of {source} could not be read."))
        return messages, tuple((remembered | self._records()).values())

    def _records(self) -> dict[str, Provenance]:
        """Return the records beside the originals as they were when the repair began: those of documents
        that it reads in are written anew before all their paths are known again."""
        originals = FileStore(self.folder / "originals")
        record_files = FileStore(self.quarantine.home / "records")
        for document_id in originals.documents() - record_files.documents():
            if (path := originals.find(document_id, RECORD)) is not None:
                record_files.write(document_id, RECORD, path.read_bytes())
        records = {
            document_id: read_record(record_files, document_id) for document_id in record_files.documents()
        }
        return {document_id: record for document_id, record in records.items() if record is not None}


def _interrupted(folder: Path) -> RepairPlan | None:
    try:
        return RepairPlan.model_validate(json.loads((folder / UNDER_REPAIR).read_text("utf-8")))
    except (OSError, ValueError):
        return None
