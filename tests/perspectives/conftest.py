"""A shelf of passages about edge particles, searched by shared words, and a council over it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from core.domain import Chunk, CouncilRole, Location, Passage, Scope
from core.llm.builtin import BuiltinLLM
from core.perspectives.council import Council, CouncilResult
from core.ports import LLM, Listener
from core.tasks import (
    PerspectiveDraft,
    Perspectives,
    PerspectivesGiven,
    ProposalDraft,
    Reply,
    Task,
)
from core.text.tokens import content_words
from core.trace import Event

R = TypeVar("R", bound=Reply)
QUESTION = "How could we reduce edge particles on ETCH-03 without losing throughput?"
SHELF = (
    (
        "8D report",
        ("Corrective actions",),
        "Replace the electrostatic chuck of ETCH-03 to stop edge particles. "
        "Lengthen the dechuck step from 12 to 20 seconds in the recipe.",
    ),
    (
        "Cost sheet",
        ("Costs",),
        "The electrostatic chuck costs 18,400 EUR and the spare stock is only two pieces. "
        "Scrapped wafers with edge particles cost 129,200 EUR.",
    ),
    (
        "Training",
        ("Safety",),
        "Danger: lock the RF generator before the chamber is opened. "
        "Never open the lid of ETCH-03 while the chuck is hot.",
    ),
    (
        "Meeting",
        ("Open points",),
        "Nobody knows whether the focus ring also sheds edge particles. "
        "Planning can give only 8 hours of downtime for a wet clean.",
    ),
    (
        "SOP-ETCH-012",
        ("Procedure",),
        "The focus ring must be replaced every 400 RF hours. A wet clean of the chamber takes 6.5 hours "
        "and lowers edge particles.",
    ),
    (
        "Sensor log",
        ("Trend",),
        "The helium leak trend of ETCH-03 rose before the alarm. Edge particles rose with the leak.",
    ),
    ("Canteen", ("Menu",), "On Fridays the canteen serves fish with edge cut potatoes for everyone."),
)


def shelf() -> tuple[Passage, ...]:
    return tuple(
        Passage(
            chunk=Chunk(
                id=f"c{n}",
                document_id=f"d{n}",
                section_id=f"s{n}",
                text=text,
                heading_path=heading,
                order=0,
                tokens=40,
                location=Location(page=n),
            ),
            document_title=title,
            query="",
            score=0.5,
        )
        for n, (title, heading, text) in enumerate(SHELF)
    )


def research(query: str, scope: Scope, topics: Sequence[str], limit: int) -> list[Passage]:
    """Return passages by how many words they share with the query."""
    asked = set(content_words(query))
    scored = [(len(asked & set(content_words(p.chunk.passage_text()))), p) for p in shelf()]
    return [p for score, p in sorted(scored, key=lambda pair: -pair[0]) if score][:limit]


class ThinkingLLM:
    """The rules, but for one proposal a viewpoint that rests on the first evidence."""

    def __init__(self) -> None:
        self.asked: list[Task] = []
        self._rules = BuiltinLLM()

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        self.asked.append(task)
        reply = self._rules.run(task, into, listener)
        if not isinstance(task, Perspectives) or not isinstance(reply, PerspectivesGiven):
            return reply
        ideas = tuple(
            PerspectiveDraft(
                viewpoint=given.viewpoint,
                says=given.says,
                proposals=(
                    ProposalDraft(text=f"Try what {given.viewpoint} says.", citations=(task.evidence[0].n,)),
                ),
            )
            for given in reply.perspectives
        )
        return reply.model_copy(update={"perspectives": ideas})


@dataclass
class Chamber:
    """Where a council is held, and its events."""

    events: list[Event] = field(default_factory=list)

    def hold(self, llm: LLM, chosen: Sequence[CouncilRole] = (), **numbers: bool) -> CouncilResult:
        council = Council(llm, research, lambda: ("maintenance", "particles"), **numbers)
        return council.hold(QUESTION, research(QUESTION, Scope(), (), 4), Scope(), self.emit, "en", chosen)

    def emit(self, event: object) -> None:
        self.events.append(event)  # type: ignore[arg-type]

    def names(self) -> list[str]:
        return [event.name for event in self.events]


@pytest.fixture
def chamber() -> Chamber:
    return Chamber()
