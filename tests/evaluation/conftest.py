"""The library of the retrieval tests serves here too."""

from tests.retrieval.conftest import embedder, library, retriever

__all__ = ["embedder", "library", "retriever"]
