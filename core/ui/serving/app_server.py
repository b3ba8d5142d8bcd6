"""What stands before every request to the app: which names it answers to, and what its pages may do.

Streamlit's `server.allowedHosts` alone guards only the WebSocket. Here the same list holds for every
request, so a page elsewhere whose name is made to point at this machine (DNS rebinding) gets nothing.
A request from another origin ends here too: Streamlit would ask a service on the internet for this
machine's address before it refuses one.
"""

import base64
import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.settings import LOOPBACK
from core.ui.serving.first_paint import FirstPaint
from core.ui.serving.login import SignIn
from core.ui.serving.upload_limits import UploadLimits
from core.ui.serving.upload_requests import UploadRequests

# Streamlit's client asks below the address of a page whether the app is served there, then at the root.
# 300 sends it on as 404 does, and is no error in the browser's console.
_PROBE = re.compile(r"/.+/_stcore/(health|host-config)")
# What is in memory, by session and cache: nothing that a page needs, and what others do shows in it.
_METRICS = re.compile(r"(/.*)?/_stcore/metrics/*")
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def protection() -> list[Middleware]:
    """Return what `st.App` puts before its own middleware."""
    ours = (Protection, SignIn, UploadLimits, UploadRequests, FirstPaint)
    return [Middleware(each) for each in ours]


def host_name(host: str | None) -> str:
    """Return the name within a Host header or the network location of an origin, "" where it is none."""
    try:
        parts = urlsplit(f"//{host or ''}")
        named = parts.hostname is not None and parts.netloc == host and "@" not in parts.netloc
        return (parts.hostname or "").lower().rstrip(".") if named and parts.port != 0 else ""
    except ValueError:  # a port that is no number, a bracket that does not close
        return ""


def allowed(name: str) -> bool:
    """Say whether the app answers to the name: those of `server.allowedHosts`, this machine's own if none."""
    patterns = [str(each).strip().lower().rstrip(".") for each in streamlit.get_option("server.allowedHosts")]
    for pattern in patterns or LOOPBACK:
        if pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])):
            return bool(name)
    return False


def refusal(headers: Headers) -> str:
    """Return why a request with these headers is refused, "" if it is not."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not allowed(host_name(hosts[0])):
        return "This app does not answer to that name. `strata run --host NAME` allows another one."
    trusted = {str(each).strip() for each in streamlit.get_option("server.corsAllowedOrigins")}
    for origin in headers.getlist("origin"):
        if urlsplit(origin).netloc.lower() != hosts[0].lower() and origin not in trusted:
            return "Requests from other sites are refused."
    return ""


def content_policy() -> str:
    """Return what a page of the app may load: what the app serves, and no script but the app's own.

    Components come as blobs, inline scripts are known by hash.
    """
    shell = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    known = [
        base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in _INLINE.findall(shell)
    ]
    scripts = " ".join(["'self'", "blob:", *(f"'sha256-{each}'" for each in known)])
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "media-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' data: blob:",
            "worker-src 'self' blob:",
            "frame-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class Protection:
    """Refuses requests under foreign names and from foreign origins; sets the headers on every reply."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = {
            "Content-Security-Policy": content_policy(),
            "X-Frame-Options": "DENY",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",  # without it a browser names no origin when it sends a form
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        if reason := refusal(Headers(scope=scope)):
            await self._refuse(reason, scope, receive, guarded)
        elif scope["type"] == "http" and _METRICS.fullmatch(scope["path"]):
            await PlainTextResponse("Not found.\n", 404)(scope, receive, guarded)
        elif scope["type"] == "http" and _PROBE.fullmatch(scope["path"]):
            await PlainTextResponse("The app is at the root.\n", 300)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)

    @staticmethod
    async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": reason})  # before accept: HTTP 403
        else:
            await PlainTextResponse(f"{reason}\n", status_code=403)(scope, receive, send)
