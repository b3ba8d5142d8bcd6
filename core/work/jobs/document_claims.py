"""Claims of jobs on file contents: two files with the same bytes are never ingested at once."""

from collections.abc import Collection
from threading import Lock


class DocumentClaims:
    """Documents claimed by jobs, and the jobs that wait for one. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owners: dict[str, str] = {}  # document id -> the job that works on it
        self._refused: dict[str, str] = {}  # job -> the document id another job works on
        self._waiting: dict[str, str] = {}  # the same, once the job is known to wait

    def claim(self, document_id: str, job_id: str) -> bool:
        """Say whether no other job works on these bytes; from now on this one does."""
        with self._lock:
            if self._owners.setdefault(document_id, job_id) == job_id:
                return True
            self._refused[job_id] = document_id
            return False

    def wait(self, job_id: str) -> None:
        """Let a job whose claim was refused wait for the document. Raises KeyError for any other."""
        with self._lock:
            self._waiting[job_id] = self._refused.pop(job_id)

    def release(self, busy: Collection[str]) -> list[str]:
        """Drop the claims of jobs that are not busy any more; return the jobs whose wait is over."""
        with self._lock:
            self._owners = {document: job for document, job in self._owners.items() if job in busy}
            free = [job for job, document in self._waiting.items() if document not in self._owners]
            for job in free:
                del self._waiting[job]
            return free
