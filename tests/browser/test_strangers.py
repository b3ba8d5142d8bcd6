"""What a page elsewhere can reach of the app: nothing, under whatever name, by HTTP or WebSocket."""

import http.client
import http.server
import shutil
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import ARGUMENTS, CHROMIUMS, serving

HANDSHAKE = (
    "GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@contextmanager
def listener() -> Iterator[tuple[str, list[str]]]:
    """A proxy that serves nothing and writes down what it is asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            asked.append(f"{self.command} {self.path}")
            self.send_error(502)

        do_GET = do_POST = do_PUT = do_CONNECT = answer

        def log_message(self, *_: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_port}", asked
        proxy.shutdown()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("strangers")


@pytest.fixture(scope="module")
def app(place: Path) -> Iterator[tuple[str, list[str]]]:
    """The app, and what it asked of the outside."""
    with (
        listener() as (proxy, asked),
        serving(place, http_proxy=proxy, https_proxy=proxy, no_proxy="127.0.0.1,localhost") as address,
    ):
        yield address, asked


def upgraded(address: str, host: str, origin: str = "") -> str:
    """Return the status line a WebSocket handshake with this Host and Origin gets."""
    port = urlsplit(address).port
    with socket.create_connection(("127.0.0.1", port), timeout=20) as raw:
        asked = HANDSHAKE.format(host=host, origin=f"Origin: {origin}\r\n" if origin else "")
        raw.sendall(asked.encode())
        return raw.recv(4096).split(b"\r\n", 1)[0].decode()


def test_a_websocket_opens_only_under_the_apps_own_names_and_origin(app):
    address, asked = app
    port = urlsplit(address).port
    own = f"127.0.0.1:{port}"
    for host, origin in (
        (own, f"http://{own}"),
        (own, ""),
        (f"localhost:{port}", f"http://localhost:{port}"),
        (f"[::1]:{port}", f"http://[::1]:{port}"),
    ):
        assert " 101 " in upgraded(address, host, origin), (host, origin)
    evil = f"evil.test:{port}"
    for host, origin in (
        (evil, f"http://{evil}"),
        (evil, ""),
        (own, f"http://{evil}"),
        (own, "null"),
        (own, f"http://127.0.0.1:{port + 1}"),
        (f"127.0.0.1.evil.test:{port}", ""),
        (f"127.0.0.1@evil.test:{port}", ""),
        (f"{own}\r\nHost: {evil}", f"http://{evil}"),
        ("", ""),
    ):
        assert " 403 " in upgraded(address, host, origin) or " 400 " in upgraded(address, host, origin), (
            host,
            origin,
        )
    assert asked == [], "the app asked the outside about itself"


def test_every_reply_is_refused_under_a_foreign_name_and_carries_the_headers(app):
    address, _ = app
    for path in ("/", "/_stcore/health", "/_stcore/host-config", "/static/x.js", "/media/x", "/corpus"):
        for method in ("GET", "POST", "PUT", "DELETE"):
            with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)) as request:
                request.request(method, path, headers={"Host": "evil.test"})
                reply = request.getresponse()
                assert reply.status == 403 and b"evil" not in reply.read(), (method, path)
                assert reply.headers["X-Frame-Options"] == "DENY"
    with urllib.request.urlopen(address, timeout=20) as reply:
        policy = dict(part.split(" ", 1) for part in reply.headers["Content-Security-Policy"].split("; "))
        assert policy["frame-ancestors"] == "'none'" and policy["default-src"] == "'self'"
        assert "unsafe" not in policy["script-src"] and "http" not in reply.headers["Content-Security-Policy"]
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Referrer-Policy"] == "same-origin"


@pytest.fixture(scope="module")
def rebound(chromium: Browser) -> Iterator[Browser]:
    """A Chromium in which evil.test is this machine."""
    browser = chromium.browser_type.launch(
        executable_path=chromium_path(), args=[*ARGUMENTS, "--host-resolver-rules=MAP *.test 127.0.0.1"]
    )
    yield browser
    browser.close()


def chromium_path() -> str:
    return next(filter(None, map(shutil.which, CHROMIUMS)))


def test_a_page_that_rebinds_its_name_sees_nothing_of_the_app(app, rebound):
    address, _ = app
    page = rebound.new_page()
    page.goto(f"http://evil.test:{urlsplit(address).port}/")
    page.wait_for_timeout(1500)
    assert "does not answer to that name" in page.inner_text("body")
    opened = page.evaluate(
        """port => new Promise(done => {
          const socket = new WebSocket(`ws://evil.test:${port}/_stcore/stream`, ["streamlit"]);
          socket.onopen = () => done("open"); socket.onerror = () => done("refused");
        })""",
        urlsplit(address).port,
    )
    assert opened == "refused"
    page.close()


def test_another_site_cannot_frame_embed_or_talk_to_the_app(app, rebound):
    address, asked = app
    with foreign_site(address) as site:
        page = rebound.new_page()
        page.goto(f"http://evil.test:{urlsplit(site).port}/")
        page.wait_for_function("() => window.result !== undefined")
        assert page.evaluate("window.result") == {"socket": "refused", "fetch": "refused", "image": "refused"}
        page.wait_for_timeout(500)
        framed = [frame for frame in page.frames if frame != page.main_frame]
        assert [
            frame.locator("[data-testid=stApp]").count() for frame in framed if not frame.is_detached()
        ] == [0]
        page.close()
    assert asked == []


@contextmanager
def foreign_site(target: str) -> Iterator[str]:
    """A site elsewhere whose page frames the app and tries to reach it."""
    socket_of = target.replace("http", "ws")
    page = f"""<iframe src="{target}/"></iframe><script>
      const tries = {{
        socket: new Promise(done => {{ const s = new WebSocket("{socket_of}/_stcore/stream");
          s.onopen = () => done("open"); s.onerror = () => done("refused"); }}),
        fetch: fetch("{target}/_stcore/host-config").then(() => "read", () => "refused"),
        image: new Promise(done => {{ const i = new Image(); i.onload = () => done("shown");
          i.onerror = () => done("refused"); i.src = "{target}/favicon.png"; }}),
      }};
      (async () => {{ const said = {{}}; for (const name in tries) said[name] = await tries[name];
        window.result = said; }})();
    </script>"""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()
