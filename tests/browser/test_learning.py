"""Learning in a browser: a corrected answer is listed, answers the next time, and goes when it is undone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FACTUAL as QUESTION
from tests.browser.conftest import OpenWindow
from tests.browser.window import Window

BETTER = "Plan 6.5 hours for the wet clean of chamber B"
PATIENCE = 90_000  # milliseconds for what the library has to work out


@pytest.fixture(scope="module")
def server(filled: str) -> str:
    """The app over two demo documents."""
    return filled


def patient(browser: Window) -> Window:
    browser.page.set_default_timeout(PATIENCE)
    return browser


def correct(browser: Window, text: str) -> None:
    """Write what the last answer should have said."""
    page = browser.page
    page.get_by_role("button", name="Correct").last.click()
    page.get_by_label("What should it have said?").last.fill(text)
    page.get_by_role("button", name="Save").last.click()
    page.get_by_text("A verified answer is kept").last.wait_for(timeout=PATIENCE)
    browser.settle()


def test_a_corrected_answer_is_given_next_time_until_it_is_undone(
    window: OpenWindow, own_answer: str
) -> None:
    browser = patient(window())
    page = browser.open(own_answer)
    expect(page.locator(".strata-answer").last).to_contain_text("6.5 hours")
    assert "L1" in _status(page)
    correct(browser, BETTER)

    browser.visit("")
    browser.ask(QUESTION)
    assert "L0" in _status(page)
    expect(page.locator(".strata-answer").last).to_contain_text(BETTER)
    expect(page.get_by_text(re.compile("Corrected and verified by a reader")).last).to_be_visible()

    page.get_by_text("What was learnt").last.click()
    card = page.locator("[class*='st-key-change_']", has_text=f"Verified answer: {QUESTION}")
    expect(card.get_by_text("holds", exact=True)).to_be_visible(timeout=PATIENCE)
    expect(card).to_contain_text(BETTER)
    browser.settle()
    card.get_by_role("button", name="Undo").click()
    expect(card.get_by_text("undone", exact=True)).to_be_visible(timeout=PATIENCE)

    browser.visit("")
    browser.ask(QUESTION)
    assert "L1" in _status(page)
    expect(page.locator(".strata-answer").last).not_to_contain_text(BETTER)


def _status(page: Page) -> str:
    return page.locator('[class*="st-key-status_"]').last.inner_text()


def test_a_correction_without_words_is_refused_and_a_passage_judged_where_it_is_read(
    window: OpenWindow, own_answer: str
) -> None:
    page = patient(window()).open(own_answer)
    page.get_by_role("button", name="Correct").last.click()
    page.get_by_label("What should it have said?").last.fill("  ")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_text("The correction is empty.")).to_be_visible(timeout=PATIENCE)
    page.locator(".strata-cite").first.click()
    inspector = page.locator(".st-key-strata_inspector_chosen")
    inspector.get_by_role("button", name="Useful", exact=True).click()
    expect(page.get_by_text(re.compile("Learnt. Useful"))).to_be_visible(timeout=PATIENCE)
