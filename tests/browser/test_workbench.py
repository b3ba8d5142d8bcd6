"""The trace as a workbench in a browser: edit a part, ban a passage, run again, see both answers."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import COMPOSITE, NARROW, WIDE, OpenWindow
from tests.browser.test_main_job import fits
from tests.browser.window import Window

PATIENCE = 90_000  # milliseconds


@pytest.fixture(scope="module")
def server(filled: str) -> str:
    """The app over two demo documents."""
    return filled


def traced(browser: Window, node: str) -> Page:
    """Open the trace of the answer on the page at a node."""
    page = browser.page
    page.get_by_text("How it was found").last.click()
    choose(browser, node)
    return page


def choose(browser: Window, node: str) -> None:
    """Choose a node of the tree by what it is."""
    browser.page.get_by_role("treeitem", name=re.compile(f"^{node}")).click(timeout=PATIENCE)
    expect(browser.page.get_by_role("treeitem", selected=True)).to_have_text(re.compile(f"^{node}"))
    browser.settle()


def again(browser: Window) -> Page:
    """Run again and wait for the comparison with the run before."""
    page = browser.page
    page.get_by_role("button", name="Run again", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_visible(timeout=PATIENCE)
    browser.settle()
    return page


def test_a_sub_question_is_edited_and_both_answers_stand_side_by_side(window: OpenWindow) -> None:
    browser = window(NARROW)
    browser.page.set_default_timeout(PATIENCE)
    browser.open()
    browser.ask(COMPOSITE)  # now: what a part found is taken over as long as the library stays as it is
    page = traced(browser, "Plan")
    page.get_by_role("button", name="Change the plan and run again").click()
    browser.settle()
    part = page.get_by_label("Part 2", exact=True)
    part.fill("By when must the electrostatic chuck of chamber B be replaced?")
    part.press("Control+Enter")
    expect(page.get_by_text("Part 2 works again; part 1 stays as found.")).to_be_visible(timeout=PATIENCE)
    again(browser)
    compared = page.get_by_role("figure", name=re.compile("Two answers side by side"))
    expect(compared).to_contain_text("Before")
    expect(compared).to_contain_text("After, this run")
    expect(page.get_by_text("The plan was changed by you.")).to_be_visible()
    expect(page.get_by_role("figure", name="Two plans side by side")).to_contain_text("as found before")
    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_in_viewport()
    choose(browser, "Part 1")
    expect(page.get_by_text("As found in the run before").first).to_be_visible()
    assert fits(page)
    browser.look(WIDE)
    assert fits(page)


def test_a_banned_passage_is_gone_from_the_evidence_and_the_reason_is_said(
    window: OpenWindow, own_answer: str
) -> None:
    browser = window()
    browser.page.set_default_timeout(PATIENCE)
    browser.open(own_answer)
    page = traced(browser, "Evidence")
    cited = page.locator(".strata-passage", has=page.locator(".strata-badge", has_text="cited")).first
    cited.locator("summary").click()
    words = cited.locator(".strata-quote").inner_text()[:60]
    cited.get_by_role("button", name=re.compile("^Ban ")).click()
    browser.settle()
    expect(page.locator(".strata-mark.banned[aria-pressed=true]").first).to_be_visible()
    again(browser)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_in_viewport()
    expect(page.get_by_text(re.compile("^Passages banned: ")).first).to_be_visible()
    expect(page.get_by_text(re.compile("Evidence lost"))).to_be_visible()
    choose(browser, "Evidence")
    for quote in page.locator(".strata-quote").all_inner_texts():
        assert words not in quote


def test_a_pinned_passage_says_so_and_the_shares_are_drawn(window: OpenWindow, own_answer: str) -> None:
    browser = window()
    browser.page.set_default_timeout(PATIENCE)
    browser.open(own_answer)
    page = traced(browser, "Evidence")
    page.locator(".strata-passage summary").first.click()
    page.get_by_role("button", name=re.compile("^Pin ")).first.click()
    browser.settle()
    again(browser)
    choose(browser, "Evidence")
    expect(page.locator(".strata-badge", has_text="pinned").first).to_be_visible()
    choose(browser, "Answer")
    page.get_by_role("button", name="Which documents does it rest on?").click()
    expect(page.get_by_role("figure", name=re.compile("Share of the answer"))).to_be_visible(timeout=PATIENCE)
