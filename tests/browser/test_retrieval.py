"""Retrieval looked at in a browser: one question leg by leg, and evaluations as charts."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FILES, NARROW, OpenWindow
from tests.browser.test_main_job import fits

QUESTION = "How long does the wet clean of chamber B take?"


@pytest.fixture(scope="module")
def server(filled: str) -> str:
    """The app over two demo documents."""
    return filled


def test_a_question_is_shown_leg_by_leg_with_scores_and_reasons_and_compared(window: OpenWindow) -> None:
    browser = window()
    page = browser.open("evaluation?view=test")
    box = page.get_by_label("Test the retrieval of a question")
    box.fill(QUESTION)
    box.press("Enter")
    expect(page.locator(".strata-leg")).to_have_count(5)
    for name in ("By words", "By meaning", "All layers", "Reranked", "What an answer reads"):
        expect(page.locator(".strata-leg summary", has_text=name)).to_be_visible()
    best = page.locator(".strata-leg").last.locator(".strata-leg-row").first
    expect(best).to_contain_text("Yield meeting")
    expect(
        page.get_by_text(re.compile("sure that the library speaks")).filter(visible=True).first
    ).to_be_visible()
    expect(page.locator(".strata-passage mark").first).to_be_attached()  # seen once it is unfolded
    expect(page.locator(".strata-scores").first).to_contain_text("words")
    best.hover()
    expect(page.locator(".strata-leg-row.lit").nth(1)).to_be_visible()
    best.click()
    pane = page.locator(".st-key-strata_inspector_chosen")
    expect(pane.locator(".strata-text")).to_contain_text("6.5 hours")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "ask=" in page.url
    assert fits(page)
    browser.visit(f"evaluation?view=test&ask={quote(QUESTION)}")
    expect(page.locator(".strata-leg")).to_have_count(5)
    page.locator("[class*=st-key-knowledge-without] input").click()
    page.get_by_role("option", name=re.compile("without the graph")).click()
    expect(page.locator(".strata-leg")).to_have_count(4)
    expect(page.locator(".strata-leg summary", has_text="without the graph").first).to_be_visible()


def test_what_is_not_in_the_library_is_called_doubtful_on_a_telephone(window: OpenWindow) -> None:
    browser = window(NARROW)
    page = browser.open(f"evaluation?view=test&ask={quote('Who won the chess olympiad of 1972?')}")
    expect(
        page.get_by_text(re.compile("Doubtful whether the library")).filter(visible=True).first
    ).to_be_visible()
    expect(page.locator("details.strata-leg[open]")).to_have_count(1)
    page.locator(".strata-leg summary", has_text="By meaning").click()
    expect(page.locator("details.strata-leg[open]")).to_have_count(2)
    assert fits(page)


def test_questions_are_evaluated_from_the_page_and_two_runs_compared(
    window: OpenWindow, tmp_path: Path
) -> None:
    browser = window()
    page = browser.open("evaluation?view=retrieval")
    expect(page.get_by_text("strata eval retrieval --corpus").first).to_be_visible()
    rows = [
        {"question": QUESTION, "gold_ids": ["meeting-notes-2025-03-18.md"]},
        {"question": "What does X-ray analysis find?", "gold_ids": [FILES[0]]},
    ]
    for number in range(2):
        questions = tmp_path / f"questions-{number}.jsonl"  # the chip of the file before stays for a moment
        questions.write_text("\n".join(map(json.dumps, rows[number:])), "utf-8")
        if number:
            page.get_by_text("Evaluate questions").click()
        page.locator("input[type=file]").set_input_files(questions)
        expect(page.get_by_text(questions.name).last).to_be_visible()
        browser.settle()
        page.get_by_role("button", name="Evaluate", exact=True).click()
        shown = page.get_by_role("combobox", name="Evaluation")
        expect(shown).to_have_value(re.compile(f"library · {2 - number} question"), timeout=60_000)
        expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=60_000)
        browser.settle()
    box = page.get_by_role("combobox", name="Compared with")
    box.click()
    box.press("ArrowDown")
    page.get_by_role("option").first.click()
    expect(page.get_by_text(re.compile("points")).first).to_be_visible()


def test_a_file_that_is_no_questions_says_what_is_wrong(window: OpenWindow, tmp_path: Path) -> None:
    browser = window()
    page = browser.open("evaluation?view=retrieval")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": "?"}', "utf-8")
    if not page.locator("input[type=file]").is_visible():
        page.get_by_text("Evaluate questions").click()
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_text("bad.jsonl").last).to_be_visible()
    browser.settle()  # a press on a page that is being drawn anew is lost
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.get_by_text("lacks question or gold_ids")).to_be_visible()
