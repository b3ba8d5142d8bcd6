"""Reading a question: level, kind of answer, plan, words to search."""

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from core.domain import AnswerKind, Level, Plan, SubQuestionType, Turn, Value
from core.tasks.task_base import Reply, Task


class PartDraft(Value):
    id: int
    question: str
    type: SubQuestionType = "factual"
    depends_on: tuple[int, ...] = ()


class TagPair(Value):
    """A word of the question, and how the library says it."""

    said: str
    meant: str


class Understood(Reply):
    """How a question is to be read. What a model need not write is not in its schema: each word costs."""

    question: str = ""  # as it stands alone, without the conversation; "" where it stands alone as asked
    level: Level
    reason: SkipJsonSchema[str] = ""
    kind: AnswerKind = "fact"
    composite: SkipJsonSchema[bool] = False  # needs the answer of one look-up for the next, or several
    intent: SkipJsonSchema[str] = ""
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    parts: tuple[PartDraft, ...]
    search: tuple[TagPair, ...] = ()  # what to search beside the words said, in each language of the library
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
