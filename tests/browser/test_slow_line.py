"""On a slow line: what is seen before the app runs, and how much has to come for it."""

from threading import Event

from playwright.sync_api import Browser, Response, Route, expect

from tests.browser.conftest import fresh_context


def test_the_mark_stands_until_the_app_is_there_and_its_files_come_compressed(
    chromium: Browser, filled: str
) -> None:
    context = fresh_context(chromium)
    page = context.new_page()
    free = Event()
    waiting: list[Route] = []
    replies: list[Response] = []
    page.route("**/static/js/*", lambda route: route.continue_() if free.is_set() else waiting.append(route))
    page.on("response", lambda reply: replies.append(reply))
    page.goto(filled, wait_until="commit")
    mark = page.get_by_role("status", name="Strata")
    expect(mark).to_be_visible()
    assert page.title() == "Strata"
    free.set()
    for route in waiting:
        route.continue_()
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=90_000)
    expect(mark).to_have_count(0)
    plain = [r.url for r in replies if "/static/js/" in r.url and "content-encoding" not in r.headers]
    assert len(replies) > 20 and plain == []
    context.close()
