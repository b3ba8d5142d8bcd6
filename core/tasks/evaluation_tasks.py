"""Measuring answers: a judge of an answer against gold ones, and a question of an examination."""

from typing import Literal

from pydantic import Field

from core.domain import Evidence
from core.tasks.answering_tasks import Written
from core.tasks.task_base import MAY_LACK, Reply, Task

Grade = Literal["right", "partly", "wrong"]


class Judged(Reply):
    """How an answer stands against the gold ones."""

    grade: Grade
    reason: str = Field(default="", json_schema_extra=MAY_LACK)


class Judge(Task):
    """Judge whether an answer says what one of the gold answers says, whatever its wording."""

    reply = Judged
    golds: tuple[str, ...] = ()
    answer: str
    question: str


class Examine(Task):
    """Answer a question of an examination as its instruction wants it, from evidence and from knowledge.

    Only evaluation asks this: what a reader is told never rests on a model's own knowledge.
    """

    reply = Written
    prose = True
    instruction: str
    evidence: tuple[Evidence, ...] = ()
    question: str
