"""Loads, beside other work, what the first question of a process would wait for."""

import threading

from core.bootstrap.model_wiring import embedder_of, span_extractor
from core.errors import StrataError
from core.ports import Embedder
from core.settings import Settings


def everything(embedder: Embedder) -> None:
    """Load the networks, then LangGraph with the compiled graph of a question."""
    networks(embedder)
    from core.flow.graph import compiled

    compiled()


def networks(embedder: Embedder) -> None:
    """Load the weights of the embedder and of the network that reads."""
    embedder.embed(["warm up"])
    span_extractor().read("warm up", ["warm up"])


def begin(settings: Settings) -> threading.Thread | None:
    """Start to load the packaged networks while the library is opened; other embedders ask their server.

    What fails is told by whoever needs it. The process ends when this has ended: Torch cannot be left while
    it is being imported.
    """
    if settings.embedding.backend != "packaged":
        return None

    def load() -> None:
        try:
            networks(embedder_of(settings))
        except StrataError:
            return

    thread = threading.Thread(target=load, name="preload")
    thread.start()
    return thread
