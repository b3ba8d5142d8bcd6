"""The second half of a repair: rebuilds what is missing, each store from the others.

Documents come from their kept originals and remembered paths, vectors and token vectors from the texts in the
catalog, rows of tables from the originals. What is there already is left alone, so a repair that was
interrupted resumes where it was.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain import Entry
from core.errors import StrataError
from core.i18n.messages import recorded
from core.ingest.file_outcome import FileOutcome
from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import ChangeKind
from core.knowledge.maintenance.provenance import Provenance, read_record
from core.knowledge.maintenance.quarantine import Quarantine
from core.knowledge.stores.documents.originals import digest_of
from core.knowledge.stores.external_stores import VECTOR_LAYERS
from core.learning.apply_changes import ChangeApplier
from core.ports import Embedder, Progress
from core.text.filenames import path_of, text_of
from core.work.upkeep.serving_embedder import whole

DISTILLED: tuple[ChangeKind, ...] = ("tag removed", "tag replaced", "relation removed", "relation replaced")
BATCH_TEXTS = 64  # texts embedded between two signs of life


@dataclass(frozen=True)
class Rebuilder:
    """Rebuilds an open library; `remembered` says where documents of a lost catalog came from."""

    library: KnowledgeBase
    ingestion: Ingestion
    embedder: Embedder
    quarantine: Quarantine
    remembered: Sequence[Provenance] = ()
    anew: bool = False  # the catalog is made anew: an interrupted repair may have left documents unenriched
    progress: Progress = lambda message: None
    _failed: list[str] = field(default_factory=list)

    def rebuild(self) -> list[str]:
        """Make anew what is missing; return what was done and what could not be, one sentence each."""
        done = [*self._documents(), *self._originals(), *self._tables(), *self._vectors(), *self._tokens()]
        done += self.library.repair(self.quarantine)
        return [*done, *self._failed]

    # -- documents ------------------------------------------------------------------------

    def _documents(self) -> list[str]:
        """Read in the documents whose originals are kept or still lie where they were, in their old order."""
        store = self.library.external.originals
        here = {document.id for document in self.library.documents()}
        self._paths(here)
        wanted = {each.document_id: each for each in self.remembered if each.document_id not in here}
        for document_id in sorted(store.documents() - here):
            record = read_record(store, document_id)
            if record is not None:
                wanted[document_id] = record
            elif document_id not in wanted and (path := store.find(document_id)) is not None:
                wanted[document_id] = Provenance(
                    document_id=document_id, name=path.name, entries=((path.name, "default"),), added=1 << 60
                )
        made: list[str] = []
        for place, record in enumerate(sorted(wanted.values(), key=lambda each: (each.added, each.name)), 1):
            self.progress(recorded(f"Documents: {place} of {len(wanted)}, {record.name}"))
            if self._read_in(record):
                made.append(record.document_id)
        bare = made if not self.anew else [d.id for d in self.library.documents() if not d.summary]
        for place, document_id in enumerate(bare, 1):
            self.progress(recorded(f"Distilled: {place} of {len(bare)}"))
            self._surely(document_id, lambda each=document_id: _exhaust(self.ingestion.enrich(each)))  # type: ignore[misc]
        return [recorded(f"{len(made)} documents were made anew from their originals.")] if made else []

    def _paths(self, here: set[str]) -> None:
        """Point paths to the documents that a repair which was interrupted had read in by then."""
        linked = {entry.path for entry in self.library.entries()} if self.anew else set()
        for record in self.remembered if self.anew else ():
            for path, collection in record.entries:
                if record.document_id in here and path not in linked:
                    self.library.link(Entry(path=path, document_id=record.document_id, collection=collection))

    def _read_in(self, record: Provenance, source: Path | None = None) -> bool:
        """Read one document in from its bytes, and point its paths to it."""
        source = source or self._bytes(record)
        if source is None:
            self._failed.append(
                recorded(
                    f"{record.name} could not be made anew: its original is gone or damaged. Put the file "
                    f"back and run `strata ingest {_path(record)}`."
                )
            )
            return False
        (path, collection), *others = record.entries or ((record.name, "default"),)

        def read() -> None:
            ready = self.ingestion.parse_and_chunk(source, record.name, collection, lambda stage: None, path)
            if ready is not None and not isinstance(ready, FileOutcome):
                self.ingestion.embed([ready], lambda each, stage: None)
                self.ingestion.store([ready])

        if not self._surely(record.name, read):
            return False
        for path, collection in others:
            self.library.link(Entry(path=path, document_id=record.document_id, collection=collection))
        return True

    def _bytes(self, record: Provenance) -> Path | None:
        """Return a file with a document's bytes: the kept original, or one at a path it came from."""
        original = self.library.original(record.document_id)
        for path in (original, *(path_of(path) for path, _ in record.entries)):
            if path is not None and path.is_file() and digest_of(path) == record.document_id:
                return path
        if original is not None:
            self.quarantine.take([f"originals/{record.document_id}"])
        return None

    def _surely(self, name: str, act: Callable[[], object]) -> bool:
        """Do one document's part; what fails costs that document alone."""
        try:
            act()
        except StrataError as error:
            self._failed.append(f"{name}: {error} {error.hint}")
            return False
        return True

    # -- originals ------------------------------------------------------------------------

    def _originals(self) -> list[str]:
        """Put originals back that are missing or damaged, from the paths they came from."""
        back = 0
        library = self.library
        for document in library.documents():
            original = library.original(document.id)
            if original is not None and digest_of(original) == document.id:
                continue
            if original is not None:
                self.quarantine.take([f"originals/{document.id}"])
            paths = [path_of(entry.path) for entry in library.entries(document.id)]
            found = next((p for p in paths if p.is_file() and digest_of(p) == document.id), None)
            if found is not None:
                library.keep_original(document.id, found, document.name)
                back += 1
            else:
                self._failed.append(
                    recorded(
                        f"The original of {document.title} is gone; its text is in the library. Put the file "
                        f"back and run `strata ingest {text_of(paths[0]) if paths else document.name}`."
                    )
                )
        stale = library.provenance.differ()
        library.provenance.write(stale)
        done = [recorded(f"{back} originals were copied from where they came from.")] if back else []
        return [
            *done,
            *([recorded(f"The records beside {len(stale)} originals were written anew.")] if stale else []),
        ]

    # -- tables ---------------------------------------------------------------------------

    def _tables(self) -> list[str]:
        """Read the rows of tables again that are missing."""
        stored = self.library.external.tables.names()
        lacking = {t.document_id for t in self.library.tables() if t.sql_name not in stored}
        made = 0
        for place, document_id in enumerate(sorted(lacking), 1):
            self.progress(recorded(f"Tables: {place} of {len(lacking)} documents"))
            document = self.library.document(document_id)
            entries = tuple((e.path, e.collection) for e in self.library.entries(document_id))
            record = Provenance(document_id=document_id, name=document.name, entries=entries, added=0)
            source = self._bytes(record)
            if source is None:
                self._failed.append(
                    recorded(
                        f"The rows of {document.title} could not be read again: its original is gone. Put "
                        f"the file back and run `strata ingest {_path(record)}`, "
                        "then `strata doctor --repair`."
                    )
                )
                continue
            made += self._surely(document.name, lambda s=source, r=record: self._rows(s, r))  # type: ignore[misc]
        return [recorded(f"The rows of {made} documents were read again.")] if made else []

    def _rows(self, source: Path, record: Provenance) -> None:
        cards = {table.id: table for table in self.library.tables(record.document_id)}
        read = self.ingestion.tables(source, self.library.document(record.document_id))
        if {table.id for table, _ in read} >= cards.keys():
            for table, data in read:
                if table.id in cards:
                    self.library.external.tables.put(cards[table.id], data)
        else:  # it is read differently today: the whole document is made anew
            home = self.quarantine.home / "replaced" / record.document_id
            home.mkdir(parents=True, exist_ok=True)
            copy = Path(shutil.copy(source, home))
            self.library.remove(record.document_id)
            if self._read_in(record, copy):
                _exhaust(self.ingestion.enrich(record.document_id))

    # -- vectors --------------------------------------------------------------------------

    def _vectors(self) -> list[str]:
        """Make the vectors that are missing, of the model that serves."""
        embeddings = self.library.embeddings
        serving = embeddings.serving()
        made = 0
        for layer in VECTOR_LAYERS if serving is not None else ():
            assert serving is not None
            waiting = embeddings.missing(serving.digest, layer)
            for start in range(0, len(waiting), BATCH_TEXTS):
                self.progress(recorded(f"Vectors of {layer}: {start} of {len(waiting)}"))
                texts = embeddings.texts(layer, waiting[start : start + BATCH_TEXTS])
                if texts:
                    vectors = whole(self.embedder, list(texts.values()), tokens=False).vectors
                    embeddings.put(serving.digest, layer, list(texts), vectors)
                    made += len(texts)
        return [recorded(f"{made} vectors were made anew.")] if made else []

    def _tokens(self) -> list[str]:
        """Make the token vectors that are missing, where the embedder gives any."""
        self.library.tokens.repair()
        embeddings = self.library.embeddings
        waiting = embeddings.without_tokens(lost=True)
        made = 0
        for start in range(0, len(waiting), BATCH_TEXTS):
            self.progress(recorded(f"Token vectors: {start} of {len(waiting)}"))
            texts = embeddings.texts("chunks", waiting[start : start + BATCH_TEXTS])
            tokens = whole(self.embedder, list(texts.values())).tokens if texts else None
            if tokens is None:
                break
            embeddings.put_tokens(list(zip(texts, tokens, strict=True)))
            made += len(texts)
        return [recorded(f"The token vectors of {made} passages were made anew.")] if made else []


def made_again(library: KnowledgeBase, changer: ChangeApplier) -> list[str]:
    """Make what enriching anew undid again: changes of the distilled layer, verified answers; say which could
    not be."""
    messages = changes_again(library, changer)
    for answer in library.learned.verified.list():
        try:
            changer.place_atom(answer)
        except StrataError as error:
            messages.append(
                recorded(f"The verified answer to “{answer.question}” could not be placed: {error}")
            )
    return messages


def changes_again(library: KnowledgeBase, changer: ChangeApplier) -> list[str]:
    """Make the changes of tags and relations again that enriching anew undid; say which could not be."""
    messages: list[str] = []
    for change in reversed(library.learned.changes.list("active")):
        if change.kind in DISTILLED:
            try:
                changer.make(change)
            except StrataError as error:
                messages.append(
                    recorded(f"What was learnt as “{change.name}” could not be made again: {error}")
                )
    return messages


def _path(record: Provenance) -> str:
    return record.entries[0][0] if record.entries else record.name


def _exhaust(steps: Iterable[object]) -> None:
    for _ in steps:
        pass
