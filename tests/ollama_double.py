"""A real HTTP server that speaks Ollama's protocol, with its traps, and no model behind it.

Use it as a context manager, or run `python -m tests.ollama_double --port 11434`. What it says comes from a
`brain`; the default one reads Strata's prompts and answers with the built-in engine's rules.
"""

import argparse
import random
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any

from tests.ollama_brain import StrataBrain
from tests.ollama_handler import Handler
from tests.ollama_pace import Machine, Pace
from tests.ollama_protocol import MODELS, Asked, Fault, Kind, Model

__all__ = ["MODELS", "Asked", "Fault", "Model", "OllamaDouble", "Pace"]


@dataclass
class OllamaDouble:
    """The server. Faults queue up with `next`, or happen at random with `fault_rate` and `seed`."""

    brain: Callable[[Asked], str] = field(default_factory=StrataBrain)
    models: tuple[Model, ...] = MODELS
    port: int = 0
    latency: float = 0.0  # seconds before the first piece
    piece_latency: float = 0.0
    prose_latency: float = 0.0  # between the pieces of a reply that has no format
    tags_latency: float = 0.0
    piece_chars: int = 12
    window: int | None = None  # the server's own limit, whatever num_ctx asks for
    old: bool = False  # behaves like releases before 0.3x
    poison: str = ""  # text that cannot be embedded
    fault_rate: float = 0.0
    fault_kinds: tuple[Kind, ...] = ("error_mid_stream", "no_done", "queue_full", "prose_instead")
    fault_seconds: float = 0.2  # how long a random fault pauses, where it does
    seed: int = 7
    pullable: tuple[str, ...] = ("llama3.2", "qwen3:4b", "qwen3:4b-instruct")
    pace: Pace | None = None  # reads and writes as fast as a machine does; None: at once
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    reloads: int = 0
    cancelled: int = 0  # generations whose client went away
    busy: int = 0
    busiest: int = 0
    broken: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._faults: deque[Fault] = deque()
        self._random = random.Random(self.seed)
        self.faulted: Counter[Kind] = Counter()
        self.loaded: dict[str, int] = {}
        self.machine = Machine(self.pace) if self.pace else None

    def __enter__(self) -> "OllamaDouble":
        self._server = Server(self, self.port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if self.broken:
            raise AssertionError("the double itself broke") from self.broken[0]

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def next(self, *faults: Fault | Kind) -> None:
        """Let the next requests to a model go wrong, one fault each."""
        self._faults.extend(one if isinstance(one, Fault) else Fault(one) for one in faults)

    def fault(self) -> Fault | None:
        with self.lock:
            fault = None
            if self._faults:
                fault = self._faults.popleft()
            elif self._random.random() < self.fault_rate:
                fault = Fault(self._random.choice(self.fault_kinds), seconds=self.fault_seconds)
            if fault:
                self.faulted[fault.kind] += 1
            return fault

    def cut(self, data: bytes) -> list[bytes]:
        """Cut a line at arbitrary bytes, as a network does, in the middle of a character too."""
        with self.lock:
            places = sorted(self._random.sample(range(1, len(data)), min(2, len(data) - 1)))
        return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]

    def find(self, name: str) -> Model | None:
        return next((m for m in self.models if m.name in (name, f"{name}:latest")), None)

    def chats(self) -> list[dict[str, Any]]:
        """Return the bodies of the chats so far."""
        return [body for path, body in self.requests if path == "/api/chat"]

    def load(self, model: Model, options: dict[str, Any]) -> int:
        """Load the model with its window, anew if the window changed; return the window."""
        asked = int(options.get("num_ctx") or (2048 if self.old else 4096))
        window = max(4, min(asked, model.window, self.window or asked))
        with self.lock:
            if self.loaded.get(model.name, window) != window:
                self.reloads += 1
            self.loaded[model.name] = window
        return window


class Server(ThreadingHTTPServer):
    """The socket's side of the double."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, double: "OllamaDouble", port: int) -> None:
        self.double = double
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are part of the game; anything else is a fault of the double or its brain."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):
            self.double.broken.append(error)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=11434)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--piece-latency", type=float, default=0.01)
    parser.add_argument("--fault-rate", type=float, default=0.0)
    parser.add_argument("--read", type=float, default=0.0, help="tokens a second in; with --write")
    parser.add_argument("--write", type=float, default=30.0, help="tokens a second out")
    parser.add_argument("--slots", type=int, default=1, help="calls that are worked on at once")
    parser.add_argument("--old", action="store_true")
    given = parser.parse_args()
    double = OllamaDouble(
        port=given.port,
        latency=given.latency,
        piece_latency=given.piece_latency,
        fault_rate=given.fault_rate,
        old=given.old,
        pace=Pace(read=given.read, write=given.write, slots=given.slots) if given.read else None,
    )
    with double:
        print(f"Ollama double at {double.host}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("bye")


if __name__ == "__main__":
    main()
