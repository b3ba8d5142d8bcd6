"""What every task and reply has: how a call was made, the role of model that does it."""

from typing import ClassVar, Literal, Self

from pydantic import Field
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from core.domain import Sentence, Value

ModelRole = Literal["routing", "extraction", "generation", "vision"]


MAY_LACK: JsonDict = {
    "may_lack": True
}  # of a reply's field: a model leaves it out where it has nothing to say


class Call(Value):
    """How a reply was made: kept in the trace, never sent to a model."""

    task: str
    engine: str  # "built-in" or the model's name
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    repairs: int = 0
    failed: int = 0  # conversations with a server that came to nothing before this reply
    trimmed: int = 0  # evidence pieces left out so that the prompt fits the window
    cached: bool = False
    fallback: str = ""  # why the built-in engine answered instead of the model
    prompt: str = ""
    prompt_hash: str = ""
    reply: str = ""
    notes: tuple[str, ...] = ()  # what to know: shortened evidence, a prompt the server cut ...


class Reply(Value):
    """Base of every reply. `call` says how it was made and stands outside the JSON schema."""

    call: SkipJsonSchema[Call | None] = Field(default=None, exclude=True, repr=False)

    @classmethod
    def from_prose(cls, text: str) -> Self:
        """Return the reply to a task in prose that was answered by this text."""
        raise TypeError(f"{cls.__name__} is no reply in prose")


class Task(Value):
    """Base of every task."""

    reply: ClassVar[type[Reply]]
    role: ClassVar[ModelRole] = "generation"
    prose: ClassVar[bool] = False  # the reply is one text: streamed as it is, no JSON schema

    language: str = "en"


class QuestionAnswer(Value):
    """A sub-question and what was found for it ("" for nothing); `open` is left to whoever answers."""

    id: int
    question: str
    answer: str = ""
    open: bool = False
    citations: tuple[int, ...] = ()
    computed: bool = False  # from the figures of other parts
    lines: tuple[Sentence, ...] = ()  # of a comparison: what is known of its sides, to be quoted
    side: bool = False  # of a comparison, which reports it
