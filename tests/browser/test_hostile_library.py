"""A library whose every field is hostile: no page and no message makes a request, a link or markup of it."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from core.bootstrap import build
from core.settings import Settings, StoreSettings
from tests.browser.conftest import OpenWindow, serving
from tests.browser.window import Window

PIXEL = "![x](https://evil.example/p.png) <img src=https://evil.example/i.png> [go](https://evil.example)"
SCRIPT = "<script>fetch('https://evil.example')</script>"
WORDS = f"{PIXEL} :material/delete: $x^2$ https://evil.example/u a@evil.example {SCRIPT}"
VIEWS = {
    "knowledge": {
        "Search": "view=search",
        "Documents": "view=documents",
        "Things": "view=things",
        "Tags": "view=tags",
        "Names": "view=entities",
        "Learning": "view=learning",
        "Training": "learn=training",
        "Changes": "learn=changes",
    },
    "evaluation": {
        "Question sets": "view=retrieval",
        "Self-test": "view=selftest",
        "One question": "view=test",
    },
}
FOREIGN = "a[href*='evil'], img[src*='evil'], a[href^='mailto'], .katex, [src*='evil.example']"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hostile")
    files = folder / "files"
    files.mkdir()
    name = "![x](https:evil.example) :smile: $x$ [go](javascript:0)"
    (files / f"{name}.md").write_text(
        f"# {PIXEL}\n\n## Pump {WORDS}\n\nThe pump of ETCH-07 is old. {WORDS}\n"
    )
    (files / f"{name}.csv").write_text(f'"{PIXEL}",Lot\n"{WORDS}",L1\n"{WORDS}",L2\n"=1+1",L3\n')
    (files / os.fsdecode(b"caf\xe9 ![x](q).txt")).write_text(f"Pump P-12 belongs to {WORDS}.\n")
    (files / "broken ![x](https:evil.example).pdf").write_bytes(b"%PDF-1.7 broken")
    store = StoreSettings(path=folder / "library")
    assistant = build(Settings(store=store), warm=False)
    jobs = assistant.library.wait(assistant.library.ingest([files], f"kept {PIXEL}"), timeout=120)
    assert sum(job.outcome == "read" for job in jobs) == 3, [(job.name, job.reason) for job in jobs]
    assistant.close()
    with serving(folder) as address:
        yield address


def harmless(browser: Window) -> None:
    """Nothing is made of foreign text; what left the window and what it said is looked at in the end."""
    assert browser.page.locator(FOREIGN).count() == 0, browser.page.url


def test_every_page_and_message_over_a_hostile_library_is_text(window: OpenWindow) -> None:
    browser = window()
    page = browser.open("corpus")
    harmless(browser)
    for place, views in VIEWS.items():
        page = browser.visit(place)
        harmless(browser)
        for name, address in views.items():  # every press on a view opens it
            page.get_by_role("radio", name=name, exact=True).click()
            expect(page).to_have_url(re.compile(address))  # a slow machine looks still before it draws
            browser.settle()
            expect(page.get_by_role("radio", name=name, exact=True)).to_have_attribute("aria-checked", "true")
            harmless(browser)
    page = browser.visit("")
    browser.ask(f"What is the pump of ETCH-07? {WORDS}")
    harmless(browser)
    asked = page.get_by_test_id("stChatMessage").first
    asked.get_by_text("The whole question").click()  # a long one is folded
    expect(asked).to_contain_text("$x^2$")
    assert asked.locator("a, img, .katex").count() == 0
    shown = asked.inner_text().replace("\u2060", "")
    for word in ("![x](https://evil.example/p.png)", "<img", "https://evil.example/u", ":material/delete:"):
        assert word in shown
    page.get_by_text("How it was found").last.click()
    browser.settle()
    harmless(browser)
    browser.visit("models")
    harmless(browser)
    page = browser.open("corpus")  # a new session: no message of the last one
    page.get_by_test_id("stDataFrame").last.click(position={"x": 18, "y": 55})
    browser.settle()
    page.get_by_role("button", name="Delete …").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    result = page.locator(".st-key-corpus_undo").filter(has_text="is gone")
    result.wait_for()
    heading = page.get_by_role("heading", name="In the library").bounding_box()
    place = result.bounding_box()
    assert heading and place and place["y"] > heading["y"]  # by the list, where the reader is
    assert result.locator("img, a").count() == 0
    page.wait_for_timeout(500)  # what a picture would ask for
    harmless(browser)
