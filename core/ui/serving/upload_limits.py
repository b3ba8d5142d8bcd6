"""Bounds what uploads may hold of this machine's memory, and takes none from who may not add documents.

Streamlit keeps an uploaded file in memory until its session ends or the app lets it go, limits the size of
one (`server.maxUploadSize`) but not their number, and asks only whether the session is valid: whoever has one
could fill the memory by requests of their own, without the page that offers an upload.
"""

from collections.abc import Callable
from typing import Final

import psutil
import streamlit
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from core.accounts.person import OWNER, Person
from core.i18n.messages import plain
from core.ui.serving.awaited_uploads import AWAITED
from core.ui.serving.login_page import speaking_to

PERSON: Final = "strata.person"  # where the scope of a request holds who sent it
UPLOADS = "/_stcore/upload_file/"
MEMORY_SHARE = 4  # all uploads together hold at most this part of the machine's memory


class UploadLimits:
    """Refuses an upload by 403 or 507; counts the announced size of those under way."""

    def __init__(self, app: ASGIApp, limit: int | None = None, used: Callable[[], int] | None = None) -> None:
        """`limit` in bytes; `used` returns the bytes of all uploads in memory: Streamlit's if not given."""
        self._app = app
        self._limit = limit or max(psutil.virtual_memory().total // MEMORY_SHARE, _largest())
        self._bytes_in_use = used or _in_memory
        self._coming = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or not scope["path"].startswith(UPLOADS):
            await self._app(scope, receive, send)
            return
        try:
            await self._limited(scope, receive, send)
        finally:
            AWAITED.ended(scope["path"])

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        with speaking_to(headers):
            refused = plain("You may not add documents.")
            full = plain("Too much is being uploaded at once. Try again when what came before is read.")
        person: Person = scope.get(PERSON, OWNER)
        size = _announced(headers)
        if not (person.may("add") or person.may("measure")):
            await PlainTextResponse(f"{refused}\n", 403)(scope, receive, send)
        elif self._bytes_in_use() + self._coming + size > self._limit:
            await PlainTextResponse(f"{full}\n", 507)(scope, receive, send)
        else:
            self._coming += size
            try:
                await self._app(scope, receive, send)
            finally:
                self._coming -= size


def _largest() -> int:
    return int(streamlit.get_option("server.maxUploadSize")) << 20


def _announced(headers: Headers) -> int:
    """Return the size in bytes that a request names; one that names none may be as large as any."""
    named = headers.get("content-length", "")
    return int(named) if named.isascii() and named.isdigit() else _largest()


def _in_memory() -> int:
    stats = streamlit.runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(getattr(each, "byte_length", 0) for family in stats.values() for each in family)
