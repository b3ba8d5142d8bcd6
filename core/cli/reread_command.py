"""strata reread: reads documents again that an earlier version of Strata read."""

import sys
from collections.abc import Sequence

import click

from core.cli.ask import match
from core.cli.documents import job_row, report_job
from core.cli.output import EXIT_FAILED, command, emit, opened
from core.cli.terminal_escaping import echo
from core.domain import Document
from core.i18n.messages import plain, plain_n


@command("reread")
@click.argument("documents", nargs=-1, metavar="[DOCUMENT]...")
def reread(documents: tuple[str, ...], *, as_json: bool) -> None:
    """Read documents again that an earlier version of Strata read, or those that are named.

    Each is read from the original that is kept, or where it was added from, and stays searchable meanwhile;
    one whose new reading fails stays as it is. Interrupted, it goes on at the next start. Passages that a
    reader changed are kept: such a document is read again only where it is named.
    """
    with opened() as assistant:
        rereading = assistant.library.rereading
        known = [one.id for one in assistant.library.contents.documents()]
        named = [match(each, known, "document") for each in documents]
        earlier = rereading.earlier()
        ids = rereading.start(named or None)
        if not as_json and not documents:
            _report_left(plain("its original is gone"), earlier.gone)
            _report_left(plain("a reader changed its passages; name it to read it again"), earlier.edited)
        jobs = []
        for place, job_id in enumerate(ids, 1):
            job = assistant.library.wait([job_id])[0]
            jobs.append(job)
            if not as_json:
                echo(plain("{place:,} of {total:,}  ", place=place, total=len(ids)), err=True, nl=False)
                report_job(job)
    if as_json:
        left = {"gone": earlier.gone, "edited": earlier.edited}
        left_ids = {why: [each.id for each in those] for why, those in left.items()}
        emit({"documents": [job_row(job) for job in jobs], "left": {} if documents else left_ids})
    elif not jobs:
        echo(plain("No document is left that an earlier version of Strata read."))
    else:
        done = sum(job.status == "done" for job in jobs)
        echo(plain_n("{n:,} document was read again.", "{n:,} documents were read again.", done))
    if any(job.status != "done" for job in jobs):
        sys.exit(EXIT_FAILED)


def _report_left(why: str, documents: Sequence[Document]) -> None:
    for each in documents:
        echo(plain("left as it is  {id}  {title}: {why}", id=each.id, title=each.title, why=why), err=True)
