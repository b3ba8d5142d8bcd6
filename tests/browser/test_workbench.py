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


def traced(held: Window, node: str) -> Page:
    """Open the trace of the answer on the page at a node."""
    page = held.page
    page.get_by_text("How it was found").last.click()
    choose(held, node)
    return page


def choose(held: Window, node: str) -> None:
    """Choose a node of the tree by what it is."""
    held.page.get_by_role("treeitem", name=re.compile(f"^{node}")).click(timeout=PATIENCE)
    expect(held.page.get_by_role("treeitem", selected=True)).to_have_text(re.compile(f"^{node}"))
    held.settle()


def again(held: Window) -> Page:
    """Run again and wait for the comparison with the run before."""
    page = held.page
    page.get_by_role("button", name="Run again", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_visible(timeout=PATIENCE)
    held.settle()
    return page


def test_a_sub_question_is_edited_and_both_answers_stand_side_by_side(window: OpenWindow) -> None:
    held = window(NARROW)
    held.page.set_default_timeout(PATIENCE)
    held.open()
    held.ask(COMPOSITE)  # now: what a part found is taken over as long as the library stays as it is
    page = traced(held, "Plan")
    page.get_by_role("button", name="Change the plan and run again").click()
    held.settle()
    part = page.get_by_label("Part 2", exact=True)
    part.fill("By when must the electrostatic chuck of chamber B be replaced?")
    part.press("Control+Enter")
    expect(page.get_by_text("Part 2 works again; part 1 stays as found.")).to_be_visible(timeout=PATIENCE)
    again(held)
    compared = page.get_by_role("figure", name=re.compile("Two answers side by side"))
    expect(compared).to_contain_text("Before")
    expect(compared).to_contain_text("After, this run")
    expect(page.get_by_text("The plan was changed by you.")).to_be_visible()
    expect(page.get_by_role("figure", name="Two plans side by side")).to_contain_text("as found before")
    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_in_viewport()
    choose(held, "Part 1")
    expect(page.get_by_text("As found in the run before").first).to_be_visible()
    assert fits(page)
    held.look(WIDE)
    assert fits(page)


def test_a_banned_passage_is_gone_from_the_evidence_and_the_reason_is_said(
    window: OpenWindow, own_answer: str
) -> None:
    held = window()
    held.page.set_default_timeout(PATIENCE)
    held.open(own_answer)
    page = traced(held, "Evidence")
    cited = page.locator(".strata-passage", has=page.locator(".strata-badge", has_text="cited")).first
    cited.locator("summary").click()
    words = cited.locator(".strata-quote").inner_text()[:60]
    cited.get_by_role("button", name=re.compile("^Ban ")).click()
    held.settle()
    expect(page.locator(".strata-mark.banned[aria-pressed=true]").first).to_be_visible()
    again(held)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    expect(page.get_by_role("heading", name=re.compile("What changed"))).to_be_in_viewport()
    expect(page.get_by_text(re.compile("^Passages banned: ")).first).to_be_visible()
    expect(page.get_by_text(re.compile("Evidence lost"))).to_be_visible()
    choose(held, "Evidence")
    for quote in page.locator(".strata-quote").all_inner_texts():
        assert words not in quote


def test_a_pinned_passage_says_so_and_the_shares_are_drawn(window: OpenWindow, own_answer: str) -> None:
    held = window()
    held.page.set_default_timeout(PATIENCE)
    held.open(own_answer)
    page = traced(held, "Evidence")
    page.locator(".strata-passage summary").first.click()
    page.get_by_role("button", name=re.compile("^Pin ")).first.click()
    held.settle()
    again(held)
    choose(held, "Evidence")
    expect(page.locator(".strata-badge", has_text="pinned").first).to_be_visible()
    choose(held, "Answer")
    page.get_by_role("button", name="Which documents does it rest on?").click()
    expect(page.get_by_role("figure", name=re.compile("Share of the answer"))).to_be_visible(timeout=PATIENCE)
