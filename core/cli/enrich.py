"""strata enrich: what a model adds to a collection, estimated, switched on or done now."""

from typing import Any

import click

from core.assistant import Library
from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.i18n.messages import plain, plain_n
from core.work.jobs.background_enrichment import Estimate


@command("enrich")
@click.argument("collection", default="default")
@click.option("--estimate", "only_estimate", is_flag=True, help="Only say what it would take.")
@click.option("--on/--off", "switch", default=None, help="Let the open app do it at leisure, or no longer.")
@click.option("--again", is_flag=True, help="Also the documents a model has enriched already.")
def enrich(collection: str, *, only_estimate: bool, switch: bool | None, again: bool, as_json: bool) -> None:
    """Let a model write questions, statements, relations, tags and summaries of a COLLECTION.

    Without a switch it is done now, document by document; interrupted, it goes on where it was. The open app
    does it at leisure for the collections that are switched on, and pauses while a question is asked.
    """
    with opened() as assistant:
        library = assistant.library
        background_enrichment = library.enrichment()
        if again:
            library.enrich_again(collection)
        if switch is not None:
            background_enrichment.switch(collection, switch)
        estimate = background_enrichment.estimate(collection) if switch is not False else None
        if estimate is not None and not as_json:
            echo(estimate_text(estimate))
        done: list[dict[str, Any]] = []
        if not only_estimate and switch is None:
            done = _now(library, collection, quiet=as_json)
        on = background_enrichment.switched_on()
        if as_json:
            emit(
                {
                    "collection": collection,
                    "estimate": estimate.model_dump() if estimate is not None else None,
                    "on": on is None or collection in on,
                    "enriched": done,
                }
            )
        elif switch is not None:
            state = plain("on") if switch else plain("off")
            echo(f"{collection}: {state}")


def _now(library: Library, collection: str, *, quiet: bool) -> list[dict[str, Any]]:
    """Enrich what waits, one document after the other; return what was done."""
    background_enrichment = library.enrichment()
    done = []
    for document_id in background_enrichment.waiting([collection]):
        background_enrichment.enrich(document_id)
        title = library.contents.document(document_id).title
        done.append({"id": document_id, "title": title})
        if not quiet:
            echo(plain("enriched: {title}", title=title))
    return done


def estimate_text(estimate: Estimate) -> str:
    """Return the estimate in a sentence."""
    if not estimate.calls:
        return plain("{collection}: nothing waits to be enriched.", collection=estimate.collection)
    minutes = estimate.seconds / 60
    return plain(
        "{collection}: {chunks:,} chunks of {documents:,} documents in {calls:,} calls, {time} with {model} "
        "(measured on {measured} calls).",
        collection=estimate.collection,
        chunks=estimate.chunks,
        documents=estimate.documents,
        calls=estimate.calls,
        time=plain("about {minutes:.0f} minutes", minutes=minutes)
        if minutes >= 1.5
        else plain_n("about {n} second", "about {n} seconds", max(1, round(estimate.seconds))),
        model=estimate.model or plain("the model that answers"),
        measured=estimate.measured,
    )
