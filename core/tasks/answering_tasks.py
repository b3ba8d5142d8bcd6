"""Reading evidence, writing the answer, reviewing its claims, querying tables."""

from typing import Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from core.domain import Cell, Evidence, Outcome, Sentence, Support, TableCard, Value
from core.tasks.task_base import MAY_LACK, QuestionAnswer, Reply, Task


class PartAsked(Value):
    """A part of a plan with the numbers of the pieces that were found for it."""

    id: int
    question: str
    evidence: tuple[int, ...] = ()


class BridgedPart(Value):
    """The result of a part: an answer ("" for none), or a near miss and the next search."""

    id: int
    answer: str = ""  # short: a name, a number, a sentence
    citations: tuple[int, ...] = ()
    near_miss: str = Field(default="", json_schema_extra=MAY_LACK)
    search: str = Field(default="", json_schema_extra=MAY_LACK)


class Bridged(Reply):
    parts: tuple[BridgedPart, ...] = ()


class Bridge(Task):
    """Answer parts of a plan from their evidence, so that parts which depend on them can be asked."""

    reply = Bridged
    question: str
    parts: tuple[PartAsked, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Written(Reply):
    """An answer as prose. The built-in engine also says how far it goes: `outcome` None means unsaid."""

    text: str
    outcome: SkipJsonSchema[Outcome | None] = None
    sentences: SkipJsonSchema[tuple[Sentence, ...]] = ()
    confidence: SkipJsonSchema[float | None] = None  # 0 to 1

    @classmethod
    def from_prose(cls, text: str) -> Self:
        return cls(text=text)


class Answer(Task):
    """Write the answer: every part addressed, [n] after every sentence, a wrong premise or conflict named."""

    reply = Written
    prose = True
    question: str
    parts: tuple[QuestionAnswer, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Claim(Value):
    index: int
    text: str
    citations: tuple[int, ...] = ()


class ClaimVerdict(Value):
    """`sure` is False where rules leave the verdict to a model."""

    index: int
    support: Support
    reason: str = Field(default="", json_schema_extra=MAY_LACK)
    sure: SkipJsonSchema[bool] = True


class Reviewed(Reply):
    claims: tuple[ClaimVerdict, ...] = ()
    left_open: SkipJsonSchema[tuple[str, ...]] = ()  # parts; a model sees too few of the claims to tell
    conflicts: tuple[str, ...] = ()


class Review(Task):
    """Does each claim's cited piece state it, and does the claim answer the part it stands for?"""

    reply = Reviewed
    role = "extraction"
    question: str
    claims: tuple[Claim, ...] = ()
    parts: tuple[QuestionAnswer, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Query(Reply):
    """One SELECT; values of the question stand in `parameters`, a `?` each, never in the text."""

    sql: str = ""
    parameters: tuple[Cell, ...] = ()
    reason: str = ""


class WriteQuery(Task):
    """Write one read-only DuckDB SELECT that answers the question from the tables, most likely table first.

    Every table also has `_row`, the number of the row from 0; a query that lists or picks rows selects it
    too, so that they can be cited.
    """

    reply = Query
    question: str
    tables: tuple[TableCard, ...] = ()
    failed: str = ""  # the query that was tried before
    failure: str = ""  # and why it was refused: write it anew
