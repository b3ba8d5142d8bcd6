"""A real browser in front of the real app: one server for all tests, a fresh window for each."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
WIDE, NARROW = (1440, 900), (390, 844)
FILES = ("DR-2025-041-defect-report.pdf", "meeting-notes-2025-03-18.md")
# Streamlit's own client tries the page's address as its base first, and then the root.
PROBES = re.compile(r"/_stcore/(health|host-config)$")
STILL = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const still = app?.dataset.testConnectionState === 'CONNECTED'
    && app.dataset.testScriptState === 'notRunning'
    && !document.querySelector('[data-testid=stStatusWidget]');
  window.stillSince = still ? window.stillSince ?? performance.now() : undefined;
  return still && performance.now() - window.stillSince > 350;
}"""
expect.set_options(timeout=20_000)  # machines are slower than the five seconds Playwright allows
LOCAL = re.compile(r"^(data:|blob:|about:|(https?|wss?)://127\.0\.0\.1[:/])")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))  # listed in the end, see decisions.md


@dataclass
class Window:
    """A browser window that remembers what left it and what it complained about."""

    page: Page
    base: str
    left: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str = "") -> Page:
        """Go to an address of the app and wait until it has settled."""
        self.page.goto(f"{self.base}/{path}")
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until the page is connected, has content, and its script has been still for a moment."""
        self.page.wait_for_selector(
            '[data-testid="stMainBlockContainer"] [data-testid="stElementContainer"]', state="attached"
        )
        self.page.evaluate("() => { window.stillSince = undefined; }")
        self.page.wait_for_function(STILL, polling=50)

    def ask(self, question: str) -> None:
        """Ask in the chat and wait for the end of the answer."""
        asked = self.page.locator('[class*="st-key-asked_"]')
        before = asked.count()
        box = self.page.get_by_placeholder("Ask the library")
        box.fill(question)
        box.press("Enter")
        expect(asked).to_have_count(before + 1)
        expect(self.page.locator('[class*="st-key-stop_"]')).to_have_count(0, timeout=60_000)
        self.page.locator('[class*="st-key-actions_"]').last.wait_for()
        self.settle()


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[str]:
    """The app on a free port, over an empty library in the folder, with these settings in its environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "STRATA_STORE__PATH": str(folder / "library"),
        "HF_HUB_OFFLINE": "1",
        "PYTHONUNBUFFERED": "1",
        **settings,
    }
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _await(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[str]:
    """The app on a free port, over an empty library of its own."""
    with serving(tmp_path_factory.mktemp("browser")) as address:
        yield address


@pytest.fixture(scope="session")
def filled(chromium: Browser, tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[str]:
    """The app over two of the demo documents, dropped on the corpus page; shared by several files."""
    with serving(tmp_path_factory.mktemp("filled")) as address:
        page = chromium.new_page()
        page.set_default_timeout(90_000)  # the first page of a server loads what all others use
        page.goto(f"{address}/corpus")
        page.locator("input[type=file][multiple]:not([webkitdirectory])").first.set_input_files(
            [fab / name for name in FILES]
        )
        expect(page.get_by_text("2 files finished")).to_be_visible(timeout=180_000)
        page.close()
        yield address


def _await(url: str, process: subprocess.Popen[bytes], limit: float = 60.0) -> None:
    until = time.monotonic() + limit
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(url, timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server did not start")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or a skip that says how to get it; the headless build takes half the time."""
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        pytest.skip("no Chromium on this machine; install it with `apt-get install chromium-headless-shell`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def opened_window(
    chromium: Browser, base: str, size: tuple[int, int], theme: str, language: str = "en"
) -> Window:
    """Open a window that remembers what leaves it and what it complains about."""
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        locale={"en": "en-US", "zh": "zh-CN"}[language],
        accept_downloads=True,
    )
    made = Window(page=context.new_page(), base=base)

    def asked(request: Request) -> None:
        if not LOCAL.match(request.url):
            made.left.append(request.url)

    def said(kind: str, text: str, where: str) -> None:
        if kind == "error" and not PROBES.search(where):
            made.complaints.append(f"{text} {where}")

    made.page.on("request", asked)
    made.page.on("console", lambda message: said(message.type, message.text, message.location.get("url", "")))
    made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
    return made


OpenWindow = Callable[..., Window]


@pytest.fixture
def window(chromium: Browser, server: str) -> Iterator[OpenWindow]:
    """Open windows; afterwards nothing may have left the machine and nothing may have complained."""
    opened: list[Window] = []

    def make(size: tuple[int, int] = WIDE, theme: str = "light") -> Window:
        made = opened_window(chromium, server, size, theme)
        made.page.set_default_timeout(30_000)
        opened.append(made)
        return made

    yield make
    for held in opened:
        held.page.context.close()
    assert [url for held in opened for url in held.left] == [], "a request left the machine"
    assert [text for held in opened for text in held.complaints] == [], "the browser's console has errors"
