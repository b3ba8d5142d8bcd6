"""Measures the workspace in a browser: start, change of page, keyboard, clicks, shifts, requests.

    python -m tests.browser.workspace_figures [--library FOLDER] [--starts 3]

A start is cold where the files of program, packages and library are not in memory: they are put out of it
first, as far as no other process holds them. The app is started as a user does.
"""

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import conftest
from tests.browser.every_state import prepare
from tests.browser.test_checking import MOVED

PAGES = ("Corpus", "Knowledge", "Trace", "Evaluation", "Models", "Chat")
RUN = "from core.cli import main; main()"


def forget(*folders: Path) -> int:
    """Put the files of the folders out of memory; return how many were asked for."""
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    os.sync()
    for file in files:
        held = os.open(file, os.O_RDONLY)
        os.posix_fadvise(held, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(held)
    return len(files)


@contextmanager
def started(library: Path) -> Iterator[str]:
    """Start the app as a user does; it may not be up yet."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "STRATA_STORE__PATH": str(library), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", RUN, "run", "--port", str(port)]
    with (library.parent / "app.log").open("wb") as log:
        app = subprocess.Popen(command, cwd=conftest.ROOT, env=environment, stdout=log, stderr=log)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            app.terminate()
            app.wait(30)


def reach(page: Page, address: str) -> None:
    """Open an address of an app that is still starting, once somebody listens there."""
    where = urlsplit(address)
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((where.hostname, where.port), timeout=1):
            break
        time.sleep(0.05)
    page.goto(address, wait_until="commit")


def usable(page: Page, address: str) -> None:
    """Wait until the first page can be used: its heading is read and a question can be written."""
    reach(page, address)
    page.get_by_placeholder("Ask the library").wait_for()
    page.get_by_role("heading", level=1).wait_for()


def start(browser: Browser, library: Path, *, cold: bool) -> float:
    """Return the seconds from the command to a first page that can be used."""
    if cold:
        packages = [Path(sysconfig.get_path(name)) for name in ("purelib", "stdlib")]
        forget(*packages, conftest.ROOT / "core", conftest.ROOT / "pages", library)
    page = browser.new_context(locale="en-US").new_page()
    page.set_default_timeout(120_000)
    began = time.monotonic()
    with started(library) as address:
        usable(page, address)
        took = time.monotonic() - began
        page.context.close()
    return took


def changes(page: Page) -> dict[str, float]:
    """Return the seconds from a press in the sidebar to the page's heading, after one visit to each."""
    took: dict[str, float] = {}
    for _ in range(2):
        for name in PAGES:
            began = time.monotonic()
            page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
            heading = "What would you like to know?" if name == "Chat" else name
            page.get_by_role("heading", name=heading, level=1).wait_for()
            took[name] = round(time.monotonic() - began, 2)
            page.wait_for_timeout(1500)
    return took


def stops(page: Page) -> int:
    """Return the stops of the keyboard from the question to the marked line of the first source."""
    page.get_by_placeholder("Ask the library").focus()
    count = 0
    while not page.evaluate("document.activeElement.matches('.strata-skip-link, .strata-cite')"):
        page.keyboard.press("Tab")
        count += 1
    page.keyboard.press("Enter")
    expect(page.locator(".strata-cite").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-strata_inspector_chosen .strata-fulltext")).to_be_focused()
    return count + 2


def measured(browser: Browser, library: Path) -> dict[str, object]:
    """Return what is measured in one running app: shifts, stops, clicks, changes of page, requests."""
    found: dict[str, object] = {}
    left: list[str] = []
    with started(library) as address:
        for name, size in (("wide", conftest.WIDE), ("phone", conftest.NARROW)):
            window = conftest.opened_window(browser, address, size, "light")
            usable(window.page, address)
            window.settle()
            window.page.evaluate(MOVED)
            window.ask(conftest.FACTUAL if name == "wide" else conftest.COMPOSITE)
            found[f"layout shift of a run, {name}"] = round(window.page.evaluate("window.moved"), 4)
            if name == "wide":
                found["stops from question to marked source"] = stops(window.page)
                window.page.locator(".strata-cite").last.click()
                mark = window.page.locator(".st-key-strata_inspector_chosen mark").first
                expect(mark).to_be_in_viewport()
                found["clicks from sentence to marked line"] = 1
                found["seconds of a change of page"] = changes(window.page)
            left += window.left
            window.page.context.close()
    return {**found, "requests that left 127.0.0.1": left}


def main() -> int:
    """Measure and print one JSON object."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--library", type=Path, help="a library to copy; else the demo documents are read")
    wanted.add_argument("--starts", type=int, default=3)
    given = wanted.parse_args()
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        folder = Path(kept)
        if given.library is None:
            prepare(folder, None)
        else:
            shutil.copytree(given.library, folder / "library", ignore=shutil.ignore_patterns("lock"))
        path = next(filter(None, map(shutil.which, conftest.CHROMIUMS)), None)
        browser = playwright.chromium.launch(executable_path=path, args=conftest.ARGUMENTS)
        cold = [start(browser, folder / "library", cold=True) for _ in range(given.starts)]
        warm = [start(browser, folder / "library", cold=False) for _ in range(given.starts)]
        figures = {
            "seconds to the first page, cold": [round(each, 1) for each in cold],
            "seconds to the first page, files in memory": [round(each, 1) for each in warm],
            "median, cold": round(statistics.median(cold), 1),
            **measured(browser, folder / "library"),
            "load of the machine": [round(each, 1) for each in os.getloadavg()],
        }
        browser.close()
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
