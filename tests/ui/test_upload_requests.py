"""A request for an upload address that got no answer is passed on again, and only that."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.ui.serving.upload_requests import MAX_TIMES, UploadRequests


def asked(name: str) -> Message:
    message = BackMsg()
    message.file_urls_request.request_id = name
    return {"type": "websocket.receive", "bytes": message.SerializeToString()}


def answered(name: str) -> Message:
    message = ForwardMsg()
    message.file_urls_response.response_id = name
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


def passed_on(sent: list[Message], answer_at: int, until: int) -> tuple[list[Message], list[Message]]:
    """Return what the app received until these many messages and a little longer, and what the browser got.

    The app answers the request "a" when it hears it for the `answer_at`th time.
    """
    heard: list[Message] = []
    got: list[Message] = []
    left = list(sent)

    async def receive() -> Message:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    async def send(message: Message) -> None:
        got.append(message)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while True:
            heard.append(await receive())
            if heard.count(asked("a")) == answer_at and answered("a") not in got:
                await send(answered("a"))

    async def run() -> None:
        served = asyncio.ensure_future(
            UploadRequests(app, answer_seconds=0.01)({"type": "websocket"}, receive, send)
        )
        async with asyncio.timeout(60):
            while len(heard) < until:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        served.cancel()

    with ThreadPoolExecutor(1) as apart:  # a browser's loop may run in this thread
        apart.submit(asyncio.run, run()).result()
    return heard, got


def test_a_request_is_passed_on_until_it_is_answered_and_then_no_more() -> None:
    heard, got = passed_on([asked("a")], answer_at=3, until=3)
    assert heard == [asked("a")] * 3
    assert got == [answered("a")]


def test_an_answered_request_and_other_messages_are_passed_on_once() -> None:
    other = BackMsg()
    other.rerun_script.query_string = "x=1"
    sent = [
        asked("a"),
        {"type": "websocket.receive", "bytes": other.SerializeToString()},
        {"type": "websocket.receive", "bytes": b"\xff no message"},
        {"type": "websocket.receive", "text": "no bytes"},
    ]
    heard, _ = passed_on(sent, answer_at=1, until=len(sent))
    assert heard == sent


def test_what_comes_meanwhile_is_not_held_up_and_nothing_is_asked_for_ever() -> None:
    heard, _ = passed_on([asked("b"), asked("a")], answer_at=1, until=MAX_TIMES + 2)
    assert heard[:2] == [asked("b"), asked("a")]
    assert heard.count(asked("a")) == 1
    assert heard.count(asked("b")) == MAX_TIMES + 1
