"""The knowledge-aware loop: propose questions, choose among what was found (PIKE-RAG, Algorithm 1)."""

from core.domain import Evidence
from core.tasks.task_base import Reply, Task


class Proposals(Reply):
    questions: tuple[str, ...] = ()
    enough: bool = False


class Propose(Task):
    """Propose atomic questions, from different angles, that would bring the answer nearer (Algorithm 1)."""

    reply = Proposals
    question: str
    context: tuple[Evidence, ...] = ()
    asked: tuple[str, ...] = ()
    most: int = 3


class Selection(Reply):
    index: int | None = None  # into candidates, None for none of them
    reason: str = ""


class Select(Task):
    """Choose the candidate atomic question whose chunk helps most."""

    reply = Selection
    question: str
    context: tuple[Evidence, ...] = ()
    candidates: tuple[str, ...] = ()


class NextQuestion(Reply):
    question: str = ""
    enough: bool = False


class ProposeNext(Task):
    """The next atomic question at once: what a trained decomposer does for lines 3 to 5 of Algorithm 1."""

    reply = NextQuestion
    question: str
    context: tuple[Evidence, ...] = ()
    asked: tuple[str, ...] = ()
