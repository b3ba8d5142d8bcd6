"""Everything a model server does wrong, over real HTTP."""

import gzip
import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from core.errors import LLMError, LLMTimeout, LLMUnavailable, MalformedReply
from core.llm.ollama.client import OllamaLLM
from core.llm.ollama.reply import Speech, read_json, read_text
from core.tasks import Answer, Understand, Understood, Written
from tests.llm.ollama.gating import gate, open_llm
from tests.ollama_double import Fault


@pytest.mark.parametrize("kind", ["queue_full", "died", "error_mid_stream", "no_done", "reset"])
def test_a_fault_that_passes_is_tried_once_more(double, kind):
    double.next(kind)
    reply = gate(open_llm(double))
    assert reply.composite
    assert reply.call.repairs == 0
    assert len(double.chats()) == 2


@pytest.mark.parametrize("kind", ["queue_full", "died", "error_mid_stream", "no_done", "reset"])
def test_a_fault_that_stays_is_said(double, kind):
    double.next(kind, kind)
    with pytest.raises(LLMUnavailable) as caught:
        gate(open_llm(double))
    assert caught.value.retryable
    assert len(double.chats()) == 2


@pytest.mark.parametrize("kind", ["unauthorised", "refused_option", "garbage"])
def test_a_fault_that_cannot_pass_is_not_tried_again(double, kind):
    double.next(kind)
    with pytest.raises(LLMError) as caught:
        gate(open_llm(double))
    assert not isinstance(caught.value, LLMUnavailable | LLMTimeout)
    assert len(double.chats()) == 1


def test_a_stream_that_stops_in_the_middle_is_given_up_after_the_gap(double):
    double.next("stall")
    began = time.monotonic()
    with pytest.raises(LLMTimeout, match="between two pieces"):
        gate(open_llm(double, gap_timeout=0.4))
    assert time.monotonic() - began < 2
    assert len(double.chats()) == 1


def test_a_slow_first_word_is_waited_for_longer_than_a_gap(double):
    double.next(Fault("slow_first", seconds=0.8))
    assert gate(open_llm(double, gap_timeout=0.3)).composite
    double.next("slow_first")
    with pytest.raises(LLMTimeout, match="before its first word"):
        gate(open_llm(double, load_timeout=0.4))


Send = Callable[[bytes], None]


@contextmanager
def raw_server(write: Callable[[Send], None], headers: str = "") -> Iterator[tuple[str, list[int]]]:
    """A server that has one model and answers a chat with whatever `write` writes; counts bytes a chat."""
    sent: list[int] = []
    tags = json.dumps({"models": [{"name": "m", "model": "m", "digest": "0" * 64}]})

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(tags)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if self.path != "/api/chat":
                self.reply(json.dumps({"capabilities": ["completion"]}))
                return
            sent.append(0)
            self.wfile.write(f"HTTP/1.1 200 OK\r\nConnection: close\r\n{headers}\r\n".encode())
            self.close_connection = True
            with suppress(OSError):
                write(self.counted)

        def counted(self, data: bytes) -> None:
            self.wfile.write(data)
            sent[-1] += len(data)

        def reply(self, body: str) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", sent
        server.shutdown()


def piece(content: str, done: bool = False) -> bytes:
    body = {"model": "m", "message": {"role": "assistant", "content": content}, "done": done}
    return json.dumps(body).encode() + b"\n"


def one_line(out: Send) -> None:
    """40 MB within one line, then nothing more."""
    out(b'{"model": "m", "message": {"role": "assistant", "content": "')
    for _ in range(400):
        out(b"x" * 100_000)


def without_end(out: Send) -> None:
    while True:
        out(piece("The pump is old [1]. " * 40))


def deep(out: Send) -> None:
    out(piece('{"a":' * 20_000))
    out(piece("", done=True))


def bomb(out: Send) -> None:
    out(gzip.compress(piece("x" * 50_000_000, done=True)))


def test_a_reply_without_measure_is_given_up_before_it_is_held():
    for write, headers in (
        (one_line, ""),
        (without_end, ""),
        (deep, ""),
        (bomb, "Content-Encoding: gzip\r\n"),
    ):
        with raw_server(write, headers) as (host, sent):
            for task, into in (
                (Understand(question="Who?"), Understood),
                (Answer(question="Who?", parts=(), evidence=()), Written),
            ):
                began = time.monotonic()
                with pytest.raises(MalformedReply):
                    OllamaLLM(host).run(task, into)
                assert time.monotonic() - began < 10, write.__name__
            assert len(sent) <= 4, "two chats a task"
            assert max(sent) < 20_000_000, "of 40 MB and more; sockets hold some megabytes"


def test_json_is_never_the_prose_of_an_answer():
    for text in (
        '{"sentences": ["The pump is old [1]."]}',
        '{"answer": {"text": "old"}}',
        '{"answer": "{\\"text\\": \\"old\\"}"}',
        '{"answer": "old", "text": "older"}',
        '[{"claim": "old"}]',
        '["old", "loud"]',
        '```json\n{"a": 1, "b": 2}\n```',
        'Here: {"outcome": "answer", "sentences": [{"text": "The pump is old"}]}',
        '{"answer": "The pump is',
        '{"a":' * 5_000,
    ):
        with pytest.raises(ValueError, match="JSON"):
            read_text(text)
        speech = Speech()
        heard = "".join(map(speech.take, text)) + speech.flush()
        assert "{" not in heard.partition("{")[0] and (heard == "" or text.startswith("Here")), text
    for text, prose in (
        ('{"answer": "The pump is old [1]."}', "The pump is old [1]."),
        ('```json\n{"text": "Old."}\n```', "Old."),
        ("[1] says the pump is old.", "[1] says the pump is old."),
        ("[1][1]", "[1][1]"),
        ("{A7} is the lot [1].", "{A7} is the lot [1]."),
    ):
        assert read_text(text) == prose


def test_json_within_a_field_is_no_text_of_it():
    with pytest.raises(ValueError, match="reason holds JSON"):
        read_json(json.dumps({"level": "L1", "parts": [], "reason": '{"level": "L1"}'}), Understood)
