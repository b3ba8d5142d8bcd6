"""What a browser gets before the app runs: the app's files in fewer bytes, and the mark while they load.

Streamlit sends its files as they are, 2 MB of them before the first thing is drawn, and an empty page until
then: half a minute of white on a slow line. Here each file is compressed once and kept: its name holds its
hash.
"""

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FILE = re.compile(r".*/static/(?:js|css)/[\w.-]+\.(?:js|css)")
_CODE = ("text/javascript", "application/javascript", "text/css")
_TITLE, _ROOT = b"<title>Streamlit</title>", b'<div id="root"></div>'
_MARK = (
    '<div role="status" aria-label="Strata" style="position:fixed;inset:0;display:grid;place-items:center;'
    'color-scheme:light dark;background:light-dark(#fcfcfa,#14191a)"><style>#root svg { width: 10rem }'
    "@media (prefers-reduced-motion: no-preference) { #root svg { animation: loading 2s infinite } }"
    "@keyframes loading { 50% { opacity: .35 } }</style>SVG</div>"
)

Change = Callable[[MutableHeaders, bytes], Awaitable[bytes]]


class FirstPaint:
    """Compresses the app's own files, and puts the mark on its page until the app draws over it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._packed: dict[str, bytes] = {}
        mark = (Path(__file__).parent.parent / "assets" / "wordmark.svg").read_text("utf-8")
        self._root = _ROOT.replace(b"><", f">{_MARK.replace('SVG', mark)}<".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope) if scope["type"] == "http" and scope["method"] == "GET" else Headers()
        if "range" not in asked and _FILE.fullmatch(scope.get("path", "")):
            if "gzip" in asked.get("accept-encoding", ""):
                name = scope["path"].rpartition("/")[2]
                send = _changed(send, _CODE, lambda headers, body: self._pack(name, headers, body))
        elif "text/html" in asked.get("accept", ""):
            send = _changed(send, ("text/html",), self._draw)
        await self._app(scope, receive, send)

    async def _pack(self, name: str, headers: MutableHeaders, body: bytes) -> bytes:
        headers["Content-Encoding"] = "gzip"
        headers.add_vary_header("Accept-Encoding")
        if name not in self._packed:
            self._packed[name] = await asyncio.to_thread(gzip.compress, body, 6)
        return self._packed[name]

    async def _draw(self, _: MutableHeaders, body: bytes) -> bytes:
        return body.replace(_TITLE, b"<title>Strata</title>", 1).replace(_ROOT, self._root, 1)


def _changed(send: Send, kinds: tuple[str, ...], change: Change) -> Send:
    """Return a `send` that changes a whole reply of some kinds of content; what is none goes through."""
    start: Message | None = None
    body = bytearray()

    async def sent(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            of_kind = Headers(raw=message["headers"]).get("content-type", "").startswith(kinds)
            if message["status"] == 200 and of_kind:
                start = message
                return
        if start is None:
            await send(message)
            return
        body.extend(message.get("body", b""))
        if not message.get("more_body", False):
            headers = MutableHeaders(scope=start)
            whole = await change(headers, bytes(body))
            headers["Content-Length"] = str(len(whole))
            await send(start)
            await send({"type": "http.response.body", "body": whole})

    return sent
