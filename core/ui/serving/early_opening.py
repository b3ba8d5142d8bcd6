"""Opens the library as soon as the server listens; a browser takes as long to load the app."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from core.errors import StrataError


@asynccontextmanager
async def open_in_background(app: object) -> AsyncIterator[dict[str, Any]]:
    """Let a thread import the pages and open the library; the process ends when it has ended."""
    threading.Thread(target=_open, name="open-library").start()
    yield {}


def _open() -> None:
    from core.ui.shared import session

    with suppress(StrataError):  # each page tells it by itself
        session.whole()
