"""The browser's request for an upload address is asked again until it is answered.

Streamlit clears what it has not yet sent when a script run begins (`ForwardMsgQueue.clear`), the answer to
such a request with it; the browser waits for ever then, and the dropped file is lost without a word.
"""

import asyncio
from contextlib import suppress

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.ui.serving.awaited_uploads import AWAITED

try:  # the messages of Streamlit's protocol
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    KNOWN = True
except ImportError:  # a release without them: each request is passed on once, as it is
    KNOWN = False

ANSWER_SECONDS = 1.0  # an answer takes milliseconds
MAX_TIMES = 60  # then the session has gone
MAX_REQUEST_BYTES = 4 << 20  # names of a folder with 40,000 files


class UploadRequests:
    """Passes requests for upload addresses on again while they are without an answer."""

    def __init__(self, app: ASGIApp, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._app = app
        self._answer_seconds = answer_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            socket = _Socket(receive, send, self._answer_seconds)
            try:
                await self._app(scope, socket.receive, socket.send)
            finally:
                socket.close()
        else:
            await self._app(scope, receive, send)


class _Socket:
    """One connection: the requests that wait for an answer, and how often each was passed on again."""

    def __init__(self, receive: Receive, send: Send, answer_seconds: float) -> None:
        self._receive, self._send = receive, send
        self._answer_seconds = answer_seconds
        self._waiting: dict[str, Message] = {}
        self._times: dict[str, int] = {}
        self._next: asyncio.Task[Message] | None = None

    async def receive(self) -> Message:
        """Return the next message, or a request again that has been without an answer for too long."""
        while True:
            if self._next is None:
                self._next = asyncio.ensure_future(_awaited(self._receive))
            timeout = self._answer_seconds if self._waiting else None
            done, _ = await asyncio.wait({self._next}, timeout=timeout)
            if done:
                message, self._next = self._next.result(), None
                if name := _asked(message):
                    self._waiting[name] = message
                return message
            for name in list(self._waiting):
                self._times[name] = self._times.get(name, 0) + 1
                if self._times[name] <= MAX_TIMES:
                    return self._waiting[name]
                self._answered(name)

    async def send(self, message: Message) -> None:
        """Send a message on, and take note of an answer."""
        if self._waiting:
            name, addresses = _answer(message)
            if name in self._waiting:  # the browser heeds the first answer only
                for address in addresses:
                    AWAITED.given(address)
            self._answered(name)
        await self._send(message)

    def close(self) -> None:
        """Wait for no more messages."""
        if self._next is not None:
            self._next.cancel()

    def _answered(self, name: str) -> None:
        self._waiting.pop(name, None)
        self._times.pop(name, None)


async def _awaited(receive: Receive) -> Message:
    return await receive()


def _asked(message: Message) -> str:
    """Return the name of the request if the message asks for upload addresses, "" if it does not."""
    content = message.get("bytes") or b""
    if not KNOWN or len(content) > MAX_REQUEST_BYTES:
        return ""
    with suppress(DecodeError):
        sent = BackMsg.FromString(content)
        if sent.WhichOneof("type") == "file_urls_request":
            return str(sent.file_urls_request.request_id)
    return ""


def _answer(message: Message) -> tuple[str, list[str]]:
    """Return the name of the request that the message answers and its addresses, "" if it answers none."""
    with suppress(DecodeError):
        sent = ForwardMsg.FromString(message.get("bytes") or b"")
        if sent.WhichOneof("type") == "file_urls_response":
            answer = sent.file_urls_response
            return str(answer.response_id), [str(each.upload_url) for each in answer.file_urls]
    return "", []
