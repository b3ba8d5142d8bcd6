"""What a reader may ask the runner for."""

from collections.abc import Iterable
from typing import Literal, cast

from core.domain import Edits, Effort, Level, Scope, Value
from core.errors import QuestionError
from core.knowledge.stores.records import Run
from core.trace import Asked, Event

Strategy = Literal["auto", "plan", "loop"]
MAX_QUESTION_CHARACTERS = 10_000


class Request(Value):
    """A question and how it is to be answered. `level` None: it is read from the question."""

    question: str
    level: Level | None = None
    scope: Scope = Scope()
    conversation: str = ""  # "" starts one
    strategy: Strategy = "auto"
    effort: Effort | None = None  # None: as the settings say
    model: str = ""  # that answers, BUILT_IN for rules alone; "": as the settings say
    roles: tuple[str, ...] = ()  # of a council, by name or as "Name: what it cares about"; empty: planned
    parent: str = ""  # the run to work on again
    edits: Edits | None = None  # and what is changed in it


def readable(question: str) -> str:
    """Return the question without what no search can read. Raises QuestionError: empty or too long."""
    plain = question.encode("utf-8", "replace").decode().replace("\x00", "").strip()
    if not plain:
        raise QuestionError("The question is empty.")
    if len(plain) > MAX_QUESTION_CHARACTERS:
        raise QuestionError(
            f"The question has {len(plain):,} characters; {MAX_QUESTION_CHARACTERS:,} are the most."
        )
    return plain


def first_of(run: Run, events: Iterable[Event]) -> Asked:
    """Return the event a run began with."""
    return next((event for event in events if isinstance(event, Asked)), Asked(question=run.question))


def again(run: Run, asked: Asked, edits: Edits) -> Request:
    """Return the request for a run's question to be worked on again, with the reader's edits."""
    return Request(
        question=run.question,
        level=edits.level or asked.level,
        scope=asked.scope.model_copy(update={"without": edits.banned}),
        conversation=run.conversation,
        strategy=cast(Strategy, edits.strategy or asked.strategy),
        effort=asked.effort,
        model=asked.model,
        roles=asked.roles,
        parent=run.id,
        edits=edits,
    )
