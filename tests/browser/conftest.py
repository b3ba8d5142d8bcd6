"""A real browser in front of the real app: one browser, and one page that every test loads anew."""

import os
import re
import shutil
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    expect,
    sync_playwright,
)

from bench.data import data_folder
from tests.browser.app_process import AppProcess, app_process
from tests.browser.asked_library import asked_library
from tests.browser.window import AT_REST, Window

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# No page lives long enough to win back what compiling its scripts to optimised code costs: a seventh of all.
SCRIPTS = "--js-flags=--no-turbofan --invocation-count-for-maglev=4000"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", SCRIPTS,
]  # fmt: skip
WIDE, NARROW = (1440, 900), (390, 844)
FACTUAL = "How long does the wet clean of chamber B take?"
COMPOSITE = "On which tool was lot L25-0317 processed, and which SOP describes the replacement of its chuck?"
ON_A_PAGE = "What does energy-dispersive X-ray analysis find?"
ABSENT = "Who won the chess olympiad of 1972?"
SPARE = 8  # answers for tests that work on one, and for their second tries
MEMO = data_folder() / "docs" / "pdf" / "fake-memo.pdf"
FILES = ("DR-2025-041-defect-report.pdf", "meeting-notes-2025-03-18.md")
# Streamlit's own client tries the page's address as its base first, and then the root.
PROBES = re.compile(r"/_stcore/(health|host-config)$")
expect.set_options(timeout=20_000)  # machines are slower than the five seconds Playwright allows
LOCAL = re.compile(r"^(data:|blob:|about:|(https?|wss?)://127\.0\.0\.1[:/])")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))  # listed in the end, see decisions.md


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
    process = app_process(port, environment, folder / "server.log")
    try:
        _await(f"http://127.0.0.1:{port}/_stcore/health", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.join(20)
        process.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[str]:
    """The app on a free port, over an empty library of its own."""
    with serving(tmp_path_factory.mktemp("browser")) as address:
        yield address


class Asked(NamedTuple):
    """A folder with a library, and where its conversations are, below the app's address."""

    folder: Path
    answered: str
    unanswered: str
    composed: str
    pictured: str
    spare: list[str]


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Asked:
    """Two of the demo documents and a real memo where there is one, with some questions that were asked."""
    folder = tmp_path_factory.mktemp("filled")
    files = [fab / name for name in FILES] + [path for path in (MEMO,) if path.is_file()]
    questions = [(FACTUAL,), (FACTUAL, ABSENT), (COMPOSITE,), (ON_A_PAGE,), *[(FACTUAL,)] * SPARE]
    answered, unanswered, composed, pictured, *spare = asked_library(folder / "library", files, *questions)
    return Asked(folder, answered, unanswered, composed, pictured, spare)


@pytest.fixture(scope="session")
def filled(asked: Asked) -> Iterator[str]:
    """The app over that library; shared by several files."""
    with serving(asked.folder) as address:
        yield address


@pytest.fixture(scope="session")
def answered(asked: Asked) -> str:
    """The address of an answered question; read it, and continue in conversations of your own."""
    return asked.answered


@pytest.fixture
def own_answer(asked: Asked) -> str:
    """The address of an answer of the test's own."""
    return asked.spare.pop()


@pytest.fixture(scope="session")
def unanswered(asked: Asked) -> str:
    """The address of a conversation whose second question the library does not answer."""
    return asked.unanswered


@pytest.fixture(scope="session")
def composed(asked: Asked) -> str:
    """The address of an answer in two parts."""
    return asked.composed


@pytest.fixture(scope="session")
def pictured(asked: Asked) -> str:
    """The address of an answer whose source is a page of a PDF."""
    return asked.pictured


def _await(url: str, process: AppProcess, limit: float = 60.0) -> None:
    until = time.monotonic() + limit
    while time.monotonic() < until:
        assert process.is_alive(), "the server ended"
        try:
            with urllib.request.urlopen(url, timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
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
    """Open a window of its own that remembers what leaves it and what it complains about."""
    locale = {"en": "en-US", "zh": "zh-CN"}[language]
    return _watched(fresh_context(chromium, locale=locale).new_page(), base, size, theme)


def _watched(page: Page, base: str, size: tuple[int, int], theme: str) -> Window:
    made = Window(page=page, base=base)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.set_default_timeout(60_000)

    def asked(request: Request) -> None:
        if not LOCAL.match(request.url):
            made.left.append(request.url)

    def said(message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        if message.type == "error" and not PROBES.search(where):
            made.complaints.append(f"{message.text} {where}")

    def broke(error: Error) -> None:
        made.complaints.append(str(error))

    listeners: dict[Any, Any] = {"request": asked, "console": said, "pageerror": broke}
    for event, listener in listeners.items():
        page.on(event, listener)
    made.listeners = listeners
    return made


OpenWindow = Callable[..., Window]


def fresh_context(chromium: Browser, **options: Any) -> BrowserContext:
    """Return a context without a session, in which nothing turns for ever."""
    made = chromium.new_context(**{"locale": "en-US", "accept_downloads": True, **options})
    made.add_init_script(AT_REST)
    return made


@pytest.fixture(scope="session")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """What the windows of all tests share: the files of the app, loaded and compiled once."""
    made = fresh_context(chromium)
    made.new_page()
    yield made
    made.close()


@pytest.fixture
def window(context: BrowserContext, server: str) -> Iterator[OpenWindow]:
    """Open windows; afterwards nothing may have left the machine and nothing may have complained.

    The first is the page the test before had: what it loads is a new session all the same.
    """
    opened: list[Window] = []

    def make(size: tuple[int, int] = WIDE, theme: str = "light") -> Window:
        page = context.pages[len(opened)] if len(opened) < len(context.pages) else context.new_page()
        opened.append(_watched(page, server, size, theme))
        return opened[-1]

    yield make
    for held in opened:
        held.leave()
    context.clear_cookies()
    context.clear_permissions()
    assert [url for held in opened for url in held.left] == [], "a request left the machine"
    assert [text for held in opened for text in held.complaints] == [], "the browser's console has errors"
