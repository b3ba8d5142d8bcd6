"""Examines, repairs, backs up and restores the library of the settings, without building all around it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.bootstrap.access_findings import access_findings, folder_findings
from core.bootstrap.ingest_wiring import ingestion_of
from core.bootstrap.library_wiring import open_library
from core.bootstrap.model_wiring import embedder_of, engine_of, model_server
from core.domain import Scope
from core.errors import KnowledgeError, StrataError
from core.i18n.messages import recorded
from core.ingest.reading_version import reading_versions, version_of
from core.knowledge.maintenance.backups import Backup, Backups
from core.knowledge.maintenance.diagnosis import Fault, LibraryDiagnosis
from core.knowledge.maintenance.quarantine import QUARANTINE, size_of
from core.knowledge.maintenance.restore import Restoring
from core.knowledge.maintenance.seal import Seal
from core.knowledge.stores import read_only
from core.knowledge.stores.documents.originals import FileStore
from core.knowledge.stores.documents.totals import StoredReading, counts, sample_texts, stored_readings
from core.knowledge.stores.folder_lock import claimed, must_be_a_folder
from core.knowledge.stores.vector_index.library_collections import server_at
from core.ports import Progress
from core.settings import Settings, unknown_names
from core.text.english import english_model
from core.work.checks.health import SAMPLE_PASSAGES, Doctor, Health, HealthFinding
from core.work.upkeep.library_repair import LibraryRepair, OpenedLibrary, claimed_for_now

REPAIR = "strata doctor --repair"


def health_of(settings: Settings) -> Health:
    """Examine everything without opening the library: beside an open app too, and in a folder that cannot be
    written to. Raises KnowledgeError where the library's path is no folder."""
    from core.bootstrap import effective

    folder = settings.store.path
    must_be_a_folder(folder)
    counts, serving, texts, earlier = _catalog(folder)
    server, roles = model_server(settings)

    def english_only() -> bool:
        # Of a model that serves a library nobody has opened, only the name is known.
        return english_model(serving) if serving else embedder_of(settings).english_only

    return Doctor(
        findings=lambda: _findings(settings),
        counts=lambda: counts,
        server=server,
        roles=roles,
        embedder=lambda: serving or embedder_of(settings).name,
        english_only=english_only,
        indexing=tuple,
        reranker=settings.rerank.backend,
        settings=effective(settings),
        unknown=unknown_names,
        folder=str(folder.resolve()),
        texts=lambda: texts,
        earlier=lambda: earlier,
    ).check()


def faults_of(settings: Settings) -> list[Fault]:
    """Return every fault of the library's stores."""
    return _diagnosis(settings).faults(deep=True)


def _diagnosis(settings: Settings) -> LibraryDiagnosis:
    return LibraryDiagnosis(settings.store.path, server_at(settings.store.chroma_url))


def _catalog(folder: Path) -> tuple[dict[str, int], str, list[str], int]:
    """Return the catalog's counts, the embedding model in use, samples of the library's prose, and how many
    documents can be read again, for an earlier version read them."""
    path = folder / "catalog.sqlite"
    if not path.exists() or not path.stat().st_size:
        return {}, "", [], 0
    try:
        with read_only.reading_only(path) as connection:
            row = connection.execute("SELECT name FROM embedders WHERE state = 'serving'").fetchone()
            name = "" if row is None else str(row[0])
            earlier = sum(_can_be_reread(each, folder) for each in stored_readings(connection))
            return counts(connection, Scope()), name, sample_texts(connection, SAMPLE_PASSAGES), earlier
    except KnowledgeError:  # the findings say what is wrong with it
        return {}, "", [], 0


def _can_be_reread(reading: StoredReading, folder: Path) -> bool:
    """Say whether an earlier version read a document that `strata reread` would read again."""
    if reading.edited or reading.version == version_of(reading.media_type, reading_versions()):
        return False
    original = FileStore(folder / "originals").find(reading.document_id)
    return original is not None or any(
        Path(path).is_absolute() and Path(path).is_file() for path in reading.paths
    )


def _findings(settings: Settings) -> Iterator[HealthFinding]:
    folder = settings.store.path
    if claimed(folder):
        yield HealthFinding(
            severity="note",
            message=recorded("Another process has the library open; what only it can read was left out."),
        )
    yield from folder_findings(folder)
    for fault in faults_of(settings):
        severity = "error" if fault.stops else "warning"
        command = "" if fault.store == "server" else REPAIR
        yield HealthFinding(severity=severity, message=fault.message, command=command)  # type: ignore[arg-type]
    yield from access_findings(folder)
    if aside := size_of(folder):
        megabytes = f"{aside / 1e6:.1f}"
        yield HealthFinding(
            severity="note",
            message=recorded(f"Repairs set {megabytes} MB aside; delete them when all is well."),
            command=f"rm -r {folder / QUARANTINE}",
        )


def repair(settings: Settings, progress: Progress) -> list[str]:
    """Set aside what is damaged and rebuild it; return what was done and what could not be, a sentence each.

    Nothing is deleted. Raises LibraryBusy, DiskFull, KnowledgeError, SettingsError, LLMError.
    """

    def opened() -> OpenedLibrary:
        opened_library = open_library(settings, repairing=True)
        engine = engine_of(settings, opened_library.library, opened_library.embedder)
        return OpenedLibrary(
            library=opened_library.library,
            ingestion=ingestion_of(
                settings, opened_library.library, opened_library.embedder, engine.llm, engine.plain
            ),
            embedder=opened_library.embedder,
        )

    return LibraryRepair(_diagnosis(settings), opened, progress).repair()


def trust(settings: Settings) -> None:
    """Accept the files as they are now, changed by hand: they are no longer compared with the seal.

    Raises LibraryBusy, KnowledgeError where a store is damaged.
    """
    folder = settings.store.path
    with claimed_for_now(folder):
        Seal(folder).open()
        wrong = [fault.message for fault in faults_of(settings) if fault.stops]
    if wrong:
        raise KnowledgeError(" ".join(wrong[:3]), hint=f"Run `{REPAIR}`.")


def back_up(settings: Settings, elsewhere: Path | None, keep: int, progress: Progress) -> Backup:
    """Back the library up and keep the newest `keep` backups; beside an open app only catalog and originals.

    Raises NotFound, DiskFull, KnowledgeError; the last also where the library is damaged, so that a good
    backup is never removed in favour of a bad one.
    """
    folder = settings.store.path
    must_be_a_folder(folder)
    backups = Backups(folder, elsewhere)
    wrong = [fault.message for fault in _diagnosis(settings).faults() if fault.stops]
    if wrong:
        raise KnowledgeError(" ".join(wrong[:3]), hint=f"Run `{REPAIR}` first; no backup was made.")
    if not (folder / "catalog.sqlite").exists() or claimed(folder):
        return backups.make("asked", keep, at_rest=False, progress=progress)
    with claimed_for_now(folder):
        return backups.make("asked", keep, at_rest=True, progress=progress)


def backups_of(settings: Settings, elsewhere: Path | None) -> Sequence[Backup]:
    """Return the backups, newest first. Raises KnowledgeError where the library's path is no folder."""
    must_be_a_folder(settings.store.path)
    return Backups(settings.store.path, elsewhere).list()


def restore(settings: Settings, name: str, elsewhere: Path | None, progress: Progress) -> list[str]:
    """Put a backup in the library's place and make anew what it lacks; return what was done.

    Raises NotFound, LibraryBusy, DiskFull, KnowledgeError.
    """
    must_be_a_folder(settings.store.path)
    backups = Backups(settings.store.path, elsewhere)
    backup = backups.get(name)
    with claimed_for_now(settings.store.path):
        _diagnosis(settings).ask_server()
        progress(recorded(f"Restoring {backup.name}."))
        done = Restoring(settings.store.path, backups, backup).restore()
    try:
        return [*done, *repair(settings, progress)]
    except StrataError as error:
        error.add_note(" ".join(done))
        raise
