"""Reading a question: level, kind of answer, plan, words to search."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from core.domain import AnswerKind, Level, Plan, SubQuestionType, Turn, Value
from core.tasks.task_base import Reply, Task
from core.text.open_references import REFERENCE


class PartDraft(Value):
    id: int
    question: str
    type: SubQuestionType = "factual"
    depends_on: tuple[int, ...] = ()


class TagPair(Value):
    """A word of the question, and how the library says it."""

    said: str
    meant: str


def _as_drafts(value: Any) -> Any:
    """Return parts written as texts, as drafts: their place is their number, "#1" what they depend on."""
    if not isinstance(value, list | tuple):
        return value
    return [
        {"id": n, "question": one, "depends_on": sorted({int(m) for m in REFERENCE.findall(one)})}
        if isinstance(one, str)
        else one
        for n, one in enumerate(value, 1)
    ]


def _as_pairs(value: Any) -> Any:
    """Return "said = meant" as pairs; a text that is none says nothing."""
    if not isinstance(value, list | tuple):
        return value
    texts = [one.partition("=")[::2] if isinstance(one, str) else one for one in value]
    pairs = [{"said": p[0].strip(), "meant": p[1].strip()} if isinstance(p, tuple) else p for p in texts]
    return [p for p in pairs if not isinstance(p, dict) or (p.get("said") and p.get("meant"))]


_TEXTS = WithJsonSchema({"type": "array", "items": {"type": "string"}})
_LEVELS = WithJsonSchema({"type": "string", "enum": [level.value for level in Level]})


class Understood(Reply):
    """How a question is to be read. What a model need not write is not in its schema, and what it writes is
    short: each word costs."""

    question: str = ""  # as it stands alone, without the conversation; "" where it stands alone as asked
    level: Annotated[Level | None, _LEVELS] = None  # None: the reply does not say; rules do then
    reason: SkipJsonSchema[str] = ""
    kind: AnswerKind = "fact"
    composite: SkipJsonSchema[bool] = False  # needs the answer of one look-up for the next, or several
    intent: SkipJsonSchema[str] = ""
    known: SkipJsonSchema[tuple[str, ...]] = ()
    unknown: SkipJsonSchema[tuple[str, ...]] = ()
    parts: Annotated[tuple[PartDraft, ...], BeforeValidator(_as_drafts), _TEXTS]
    search: Annotated[
        tuple[TagPair, ...], BeforeValidator(_as_pairs), _TEXTS
    ] = ()  # what to search beside the words said, in each language of the library
    topics: tuple[str, ...] = ()
    certainty: SkipJsonSchema[float] = Field(default=1.0, exclude=True)  # of a rule, from 0 to 1


class Understand(Task):
    """Read a question once: follow-up, level, kind of answer, plan, what is known, words to search, topics.

    `languages` and `tags` are the library's; `library` holds cards of tables and titles the question touches.
    """

    reply = Understood
    role = "routing"
    question: str
    history: tuple[Turn, ...] = ()
    languages: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    examples: tuple[Plan, ...] = ()
    most: int = 5
