"""The trash: the documents of the last removal can be restored, for their files are kept until the next one.

The files are in a folder of the library and are deleted when it is closed, or at the next opening where
that failed. Restoring a document ingests its file again, under the same id; edits of its
chunks, tags and relations are not restored.
"""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain import Entry
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.documents.originals import digest_of
from core.knowledge.stores.records import Removal
from core.text.filenames import path_of, storable
from core.work.jobs.job_queue import JobQueue


@dataclass(frozen=True)
class TrashedDocument:
    """A removed document's file and the paths it had."""

    title: str
    file: Path
    entries: tuple[Entry, ...]


@dataclass
class Trash:
    """Removes documents and restores the last ones."""

    knowledge: KnowledgeBase
    queue: JobQueue
    _trashed: list[TrashedDocument] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.empty()

    def put(self, document_ids: Sequence[str]) -> list[Removal]:
        """Remove documents; what the trash held before is gone for good. Raises NotFound."""
        self.empty()
        done = [self._put(document_id) for document_id in document_ids]
        self.queue.forget(document_ids)
        return done

    @property
    def _folder(self) -> Path:
        return self.knowledge.path / "removed"

    def _put(self, document_id: str) -> Removal:
        document = self.knowledge.document(document_id)
        entries = tuple(self.knowledge.entries(document_id))
        source = self.knowledge.original(document_id)
        if source is not None and entries:
            home = self._folder / document_id
            home.mkdir(parents=True)
            target = home / storable(document.name)
            _keep(source, target)
            self._trashed.append(TrashedDocument(document.title, target, entries))
        return self.knowledge.remove(document_id)

    def titles(self) -> list[str]:
        """Return the titles of the documents that can be restored."""
        return [trashed.title for trashed in self._trashed]

    def restore(self) -> list[str]:
        """Queue the files of the last removal again; return the jobs."""
        jobs = [job for trashed in self._trashed for job in self._queued(trashed)]
        self.empty()
        return jobs

    def _queued(self, trashed: TrashedDocument) -> list[str]:
        jobs = []
        for entry in trashed.entries:
            path = path_of(entry.path)
            if path.is_absolute() and path.is_file() and digest_of(path) == entry.document_id:
                jobs += self.queue.submit([path], entry.collection)
            else:
                with trashed.file.open("rb") as stream:
                    jobs.append(self.queue.upload(entry.path, stream, entry.collection))
        return jobs

    def empty(self) -> None:
        """Delete the files that were kept."""
        self._trashed.clear()
        shutil.rmtree(self._folder, ignore_errors=True)


def _keep(source: Path, target: Path) -> None:
    """Give a file a second name, which takes no room on a full disk; copy it where that cannot be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
