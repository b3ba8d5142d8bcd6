"""An answer is read while it is checked, what was found in sight; the badge turns, nothing moves."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.bootstrap import build
from core.settings import Settings
from tests.browser.conftest import NARROW, WIDE, OpenWindow, serving
from tests.browser.test_main_job import fits
from tests.ollama_brain import StrataBrain
from tests.ollama_double import OllamaDouble
from tests.ollama_protocol import Asked

RETOLD = "In short, those lots stay where they are for now [1]."
PICTURE = "![x](https://evil.example/p.png) <img src=https://evil.example/i.png onerror=alert(1)>"
LOOKED = threading.Event()  # the page was looked at while the answer is reviewed
MOVED = """() => { window.moved = 0; new PerformanceObserver((seen) => {
  for (const entry of seen.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
}).observe({type: 'layout-shift'}); }"""


def brain(asked: Asked) -> str:
    """Retell, so that rules leave the sentence open; judge it when it was looked at."""
    if '"claims"' in asked.user:
        LOOKED.wait(60)
        return '{"claims": [{"index": 0, "support": "supported"}], "conflicts": []}'
    if "Write the answer now" in asked.user:
        late = f"The etch module is late {PICTURE} [1]."
        return late if "said about the etch module" in asked.user else RETOLD
    return StrataBrain()(asked)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[str]:
    """The app over a document, with a model that takes its time to check."""
    folder = tmp_path_factory.mktemp("checking")
    with pytest.MonkeyPatch.context() as environment, OllamaDouble(brain) as double:
        environment.setenv("STRATA_STORE__PATH", str(folder / "library"))
        assistant = build(Settings.load(), warm=False)
        assistant.library.wait(assistant.library.ingest([fab / "meeting-notes-2025-03-18.md"]))
        assistant.close()
        with serving(folder, STRATA_LLM__HOST=double.host) as address:
            yield address


@pytest.mark.parametrize(
    ("size", "question"),
    [(WIDE, "Which lots are on hold since the meeting?"), (NARROW, "Which lots must wait, and since when?")],
)
def test_the_badge_turns_from_checking_to_its_verdict_and_the_page_stays(
    window: OpenWindow, size: tuple[int, int], question: str
) -> None:
    LOOKED.clear()
    browser = window(size)
    page = browser.open("")
    box = page.get_by_placeholder("Ask the library")
    box.fill(question)
    box.press("Enter")
    checking = page.locator('[class*="st-key-status_"]').get_by_text(re.compile("Checking$"))
    expect(checking).to_be_visible(timeout=60_000)
    result = page.locator('[class*="st-key-body_"]').get_by_text("those lots stay where they are")
    expect(result).to_be_visible()
    page.wait_for_timeout(500)
    expect(checking).to_be_visible()
    before = result.bounding_box()
    course = page.locator(".st-key-inspector_sections_going")
    expect(course.get_by_text(re.compile(r"Passages · \d+ looked at"))).to_be_in_viewport()
    expect(course.get_by_text(re.compile(r"Calls · \d+ calls?"))).to_be_in_viewport()
    expect(course.get_by_role("button").first).to_be_in_viewport()
    strip = course.bounding_box()
    assert before is not None and strip is not None
    beside, below = strip["x"] >= before["x"] + before["width"], strip["y"] >= before["y"] + before["height"]
    assert below if size == NARROW else beside, "what was found does not cover the answer"
    page.evaluate(MOVED)
    LOOKED.set()
    expect(page.get_by_text("1 of 1 sentence supported")).to_be_visible(timeout=30_000)
    browser.settle()
    expect(course).to_have_count(0)
    after = result.bounding_box()
    assert after is not None
    assert fits(page)
    assert page.evaluate("window.moved") < 0.05
    assert (after["x"], after["y"]) == pytest.approx((before["x"], before["y"]), abs=1)


def test_a_model_that_obeys_a_document_shows_words_and_no_picture(window: OpenWindow) -> None:
    """What leaves the window is looked at in its end: nothing did, while the answer was written and after."""
    browser = window()
    page = browser.open("")
    browser.ask("What is said about the etch module?")
    expect(page.locator('[class*="st-key-body_"]')).to_contain_text(f"is late {PICTURE}")
    assert page.locator("img[src*='evil'], a[href*='evil']").count() == 0
