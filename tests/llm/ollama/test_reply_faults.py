"""Everything a model server does wrong, over real HTTP."""

import gzip
import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from core.errors import LLMError, LLMTimeout, LLMUnavailable, MalformedReply, SettingsError
from core.llm.ollama.client import OllamaLLM
from core.llm.ollama.reply import Speech, read_json, read_text
from core.tasks import Answer, Understand, Understood, Written
from tests.doubles import Ear
from tests.ollama_double import Asked, Fault, Model, OllamaDouble

GATED = '{"composite": true, "reason": "two hops", "level": "L2", "parts": []}'
PROSE = "The pump is old [1]. It is loud [2]. Nobody knows who bought it."


def brain(asked: Asked) -> str:
    return GATED if asked.format else PROSE


@pytest.fixture
def double():
    with OllamaDouble(brain=brain, models=(Model("qwen3:4b"),)) as running:
        yield running


def open_llm(double: OllamaDouble, **options) -> OllamaLLM:
    return OllamaLLM(double.host, **{"pause": 0.01, **options})


def gate(llm: OllamaLLM, listener=None) -> Understood:
    return llm.run(Understand(question="Who leads the maker of X?"), Understood, listener)


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
    said = {"model": "m", "message": {"role": "assistant", "content": content}, "done": done}
    return json.dumps(said).encode() + b"\n"


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
    for said in (
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
            read_text(said)
        speech = Speech()
        heard = "".join(map(speech.take, said)) + speech.rest()
        assert "{" not in heard.partition("{")[0] and (heard == "" or said.startswith("Here")), said
    for said, prose in (
        ('{"answer": "The pump is old [1]."}', "The pump is old [1]."),
        ('```json\n{"text": "Old."}\n```', "Old."),
        ("[1] says the pump is old.", "[1] says the pump is old."),
        ("[1][1]", "[1][1]"),
        ("{A7} is the lot [1].", "{A7} is the lot [1]."),
    ):
        assert read_text(said) == prose


def test_json_within_a_field_is_no_text_of_it():
    with pytest.raises(ValueError, match="reason holds JSON"):
        read_json(json.dumps({"level": "L1", "parts": [], "reason": '{"level": "L1"}'}), Understood)


@pytest.mark.parametrize("kind", ["fenced", "think_in_content"])
def test_wrapping_is_taken_off_without_asking_again(double, kind):
    double.next(kind)
    reply = gate(open_llm(double))
    assert reply.composite
    assert reply.call.repairs == 0
    assert len(double.chats()) == 1


@pytest.mark.parametrize(
    "kind", ["length_cut", "prose_instead", "wrong_schema", "empty", "only_thinking", "flood"]
)
def test_a_reply_that_cannot_be_read_is_mended_once_with_what_was_wrong(double, kind):
    double.next(kind)
    call = gate(open_llm(double)).call
    assert call.repairs == 1
    first, second = double.chats()
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "user"]
    assert "cannot be used" in second["messages"][3]["content"]
    assert second["messages"][:2] == first["messages"]


def test_the_mending_says_what_is_wrong_and_gives_a_cut_reply_more_room(double):
    double.next("wrong_schema", "prose_instead", "length_cut")
    llm = open_llm(double, num_predict=200)
    with pytest.raises(MalformedReply, match="no JSON object"):
        gate(llm)
    assert "level: Field required" in double.chats()[1]["messages"][3]["content"]
    gate(llm)
    cut, mended = double.chats()[2:]
    assert "cut off for its length" in mended["messages"][3]["content"]
    assert (cut["options"]["num_predict"], mended["options"]["num_predict"]) == (200, 400)
    assert cut["options"]["num_ctx"] == mended["options"]["num_ctx"]


def test_two_useless_replies_are_a_malformed_reply_and_no_third_try(double):
    double.next("prose_instead", "only_thinking")
    with pytest.raises(MalformedReply, match="Understand, twice: it was thought about"):
        gate(open_llm(double))
    assert len(double.chats()) == 2


def test_a_flood_of_white_space_is_turned_off_and_noted(double):
    double.next("flood")
    call = gate(open_llm(double)).call
    assert any("white space" in note for note in call.notes)
    assert double.cancelled <= 1


def test_thoughts_in_prose_are_never_heard(double):
    double.next("think_in_content")
    double.piece_chars = 3
    ear = Ear()
    reply = open_llm(double).run(Answer(question="?"), Written, ear)
    assert reply.text == ear.text == PROSE


@pytest.mark.parametrize("kind", ["error_mid_stream", "no_done"])
def test_prose_that_was_heard_is_not_said_twice(double, kind):
    double.next(Fault(kind, after=3))
    ear = Ear()
    with pytest.raises(LLMUnavailable):
        open_llm(double).run(Answer(question="?"), Written, ear)
    assert PROSE.startswith(ear.text) and ear.text
    assert len(double.chats()) == 1


def test_empty_prose_is_asked_for_again(double):
    double.next("empty")
    ear = Ear()
    reply = open_llm(double).run(Answer(question="?"), Written, ear)
    assert (reply.text, ear.text, reply.call.repairs) == (PROSE, PROSE, 1)


def test_prose_cut_for_its_length_is_kept_and_noted(double):
    double.next("length_cut")
    reply = open_llm(double).run(Answer(question="?"), Written)
    assert PROSE.startswith(reply.text)
    assert any("cut off" in note for note in reply.call.notes)


def test_lines_cut_anywhere_even_inside_a_character_arrive_whole(double):
    text = "良率为 93.1 % – température 20 °C 🙂 [1]. " * 20
    double.brain = lambda asked: text
    double.piece_chars = 1
    assert open_llm(double).run(Answer(question="?"), Written).text == text.strip()


def test_an_old_server_without_done_reason_and_capabilities_is_understood():
    with OllamaDouble(brain=brain, old=True) as double:
        llm = open_llm(double)
        assert gate(llm).composite
        assert llm.model("generation") == "qwen3:4b"


def test_thinking_that_comes_apart_from_the_content_is_left_out():
    def always_on(asked: Asked) -> str:
        return GATED

    with OllamaDouble(brain=always_on, models=(Model("gpt-oss:20b", ("completion", "thinking")),)) as double:
        assert gate(open_llm(double)).composite


def test_one_fault_in_five_calls_at_random_still_gives_replies_or_named_errors():
    with OllamaDouble(brain=brain, fault_rate=0.2, seed=11) as double:
        llm = open_llm(double)
        done = failed = 0
        for _ in range(40):
            try:
                done += gate(llm).composite
            except LLMError:
                failed += 1
    assert done >= 34 and done + failed == 40


def test_only_http_and_https_are_spoken():
    for host in (
        "file:///etc/passwd",
        "ftp://127.0.0.1",
        "http://user:word@127.0.0.1",
        "http://127.0.0.1:99999",
    ):
        with pytest.raises(SettingsError):
            OllamaLLM(host)
