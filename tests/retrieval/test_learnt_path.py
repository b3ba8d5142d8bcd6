"""The learnt order over what a library's own search brings."""

from core.bootstrap.model_wiring import fact_reranker_of, reranker_of
from core.settings import RerankSettings


def test_its_setting_orders_what_was_found_and_loses_nothing(library, retriever, embedder):
    settings = RerankSettings(backend="learnt-path")
    reranker = reranker_of(settings, library, embedder)
    found = retriever.search("Who maintains the pump of the etch tool?", 8, kind="reasoning")
    ranked = reranker.rerank("Who maintains the pump of the etch tool?", found)
    assert reranker.name == "learnt-path" and len(found) > 2
    assert {each.chunk.id for each in ranked} == {each.chunk.id for each in found}
    assert [each.rank_after for each in ranked] == list(range(1, len(found) + 1))
    assert fact_reranker_of(settings, library, embedder) is not None
