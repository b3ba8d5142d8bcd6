"""A box of files that is full gives way to another: nothing that was chosen in it is lost."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from core.ui.corpus.upload_panel import MANY_FILES
from tests.browser.conftest import fresh_context
from tests.browser.window import Window


def test_a_file_chosen_in_a_box_that_gives_way_is_taken(
    chromium: Browser, server: str, tmp_path: Path
) -> None:
    many = [tmp_path / f".left-out-{n}" for n in range(MANY_FILES + 1)]  # they fill a box, and are no work
    for path in many:
        path.write_text("not for the library")
    late = tmp_path / "late.md"
    late.write_text("# Late\n\nValve 7 was shut.\n")
    context = fresh_context(chromium)
    page = context.new_page()
    page.set_default_timeout(120_000)
    said: list[str | bytes] = []  # by the server, and not yet heard by the page
    deaf = Event()
    sockets: list[WebSocketRoute] = []
    uploads: list[Route] = []

    def opened(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server().on_message(
            lambda message: said.append(message) if deaf.is_set() else socket.send(message)
        )

    def sent(route: Route) -> None:
        uploads.append(route)
        if len(uploads) != len(many):  # the last waits until the page is deaf
            route.continue_()

    page.route_web_socket("**/_stcore/stream*", opened)
    page.route("**/_stcore/upload_file/**", sent)
    browser = Window(page=page, base=server)
    browser.open("corpus")
    box = page.locator(".st-key-corpus_files input[type=file]")
    box.set_input_files([str(path) for path in many])
    until(page, lambda: len(uploads) == len(many))
    deaf.set()
    uploads[-1].continue_()
    until(page, lambda: any(b"corpus.files.1" in message for message in said if isinstance(message, bytes)))
    box.set_input_files([str(late)])  # the next box is on its way
    page.wait_for_timeout(500)
    deaf.clear()
    for message in said:
        sockets[-1].send(message)
    expect(page.get_by_text(re.compile("^1 file finished"))).to_be_visible(timeout=60_000)
    browser.settle()
    expect(
        page.locator(".st-key-corpus_files").get_by_role("button", name="Upload", exact=True)
    ).to_have_count(1)
    expect(page.locator(".st-key-corpus-files-0")).to_be_hidden()  # it stays for what was chosen in it
    expect(page.get_by_test_id("stFileChip").filter(visible=True)).to_have_count(0)
    context.close()


def until(page: Page, fulfilled: Callable[[], bool]) -> None:
    """Wait, and let the page's requests come meanwhile."""
    for _ in range(1200):
        if fulfilled():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to that within a minute")
