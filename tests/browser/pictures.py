"""Takes the five pictures of the documents, 1440x900: `python -m tests.browser.pictures docs`.

The demo documents are read into a library of their own and asked; nothing is drawn by hand. Look at each at
full size before it is kept, and take them on a machine at rest: seconds of answers can be read in them.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from core.bootstrap import build
from core.settings import Settings, StoreSettings
from tests.browser import conftest

QUESTIONS = {
    "alarm": "What does alarm E-217 mean?",  # the first question of a process loads what answers
    "composite": "On which tool was lot L25-0317 processed, and which supplier delivers PN-4410?",
    "forecast": "Forecast the yield of A77 for the next six months.",
    "row": "What is the lead time of PN-4410?",
}
THING = "ETCH-03"


def prepare(folder: Path) -> dict[str, str]:
    """Make the library; return the address of each picture below that of the app."""
    assistant = build(Settings(store=StoreSettings(path=folder / "library")))
    assistant.library.wait(assistant.library.ingest([conftest.ROOT / "examples" / "fab"], "demo"))
    runs = {}
    for name, question in QUESTIONS.items():
        runs[name] = assistant.questions.ask(question)
        assistant.questions.wait(runs[name], 60)
        time.sleep(1)  # they are listed by the second
    thing = assistant.library.contents.entities_called([THING])[0].id
    assistant.close()
    return {
        "chat": f"?run={runs['composite']}",
        "citation": f"?run={runs['row']}",
        "trace": f"trace?run={runs['composite']}&at=part%3A1",
        "forecast": f"?run={runs['forecast']}",
        "knowledge": f"knowledge?node={thing}",
    }


def _source(page: Page) -> None:
    page.locator(".strata-cite").first.click()
    expect(page.locator(".st-key-strata_inspector_chosen")).to_be_visible()


def main() -> None:
    """Take the pictures into a folder."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("out", type=Path)
    out = wanted.parse_args().out
    path = next(filter(None, map(shutil.which, conftest.CHROMIUMS)), None)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        addresses = prepare(Path(kept))
        browser = playwright.chromium.launch(executable_path=path, args=conftest.ARGUMENTS)
        with conftest.serving(Path(kept)) as base:
            for name, address in addresses.items():
                theme = "dark" if name == "citation" else "light"
                window = conftest.opened_window(browser, base, conftest.WIDE, theme)
                page = window.open(address)
                if name in ("chat", "citation"):
                    _source(page)
                window.settle()
                page.wait_for_timeout(3000)  # figures and pages of documents are drawn after the page
                page.get_by_test_id("stColumn").last.evaluate("column => { column.scrollTop = 0; }")
                page.screenshot(path=out / f"{name}.png")
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
