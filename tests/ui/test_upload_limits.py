"""Uploads are bounded together, and taken from those who may add documents."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from core.accounts.person import AccountRole, Person
from core.ui.serving.upload_limits import PERSON, UploadLimits

PLACE = "/_stcore/upload_file/session/file"


def replies(
    *sizes: int | None, role: AccountRole | None = None, held: int = 0, at_once: bool = True
) -> list[int]:
    """Return the status of uploads of these sizes, None for one that names none; the limit is 1,000.

    At once: each is under way until all have been asked for.
    """
    waiting = asyncio.Event()

    async def kept(request: Request) -> PlainTextResponse:
        await (waiting.wait() if at_once else request.body())
        return PlainTextResponse("", 204)

    limited = UploadLimits(Starlette(routes=[Route(PLACE, kept, methods=["PUT", "GET"])]), 1000, lambda: held)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await limited(scope | {PERSON: Person(role=role)} if role else scope, receive, send)

    async def parts(size: int):
        yield b"x" * size

    async def run() -> list[int]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://app") as client:
            asked = []
            for size in sizes:
                content = b"x" * size if size is not None else parts(10)
                asked.append(asyncio.ensure_future(client.put(PLACE, content=content)))
                await (asyncio.sleep(0.05) if at_once else asked[-1])
            waiting.set()
            return [(await each).status_code for each in asked]

    with ThreadPoolExecutor(1) as apart:  # a browser's loop may run in this thread
        return apart.submit(asyncio.run, run()).result()


def test_what_is_held_and_what_is_under_way_count_together() -> None:
    assert replies(600, 300, 200, 100) == [204, 204, 507, 204]
    assert replies(600, held=500) == [507] and replies(500, held=500) == [204]
    assert replies(600, 600, 600, at_once=False) == [204, 204, 204]  # each is over before the next
    assert replies(None) == [507]  # may be as large as any


@pytest.mark.parametrize(("role", "status"), [("reader", 403), ("editor", 204), ("admin", 204), (None, 204)])
def test_a_reader_uploads_nothing(role: AccountRole | None, status: int) -> None:
    assert replies(10, role=role) == [status]
