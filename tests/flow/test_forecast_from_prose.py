"""A forecast from prose: a model is asked once where rules find no series, and what it says is checked."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.domain import Level
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunker import Chunker
from core.ingest.ingestion import Ingestion
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.ollama.client import OllamaLLM
from core.settings import Settings
from core.tasks import ExtractSeries
from tests.flow.conftest import FlowRun, Library
from tests.ollama_brain import StrataBrain, read_back
from tests.ollama_double import Asked, OllamaDouble

LETTERS = """# Letters of the Morwen lighthouse

Of 2019 we remember the crowds: 1,240 people came up the stairs. 2020 was a quiet year in which 310 came.
When we closed the books of 2021 they showed 870. The best of all was 2022, with its 1,390.
In 2023 the keeper counted 1,450 before the storm.
"""
LAMPS = """# Hall MH-3, log of works

The lamps of hall MH-3 were replaced in October 2022.
The lamps of hall MH-3 were replaced in November 2023.
The lamps of hall MH-3 will be replaced in March 2025.
"""
DIARY = """# Hall MH-4, diary of the caretaker

In October 2022 hall MH-4 got its new light, and once more in November 2023.
In May 2023 one more oven found its place in hall MH-4; its twin came in June 2024.
In March 2025 the light of hall MH-4 sees its third renewal. One oven more moves in in May 2025.
"""
OVENS = """# Hall MH-5, log of works

The lamps of hall MH-5 were replaced in October 2022.
The lamps of hall MH-5 were replaced in November 2023.
An oven was added to hall MH-5 in May 2023.
An oven was added to hall MH-5 in June 2024.
The lamps of hall MH-5 will be replaced in March 2025.
An oven will be added to hall MH-5 in May 2025.
"""
MONTHS = [f"{year}-{month:02}" for year in (2022, 2023, 2024) for month in range(1, 13)]
NOISE = (0.4, -0.7, 0.9, -0.2, 0.6, -1.0, 0.1)
ENERGY = "month,hall,energy_kwh\n" + "".join(
    f"{month},MH-3,{100 + NOISE[i % 7] - 8 * (month >= '2022-10') - 8 * (month >= '2023-11'):.1f}\n"
    for i, month in enumerate(MONTHS)
)
STEPS = (("2022-10", -8), ("2023-05", 12), ("2023-11", -8), ("2024-06", 12))
TWO_KINDS = {
    hall: "month,hall,energy_kwh\n"
    + "".join(
        f"{month},{hall},{100 + NOISE[i % 7] + sum(step for at, step in STEPS if month >= at):.1f}\n"
        for i, month in enumerate(MONTHS)
    )
    for hall in ("MH-4", "MH-5")
}
VISITORS = "How many visitors will the Morwen lighthouse have in 2024?"
WATTS = "What will the energy of hall MH-3 be in the next six months?"
HAPPENED = [("new light", "October 2022", "In October 2022 hall MH-4 got its new light")]
HAPPENED += [("new light", "November 2023", "once more in November 2023")]
HAPPENED += [("oven", "May 2023", "In May 2023 one more oven found its place in hall MH-4")]
HAPPENED += [("oven", "June 2024", "its twin came in June 2024")]
HAPPENED += [("new light", "March 2025", "In March 2025 the light of hall MH-4 sees its third renewal")]
HAPPENED += [("oven", "May 2025", "One oven more moves in in May 2025")]
READ = [("2019", "1,240", "Of 2019 we remember the crowds: 1,240 people"), ("2020", "310", "which 310 came")]
READ += [("2021", "870", "books of 2021 they showed 870"), ("2022", "1,390", "2022, with its 1,390")]
READ += [("2023", "1,450", "In 2023 the keeper counted 1,450"), ("2018", "990", "In 2018 it was 990")]


def reads(asked: Asked) -> str:
    """Answer as a model that reads well, but makes one year up; anything else as rules do."""
    task = read_back(asked.system, asked.user)
    if not isinstance(task, ExtractSeries):
        return StrataBrain()(asked)
    if "MH-4" in task.question:
        diary = next(piece.n for piece in task.evidence if "caretaker" in piece.source)
        events = [
            {"kind": kind, "when": when, "quote": quote, "citation": diary} for kind, when, quote in HAPPENED
        ]
        return json.dumps({"values": [], "events": events})
    values = [
        {
            "what": "visitors",
            "of": "",
            "when": when,
            "amount": amount,
            "unit": "",
            "quote": quote,
            "citation": 1,
        }
        for when, amount, quote in READ
    ]
    return json.dumps({"values": values, "events": []})


@pytest.fixture(scope="module")
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble(reads) as server:
        yield server


@pytest.fixture(scope="module")
def asking(
    tmp_path_factory: pytest.TempPathFactory, double: OllamaDouble
) -> Iterator[Callable[..., FlowRun]]:
    folder: Path = tmp_path_factory.mktemp("prose")
    embedder = PackagedEmbedder()
    knowledge = KnowledgeBase(folder / "data", embedder.digest)
    chunker = Chunker(embedder.count, embedder.window)
    enricher = ChunkEnricher(BuiltinLLM(), BuiltinLLM())
    ingestion = Ingestion(knowledge, embedder, chunker, enricher, parse_in_worker, scratch=folder / "scratch")
    files = {"letters.md": LETTERS, "works.md": LAMPS, "energy-MH-3.csv": ENERGY}
    files |= {"diary.md": DIARY, "ovens.md": OVENS}
    files |= {f"energy-{hall}.csv": text for hall, text in TWO_KINDS.items()}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
        for _ in ingestion.ingest(folder / name):
            pass

    def run(*, model: bool) -> FlowRun:
        settings = Settings.model_validate({"llm": {"host": double.host}}) if model else Settings()
        llm = OllamaLLM(double.host) if model else BuiltinLLM()
        return FlowRun(Library(knowledge, embedder, settings), llm)

    yield run
    knowledge.close()


def calls(run: FlowRun) -> list[str]:
    """Return the tasks a model was asked, rules left out."""
    return [call.task for event in run.events for call in event.calls if call.engine != "built-in"]


def test_a_model_reads_a_series_that_rules_do_not_and_what_it_made_up_is_dropped(asking):
    events = asking(model=True)
    report = events.ask(VISITORS, asked_level=Level.PREDICTIVE)["report"]
    assert report.forecast is not None
    assert [p.value for p in report.forecast.series.points] == [1240, 310, 870, 1390, 1450]
    (read,) = events.of("prose_extracted")
    assert len(read.dropped) == 1
    assert "2018" in read.dropped[0]
    assert calls(events).count("ExtractSeries") == 1
    assert any("read from prose by a model" in caution for caution in report.forecast.cautions)
    assert all(s.citations for s in report.sentences)
    assert asking(model=False).ask(VISITORS, asked_level=Level.PREDICTIVE)["report"].forecast is None


@pytest.mark.parametrize("model", [False, True])
def test_a_planned_event_gives_a_scenario_without_a_call(asking, model: bool):
    events = asking(model=model)
    report = events.ask(WATTS, asked_level=Level.PREDICTIVE)["report"]
    assert report.forecast is not None
    (scenario,) = report.forecast.scenarios
    assert scenario.effect == pytest.approx(-8, abs=1)
    assert [e.period for e in scenario.like] == ["2022-10", "2023-11"]
    quoted = next(s for s in report.sentences if "After the last value, in March 2025" in s.text)
    assert "works" in report.passages[quoted.citations[0] - 1].document_title
    assert "ExtractSeries" not in calls(events)


@pytest.mark.parametrize(("hall", "model"), [("MH-4", True), ("MH-5", False)])
def test_several_planned_events_are_read_from_prose_and_told_together(asking, hall: str, model: bool):
    """By a model what rules do not read; by rules what is said plainly."""
    question = WATTS.replace("MH-3", hall)
    events = asking(model=model)
    report = events.ask(question, asked_level=Level.PREDICTIVE, effort="thorough")["report"]
    made = report.forecast
    assert calls(events).count("ExtractSeries") == (1 if model else 0)
    assert [event.period for event in made.joint.events] == ["2025-03", "2025-05"]
    assert [len(scenario.like) for scenario in made.scenarios] == [2, 2]
    assert [scenario.effect for scenario in made.scenarios] == pytest.approx([-8, 12], abs=1.5)
    assert made.joint.effect == pytest.approx(4, abs=1.5)
    moved = [now.value - before.value for now, before in zip(made.joint.points, made.points, strict=True)]
    assert moved == pytest.approx([0, 0, -8, -8, 4, 4], abs=2)
    if model:
        alone = asking(model=False).ask(question, asked_level=Level.PREDICTIVE)["report"].forecast
        assert alone.joint is None


def test_effort_says_whether_a_model_reads_the_prose_too(asking):
    for effort, question, times in (("quick", VISITORS, 0), ("thorough", WATTS, 1)):
        events = asking(model=True)
        events.ask(question, asked_level=Level.PREDICTIVE, effort=effort)
        assert calls(events).count("ExtractSeries") == times, effort
