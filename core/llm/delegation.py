"""Gives tasks of one kind to another model, and all others to the usual one."""

from dataclasses import dataclass

from core.ports import LLM, Listener, R
from core.tasks import Task


@dataclass(frozen=True)
class DelegatingLLM:
    """An LLM of two: `special` does tasks of `kind`."""

    usual: LLM
    kind: type[Task]
    special: LLM

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task. Raises what the one that does it raises."""
        return (self.special if isinstance(task, self.kind) else self.usual).run(task, into, listener)
