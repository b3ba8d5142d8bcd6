"""The demo library, read once for every file here."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from bench.scripted_model import ScriptedModel
from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Report
from core.settings import LLMSettings, Settings, StoreSettings
from core.trace import Event
from tests.ollama_double import OllamaDouble

Asked = Callable[[str], tuple[Report, list[Event], str]]


@pytest.fixture(scope="session")
def demo_library(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Path:
    """The folder of a library with the demo documents, closed, to be copied."""
    folder = tmp_path_factory.mktemp("demo") / "library"
    built = build(Settings(store=StoreSettings(path=folder)), warm=False)
    jobs = built.library.wait(built.library.ingest([fab]))
    assert all(job.outcome == "read" for job in jobs)
    built.close()
    return folder


@pytest.fixture(scope="module", params=["built-in", "ollama"])
def asked(request: pytest.FixtureRequest, folder: Path) -> Iterator[Asked]:
    """Ask the library in the module's `folder`; return report, events, engine. A question is asked once."""
    with OllamaDouble(ScriptedModel()) as double:
        host = double.host if request.param == "ollama" else None
        llm = LLMSettings(backend=request.param, host=host)
        made: Assistant = build(Settings(store=StoreSettings(path=folder), llm=llm), warm=False)

        def ask(question: str) -> tuple[Report, list[Event], str]:
            run = made.questions.ask(question)
            report = made.questions.wait(run, 60)
            return report, [stamped.event for stamped in made.questions.events(run)], request.param

        yield cache(ask)
        made.close()
