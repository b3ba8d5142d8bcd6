"""Documents that an earlier version of Strata read are read again, one after the other, from their originals.

The queue does the work, after all files that are new: it resumes after a restart, and a document whose new
reading fails stays as it was.
"""

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.domain import Document
from core.ingest.original_files import has_original
from core.ingest.reading_version import is_earlier, reading_versions
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.records import Job
from core.work.jobs.job_queue import JobQueue


@dataclass(frozen=True)
class EarlierReadings:
    """Documents that were read by an earlier version: what can be read again, and what is left as it is."""

    ready: tuple[Document, ...] = ()
    gone: tuple[Document, ...] = ()  # no file with their bytes is left
    edited: tuple[Document, ...] = ()  # a reader changed passages, which another reading would undo


@dataclass
class Rereading:
    """Finds the documents, and queues them to be read again."""

    knowledge: KnowledgeBase
    queue: JobQueue

    @cached_property
    def _versions(self) -> Mapping[str, str]:
        return reading_versions(self.knowledge.cache)

    def earlier(self) -> EarlierReadings:
        """Return the documents read by an earlier version, but for those on their way."""
        busy = {job.document_id for job in self.queue.unfinished()}
        outdated = [each for each in self.knowledge.documents() if is_earlier(each, self._versions)]
        return self._sorted([each for each in outdated if each.id not in busy])

    def _sorted(self, documents: Sequence[Document]) -> EarlierReadings:
        edited = self.knowledge.edited_documents() if documents else set()
        ready: list[Document] = []
        lost: list[Document] = []
        for document in documents:
            if document.id not in edited:
                (ready if has_original(self.knowledge, document.id) else lost).append(document)
        return EarlierReadings(
            tuple(ready), tuple(lost), tuple(each for each in documents if each.id in edited)
        )

    def start(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """Queue documents, those that were read by an earlier version unless they are named; return the jobs
        that read them again, also those that were queued before. Raises NotFound."""
        going = {job.document_id: job.id for job in self.queue.unfinished() if job.kind == "reread"}
        wanted = (
            self.earlier().ready
            if document_ids is None
            else tuple(self.knowledge.document(each) for each in document_ids)
        )
        jobs = [self._job(each) for each in wanted if each.id not in going]
        self.queue.put(jobs)
        named = (
            going if document_ids is None else {each: going[each] for each in document_ids if each in going}
        )
        return [*named.values(), *(job.id for job in jobs)]

    def _job(self, document: Document) -> Job:
        entry = self.knowledge.entries(document.id)[0]
        now = time.time()
        return Job(
            id=uuid.uuid4().hex,
            path=entry.path,
            name=document.name,
            kind="reread",
            collection=entry.collection,
            created=now,
            updated=now,
            document_id=document.id,
        )
