"""Jobs: files on their way into the library."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import NotFound
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents.catalog import IN, many
from core.knowledge.stores.records import Job


@dataclass(frozen=True)
class JobStore:
    """Keeps the queue of ingestion, so that it outlives a crash."""

    database: Database

    def put(self, *jobs: Job) -> None:
        """Write jobs, new or changed; a job keeps its place in the queue."""
        with self.database.writing() as connection:
            connection.executemany(
                "INSERT INTO jobs (id, status, created, body) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET status = excluded.status, created = excluded.created,"
                " body = excluded.body",
                ((job.id, job.status, job.created, job.model_dump_json()) for job in jobs),
            )

    def get(self, job_id: str) -> Job:
        """Return a job; raises NotFound."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT body FROM jobs WHERE id = ?", (job_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no job {job_id}")
        return Job.model_validate_json(row[0])

    def known(self, job_ids: "Sequence[str]") -> "list[str]":
        """Return those of the ids that jobs have."""
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT id FROM jobs WHERE id {IN}", (many(job_ids),)).fetchall()
        return [row[0] for row in rows]

    def _select(self, rest: str, *values: object) -> "Sequence[Job]":
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT body FROM jobs {rest}", values).fetchall()
        return [Job.model_validate_json(row[0]) for row in rows]

    def list(self, limit: int = 100) -> Sequence[Job]:
        """Return jobs, newest first."""
        return self._select("ORDER BY n DESC LIMIT ?", limit)

    def next_queued(self) -> Job | None:
        """Return the job that has waited longest."""
        return next(iter(self._select("WHERE status = 'queued' ORDER BY n LIMIT 1")), None)

    def interrupted(self) -> Sequence[Job]:
        """Return the jobs that were being worked on when the library was last closed."""
        return self._select("WHERE status = 'running' ORDER BY n")

    def delete(self, job_id: str) -> None:
        """Forget a job; its document stays."""
        with self.database.writing() as connection:
            connection.execute("DELETE FROM jobs WHERE id = ?", (job_id,))
