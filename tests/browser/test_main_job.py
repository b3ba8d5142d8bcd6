"""The main job in a browser: files go in, a question is asked, a cited answer comes out, its trace opens."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FACTUAL, NARROW, WIDE, OpenWindow

INSPECTOR = ".st-key-strata_inspector_chosen"
PAGES = ("", "corpus", "knowledge", "trace", "evaluation", "models")
PLACED = """share => {
  const image = document.querySelector('.st-key-inspector_page img');
  const page = image.getBoundingClientRect();
  const pane = image.closest('[data-testid=stColumn]').getBoundingClientRect();
  const at = page.top + share * page.height;
  return image.complete && page.height > 0 && pane.top < at && at < pane.bottom;
}"""
LEARNING = tuple(f"knowledge?view=learning&learn={part}" for part in ("changes", "gaps", "updates"))


@pytest.fixture(scope="module")
def server(filled: str) -> str:
    """The app over two demo documents."""
    return filled


def outcome(page: Page) -> str:
    return page.locator('[class*="st-key-status_"]').last.inner_text()


def test_a_question_is_answered_with_its_source_and_kept(window: OpenWindow) -> None:
    browser = window()
    page = browser.open()
    browser.ask(FACTUAL)
    assert re.search("Answered", outcome(page))
    expect(page.locator(".strata-answer")).to_contain_text("6.5 hours")
    page.locator(".strata-cite").first.click()
    expect(page.locator(INSPECTOR).locator("mark").first).to_be_visible()
    address = page.url
    page.reload()
    expect(page.locator(".strata-answer").first).to_contain_text("6.5 hours")
    browser.look(NARROW)
    page.goto(address)
    expect(page.locator(".strata-answer").first).to_contain_text("6.5 hours")


def test_a_citation_of_a_pdf_opens_the_page_with_the_passage_boxed_and_in_view(
    window: OpenWindow, pictured: str
) -> None:
    browser = window(NARROW)
    page = browser.open(pictured)
    cited = page.locator("[class*='st-key-source_'] button", has_text=re.compile("page")).first
    image = page.locator(INSPECTOR).locator("img")
    cited.click()
    expect(image).to_be_visible()
    page.wait_for_function(PLACED, arg=0.74)  # in the middle of the passage on its page
    for _ in range(2):
        page.get_by_role("button", name="Previous passage").click()
        browser.settle()
    page.wait_for_function(PLACED, arg=0.38)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport()
    page.get_by_role("button", name="Close").click()
    expect(image).to_have_count(0)
    browser.look(WIDE)
    cited.click()
    expect(image).to_be_visible()
    assert image.evaluate("image => image.naturalWidth") > 600


def test_a_composite_question_shows_its_plan_and_its_trace(window: OpenWindow, composed: str) -> None:
    browser = window()
    page = browser.open(composed)
    expect(page.locator(".strata-plan .strata-node").first).to_be_visible()
    edges = (
        "node => { const it = getComputedStyle(node); return [it.borderLeft, it.borderTop, it.borderRight]; }"
    )
    assert len(set(page.locator(".strata-node.answer").evaluate(edges))) == 1, "a pill has one edge"
    page.get_by_text("How it was found").last.click()
    tree = page.get_by_role("tree")
    tree.get_by_role("treeitem", name=re.compile("^Plan")).click()
    expect(page.get_by_role("heading", name="Plan")).to_be_visible()
    tree.get_by_role("treeitem", name=re.compile("^Part 1")).click()
    expect(page.locator(".strata-passage").first).to_be_visible()
    tree.get_by_role("treeitem", name=re.compile("^Calls")).click()
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    assert "run=" in page.url


def test_an_answer_can_be_taken_away_as_one_file(window: OpenWindow, answered: str) -> None:
    page = window().open(answered)
    page.get_by_role("button", name="Export").last.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Web page, opens offline").click()
    html = Path(download.value.path()).read_text("utf-8")
    assert "6.5 hours" in html
    assert not re.search(r"(src|href)=[\"']https?://", html)


def test_every_page_fits_its_screen(window: OpenWindow) -> None:
    held, sizes = window(NARROW), [NARROW, WIDE]
    held.open("models")
    for path in (*PAGES, *LEARNING):
        page = held.visit(path)
        assert fits(page), (path, sizes[0])
        held.look(sizes[1])
        assert fits(page), (path, sizes[1])
        sizes.reverse()


def test_the_tools_of_a_table_lie_over_no_head_of_a_column_on_a_phone(window: OpenWindow) -> None:
    page = window(NARROW).open("knowledge?view=entities")
    table = page.get_by_test_id("stDataFrame").first
    table.hover()
    tools = page.get_by_test_id("stElementToolbar").first
    expect(tools).to_be_visible()
    above = page.get_by_label("Name", exact=True).bounding_box()
    held, drawn = tools.bounding_box(), table.bounding_box()
    assert held is not None and drawn is not None and above is not None
    assert above["y"] + above["height"] <= held["y"]
    assert held["y"] + held["height"] <= drawn["y"] + 1


def fits(page: Page) -> bool:
    """Say whether nothing reaches past the right edge, but what lies in a strip that scrolls by itself."""
    return bool(
        page.evaluate(
            """() => document.documentElement.scrollWidth <= innerWidth
              && [...document.querySelectorAll('[data-testid=stMain] *')].every((node) =>
                   node.closest('[data-testid=stDataFrame], .st-key-strata_options, .strata-rows-scroll')
                   || node.parentElement.closest('button')?.getBoundingClientRect().right <= innerWidth + 1
                   || node.getBoundingClientRect().right <= innerWidth + 1)"""
        )
    )


def test_the_neighbourhood_is_drawn_without_the_network(window: OpenWindow) -> None:
    browser = window()
    page = browser.open("knowledge?view=entities")
    page.get_by_test_id("stDataFrame").first.click(position={"x": 18, "y": 55})  # the first row's box
    browser.settle()
    expect(page.locator("[class*=st-key-drawn_] canvas").first).to_be_visible()
