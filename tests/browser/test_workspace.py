"""The chat's workspace: one click or a few keys from a sentence to its line, and text that copies right."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import findings
from tests.browser.conftest import NARROW, WIDE, OpenWindow
from tests.browser.test_checking import MOVED
from tests.browser.window import Window

CHOSEN = ".st-key-strata_inspector_chosen"
SEEN_AT_THE_END = """title => {
  const main = document.querySelector('[data-testid="stMain"]');
  main.scrollTo(0, main.scrollHeight);
  const header = document.querySelector('[data-testid="stHeader"]').getBoundingClientRect();
  return main.scrollTop > 0 && document.querySelector(title).getBoundingClientRect().top >= header.bottom;
}"""


@pytest.fixture(scope="module")
def server(filled: str) -> str:
    """The app over two demo documents."""
    return filled


def test_one_click_on_a_citation_marks_the_exact_line(window: OpenWindow, answered: str) -> None:
    browser = window(WIDE)
    page = browser.open(answered)
    for size in (WIDE, NARROW):
        browser.look(size)
        page.locator(".strata-cite").first.click()
        mark = page.locator(f"{CHOSEN} mark").first
        expect(mark).to_have_text(
            "- Wet clean of chamber B takes 6.5 hours; planning can give 8 hours on 21 March."
        )
        expect(mark).to_be_in_viewport()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="Previous passage").click()
        expect(page.locator(CHOSEN)).not_to_contain_text("6.5 hours")
        browser.settle()  # a press on a page that is being drawn anew is lost
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_role("button", name="Close")).to_have_count(0)
        expect(page.locator(CHOSEN)).to_have_count(0)  # on a telephone the sheet goes with it


def test_the_head_of_the_inspector_stays_in_view_at_the_end_of_an_answer(
    window: OpenWindow, composed: str
) -> None:
    page = window(WIDE).open(composed)
    page.locator(".strata-cite").first.click()
    title = page.locator(f"{CHOSEN} h2").first
    expect(title).to_be_visible()
    page.wait_for_function(SEEN_AT_THE_END, arg=f"{CHOSEN} h2", timeout=10_000)


def test_the_keyboard_goes_from_the_question_to_the_marked_line_in_eight_stops(
    window: OpenWindow, answered: str
) -> None:
    page = window().open(answered)
    page.get_by_placeholder("Ask the library").focus()
    stops = 0
    while not page.evaluate("document.activeElement.matches('.strata-skip-link, .strata-cite')"):
        page.keyboard.press("Tab")
        stops += 1
        assert stops <= 8
    page.keyboard.press("Enter")
    expect(page.locator(".strata-cite").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"{CHOSEN} .strata-fulltext")).to_be_focused()
    assert stops + 2 <= 8
    page.keyboard.press("Escape")
    expect(page.locator(".strata-cite").first).to_be_focused()
    column = page.get_by_test_id("stColumn").filter(has=page.locator(CHOSEN))
    scrolls = "column => getComputedStyle(column).overflowY"
    assert column.evaluate(scrolls) == "auto"
    column.evaluate("column => column.querySelectorAll('button').forEach(button => button.remove())")
    assert column.evaluate(scrolls) == "visible", "nothing there takes the focus, as while it is drawn"


def test_the_jump_lands_on_the_last_answer_and_not_on_a_citation_of_an_earlier_one(
    window: OpenWindow, unanswered: str
) -> None:
    page = window().open(unanswered)
    status = page.locator('[class*="st-key-status_"]').last
    expect(status).to_have_text(re.compile("Not in the library|Something is missing"))
    asked = page.locator("[class*='st-key-body_']")
    expect(asked).to_have_count(2)
    assert asked.last.locator(".strata-cite").count() == 0
    page.locator(".strata-skip-link").focus()
    page.keyboard.press("Enter")
    last = "[...document.querySelectorAll(\"[class*='st-key-body_']\")].pop()"
    assert page.evaluate(f"{last}.contains(document.activeElement)")
    expect(asked.last).to_be_in_viewport()


def test_an_answer_copies_with_its_numbers_apart(window: OpenWindow, answered: str) -> None:
    page = window().open(answered)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = page.locator(".strata-answer").first.evaluate(
        """node => { const range = document.createRange(); range.selectNodeContents(node);
          const held = getSelection(); held.removeAllRanges(); held.addRange(range);
          return held.toString(); }"""
    )
    assert re.search(r"\w \[1\]", shown)
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"6\.5 hours.* \[1\]", copied)
    assert re.search(r"(?m)^\[1\] Yield meeting", copied)


def test_asked_again_without_a_source_the_answer_before_it_folds_and_nothing_moves(
    window: OpenWindow, own_answer: str
) -> None:
    browser = window(NARROW)
    page = browser.open(own_answer)
    before, source = page.url, page.locator("[class*='st-key-source_'] button").first.inner_text()
    page.locator("[class*='st-key-use_'] label").first.click()
    page.evaluate(MOVED)
    page.get_by_role("button", name="Ask again without 1 source").click()
    expect(page.locator("[class*='st-key-asked_']")).to_have_count(2)
    expect(page.get_by_text("The whole answer, its plan and its sources")).to_be_attached()
    expect(page.locator("[class*='st-key-stop_']")).to_have_count(0)
    browser.settle()
    expect(page.locator("[class*='st-key-actions_']")).to_have_count(1)
    assert page.evaluate("window.moved") < 0.05
    assert page.url != before
    last = page.locator("[class*='st-key-exchange_']").last
    assert last.bounding_box()["y"] == pytest.approx(0, abs=2)  # type: ignore[index]
    assert source not in last.locator("[class*='st-key-source_'] button").all_inner_texts()
    tall = "node => getComputedStyle(node).minHeight"
    assert last.evaluate(tall) == f"{NARROW[1]}px"
    page.locator("[class*='st-key-short_exchange_']").evaluate("node => node.parentElement.remove()")
    assert last.evaluate(tall) == f"{NARROW[1]}px", "as while what folds is drawn anew"


def test_nothing_grave_is_wrong_for_those_who_use_aids(
    window: OpenWindow, answered: str, unanswered: str
) -> None:
    browser = window(WIDE)
    page = browser.open()
    assert grave(browser) == [], "before a question"
    box = page.get_by_placeholder("Ask the library")
    before = box.bounding_box()
    browser.visit(answered)
    assert box.bounding_box() == before, "an answer moved the box for questions"
    assert grave(browser) == [], "answered"
    page.locator(".strata-cite").first.click()
    expect(page.locator(f"{CHOSEN} mark").first).to_be_visible()
    browser.settle()
    assert grave(browser) == [], "inspected"
    browser.visit(unanswered)
    assert grave(browser) == [], "nothing found"


def grave(browser: Window) -> list[str]:
    """Return what is wrong on each screen in one theme, and what cannot be read in the other one."""
    found = []
    for size in (NARROW, WIDE):  # ends where Streamlit shows its sidebar by itself
        browser.look(size)
        found += findings(browser.page)
        dark = browser.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        browser.look(theme="light" if dark else "dark")
        found += findings(browser.page, "color-contrast")
    return found


def test_a_conversation_is_renamed_found_and_deleted(window: OpenWindow, own_answer: str) -> None:
    number = str(time.time_ns())[-7:]  # one of its own, if it is run once more
    browser = window()
    page = browser.open(own_answer)
    page.get_by_role("button", name="Conversation").click()
    page.get_by_label("Title").fill(f"Quartz wagon {number}")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1, name=f"Quartz wagon {number}")).to_be_visible()
    browser.settle()  # until it is drawn anew, the question is still a heading of the first level, too
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Quartz wagon {number}")
    _search(page, f"wagon {number} chamber")
    expect(page.locator(".st-key-strata_history [class*='st-key-conversation_']")).to_have_count(1)
    _search(page, "")
    page.get_by_role("button", name="Conversation").click()
    page.get_by_text("Delete its questions and answers for good").click()
    page.get_by_role("button", name="Delete conversation").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    expect(page.get_by_text(f"Quartz wagon {number}")).to_have_count(0)


def _search(page: Page, words: str) -> None:
    box = page.get_by_label("Search conversations")
    box.fill(words)
    box.press("Enter")
