"""What the tests of searching and gathering share: one library, embedded for real."""

from collections.abc import Iterator

import pytest

from core.knowledge.base import KnowledgeBase
from core.llm.encoders.embedders import PackagedEmbedder
from core.retrieval.hybrid_retriever import HybridRetriever
from tests.fab_library import make_library


@pytest.fixture(scope="session")
def embedder() -> PackagedEmbedder:
    return PackagedEmbedder(precision="float32")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, embedder: PackagedEmbedder) -> Iterator[KnowledgeBase]:
    with make_library(tmp_path_factory.mktemp("fab") / "library", embedder) as made:
        yield made


@pytest.fixture(scope="session")
def retriever(library: KnowledgeBase, embedder: PackagedEmbedder) -> HybridRetriever:
    return HybridRetriever(library, embedder)
