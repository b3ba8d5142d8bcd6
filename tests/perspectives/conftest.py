"""A shelf of passages about edge particles, searched by shared words, and a council over it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from core.domain import Chunk, Location, Passage, Role, Scope
from core.llm.extractive import ExtractiveLLM
from core.llm.ollama.client import OllamaLLM
from core.perspectives.council import Council, Held
from core.ports import LLM
from core.text.tokens import content_words
from core.trace import Event
from tests.ollama_double import OllamaDouble

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


@dataclass
class Chamber:
    """Where a council is held, and what it told."""

    told: list[Event] = field(default_factory=list)

    def hold(self, llm: LLM, chosen: Sequence[Role] = (), **numbers: int) -> Held:
        council = Council(llm, research, lambda: ("maintenance", "particles"), keep=3, **numbers)
        return council.hold(QUESTION, research(QUESTION, Scope(), (), 4), Scope(), self.tell, "en", chosen)

    def tell(self, event: object) -> None:
        self.told.append(event)  # type: ignore[arg-type]

    def names(self) -> list[str]:
        return [event.name for event in self.told]


@pytest.fixture
def chamber() -> Chamber:
    return Chamber()


@pytest.fixture(scope="session")
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as server:
        yield server


@pytest.fixture(params=["built-in", "ollama"])
def llm(request: pytest.FixtureRequest) -> LLM:
    """Both engines: the rules, and a served model that reads our prompts back."""
    if request.param == "built-in":
        return ExtractiveLLM()
    return OllamaLLM(request.getfixturevalue("double").host)
