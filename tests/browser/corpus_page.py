"""What tests do on the corpus page: drop files, wait for them, choose documents of the list."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.window import Window


def long_text(path: Path) -> Path:
    """Write a text that takes some seconds to embed."""
    parts = (
        f"Note {n}. Chamber {n % 7} ran {n * 3} wafers of lot L{n:05} at {n % 90} degrees."
        for n in range(9000)
    )
    path.write_text("\n\n".join(parts), encoding="utf-8")
    return path


def drop(page: Page, *files: Path | str) -> None:
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]:not([webkitdirectory])").first.set_input_files(
        [str(file) for file in files]
    )


def drop_all(page: Page, files: list[Path]) -> None:
    """Drop files and wait until all are in."""
    before = ended(page)
    drop(page, *files)
    done = re.compile(rf"^{before + len(files)} files? finished")
    expect(page.get_by_text(done)).to_be_visible(timeout=180_000)


def take_in(page: Page, file: Path) -> None:
    """Drop a file and wait until it is in."""
    before = ended(page)
    drop(page, file)
    expect(page.get_by_text(re.compile(rf"^{before + 1} files? finished"))).to_be_visible(timeout=180_000)


def ended(page: Page) -> int:
    """Return how many files the report names."""
    result = page.get_by_text(re.compile(r"\d+ files? finished"))
    return int(result.inner_text().split()[0].replace(",", "")) if result.count() else 0


def nothing_on_the_way(page: Page) -> None:
    """Wait until each file has come to its end."""
    expect(page.get_by_role("heading", name="On the way in")).to_have_count(0, timeout=180_000)


def clear(browser: Window) -> None:
    """Take what came before off the report."""
    nothing_on_the_way(browser.page)
    browser.settle()
    title = browser.page.get_by_text(re.compile("files? finished"))
    if title.count():
        title.click()
        browser.page.get_by_role("button", name="Clear the list").click()
        expect(title).to_have_count(0)
        browser.settle()


def narrow(browser: Window, words: str) -> None:
    """Leave the documents whose names hold the words."""
    box = browser.page.get_by_label("Find", exact=True)
    box.fill(words)
    box.press("Enter")
    browser.settle()


def tick(browser: Window, which: str) -> None:
    """Tick the first document of the list, or all by the box in its head; the list is a canvas."""
    grid = browser.page.locator("[class*=st-key-corpus-documents]").get_by_test_id("stDataFrame")
    grid.scroll_into_view_if_needed()
    grid.click(position={"x": 18, "y": 18 if which == "all" else 53})
    browser.page.get_by_text(re.compile("documents? chosen")).wait_for()
