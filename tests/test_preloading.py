"""A command that asks loads its networks while it imports the rest."""

from core import preloading
from core.llm.encoders.span_extractor import packaged_reader
from core.settings import EmbeddingSettings, Settings


def test_the_reader_is_there_when_the_thread_ends_and_is_not_loaded_again() -> None:
    packaged_reader.cache_clear()
    thread = preloading.begin(Settings())
    assert thread is not None and not thread.daemon
    thread.join()
    assert packaged_reader.cache_info().misses == 1
    packaged_reader().read("Who leaks?", ["Pump 3 leaks."])
    assert packaged_reader.cache_info().misses == 1


def test_an_embedder_that_a_server_holds_loads_nothing() -> None:
    packaged_reader.cache_clear()
    assert preloading.begin(Settings(embedding=EmbeddingSettings(backend="ollama"))) is None
    assert packaged_reader.cache_info().misses == 0
