"""How much evidence a model must read: `python -m bench.reading [--reading 600 900 1200] [--json]`.

Composites of MuSiQue's single hops are asked through a double of Ollama whose mind are the built-in rules. Of
each part it is counted whether its gold passage is in what the call that writes the answer was given, and
how many tokens that is.
"""

import argparse
import json
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.data import bench_data
from bench.reasoning import composites, fill, held_in, single_hops
from core.bootstrap import build
from core.settings import LLMSettings, RetrievalSettings, Settings, StoreSettings
from core.tasks import Answer
from tests.ollama_brain import read_back
from tests.ollama_double import OllamaDouble
from tests.ollama_protocol import count_tokens


def measure(folder: Path, questions: Sequence[dict[str, Any]], reading: int) -> dict[str, float]:
    """Return the share of parts whose passage is read, and the mean tokens of the prompt that holds it."""
    texts = {
        passage["id"]: passage["text"]
        for passage in map(json.loads, bench_data("musique", "corpus.jsonl").read_text("utf-8").splitlines())
    }
    found: list[bool] = []
    tokens: list[int] = []
    with OllamaDouble() as double:
        assistant = build(
            Settings(
                store=StoreSettings(path=folder),
                llm=LLMSettings(backend="ollama", host=double.host),
                retrieval=RetrievalSettings(reading=reading),
            )
        )
        try:
            for question in questions:
                seen = len(double.chats())
                assistant.questions.wait(assistant.questions.ask(question["question"], effort="balanced"))
                messages = [body["messages"] for body in double.chats()[seen:]]
                prompts = [(m[1]["content"], read_back(m[0]["content"], m[1]["content"])) for m in messages]
                answers = [(text, task) for text, task in prompts if isinstance(task, Answer)]
                evidence = [piece.text for piece in answers[-1][1].evidence] if answers else []
                tokens += [count_tokens(answers[-1][0])] if answers else []
                found += [held_in(evidence, texts[part["gold_id"]]) for part in question["parts"]]
        finally:
            assistant.close()
    return {
        "reading": reading,
        "parts": len(found),
        "read": round(sum(found) / len(found), 3),
        "asked": len(tokens),
        "tokens": round(sum(tokens) / max(1, len(tokens))),
    }


def main() -> None:
    """Read the passages in, then ask with each limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reading", type=int, nargs="+", default=[1200])
    parser.add_argument("--composites", type=int, default=24)
    parser.add_argument("--passages", type=int, default=1500)
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    given = parser.parse_args()
    dice = random.Random(11)
    questions = composites(single_hops(), given.composites, dice)
    needed = {part["gold_id"] for question in questions for part in question["parts"]}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "library"
        assistant = build(Settings(store=StoreSettings(path=folder), llm=LLMSettings(backend="built-in")))
        try:
            fill(assistant, needed, given.passages, Path(scratch), dice)
        finally:
            assistant.close()
        rows = []
        for reading in given.reading:
            copy = Path(
                shutil.copytree(folder, Path(scratch) / str(reading))
            )  # its own, without kept replies
            rows.append(measure(copy, questions, reading))
    if given.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
