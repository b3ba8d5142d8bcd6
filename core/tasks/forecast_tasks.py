"""What a forecast needs from prose: dated values of one quantity, and dated events that may move it."""

from pydantic import Field

from core.domain import Evidence, Value
from core.tasks.task_base import MAY_LACK, Reply, Task


class ValueDraft(Value):
    """One value as a text says it. All but `what` and `of` are copied from the piece letter by letter."""

    what: str  # the quantity
    when: str
    amount: str
    quote: str  # the words that hold them
    citation: int  # Evidence.n
    of: str = Field(default="", json_schema_extra=MAY_LACK)  # the thing it is a value of
    unit: str = Field(default="", json_schema_extra=MAY_LACK)


class EventDraft(Value):
    """Something that happened, or is planned, at a date; `when` and `quote` are copied."""

    when: str
    quote: str
    citation: int  # Evidence.n
    kind: str = Field(default="", json_schema_extra=MAY_LACK)  # one short name for events that are alike


class SeriesExtracted(Reply):
    values: tuple[ValueDraft, ...] = ()
    events: tuple[EventDraft, ...] = ()


class ExtractSeries(Task):
    """Read from prose the dated values of the quantity a question asks to forecast, and dated events."""

    reply = SeriesExtracted
    question: str
    evidence: tuple[Evidence, ...] = ()
