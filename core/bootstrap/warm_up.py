"""Loads, beside other work, what the first question of a process would wait for."""

import threading

from core.llm.encoders.span_extractor import packaged_reader
from core.ports import Embedder
from core.text import languages


def everything(embedder: Embedder) -> None:
    """Load the networks, LangGraph with the compiled graph of a question, and what tells languages apart."""
    networks(embedder)
    from core.flow.graph import compiled

    compiled()
    languages.load()


class WarmUp:
    """Loads everything in a thread, once; started after a page was drawn, which it would delay."""

    def __init__(self, embedder: Embedder) -> None:
        self._thread = threading.Thread(target=everything, args=(embedder,), name="warm-up", daemon=True)
        self._lock, self._begun = threading.Lock(), False

    def begin(self) -> None:
        """Begin, where that has not been done."""
        with self._lock:
            if not self._begun:
                self._begun = True
                self._thread.start()

    def join(self) -> None:
        """Wait until what was begun has ended, and let nothing begin any more."""
        with self._lock:
            begun, self._begun = self._begun, True
        if begun and self._thread.ident is not None:
            self._thread.join()


def networks(embedder: Embedder) -> None:
    """Load the weights of the embedder and of the network that reads."""
    embedder.embed(["warm up"])
    packaged_reader().read("warm up", ["warm up"])
