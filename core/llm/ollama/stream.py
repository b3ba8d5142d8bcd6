"""One streamed chat with Ollama that can be stopped at any moment, even before its first word.

The reply is read in its own thread; the caller drains a queue, so it looks at the clock and asks its
listener several times a second whatever the server does. Leaving the loop shuts the socket down, and the
server stops generating when its client is gone.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any

import httpx
import ollama

from core.errors import (
    LLMError,
    LLMInterrupted,
    LLMTimeout,
    LLMUnavailable,
    MalformedReply,
    ModelMissing,
)
from core.llm.ollama.interruptible import POLL_SECONDS

MAX_REPLY_BYTES = 64_000_000  # bytes of a reply: the vectors of a large batch
_PIECE_BYTES = 1024  # bytes a piece of a stream takes, one for each token, with what Ollama writes around it
_LAST_PIECE_BYTES = 1_000_000  # bytes for the last piece, which may hold the whole context
_RETRYABLE = frozenset({429, 499, 502, 503})
_DIED = ("unexpectedly stopped", "unexpected eof", "process has terminated", "overloaded")
_STRANGE = (ValueError, TypeError, AttributeError, KeyError)  # a line that is not Ollama's


@dataclass(frozen=True)
class Timeouts:
    """Seconds for the connection, the first piece (the model may be loading) and between two pieces."""

    connect: float = 5.0
    first: float = 300.0
    gap: float = 90.0


class NullListener:
    """A listener for calls nobody listens to."""

    def received(self, text: str) -> None:
        """Take nothing."""

    def check(self) -> None:
        """Resume it."""


@lru_cache(maxsize=1)
def tls() -> ssl.SSLContext:
    """Return the one TLS context: making it takes longer than a call."""
    return httpx.create_ssl_context()


def open_client(
    host: str, connect: float, read: float, most: int = MAX_REPLY_BYTES, **options: Any
) -> ollama.Client:
    """Return a client that goes to `host` and nowhere else: no redirects, no proxies of the environment.

    `connect` is in seconds, `read` too, between any two pieces; `most` is the largest reply in bytes.
    """
    timeout = httpx.Timeout(read, connect=connect)
    hooks = {"request": [], "response": [_bound(most)], **options.pop("event_hooks", {})}
    return ollama.Client(
        host,
        timeout=timeout,
        verify=tls(),
        follow_redirects=False,
        trust_env=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks=hooks,
        **options,
    )


def _bound(most: int) -> Callable[[httpx.Response], None]:
    """Return a hook that ends a reply after `most` bytes, before anything holds all of it in memory."""

    def bind(response: httpx.Response) -> None:
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise ReplyTooLarge("it is compressed, and its size not known")
        if isinstance(response.stream, httpx.SyncByteStream):
            response.stream = _Bounded(response.stream, most)

    return bind


class ReplyTooLarge(httpx.DecodingError):
    """What a server sends is larger than any reply of a model."""


class _Bounded(httpx.SyncByteStream):
    """The bytes of a reply, up to a limit."""

    def __init__(self, stream: httpx.SyncByteStream, most: int) -> None:
        self._stream, self._most = stream, most

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > self._most:
                raise ReplyTooLarge(f"it is larger than {self._most / 1e6:.0f} MB")
            yield piece

    def close(self) -> None:
        self._stream.close()


def chat(
    host: str, request: Mapping[str, Any], timeouts: Timeouts, check: Callable[[], None]
) -> Iterator[ollama.ChatResponse]:
    """Yield the pieces of a streamed chat; the last one is `done`.

    Raises LLMUnavailable, LLMTimeout, ModelMissing, MalformedReply or LLMError, and whatever `check` raises.
    """
    with closing(_Exchange(host, request, timeouts)) as exchange:
        yield from exchange.pieces(check)


def translate(error: Exception, host: str, model: str) -> LLMError:
    """Return our error for one of the client's."""
    if isinstance(error, ollama.ResponseError):
        return _refused(error, host, model)
    if isinstance(error, ReplyTooLarge):
        return MalformedReply(
            f"The reply of {model or host} was given up: {error}.",
            hint="Check that OLLAMA_HOST is the address of Ollama itself, and try another model.",
        )
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | ConnectionError):
        return LLMUnavailable(f"Nothing answers at {host}.")
    if isinstance(error, httpx.TimeoutException):
        return LLMTimeout(f"{model or host} went silent.")
    if isinstance(error, _STRANGE):
        return MalformedReply(
            f"What answers at {host} does not speak Ollama's protocol ({_first_line(error)}).",
            hint="Check that OLLAMA_HOST is the address of Ollama itself, not of a proxy or another service.",
        )
    return LLMInterrupted(f"The connection to {host} broke off ({_first_line(error)}).")


def _refused(error: ollama.ResponseError, host: str, model: str) -> LLMError:
    message = (error.error or "").strip()
    if error.status_code == 404 and "not found" in message:
        return ModelMissing(
            f"The server at {host} does not have the model {model}.",
            hint=f"Get it with `ollama pull {model}`, or choose one that is there on the Models page.",
        )
    if error.status_code in _RETRYABLE or any(sign in message.lower() for sign in _DIED):
        return LLMInterrupted(f"The model server could not go on: {message or error.status_code}.")
    if error.status_code in (401, 403):
        return LLMError(
            f"The server at {host} refuses access ({error.status_code}). {message}".strip(),
            hint="Check OLLAMA_HOST, and OLLAMA_API_KEY where the server asks for one.",
        )
    if "system memory" in message:
        return LLMError(
            f"{model}: {message}.", hint="Use a smaller model, or close programs that take memory."
        )
    return LLMError(f"{model or host}: {message or f'status {error.status_code}'}.")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:120]


class _Exchange:
    """A request under way: the thread that reads it, its queue and its socket."""

    def __init__(self, host: str, request: Mapping[str, Any], timeouts: Timeouts) -> None:
        self._host, self._request, self._timeouts = host, request, timeouts
        self._model = str(request.get("model", ""))
        self._queue: SimpleQueue[ollama.ChatResponse | Exception | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._closed = self._done = False
        self._thread = threading.Thread(target=self._read, name="ollama-stream", daemon=True)
        self._thread.start()

    def pieces(self, check: Callable[[], None]) -> Iterator[ollama.ChatResponse]:
        began = time.monotonic()
        spoken = False
        while True:
            check()
            try:
                piece = self._queue.get(timeout=POLL_SECONDS)
            except Empty:
                self._watch(time.monotonic() - began, spoken)
                continue
            if piece is None:
                raise LLMInterrupted(f"{self._model} ended its reply before it was done.")
            if isinstance(piece, Exception):
                raise translate(piece, self._host, self._model) from piece
            spoken, began = True, time.monotonic()
            yield piece
            if piece.done:
                self._done = True
                return

    def close(self) -> None:
        """Shut the socket down, which ends the reading thread and tells the server to stop."""
        if self._done:  # only the end of the stream is still to be read
            self._thread.join(timeout=POLL_SECONDS)
        with self._lock:
            self._closed = True
            self._hang_up()
        self._thread.join(timeout=POLL_SECONDS)

    def _watch(self, waited: float, spoken: bool) -> None:
        """Raise if the wait has lasted too long for the phase it is in."""
        if self._socket is None and waited > self._timeouts.connect + 1:
            raise LLMUnavailable(f"Nothing answers at {self._host}.")
        limit = self._timeouts.gap if spoken else self._timeouts.first
        if waited > limit:
            phase = "between two pieces of its reply" if spoken else "before its first word"
            raise LLMTimeout(f"{self._model} was silent for {limit:g} s {phase}.")

    def _read(self) -> None:
        try:
            with open_client(
                self._host,
                self._timeouts.connect,
                max(self._timeouts.first, self._timeouts.gap) + 5,  # a net: the caller keeps the time
                _PIECE_BYTES * int(self._request["options"]["num_predict"]) + _LAST_PIECE_BYTES,
                event_hooks={"request": [self._trace]},
            ) as client:
                for piece in client.chat(**self._request, stream=True):
                    self._queue.put(piece)
        except (httpx.HTTPError, httpx.StreamError, ollama.ResponseError, OSError, *_STRANGE) as error:
            self._queue.put(error)
        finally:
            self._queue.put(None)

    def _trace(self, request: httpx.Request) -> None:
        request.extensions["trace"] = self._connected

    def _connected(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the socket as soon as there is one: nothing else can wake a thread that waits for bytes."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
                if self._closed:
                    self._hang_up()

    def _hang_up(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
