"""A document nobody here wrote: asked two questions, the trace of the last opened."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MEMO, OpenWindow

QUESTIONS = (  # what no document answers is asked in test_workspace.py
    ("How many bottles of water were delivered on January 23?", "20,000"),
    ("How many blankets were delivered on January 23, and how many trucks were used?", "10,000"),
)


@pytest.fixture(scope="module")
def server(filled: str, bench_data: Path) -> str:
    """The app over a real memo as PDF, beside two demo documents; test_ingestion_report.py drops it."""
    assert MEMO.is_relative_to(bench_data) and MEMO.is_file()
    return filled


def test_questions_are_answered_and_their_trace_opens(window: OpenWindow) -> None:
    browser = window()
    page = browser.open()
    for question, words in QUESTIONS:
        browser.ask(question)
        assert "Answered" in page.locator('[class*="st-key-status_"]').last.inner_text()
        expect(page.locator(".strata-answer").last).to_contain_text(words)
    page.get_by_text("How it was found").last.click()
    expect(page.get_by_role("tree")).to_be_visible()
    assert "run=" in page.url
