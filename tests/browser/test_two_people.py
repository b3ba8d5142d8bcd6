"""Two people at once, each in a browser of their own, over a library with a collection closed to one of them:
nothing that the server sends to that one names it, whatever the other does meanwhile."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from core.accounts.account_file import AccountFile
from core.bootstrap import build
from core.settings import Settings, StoreSettings
from tests.accounts.closed_library import CLOSED, OPEN, ingested
from tests.accounts.quick_passwords import check_quickly
from tests.browser.conftest import WIDE, fresh_context, serving
from tests.browser.test_accounts import PASSWORD, sign_in

VIEWS = ("", "corpus", "knowledge", "evaluation", "models", "trace")
QUESTIONS = ("Who is to buy the pump PE-300?", "What is the budget of the project?")
SETTLED = 3_000  # milliseconds in which what comes late is heard
SECRET = re.compile(rb"zyxomarq|\b912 thousand|\b7 million|board rules", re.IGNORECASE)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("two")
    built = build(Settings(store=StoreSettings(path=place / "library")), warm=False)
    ingested(built, place / "open", OPEN, "default")
    ingested(built, place / "closed", CLOSED, "hr")
    built.close()
    file = AccountFile(place / "library")
    file.add("anna", "admin", PASSWORD, ["hr"])
    file.add("rita", "admin", PASSWORD)
    file.close_collection("hr", ["hr"])
    check_quickly(place / "library", PASSWORD)
    with serving(place) as address:
        yield address


class Heard:
    """All that the server sends to a page: frames of WebSockets, and texts of replies."""

    def __init__(self, page: Page) -> None:
        self.said: list[bytes] = []
        page.on("websocket", self._listen)
        page.on("response", lambda reply: self.said.append(reply.url.encode()))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: bytes | str) -> None:
        self.said.append(frame if isinstance(frame, bytes) else frame.encode())

    def secrets(self) -> list[bytes]:
        return [frame[max(0, found.start() - 60) : found.end() + 60]
                for frame in self.said for found in SECRET.finditer(frame)]  # fmt: skip


def both_at(pages: tuple[Page, Page], *addresses: str) -> None:
    """Let both load a page at once, each its own where there are two addresses."""
    for page, address in zip(pages, (addresses * 2)[:2], strict=True):
        page.goto(address, wait_until="commit")
    for page in pages:
        expect(page.get_by_test_id("stSidebar")).to_be_visible(timeout=120_000)
        page.wait_for_timeout(SETTLED)


def both_ask(pages: tuple[Page, Page], app: str, question: str) -> None:
    both_at(pages, app)
    for page in pages:
        box = page.get_by_test_id("stChatInputTextArea")
        box.fill(question)
        box.press("Enter")
    for page in pages:
        page.wait_for_url("**conversation=*")
        expect(page.get_by_role("button", name="Conversation", exact=True)).to_be_visible(timeout=120_000)
        page.wait_for_timeout(SETTLED)


@pytest.mark.slow
def test_what_is_closed_reaches_no_page_of_who_may_not_see_it(app: str, chromium: Browser) -> None:
    contexts = [fresh_context(chromium) for _ in range(2)]
    pages = anna, rita = contexts[0].new_page(), contexts[1].new_page()
    heard = {page: Heard(page) for page in pages}
    for page, name in zip(pages, ("anna", "rita"), strict=True):
        page.set_default_timeout(120_000)
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        sign_in(page, app, name)
        page.wait_for_url("**/corpus")
    for view in VIEWS:
        both_at(pages, f"{app}/{view}")
    for question in QUESTIONS:
        both_ask(pages, app, question)
        both_at(pages, rita.url, anna.url)  # each opens the other's conversation
    assert heard[anna].secrets(), "nothing was listened to"
    assert len(heard[rita].said) > 100 and heard[rita].secrets() == []
    for context in contexts:
        context.close()
