"""Open pages end with the session they belong to."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLL_SECONDS = 3.0  # seconds between two looks whether the session of an open page has ended


class Watched:
    """A WebSocket that is closed when the session it belongs to ends."""

    def __init__(self, alive: Callable[[bool], bool]) -> None:
        self._alive = alive
        self._closed = False

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_watched() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and not self._alive(True):
                await self._close(send)
                return {"type": "websocket.disconnect", "code": 1008}
            return message

        async def send_while_open(message: Message) -> None:
            if not self._closed:
                await send(message)

        async def watch() -> None:
            while self._alive(False):
                await asyncio.sleep(POLL_SECONDS)
            await self._close(send)

        watching = asyncio.create_task(watch())
        try:
            await app(scope, receive_watched, send_while_open)
        finally:
            watching.cancel()

    async def _close(self, send: Send) -> None:
        if not self._closed:
            self._closed = True
            await send({"type": "websocket.close", "code": 1008, "reason": "signed out"})
