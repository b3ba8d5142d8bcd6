"""Begins to load the packaged networks while a command's other modules are imported."""

import threading

from core.errors import StrataError
from core.settings import Settings


def begin(settings: Settings) -> threading.Thread | None:
    """Start to load the packaged networks; other embedders ask their server when they are used.

    What they need is imported before, so that no two threads import the same. A failure shows where the
    network is first used. The process does not end before this thread.
    """
    if settings.embedding.backend != "packaged":
        return None
    import safetensors  # noqa: F401
    import tokenizers  # noqa: F401

    from core.llm.encoders import minilm  # noqa: F401
    from core.llm.encoders.embedders import PackagedEmbedder
    from core.llm.encoders.span_extractor import packaged_reader

    def load() -> None:
        try:
            PackagedEmbedder().embed(["warm up"])
            packaged_reader().read("warm up", ["warm up"])
        except StrataError:
            return

    thread = threading.Thread(target=load, name="preload")
    thread.start()
    return thread
