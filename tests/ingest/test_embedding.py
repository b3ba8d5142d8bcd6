"""Vectors for many texts: which of them go through the model together."""

from core.ingest.embedding import Batch, embed
from tests.ingest.ingestion_parts import WordEmbedder


def batch_of(embedder: WordEmbedder, lengths: list[int]) -> Batch:
    texts = [" ".join(["pump"] * length) for length in lengths]
    return Batch(texts, [embedder.count(text) for text in texts])


def test_texts_of_unlike_length_are_not_padded_to_one_another() -> None:
    embedder = WordEmbedder()
    batches = [batch_of(embedder, [30] * 20 + [200] * 2), batch_of(embedder, [30, 31, 200])]
    embed(batches, embedder, 16_384, lambda i: None)
    assert embedder.sizes == [22, 3]
    assert [each.done for each in batches] == [22, 3]


def test_few_texts_go_through_the_model_together_however_unlike() -> None:
    embedder = WordEmbedder()
    embed([batch_of(embedder, [3, 20, 200])], embedder, 16_384, lambda i: None)
    assert embedder.sizes == [3]
