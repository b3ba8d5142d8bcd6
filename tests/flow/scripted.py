"""Models with scripted replies to some tasks, and the plans the tests of the flow give."""

from core.domain import Level
from core.llm.builtin import BuiltinLLM
from core.ports import LLM, Listener
from core.tasks import (
    PartDraft,
    Reply,
    Task,
    Understood,
)
from tests.doubles import ScriptedLLM


class ScriptedTasks:
    """The built-in engine, but for the tasks it has scripted replies for."""

    def __init__(self, **replies: LLM) -> None:
        self.replies, self.plain = replies, BuiltinLLM()
        self.asked: list[Task] = []

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        self.asked.append(task)
        return self.replies.get(type(task).__name__, self.plain).run(task, into, listener)


def plan(*parts: PartDraft) -> ScriptedLLM:
    return ScriptedLLM(Understood(level=Level.LINKING, parts=parts, composite=len(parts) > 1))


CHAIN = plan(
    PartDraft(id=1, question="Which dry pump does ETCH-07 have?"),
    PartDraft(id=2, question="Who makes the dry pump #1?", depends_on=(1,)),
)
