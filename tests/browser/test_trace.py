"""The trace in a browser: a long run read by keyboard, never over three screens; runs narrowed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.bootstrap import build
from core.domain import Outcome
from core.settings import Settings, StoreSettings
from tests.browser.accessibility import findings
from tests.browser.conftest import NARROW, OpenWindow, serving
from tests.browser.test_main_job import fits
from tests.browser.window import Window
from tests.ui import long_run

ADDRESS = f"trace?run={long_run.RUN}"
OLDER = 40
IN_ITS_TREE = """node => node.getBoundingClientRect().bottom
  <= node.closest('[role=tree]').getBoundingClientRect().bottom + 1"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app over a library that holds a run of nine parts and many short ones."""
    folder: Path = tmp_path_factory.mktemp("traced")
    assistant = build(Settings(store=StoreSettings(path=folder / "library")))
    store = assistant.questions.store
    store.save_run(long_run.run())
    store.append(long_run.RUN, long_run.events())
    for n in range(OLDER):
        report = long_run.REPORT.model_copy(update={"outcome": Outcome.GAP if n % 2 else Outcome.ANSWER})
        short = {"id": f"short{n}", "question": f"What of tool {n}?", "started": float(n), "report": report}
        store.save_run(long_run.run().model_copy(update=short))
    assistant.close()
    with serving(folder) as address:
        yield address


CUT = """all => all.filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.textContent)"""


def chosen(page: Page) -> str:
    return page.locator(".strata-branch[aria-selected=true]").inner_text()


def test_the_tree_is_used_by_keyboard_alone(window: OpenWindow) -> None:
    browser = window()
    page = browser.open(ADDRESS)
    tree = page.get_by_role("tree")
    expect(tree.get_by_role("treeitem", name=re.compile("^Part 9"))).to_be_visible()
    tree.locator("[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):  # part 2, unfolded
        page.keyboard.press(key)
    expect(page.locator(":focus")).to_contain_text("Searched")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^Searched: Chamber 2"))).to_be_visible()
    expect(page).to_have_url(re.compile("at=part%3A2%2F0"))
    browser.settle()
    expect(page.locator(":focus")).to_contain_text("Searched")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(":focus")).to_contain_text("Part 2")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("treeitem", name=re.compile("^Searched"))).to_have_count(0)
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Everything that happened")).to_be_visible()
    assert "Events" in chosen(page)


def test_no_node_of_a_long_run_takes_more_than_three_screens_and_no_badge_is_cut(window: OpenWindow) -> None:
    browser = window(NARROW)  # where everything is taller than on a wide screen
    nodes = ("question", "plan", "part:2", "part:2/2", "whole", "answer", "sentence:5", "check", "calls")
    addresses = [f"{ADDRESS}&at={node}" for node in (*nodes, "call:0", "events")]
    browser.open("trace")
    for address in (*addresses, "trace"):
        page = browser.visit(address)
        if address != "trace":
            expect(page.get_by_role("treeitem", selected=True)).to_be_attached()
            assert page.get_by_role("treeitem", selected=True).evaluate(IN_ITS_TREE), address
        tall = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight / innerHeight")
        assert tall <= 3, (address, tall)
        assert address == "trace" or fits(page), address
    row = page.locator("[class*=st-key-run_row_]").first
    badge, facts = (
        row.locator(".stMarkdownBadge").locator("visible=true"),
        row.get_by_test_id("stCaptionContainer"),
    )
    at, beside = badge.bounding_box(), facts.bounding_box()
    assert at and beside
    assert beside["x"] >= at["x"] + at["width"] + 4 or beside["y"] >= at["y"] + at["height"] - 2
    page = browser.visit(ADDRESS)
    badges = page.locator(".st-key-trace_status .stMarkdownBadge").locator("visible=true")
    expect(badges).to_have_count(2)
    assert badges.evaluate_all(CUT) == []


def test_a_passage_unfolds_to_its_scores_and_the_words_of_a_figure_are_readable(
    window: OpenWindow,
) -> None:
    browser = window()
    page = browser.open(f"{ADDRESS}&at=whole")
    first = page.locator(".strata-passage").first
    expect(first.locator(".strata-figure")).to_have_text("100")
    expect(first.locator(".strata-scores")).to_be_hidden()
    first.locator("summary").click()
    expect(first.locator(".strata-scores")).to_contain_text("BM25")
    expect(first.locator("mark")).to_be_visible()
    figure_is_readable(browser)


def test_runs_are_narrowed_and_opened(window: OpenWindow) -> None:
    browser = window()
    page = browser.open("trace")
    rows = page.locator("[class*=st-key-run_open_]")
    expect(page.get_by_text(f"{OLDER + 1} runs, newest first")).to_be_visible()
    words = page.get_by_label("Words", exact=True)
    words.fill("TOOL what 7")
    words.press("Enter")
    expect(rows).to_have_count(4)
    words.fill("tool")
    words.press("Enter")
    expect(page.get_by_text(f"{OLDER} of {OLDER + 1} runs")).to_be_visible()
    page.get_by_label("Outcome").click()
    page.get_by_role("option", name="Something is missing").click()
    expect(page.get_by_text(f"{OLDER // 2} of {OLDER + 1} runs")).to_be_visible()
    page.keyboard.press("Escape")
    browser.settle()
    rows.first.get_by_role("button").click()
    expect(page).to_have_url(re.compile("run=short39"))
    expect(page.get_by_role("tree")).to_be_visible()


def figure_is_readable(browser: Window) -> None:
    """The words of the figure of all calls have the contrast of text, in both themes."""
    page = browser.visit(f"{ADDRESS}&at=calls")
    for theme in ("light", "dark"):
        browser.look(theme=theme)
        words = page.locator("[data-testid=stPlotlyChart] .main-svg text").locator("visible=true")
        expect(words.first).to_be_visible()
        ground = page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor")
        inks = set(words.evaluate_all("all => all.map(one => getComputedStyle(one).fill)"))
        assert inks and min(contrast(ink, ground) for ink in inks) >= 4.5, theme


def contrast(one: str, other: str) -> float:
    """Return the contrast of two opaque colours, "rgb(1, 2, 3)", by WCAG 2.2."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_an_open_menu_keeps_its_contrast(window: OpenWindow) -> None:
    browser = window(theme="dark")
    page = browser.open(ADDRESS)
    page.get_by_role("button", name=re.compile("Compare with")).click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    page.wait_for_timeout(400)
    assert findings(page) == []
