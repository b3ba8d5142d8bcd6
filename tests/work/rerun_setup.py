"""A runner for runs that are worked on again: its runner counts what the engine is asked."""

import threading
from collections.abc import Callable

from core.bootstrap import flow
from core.domain import Edits, Report, SubQuestion
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin import BuiltinLLM
from core.ports import LLM, Listener
from core.tasks import Bridge, Bridged, BridgedPart, Reply, Task
from core.trace import (
    Event,
    Reused,
)
from core.work.runs.runner import Request, Runner
from tests.flow.conftest import Library

MakeRunner = Callable[..., Runner]

QUESTION = "Who is responsible for SOP-112?"
CHAIN = "Who makes the dry pump of ETCH-07, when was its maker founded, and who is responsible for SOP-112?"
PARTS = (
    SubQuestion(id=1, question="Who makes the dry pump of ETCH-07?"),
    SubQuestion(id=2, question="When was #1 founded?", depends_on=(1,)),
    SubQuestion(id=3, question="Who is responsible for SOP-112?"),
)

KNOWN = {  # as a model reads
    "Who makes the dry pump of ETCH-07?": "Norvac",
    "Which company makes the pump DP-3?": "Norvac",
    "When was Norvac founded?": "1987",
}


class Counting:
    """The built-in engine, which remembers the tasks; it can be held up at one of them."""

    def __init__(self, hold: type[Task] | None = None) -> None:
        self.tasks: list[Task] = []
        self.plain, self.hold = BuiltinLLM(), hold
        self.waiting, self.go = threading.Event(), threading.Event()

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        self.tasks.append(task)
        if self.hold and isinstance(task, self.hold):
            self.waiting.set()
            assert self.go.wait(20)
        reply = self.plain.run(task, into, listener)
        if isinstance(task, Bridge) and isinstance(reply, Bridged):
            asked = {part.id: part for part in task.parts}
            known = tuple(
                BridgedPart(
                    id=part.id, answer=KNOWN[asked[part.id].question], citations=asked[part.id].evidence[:1]
                )
                if asked[part.id].question in KNOWN
                else part
                for part in reply.parts
            )
            return into.model_validate(Bridged(parts=known).model_dump())
        return reply

    def answered(self) -> list[str]:
        return [part.question for task in self.tasks if isinstance(task, Bridge) for part in task.parts]


class RerunSetup:
    """A runner over the small library, and the events of its runs."""

    def __init__(self, library: Library, llm: LLM, generation: Callable[[], int]) -> None:
        self.store = library.knowledge.runs
        self.runner = Runner(
            self.store,
            limit=lambda stop, model: BudgetedLLM(llm, Budget(), stop),
            plain=BuiltinLLM(),
            compose=flow(library.settings, library.knowledge, library.embedder),
            overview=lambda: "8 documents",
            generation=generation,
        )

    def ask(self, question: str, **more: object) -> Report:
        request = Request(question=question, **{"effort": "thorough", **more})  # a model answers each part
        return self.runner.wait(self.runner.start(request), 120)

    def again(self, run: str, edits: Edits) -> Report:
        return self.runner.wait(self.runner.rerun(run, edits), 120)

    def events_of(self, run: str, kind: type | tuple[type, ...]) -> list[Event]:
        return [s.event for s in self.store.events(run) if isinstance(s.event, kind)]


def reused(held: RerunSetup, run: str) -> set[int | None]:
    return {event.sub_question for event in held.events_of(run, Reused)}


def hold(
    rerun_setup: Callable[..., RerunSetup], where: type[Task], question: str, **more: object
) -> tuple[RerunSetup, Counting, str]:
    llm = Counting(hold=where)
    setup = rerun_setup(llm)
    run = setup.runner.start(Request(question=question, **more))
    assert llm.waiting.wait(30)
    return setup, llm, run


def events(library: Library, run: str) -> list:
    return [stamped.event for stamped in library.knowledge.runs.events(run)]
