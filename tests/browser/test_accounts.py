"""Signing in: without it nothing of the app is served, and what a session may see ends with it."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.accounts.account_file import AccountFile
from tests.accounts.quick_passwords import check_quickly
from tests.browser.conftest import NARROW, WIDE, fresh_context, serving
from tests.browser.test_strangers import upgraded
from tests.browser.window import Window

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("accounts")


@pytest.fixture(scope="module")
def people(place: Path) -> AccountFile:
    file = AccountFile(place / "library")
    file.add("anna", "admin", PASSWORD)
    file.add("rita", "reader", PASSWORD)
    check_quickly(place / "library", PASSWORD)
    return file


@pytest.fixture(scope="module")
def app(place: Path, people: AccountFile) -> Iterator[str]:
    with serving(place) as address:
        yield address


def asked(address: str, method: str, path: str, body: str = "", **headers: str) -> tuple[int, bytes, str]:
    """Return status, body and cookie of a reply."""
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)) as request:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request.request(method, path, body.encode(), named)
        reply = request.getresponse()
        return reply.status, reply.read(), reply.headers.get("Set-Cookie", "")


def signed_in(address: str, name: str, password: str = PASSWORD) -> tuple[int, str]:
    """Return status and cookie of signing in."""
    form = urlencode({"name": name, "password": password, "to": "/corpus"})
    origin = f"http://{urlsplit(address).netloc}"
    status, _, cookie = asked(address, "POST", "/login", form, Origin=origin)
    return status, cookie


def handshake(address: str, cookie: str) -> str:
    """Return the status line of a WebSocket handshake with a cookie."""
    return upgraded(address, f"{urlsplit(address).netloc}\r\nCookie: {cookie}")


PATHS = (
    "/", "/corpus", "/trace", "/index.html", "/static/js/index.js", "/_stcore/host-config", "/media/x",
    "/_stcore/upload_file/x/y", "/component/x", "/app/static/x", "/robots.txt", "/favicon.png",
)  # fmt: skip


def test_without_signing_in_nothing_is_served(app):
    for path in PATHS:
        for method in ("GET", "POST", "PUT", "DELETE"):
            for cookie in ("", "strata_session=x", f"strata_session_{urlsplit(app).port}=../../x"):
                status, body, _ = asked(app, method, path, Cookie=cookie, X_Strata_Person="anna")
                assert status == 401 and body == b"Sign in first.\n", (method, path, cookie)
    assert asked(app, "GET", "/", Accept="text/html")[0] == 303
    for header in ("", "X-Strata-Person: anna\r\n", "Cookie: strata_session=x\r\n"):
        line = upgraded(app, f"{urlsplit(app).netloc}\r\n{header}".removesuffix("\r\n"))
        assert " 403 " in line, header


def test_a_session_has_a_cookie_no_script_and_no_other_site_gets(app):
    status, cookie = signed_in(app, "Anna")
    assert status == 303
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    token = cookie.split(";")[0]
    assert asked(app, "GET", "/", Cookie=token)[0] == 200
    assert " 101 " in handshake(app, token)
    assert asked(app, "POST", "/logout", Cookie=token)[0] == 303
    assert asked(app, "GET", "/", Cookie=token)[0] == 401
    assert " 403 " in handshake(app, token)


def test_what_others_do_is_not_told_by_the_servers_own_figures(app):
    token = signed_in(app, "anna")[1].split(";")[0]
    for path in ("/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics?families=session_events_total",
                 "/corpus/_stcore/metrics", "/_stcore/%6detrics", "//_stcore/metrics"):  # fmt: skip
        status, body, _ = asked(app, "GET", path, Cookie=token)
        assert (status, body) == (404, b"Not found.\n"), (path, body[:200])


def test_the_page_led_to_is_the_apps_own(app):
    for to in ("//evil.test/", "https://evil.test/", "/\\evil.test", "javascript:alert(1)", "/\t/evil.test"):
        form = urlencode({"name": "rita", "password": PASSWORD, "to": to})
        with closing(http.client.HTTPConnection(urlsplit(app).netloc, timeout=20)) as request:
            request.request("POST", "/login", form, {"Origin": f"http://{urlsplit(app).netloc}"})
            assert request.getresponse().headers["Location"] == "/", to
    status, body, _ = asked(app, "GET", "/login?to=/%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert status == 200 and b"<script" not in body


def test_a_form_from_another_site_is_refused(app):
    form = urlencode({"name": "anna", "password": PASSWORD})
    assert asked(app, "POST", "/login", form, Origin="http://evil.test")[0] == 403
    assert (
        asked(app, "POST", "/login", "name=" + "a" * 20_000, Origin=f"http://{urlsplit(app).netloc}")[0]
        == 403
    )


def test_an_open_page_ends_with_its_account_and_its_session(app, people):
    people.add("gone", "reader", PASSWORD)
    token = signed_in(app, "gone")[1].split(";")[0]
    with socket.create_connection(("127.0.0.1", urlsplit(app).port), timeout=20) as raw:
        raw.sendall(
            f"GET /_stcore/stream HTTP/1.1\r\nHost: {urlsplit(app).netloc}\r\nCookie: {token}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert b" 101 " in raw.recv(4096)
        people.remove("gone")
        raw.settimeout(15)
        ended = b""
        while part := raw.recv(4096):
            ended = part
        assert b"signed out" in ended
    assert asked(app, "GET", "/", Cookie=token)[0] == 401


def test_a_reader_uploads_nothing_by_a_request_of_their_own(app):
    place = "/_stcore/upload_file/session/file"
    tokens = {name: signed_in(app, name)[1].split(";")[0] for name in ("rita", "anna")}
    assert asked(app, "PUT", place, Cookie=tokens["rita"])[:2] == (403, b"You may not add documents.\n")
    status, body, _ = asked(app, "PUT", place, Cookie=tokens["anna"])
    assert status == 403 and b"XSRF" in body  # Streamlit's own check comes next


def test_guessing_is_slowed_down_and_locks_nobody_else_out(place, tmp_path):
    AccountFile(tmp_path / "library").add("anna", "admin", PASSWORD)
    check_quickly(tmp_path / "library", PASSWORD)
    with serving(tmp_path) as address:
        stated = [signed_in(address, "anna", f"wrong {n}")[0] for n in range(12)]
    assert stated[0] == 403 and stated[-1] == 429 and stated.count(403) < 8


def sign_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/corpus")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


@pytest.fixture(scope="module")
def readers_page(chromium: Browser) -> Iterator[Page]:
    """A page for a reader, which has compiled the app's files once."""
    context = fresh_context(chromium)
    page = context.new_page()
    page.set_default_timeout(90_000)
    yield page
    context.close()


def test_signing_in_and_out_in_a_browser(app, readers_page: Page):
    page = readers_page
    for width, height in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": height})
        sign_in(page, app, "rita")
        page.wait_for_url("**/corpus")
        expect(page.get_by_role("heading", name="Corpus")).to_be_visible(timeout=90_000)
        if width < 600:
            page.get_by_test_id("stExpandSidebarButton").click()
        page.get_by_role("link", name="rita · reader").click()
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        page.goto(app)
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.fixture(scope="module")
def both(
    app, context: BrowserContext, readers_page: Page, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Page, Page]]:
    """Anna and Rita signed in, and a document Anna has put in; Anna has the page that other files leave."""
    pump = tmp_path_factory.mktemp("pump") / "pump.txt"
    pump.write_text("The chamber pump P-7 is serviced every 90 days.\n", "utf-8")
    anna, rita = context.pages[0], readers_page
    for page in (anna, rita):  # a first try that broke off leaves both signed in
        page.context.clear_cookies()
    anna.set_default_timeout(90_000)
    anna.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    rita.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    for page, name in ((anna, "anna"), (rita, "rita")):
        sign_in(page, app, name)
        page.wait_for_url("**/corpus")
    anna.locator("input[type=file]:not([webkitdirectory])").first.set_input_files(pump)
    expect(anna.get_by_text("1 file finished")).to_be_visible(timeout=180_000)
    yield anna, rita
    Window(anna, app).leave()
    context.clear_cookies()


def test_a_conversation_is_ones_own_until_it_is_shared(app, both):
    anna, rita = both
    anna.goto(app)
    box = anna.get_by_test_id("stChatInputTextArea")
    title = f"How often is pump P-{time.time_ns() % 1_000_000} serviced?"  # not one that a first try shared
    box.fill(title)
    box.press("Enter")
    anna.wait_for_url("**conversation=*")
    expect(anna.get_by_role("button", name="Conversation", exact=True)).to_be_visible(timeout=90_000)
    rita.goto(anna.url)
    expect(rita.get_by_test_id("stSidebar").get_by_text("rita · reader")).to_be_visible(timeout=90_000)
    expect(rita.get_by_role("button", name=title)).to_have_count(0)
    anna.get_by_role("button", name="Conversation", exact=True).click()
    anna.get_by_text("Others may read it").click()
    shared = {"name": "Others may read it", "checked": True}  # others are the sources of the answer
    expect(anna.get_by_role("switch", **shared).or_(anna.get_by_role("checkbox", **shared))).to_have_count(1)
    rita.goto(app)
    rita.get_by_role("button", name=title).click()
    expect(rita.get_by_text("Shared with you")).to_be_visible()
    expect(rita.get_by_role("button", name="Conversation", exact=True)).to_have_count(0)


def test_whoever_may_ask_finds_the_box_and_only_what_is_theirs_to_do(app, both):
    anna, rita = both
    for page, manages in ((rita, 0), (anna, 1)):
        page.goto(app)
        box = page.get_by_test_id("stChatInputTextArea")
        expect(box).to_be_visible(timeout=90_000)
        expect(page.locator(".st-key-strata_options").get_by_role("link")).to_have_count(manages)
        expect(page.get_by_test_id("stChatInputFileUploadButton")).to_have_count(manages)
        box.fill("Who won the chess olympiad of 1972?")
        box.press("Enter")
        expect(page.get_by_text("What to try next")).to_be_visible(timeout=90_000)
        expect(page.get_by_role("link", name="Add a document")).to_have_count(manages)
