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
from tests.flow.conftest import FlowRun, Library
from tests.ollama_brain import StrataBrain
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
MONTHS = [f"{year}-{month:02}" for year in (2022, 2023, 2024) for month in range(1, 13)]
NOISE = (0.4, -0.7, 0.9, -0.2, 0.6, -1.0, 0.1)
ENERGY = "month,hall,energy_kwh\n" + "".join(
    f"{month},MH-3,{100 + NOISE[i % 7] - 8 * (month >= '2022-10') - 8 * (month >= '2023-11'):.1f}\n"
    for i, month in enumerate(MONTHS)
)
VISITORS = "How many visitors will the Morwen lighthouse have in 2024?"
WATTS = "What will the energy of hall MH-3 be in the next six months?"
READ = [("2019", "1,240", "Of 2019 we remember the crowds: 1,240 people"), ("2020", "310", "which 310 came")]
READ += [("2021", "870", "books of 2021 they showed 870"), ("2022", "1,390", "2022, with its 1,390")]
READ += [("2023", "1,450", "In 2023 the keeper counted 1,450"), ("2018", "990", "In 2018 it was 990")]


def reads(asked: Asked) -> str:
    """Answer as a model that reads the letters well, and makes one year up; anything else as rules do."""
    if "what a forecast of the quantity" not in asked.user:
        return StrataBrain()(asked)
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
    for name, text in (("letters.md", LETTERS), ("works.md", LAMPS), ("energy-MH-3.csv", ENERGY)):
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
    return [call.task for event in run.told for call in event.calls if call.engine != "built-in"]


def test_a_model_reads_a_series_that_rules_do_not_and_what_it_made_up_is_dropped(asking):
    told = asking(model=True)
    report = told.ask(VISITORS, asked_level=Level.PREDICTIVE)["report"]
    assert report.forecast is not None
    assert [p.value for p in report.forecast.series.points] == [1240, 310, 870, 1390, 1450]
    (read,) = told.of("prose_extracted")
    assert len(read.dropped) == 1
    assert "2018" in read.dropped[0]
    assert calls(told).count("ExtractSeries") == 1
    assert any("read from prose by a model" in caution for caution in report.forecast.cautions)
    assert all(s.citations for s in report.sentences)
    assert asking(model=False).ask(VISITORS, asked_level=Level.PREDICTIVE)["report"].forecast is None


@pytest.mark.parametrize("model", [False, True])
def test_a_planned_event_gives_a_scenario_without_a_call(asking, model: bool):
    told = asking(model=model)
    report = told.ask(WATTS, asked_level=Level.PREDICTIVE)["report"]
    assert report.forecast is not None
    (scenario,) = report.forecast.scenarios
    assert scenario.effect == pytest.approx(-8, abs=1)
    assert [e.period for e in scenario.like] == ["2022-10", "2023-11"]
    quoted = next(s for s in report.sentences if "After the last value, in March 2025" in s.text)
    assert "works" in report.passages[quoted.citations[0] - 1].document_title
    assert "ExtractSeries" not in calls(told)


def test_effort_says_whether_a_model_reads_the_prose_too(asking):
    for effort, question, times in (("quick", VISITORS, 0), ("thorough", WATTS, 1)):
        told = asking(model=True)
        told.ask(question, asked_level=Level.PREDICTIVE, effort=effort)
        assert calls(told).count("ExtractSeries") == times, effort
