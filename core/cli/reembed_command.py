"""strata reembed: gives the library the vectors of the embedding model the settings name."""

import sys

import click

from core.cli.output import FAILED, command, emit, opened


@command("reembed")
@click.option("--drop", is_flag=True, help="Delete the vectors of models that serve no more.")
def reembed(*, drop: bool, as_json: bool) -> None:
    """Make the vectors of the embedding model that is set now; the old ones serve until then.

    The open app does this by itself. What is done is kept if this is interrupted.
    """
    with opened() as assistant:
        change = assistant.library.reembedding
        job = None
        if change is not None:
            change.start()
            while (job := change.wait(1.0)).status == "running":
                click.echo(f"{job.name}: {job.done:,} of {job.total:,}", err=True)
        dropped = assistant.library.drop_old_vectors() if drop else 0
        serving = assistant.library.serving_model()
        old = [model.name or model.model for model in assistant.library.old_models()]
    failed = job is not None and job.status == "failed"
    if as_json:
        emit(
            {
                "serving": serving.name if serving else "",
                "made": job.total if job else 0,
                "dropped": dropped,
                "old": old,
                "failure": job.reason if job and failed else "",
            }
        )
    else:
        click.echo(f"The vectors of {serving.name if serving else 'no model'} serve.")
        if dropped:
            click.echo(f"Dropped those of {dropped} other model{'s' if dropped > 1 else ''}.")
        elif old:
            click.echo(f"Those of {', '.join(old)} take up room; --drop deletes them.")
    if job is not None and failed:
        click.echo(f"{job.reason}\n{job.hint}", err=True)
        sys.exit(FAILED)
