"""strata ingest, documents, delete."""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from core.assistant import Assistant
from core.cli.ask import match
from core.cli.output import EXIT_FAILED, command, emit, opened
from core.cli.terminal_escaping import echo, json_text
from core.domain import Document
from core.i18n.messages import mark, plain, say_plain
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import Job
from core.text.filenames import text_of

WATCH_SECONDS = 2.0  # seconds
JOB_OUTCOMES = {
    "read": mark("read"),
    "reread": mark("read again"),
    "known": mark("known already"),
    "refused": mark("refused"),
    "failed": mark("failed"),
}


@command("ingest")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH..."
)
@click.option("--collection", default="default", show_default=True)
@click.option(
    "--watch",
    is_flag=True,
    help="Go on and add what is new or changed, until interrupted; with --json, one value a line and file.",
)
@click.option("--follow-links", is_flag=True, help="Read symbolic links that lead out of a folder, too.")
def ingest(
    paths: tuple[Path, ...], *, collection: str, watch: bool, follow_links: bool, as_json: bool
) -> None:
    """Read files and folders into the library; ends with what became of each file."""
    outcomes: Counter[str] = Counter()
    failed = False
    with opened() as assistant:
        if watch:
            for job in _watched(assistant, paths, collection, follow_links):
                outcomes[job.outcome] += 1
                failed |= job.status == "failed"
                if as_json:
                    echo(json_text(json.dumps(job_row(job), ensure_ascii=False)))
        else:
            jobs = _read(assistant, paths, collection, follow_links)
            outcomes.update(job.outcome for job in jobs)
            failed = any(job.status == "failed" for job in jobs)
            if as_json:
                emit([job_row(job) for job in jobs])
    if not as_json:
        labels = {each: label for each, label in JOB_OUTCOMES.items() if each != "reread" or outcomes[each]}
        echo(", ".join(f"{outcomes[each]} {say_plain(label)}" for each, label in labels.items()))
    if failed:
        sys.exit(EXIT_FAILED)


@command("documents")
@click.option("--collection", "collections", multiple=True, help="Only of this collection.")
def documents(*, collections: tuple[str, ...], as_json: bool) -> None:
    """List what the library holds."""
    with opened() as assistant:
        rows = [_document_json(assistant, document) for document in assistant.library.contents.documents()]
    if collections:
        rows = [row for row in rows if set(row["collections"]) & set(collections)]
    if as_json:
        emit(rows)
        return
    for row in rows:
        echo(plain("{id}  {chunks:5} chunks  {media_type:24.24}  {title}", **row))


@command("delete")
@click.argument("document")
def delete(document: str, *, as_json: bool) -> None:
    """Remove a document and everything made from it."""
    with opened() as assistant:
        known = [one.id for one in assistant.library.contents.documents()]
        removal = assistant.library.delete_permanently(match(document, known, "document"))
    if as_json:
        emit(removal.model_dump(mode="json"))
    else:
        removed = ", ".join(f"{count} {what}" for what, count in removal.counts.items() if count)
        remains = ", ".join(f"{count} {what}" for what, count in removal.left.items() if count)
        left = (
            plain("Left of it: {kept}.", kept=remains)
            if remains
            else plain("Nothing of it is left in {places} places.", places=len(removal.left))
        )
        echo(plain("Removed {title}: {gone}. {left}", title=removal.title, gone=removed, left=left))


def _read(assistant: Assistant, paths: Sequence[Path], collection: str, follow_links: bool) -> list[Job]:
    """Wait for the jobs, print the outcome of each and return them."""
    jobs = list(
        assistant.library.wait(assistant.library.ingest(paths, collection, follow_links=follow_links))
    )
    for job in jobs:
        report_job(job)
    return jobs


def _watched(
    assistant: Assistant, paths: Sequence[Path], collection: str, follow_links: bool
) -> Iterator[Job]:
    """Yield jobs as files appear, change and go, until interrupted."""

    def pause() -> bool:
        try:
            time.sleep(WATCH_SECONDS)
        except KeyboardInterrupt:
            return False
        return True

    for seen in assistant.library.watch(paths, collection, pause, follow_links=follow_links):
        for path in seen.gone:
            echo(plain("gone     {path}", path=path), err=True)
        for away in seen.away:
            echo(
                plain(
                    "away     {path}: missing or empty, as a disk that is not mounted is. The library keeps "
                    "what it has of it, {kept} files; use strata delete if they are gone for good.",
                    path=text_of(away.path),
                    kept=away.kept,
                ),
                err=True,
            )
        for job in assistant.library.wait(seen.queued) if seen.queued else ():
            report_job(job)
            yield job


def report_job(job: Job) -> None:
    """Say on stderr what became of a file."""
    why = f": {translated_plain(job.reason)} {translated_plain(job.hint)}" if job.reason else ""
    became = say_plain(JOB_OUTCOMES[job.outcome]) if job.outcome in JOB_OUTCOMES else job.status
    echo(f"{became:13} {job.path}{why}", err=True)


def job_row(job: Job) -> dict[str, Any]:
    """Return what became of a file: a row of the report."""
    return {
        "path": job.path,
        "name": job.name,
        "collection": job.collection,
        "outcome": job.outcome,
        "reason": job.reason,
        "hint": job.hint,
        **{each: job.counts.get(each, 0) for each in ("sections", "chunks", "tables", "figures")},
        "seconds": round(job.seconds, 3),
        "document_id": job.document_id,
        "status": job.status,
        "counts": job.counts,
    }


def _document_json(assistant: Assistant, document: Document) -> dict[str, Any]:
    entries = assistant.library.contents.entries(document.id)
    return {
        **document.model_dump(mode="json", exclude={"metadata"}),
        "paths": [entry.path for entry in entries],
        "collections": sorted({entry.collection for entry in entries}),
        "chunks": len(assistant.library.contents.chunks(document_id=document.id)),
    }
