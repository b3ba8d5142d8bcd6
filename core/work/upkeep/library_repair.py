"""Repairs a library: examined by its files, what is damaged set aside, then opened and rebuilt."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import StrataError
from core.i18n.messages import recorded
from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase
from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from core.knowledge.maintenance.repair_plan import SetAside, SettingAside
from core.knowledge.stores.folder_lock import claim
from core.learning.apply_changes import ChangeApplier
from core.ports import Embedder, Progress
from core.work.upkeep.store_rebuild import Rebuilder, made_again


@dataclass(frozen=True)
class OpenedLibrary:
    """A library opened for repair, and what documents are read and embedded with."""

    library: KnowledgeBase
    ingestion: Ingestion
    embedder: Embedder


@dataclass(frozen=True)
class LibraryRepair:
    """Repairs the library that `diagnosis` looks at; `opened` opens it although stores are missing."""

    diagnosis: LibraryDiagnosis
    opened: Callable[[], OpenedLibrary]
    progress: Progress = lambda message: None

    def repair(self) -> list[str]:
        """Set aside what is damaged and rebuild it; say what was done and what could not be.

        Nothing is deleted. Interrupted, it resumes at the next call; it does not begin while the server that
        keeps the vectors is away. Raises LibraryBusy, DiskFull, KnowledgeError and what `opened` raises.
        """
        with claimed_for_now(self.diagnosis.folder):
            self.diagnosis.ask_server()
            self.progress(recorded("Examining every file."))
            faults = self.diagnosis.faults(deep=True)
            act = SettingAside.begin(self.diagnosis.folder, faults)
            aside = act.work(faults)
        try:
            return [*aside.done, *self._rebuilt(act, aside)]
        except StrataError:
            act.give_up()
            raise

    def _rebuilt(self, act: SettingAside, aside: SetAside) -> list[str]:
        place = self.opened()
        try:
            done = Rebuilder(
                library=place.library,
                ingestion=place.ingestion,
                embedder=place.embedder,
                quarantine=act.quarantine,
                remembered=aside.remembered,
                anew=aside.catalog,
                progress=self.progress,
            ).rebuild()
            if aside.catalog:
                done += made_again(place.library, ChangeApplier(place.library, place.embedder))
            act.finish()
            return done
        finally:
            place.library.close()


@contextmanager
def claimed_for_now(folder: Path) -> Iterator[None]:
    """Keep other processes out of a library's folder for a while. Raises LibraryBusy, KnowledgeError."""
    lock = claim(folder)
    try:
        yield
    finally:
        lock.release()
