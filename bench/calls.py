"""What every question costs a local model: `python -m bench.calls [--slots 1 2] [--json]`.

24 questions (8 simple, 8 of up to 4 parts, 4 forecasts, 4 for ideas; English and Chinese) over the demo
library and public documents, through a double of Ollama that reads and writes at a model's pace; beside it
LlamaIndex over the same passages. Its replies are those of `bench.scripted_model`: as many words to both. The
double's clock runs `--speed` times as fast as set; first word, end and verdict are seconds of calls at its
own pace, `own` is what else passed on this machine until the end. One question a language goes before and
is not counted, for either. Each question is asked twice; the second time must ask nothing.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from bench.calls_peer import LlamaIndex
from bench.calls_questions import DOCUMENTS, QUESTIONS, Asked
from bench.calls_report import PLAIN, SAME_PASSAGES, STRATA, SUB, Cost, goals, line, table
from bench.data import ROOT, bench_data
from bench.scripted_model import ScriptedModel
from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Passage
from core.settings import BudgetSettings, LLMSettings, Settings, StoreSettings
from core.tasks import Answer
from core.trace import AnswerChecked, Finished, Wrote
from tests.ollama_brain import read_back
from tests.ollama_double import Model, OllamaDouble, Pace
from tests.ollama_pace import Machine, Turn

MODEL = "qwen3:4b-instruct"
FIRST = ("田中爱子是谁？", "Who is Aiko Tanaka?")  # not counted: they load the model and the fixed prompt


def assistant_over(folder: Path, host: str | None, parallel: int = 1) -> Assistant:
    """Open the library, asked through the double at `host` or through rules."""
    llm = LLMSettings.model_validate(
        {"backend": "ollama" if host else "built-in", "host": host, "parallel": parallel}
    )
    budget = BudgetSettings(seconds=3600)
    return build(Settings(store=StoreSettings(path=folder), llm=llm, budget=budget), warm=False)


def fill(folder: Path) -> None:
    """Read the documents by the ordinary way, where the library does not hold them yet."""
    assistant = assistant_over(folder, None)
    try:
        if not assistant.library.contents.documents():
            files = [ROOT / "examples" / "fab", *(bench_data("docs", *name.split("/")) for name in DOCUMENTS)]
            assistant.library.wait(assistant.library.ingest(files))
    finally:
        assistant.close()


def measure(filled: Path, slots: int, speed: float, effort: str) -> Iterator[Cost]:
    """Ask everything on a machine with so many slots: first Strata, then LlamaIndex."""
    models = (Model(MODEL, ("completion", "tools")),)
    pace = Pace(slots=slots, speed=speed)
    with tempfile.TemporaryDirectory() as scratch, OllamaDouble(ScriptedModel(), models, pace=pace) as double:
        folder = Path(scratch) / "library"
        shutil.copytree(filled, folder)
        assistant = assistant_over(folder, double.host, slots)
        try:
            for first in FIRST:
                assistant.questions.wait(assistant.questions.ask(first, effort="quick"))
            costs: list[Cost] = []
            for asked in QUESTIONS:
                costs.append(_strata(assistant, double, asked, slots, effort))
                yield costs[-1]
            knowledge = assistant.library.knowledge
            if find_spec("llama_index") is None:
                return
            peer = LlamaIndex(double.host, MODEL, knowledge.chunks(), knowledge.titles())
        finally:
            assistant.close()
        for first in FIRST:
            peer.plain(first, 3)
        for asked, cost in zip(QUESTIONS, costs, strict=True):
            if asked.kind not in ("simple", "composite"):
                continue
            yield _peer(PLAIN, peer, double, asked, cost)
            yield _peer(SAME_PASSAGES, peer, double, asked, cost)
            if asked.parts:
                yield _peer(SUB, peer, double, asked, cost)


def _strata(assistant: Assistant, double: OllamaDouble, asked: Asked, slots: int, effort: str) -> Cost:
    machine = double.machine
    assert machine is not None
    held = len(machine.turns)
    began = time.monotonic()
    run = assistant.questions.ask(asked.text, effort=effort)  # type: ignore[arg-type]
    report = assistant.questions.wait(run)
    turns = machine.turns[held:]
    moments: dict[type, float] = {}
    for stamped in assistant.questions.events(run):
        if isinstance(stamped.event, Wrote):
            moments.setdefault(Wrote, began + stamped.at)
            moments[str] = began + stamped.at
        elif isinstance(stamped.event, AnswerChecked | Finished):
            moments.setdefault(type(stamped.event), began + stamped.at)
    finished = moments[Finished]
    held = len(machine.turns)
    assistant.questions.wait(assistant.questions.ask(asked.text, effort=effort))  # type: ignore[arg-type]
    tasks = [kind for turn in turns if (kind := _task(turn, double))]
    return _cost(
        STRATA,
        asked,
        machine,
        turns,
        began,
        (moments.get(Wrote, finished), moments.get(str, finished), moments.get(AnswerChecked, finished)),
        slots=slots,
        again=len(machine.turns) - held,
        passages=_passages(double, asked, report.passages),
        tasks=" ".join(tasks),
        level=report.level.value,
    )


def _peer(who: str, peer: LlamaIndex, double: OllamaDouble, asked: Asked, ours: Cost) -> Cost:
    machine = double.machine
    assert machine is not None
    held = len(machine.turns)
    if who == SUB:
        times = peer.sub_questions(asked.text, len(ours.passages), len(asked.parts))
    else:
        times = peer.plain(asked.text, len(ours.passages), ours.passages if who == SAME_PASSAGES else ())
    moments = (times.first, times.ended, times.ended)
    return _cost(
        who,
        asked,
        machine,
        machine.turns[held:],
        times.asked,
        moments,
        slots=ours.slots,
        passages=ours.passages,
    )


def _cost(
    who: str,
    asked: Asked,
    machine: Machine,
    turns: list[Turn],
    began: float,
    moments: tuple[float, float, float],
    **more: object,
) -> Cost:
    speed = machine.pace.speed
    first, end, verdict = (round(machine.busy(began, moment) * speed, 2) for moment in moments)
    return Cost(
        who=who,
        kind=asked.kind,
        language=asked.language,
        question=asked.text,
        before=sum(turn.began < moments[0] for turn in turns),
        calls=len(turns),
        tokens_in=sum(turn.tokens for turn in turns),
        tokens_read=sum(turn.tokens - turn.cached for turn in turns),
        tokens_out=round(sum(turn.write for turn in turns) * machine.pace.write),
        own=round(machine.own(began, moments[1]), 2),
        first=first,
        end=end,
        verdict=verdict,
        waves=asked.waves,
        **more,  # type: ignore[arg-type]
    )


def _task(turn: Turn, double: OllamaDouble) -> str:
    body = next(b for b in double.chats() if b["messages"][-1]["content"] in turn.prompt)
    messages = body["messages"]
    task = read_back(messages[0]["content"], messages[1]["content"])
    return type(task).__name__ if task is not None else "?"


def _passages(double: OllamaDouble, asked: Asked, held: Sequence[Passage]) -> tuple[str, ...]:
    """Return the passages the last Answer to the question was given."""
    for body in reversed(double.chats()):
        messages = body["messages"]
        if len(messages) > 1 and asked.text in messages[1]["content"]:
            task = read_back(messages[0]["content"], messages[1]["content"])
            if isinstance(task, Answer):
                return tuple(p.chunk.id for p in held)[: len(task.evidence)]
    return tuple(p.chunk.id for p in held)


def main() -> None:
    """Measure, print every question, the medians and the goals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--slots", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--speed", type=float, default=8.0, help="of the double's clock")
    parser.add_argument("--effort", default="balanced", choices=["quick", "balanced", "thorough"])
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-bench" / "calls")
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    given = parser.parse_args()
    fill(given.folder)
    costs: list[Cost] = []
    for slots in given.slots:
        for c in measure(given.folder, slots, given.speed, given.effort):
            costs.append(c)
            if not given.json:
                print(line(c), flush=True)
    if given.json:
        print(json.dumps({"costs": [asdict(c) for c in costs], "goals": goals(costs)}, ensure_ascii=False))
        return
    print(f"\n{table(costs)}\n")
    for goal, figure in goals(costs).items():
        print(f"{goal}: {figure}")


if __name__ == "__main__":
    main()
