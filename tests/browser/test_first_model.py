"""From a server without a model to one that answers and has its card: one press on the Models page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NARROW, OpenWindow, serving
from tests.browser.test_main_job import fits
from tests.ollama_double import OllamaDouble

GET = re.compile("^.*Get qwen3.*instruct and check it$")


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app beside a server that was just installed."""
    with (
        OllamaDouble(models=(), piece_latency=0.005) as double,
        serving(tmp_path_factory.mktemp("first"), STRATA_LLM__HOST=double.host) as address,
    ):
        yield address


def test_one_press_gets_a_model_fills_the_roles_and_shows_its_card(window: OpenWindow) -> None:
    browser = window(NARROW)
    page = browser.open("models")
    expect(page.get_by_text("The built-in engine answers now.")).to_be_visible()
    expect(page.get_by_text("ollama pull")).to_have_count(0)  # the button does it: nothing else to type
    page.get_by_role("button", name=GET).click()
    expect(page.get_by_text(re.compile(r"GB of|Task \d+ of 40")).first).to_be_visible(timeout=60_000)
    expect(page.get_by_text(re.compile(r"Task \d+ of 40"))).to_be_visible(timeout=60_000)
    expect(page.get_by_text(re.compile("instruct answers now"))).to_be_visible(timeout=180_000)
    expect(page.get_by_text(re.compile("instruct is good for"))).to_be_visible()
    expect(page.get_by_role("button", name=GET)).to_have_count(0)
    assert fits(page)
