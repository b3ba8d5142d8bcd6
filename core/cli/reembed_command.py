"""strata reembed: gives the library the vectors of the embedding model the settings name."""

import sys

import click

from core.assistant import Assistant
from core.cli.output import EXIT_FAILED, command, emit, opened
from core.cli.terminal_escaping import echo
from core.i18n.messages import plain, plain_n
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import Job


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
                echo(
                    plain("{name}: {done:,} of {total:,}", name=job.name, done=job.done, total=job.total),
                    err=True,
                )
        dropped = assistant.library.drop_old_vectors() if drop else 0
        serving = assistant.library.serving_model()
        old = [model.name or model.model for model in assistant.library.old_models()]
        reason, hint = _failure(job) if change is not None else (_not_loaded(assistant), "")
    if as_json:
        emit(
            {
                "serving": serving.name if serving else "",
                "made": job.total if job else 0,
                "dropped": dropped,
                "old": old,
                "failure": reason,
            }
        )
    else:
        echo(
            plain("The vectors of {name} serve.", name=serving.name)
            if serving
            else plain("No vectors serve.")
        )
        if dropped:
            echo(plain_n("Dropped those of {n} other model.", "Dropped those of {n} other models.", dropped))
        elif old:
            echo(plain("Those of {models} take up room; --drop deletes them.", models=", ".join(old)))
    if reason:
        echo(f"{translated_plain(reason)}\n{translated_plain(hint)}".rstrip(), err=True)
        sys.exit(EXIT_FAILED)


def _failure(job: Job | None) -> tuple[str, str]:
    """Return why the vectors were not made, and what to do; "" where they were."""
    return (job.reason, job.hint) if job is not None and job.status == "failed" else ("", "")


def _not_loaded(assistant: Assistant) -> str:
    """Return why the model of the settings does not take over though it is not the one that serves, or ""."""
    warnings = (each.message for each in assistant.admin.doctor.indexing() if each.severity == "warning")
    return next(warnings, "")
