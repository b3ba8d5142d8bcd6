"""The models page in a browser: a model that is missing is pulled, another embedder takes over."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.bootstrap import build
from core.settings import Settings
from tests.browser.conftest import NARROW, OpenWindow, serving
from tests.browser.test_main_job import fits
from tests.ollama_double import OllamaDouble


@pytest.fixture(scope="module")
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble(piece_latency=0.15) as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, fab: Path, double: OllamaDouble) -> Iterator[str]:
    """The app over a library of the packaged model, with settings that name models of a server."""
    folder = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(folder / "library"))
        assistant = build(Settings.load(), warm=False)
        assistant.library.wait(assistant.library.ingest([fab / "meeting-notes-2025-03-18.md"]))
        assistant.close()
    settings = {
        "STRATA_LLM__HOST": double.host,
        "STRATA_LLM__GENERATION": "llama3.2",
        "STRATA_EMBEDDING__BACKEND": "ollama",
        "STRATA_EMBEDDING__MODEL": "nomic-embed-text",
    }
    with serving(folder, **settings) as address:
        yield address


def test_another_embedder_takes_over_while_the_page_is_open(window: OpenWindow) -> None:
    browser = window()
    page = browser.open("models")
    expect(page.get_by_role("heading", name="The library's vectors")).to_be_visible()
    expect(page.get_by_text("Those of all-MiniLM-L6-v2 are kept")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Searched with the vectors of nomic-embed-text")).to_be_visible()
    page.get_by_role("button", name="Delete them").click()
    expect(page.get_by_text("Those of all-MiniLM-L6-v2 are kept")).not_to_be_visible()
    assert fits(page)


def test_a_missing_model_is_named_and_pulled(window: OpenWindow, double: OllamaDouble) -> None:
    double.models = tuple(model for model in double.models if model.name != "llama3.2")  # on a second try
    browser = window(NARROW)
    page = browser.open("models")
    expect(page.get_by_text(re.compile("The model llama3.2 is not there"))).to_be_visible()
    page.get_by_role("button", name="Pull llama3.2").click()
    expect(page.get_by_text(re.compile("pulling|MB|GB of")).first).to_be_visible()
    expect(page.get_by_test_id("stToast").get_by_text("llama3.2 is there.")).to_be_visible()
    assert fits(page)


def test_a_model_that_nobody_has_says_why(window: OpenWindow) -> None:
    browser = window()
    page = browser.open("models")
    page.get_by_label("Get a model").fill("no-such-model")
    page.get_by_role("button", name="Pull", exact=True).click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("no-such-model")
