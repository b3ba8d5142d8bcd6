"""Dated values and events read from prose for a forecast: `python -m bench.prose_series`.

Each passage of `prose_series/` is given to `ExtractSeries`, and what comes back to the check that a forecast
makes (`core.forecast.extraction.checked`). Scored are values, (period, number) pairs, and events, by period.
Read by the built-in rules; with `--double` the same through Ollama's protocol; with `--liar` through the
protocol by a model that says of every passage what rules say and beside it a value of a year that the passage
does not name, a number changed in its last figure, and words that do not stand there: how much of that is
kept. With `--host` a served model is asked.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from core.domain import Chunk, Evidence
from core.forecast.extraction import Extraction, checked
from core.forecast.request import read_question
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from core.ports import LLM
from core.tasks import ExtractSeries, SeriesExtracted
from core.text.tokens import detect_language
from tests.ollama_brain import StrataBrain
from tests.ollama_double import Asked, OllamaDouble

HERE = Path(__file__).parent / "prose_series"
UNNAMED_YEAR = "1907"


class Found(NamedTuple):
    """What is right of what was read and of what stands there."""

    right: int
    read: int
    there: int

    def __str__(self) -> str:
        precision, recall = self.right / max(1, self.read), self.right / max(1, self.there)
        counts = f"{self.right} of {self.read} read, {self.there} there"
        return f"precision {precision:.3f}, recall {recall:.3f} ({counts})"


def extract(llm: LLM, row: dict[str, Any]) -> Extraction:
    """Return what is read of a passage and stands there."""
    piece = Evidence(n=1, text=row["text"], source=row["source"])
    chunk = Chunk(
        id="c", document_id="d", section_id="s", text=row["text"], heading_path=(), order=0, tokens=60
    )
    task = ExtractSeries(
        question=row["question"], evidence=(piece,), language=detect_language(row["question"])
    )
    return checked(llm.run(task, SeriesExtracted), [(piece, chunk)], read_question(row["question"]))


def measure(llm: LLM, rows: Sequence[dict[str, Any]], *, say: bool) -> dict[str, str]:
    """Return the figures of values and of events, and how many passages are read whole with no fault."""
    counted = {"values": [0, 0, 0], "events": [0, 0, 0]}
    whole = dropped = 0
    for row in rows:
        made = extract(llm, row)
        found: dict[str, set[Any]] = {
            "values": {(r.period, round(r.value, 6)) for r in made.rows},
            "events": {event.period for event in made.events},
        }
        gold: dict[str, set[Any]] = {
            "values": {(period, float(value)) for period, value in row["values"]},
            "events": set(row["events"]),
        }
        for kind, counts in counted.items():
            for place, much in enumerate((found[kind] & gold[kind], found[kind], gold[kind])):
                counts[place] += len(much)
        whole += found == gold
        dropped += len(made.dropped)
        if say and found != gold:
            missed = {kind: sorted(gold[kind] - found[kind]) for kind in gold}
            wrong = {kind: sorted(found[kind] - gold[kind]) for kind in gold}
            print(row["id"], "missed", missed, "wrong", wrong, list(made.dropped))
    return {
        **{kind: str(Found(*counts)) for kind, counts in counted.items()},
        "passages": f"{whole} of {len(rows)} whole, {dropped} drafts dropped",
    }


def liar(truth: Callable[[Asked], str]) -> Callable[[Asked], str]:
    """Return a model's mind that adds three untrue values to what another says."""

    def say(asked: Asked) -> str:
        reply = json.loads(truth(asked))
        if reply.get("values"):
            first = reply["values"][0]
            amount = first["amount"].rstrip("%")
            digit = next(place for place in reversed(range(len(amount))) if amount[place].isdigit())
            changed = amount[:digit] + str((int(amount[digit]) + 1) % 10) + amount[digit + 1 :]
            reply["values"] += [
                {**first, "when": UNNAMED_YEAR},
                {**first, "amount": changed},
                {**first, "quote": f"As is known, {first['quote']}"},
            ]
        return json.dumps(reply, ensure_ascii=False)

    return say


@contextmanager
def engine(given: argparse.Namespace) -> Iterator[LLM]:
    """Give what is asked."""
    if given.host:
        yield OllamaLLM(given.host)
    elif given.double or given.liar:
        brain = StrataBrain()
        with OllamaDouble(liar(brain) if given.liar else brain) as server:
            yield OllamaLLM(server.host)
    else:
        yield BuiltinLLM()


def main() -> None:
    """Print the figures of a half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=["look", "report"], default="report")
    parser.add_argument("--double", action="store_true", help="through the protocol, answered by the rules")
    parser.add_argument("--liar", action="store_true", help="through the protocol, with untrue values beside")
    parser.add_argument("--host", help="address of a server with a model")
    given = parser.parse_args()
    rows = [json.loads(line) for line in (HERE / f"{given.half}.jsonl").read_text("utf-8").splitlines()]
    with engine(given) as llm:
        for kind, text in measure(llm, rows, say=given.half == "look").items():
            print(f"{kind}: {text}")


if __name__ == "__main__":
    main()
