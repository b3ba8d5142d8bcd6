"""What tag pairs bring to questions in everyday words: `python -m bench.colloquial --store DIR`.

Asks a copy of a library over the open documents (`strata ingest` of docs/) the held-out half of
`colloquial_questions`, in everyday words and in the documents' terms: first as it is, then with tag classes
alone (`strata learn tags`: clustered, or of a model where OLLAMA_HOST names one), then with the other half as
samples (`--samples FILE`). Hit@5: share of the questions for which one of the first five passages gathered
holds the text that answers.
"""

import argparse
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.answers import over
from core.assistant import Assistant
from core.domain import Scope
from core.trace import Event, WordsMapped

QUESTIONS = Path(__file__).parent / "colloquial_questions" / "pairs.jsonl"
MAX_PASSAGES = 5
Rows = Sequence[dict[str, Any]]


class Measured(NamedTuple):
    """The share of questions with a hit, and of how many the words were read as others."""

    hits: float
    mapped: int


def ask(assistant: Assistant, rows: Rows, voice: str) -> Measured:
    """Gather for each question as a part of a run would, its words read as the library's first."""
    gatherer = assistant.learning.gatherer()
    hits = mapped = 0
    for row in rows:
        events: list[Event] = []
        question, replaced = gatherer.term_mapper.read(row[voice])
        found = gatherer.gather(question, Scope(), events.append).passages[:MAX_PASSAGES]
        texts = [" ".join(passage.chunk.text.split()) for passage in found]
        hits += any(phrase in text for phrase in row["says"] for text in texts)
        mapped += bool(replaced) or any(isinstance(event, WordsMapped) for event in events)
    return Measured(hits / len(rows), mapped)


def states(assistant: Assistant, learnt: Rows, asked: Rows) -> None:
    """Print one line before anything is learnt, one after clustering, one after the samples."""
    samples = [(row["colloquial"], row["answer"]) for row in learnt]
    for state in ("as it is", "classes alone", "classes and pairs from samples"):
        classes = 0
        if state != "as it is":
            classes = len(assistant.learning.learn_tags(samples if "samples" in state else ()))
        pairs = [f"{pair.said} -> {pair.meant}" for pair in assistant.learning.tag_pairs()]
        for voice in ("colloquial", "technical"):
            hits, mapped = ask(assistant, asked, voice)
            print(
                f"{state}, {voice}: hit@{MAX_PASSAGES} {hits:.3f}, words read anew in {mapped} of"
                f" {len(asked)}; {classes} classes, {len(pairs)} pairs {pairs}"
            )


def main() -> None:
    """Copy the library, so that what is learnt stays out of it, and print the states."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", type=Path, required=True, help="folder of a library of the open documents")
    parser.add_argument("--half", choices=("held", "learn"), default="held", help="the half that is asked")
    given = parser.parse_args()
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library"
        shutil.copytree(given.store, copy)
        with over(copy) as assistant:
            learnt = [row for row in rows if row["half"] == "learn"]
            states(assistant, learnt, [row for row in rows if row["half"] == given.half])


if __name__ == "__main__":
    main()
