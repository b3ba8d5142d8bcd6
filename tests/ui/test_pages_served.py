"""The chat while a served model writes slowly: the text grows, Stop keeps it, the model is named."""

import time
from collections.abc import Callable, Iterator

import pytest

from core.assistant import Assistant
from core.ui.shared import session
from tests.ollama_double import OllamaDouble
from tests.ui.conftest import NOTES, Open, figures, page_text, settle


@pytest.fixture(scope="module")
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble(piece_chars=6) as server:
        yield server


@pytest.fixture(scope="module")
def served(double: OllamaDouble, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """The assistant the pages use, with a model server behind it that answers piece by piece."""
    note = tmp_path_factory.mktemp("files") / "yield-meeting.md"
    note.write_text(NOTES, encoding="utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(tmp_path_factory.mktemp("served")))
        environment.setenv("OLLAMA_HOST", double.host)
        session.whole.clear()
        assistant = session.assistant()
        assistant.library.ingest([note], "demo")
        settle(assistant)
        yield assistant
        double.prose_latency = 0.0
        session.whole.clear()


def until(true: Callable[[], bool], limit: float = 60.0) -> None:
    end = time.monotonic() + limit
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_stop_keeps_the_partial_answer(served: Assistant, double: OllamaDouble, open_page: Open) -> None:
    double.prose_latency = 0.5
    at = open_page(session.CHAT)
    at.chat_input[0].set_value("How long does the wet clean of a PE-300 chamber take?").run()
    run = at.query_params[session.RUN]
    until(lambda: any(s.event.name == "wrote" for s in served.questions.events(run)))
    at.run()
    assert "Thinking" in page_text(at)
    at.button(key=f"stop_{run}").click().run()
    double.prose_latency = 0.0
    until(lambda: served.questions.run(run).status == "stopped")
    at.run()
    assert "Stopped" in page_text(at)
    written = "".join(s.event.text for s in served.questions.events(run) if s.event.name == "wrote")
    assert written.split()[0] in figures(at)


def test_the_models_page_lists_what_the_server_offers(served: Assistant, open_page: Open) -> None:
    at = open_page(session.MODELS)
    offered = {name for frame in at.dataframe for name in frame.value.get("Model", ())}
    assert {model.name for model in served.admin.health().models} == offered
    assert "Ollama" in page_text(at)


def test_a_role_is_given_to_a_model_and_back(served: Assistant, open_page: Open) -> None:
    usual = served.admin.health().roles["generation"]
    other = next(name for name in served.admin.answering()[1] if name != usual)
    at = open_page(session.MODELS)
    at.selectbox(key="models.role.generation").set_value(other).run()
    assert served.admin.health().roles["generation"] == other
    at.selectbox(key="models.role.generation").set_value(None).run()
    assert served.admin.health().roles["generation"] == usual


def test_a_collection_is_estimated_and_switched_on(
    served: Assistant, double: OllamaDouble, open_page: Open
) -> None:
    (document,) = served.library.contents.documents()
    background_enrichment = served.library.enrichment()
    assert background_enrichment.waiting(["demo"]) == (document.id,)
    at = open_page(session.CORPUS)
    at.button(key="enrich.demo.estimate").click().run()
    assert "about" in page_text(at) and "call" in page_text(at)
    at.toggle(key="enrich.demo").set_value(True).run()
    assert background_enrichment.switched_on() == ("demo",)
    until(lambda: background_enrichment.waiting(["demo"]) == ())
    until(lambda: background_enrichment.progress().state == "done")
    at.run()
    assert "Done" in page_text(at)
    at.toggle(key="enrich.demo").set_value(False).run()
    assert background_enrichment.switched_on() == ()
    assert not at.exception
