import shutil
import threading
import time

import numpy as np
import pytest

from core.errors import LLMError, LLMUnavailable, ModelMissing, SettingsError
from core.llm.encoders.embedders import (
    OllamaEmbedder,
    PackagedEmbedder,
    SentenceTransformerEmbedder,
    packaged_folder,
)
from tests.ollama_double import OllamaDouble

TEXTS = [
    "The etch chamber is cleaned every 300 RF hours.",
    "Wafers of lot LOT-2231 showed particles at the edge.",
    "刻蚀腔室每 300 小时清洗一次。",
    "short",
    "A longer passage about pumps, valves and gas lines. " * 8,
]


@pytest.fixture(scope="module")
def embedder():
    return PackagedEmbedder(precision="float32")


@pytest.fixture(scope="module")
def reference():
    return SentenceTransformerEmbedder(str(packaged_folder()))


def test_the_packaged_model_gives_the_vectors_of_sentence_transformers(embedder, reference):
    own, theirs = embedder.embed(TEXTS), reference.embed(TEXTS)
    assert own.shape == (5, 384) and own.dtype == np.float32
    np.testing.assert_allclose(own, theirs, atol=2e-6)


@pytest.mark.parametrize(("precision", "near"), [("bfloat16", 0.9995), ("int8", 0.99)])
def test_fewer_bits_lose_nothing_that_matters(embedder, precision, near):
    other = PackagedEmbedder(precision=precision)
    assert ((other.embed(TEXTS) * embedder.embed(TEXTS)).sum(axis=1) > near).all()
    assert other.digest != embedder.digest


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_text_has_the_same_vector_alone_and_among_others(precision):
    embedder = PackagedEmbedder(precision=precision)
    together = embedder.embed(TEXTS)
    assert np.array_equal(together, np.concatenate([embedder.embed([text]) for text in TEXTS]))


def test_pooled_and_token_vectors_come_from_one_pass(embedder, reference):
    encoded = embedder.encode(TEXTS)
    np.testing.assert_allclose(encoded.vectors, embedder.embed(TEXTS), atol=1e-6)
    for own, theirs, text in zip(encoded.tokens, reference.encode(TEXTS).tokens, TEXTS, strict=True):
        assert own.shape == (embedder.count(text) - 2, 384)
        np.testing.assert_allclose(own, theirs, atol=2e-5)
        np.testing.assert_allclose(np.linalg.norm(own, axis=1), 1, atol=1e-5)


def test_nothing_gives_no_vectors(embedder, reference):
    for each in (embedder, reference):
        assert each.embed([]).shape == (0, 384)
        assert each.encode([]).tokens == ()
    assert embedder.embed([""]).shape == (1, 384)


def test_tokens_are_counted_whole_whatever_the_window(embedder, reference):
    long = "pump " * 1000
    assert embedder.count(long) == reference.count(long) == 1002
    assert embedder.count_many(TEXTS) == reference.count_many(TEXTS)


def test_a_text_over_the_window_is_refused_and_not_cut(embedder, reference):
    for each in (embedder, reference):
        with pytest.raises(ValueError, match="window is 256"):
            each.embed(["fine", "pump " * 255])
        assert each.embed(["pump " * 254]).shape == (1, 384)


def test_threads_get_the_vectors_of_their_own_texts():
    shared = PackagedEmbedder(precision="float32")
    alone = PackagedEmbedder(precision="float32").embed(TEXTS)
    found: dict[int, np.ndarray] = {}

    def ask(number: int) -> None:
        found[number] = shared.embed([TEXTS[number]])[0]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(TEXTS))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(np.stack([found[n] for n in range(len(TEXTS))]), alone, atol=1e-5)


class Slow(PackagedEmbedder):
    """The packaged embedder, which begins to compute when it is let go, and says how often it did."""

    def __init__(self) -> None:
        super().__init__(precision="float32")
        self.begun, self.go = [], threading.Event()

    def _run(self, texts, keep_tokens):
        self.begun.append(list(texts))
        assert self.go.wait(20)
        return super()._run(texts, keep_tokens)


def asked_at_once(embedder, texts, ready):
    """Ask for the vector of each text on its own thread; return them, or the errors."""
    found = {}

    def ask(number):
        try:
            found[number] = embedder.embed([texts[number]])[0]
        except ValueError as error:
            found[number] = error

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(texts))]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 20
    while len(embedder.begun) < ready and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)  # for those that should not begin
    embedder.go.set()
    for thread in threads:
        thread.join(20)
    return [found[number] for number in range(len(texts))]


def test_threads_with_the_same_text_let_it_be_encoded_once(embedder):
    slow = Slow()
    found = asked_at_once(slow, [TEXTS[0], TEXTS[0], TEXTS[1], TEXTS[0]], ready=2)
    assert sorted(slow.begun) == sorted([[TEXTS[0]], [TEXTS[1]]])
    expected = embedder.embed(TEXTS[:2])
    np.testing.assert_allclose(found, expected[[0, 0, 1, 0]], atol=1e-5)


def test_a_text_that_cannot_be_encoded_keeps_nobody_waiting():
    slow, long = Slow(), "pump " * 300
    errors = asked_at_once(slow, [long, long], ready=1)
    assert all(isinstance(each, ValueError) and "window is 256" in str(each) for each in errors)
    with pytest.raises(ValueError, match="window is 256"):
        slow.embed([long])


def test_weights_that_are_not_the_original_are_refused(tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(packaged_folder(), folder)
    weights = folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(SettingsError, match=r"model\.safetensors has SHA-256 .*expected 53aa51172d142c89"):
        PackagedEmbedder(folder).embed(["x"])


def test_the_digest_follows_the_weights(reference):
    assert reference.digest == SentenceTransformerEmbedder(str(packaged_folder())).digest
    assert reference.dimension == 384


def test_a_model_that_is_not_there_says_how_to_name_one(tmp_path):
    with pytest.raises(SettingsError, match="could not be loaded") as caught:
        SentenceTransformerEmbedder(str(tmp_path / "nothing")).embed(["x"])
    assert "STRATA_EMBEDDING__MODEL" in caught.value.hint


def test_ollama_embeds_in_the_order_given():
    with OllamaDouble() as double:
        embedder = OllamaEmbedder(double.host, "all-minilm", batch=2)
        vectors = embedder.embed(TEXTS[:4])
        assert vectors.shape == (4, 384)
        np.testing.assert_allclose(vectors[2], embedder.embed([TEXTS[2]])[0], atol=1e-6)
        assert embedder.encode(TEXTS[:1]).tokens is None
        assert embedder.embed([]).shape == (0, 384)
        assert embedder.dimension == 384
        assert (embedder.window, len(embedder.digest)) == (512, 20)


def test_ollama_embeds_a_text_the_server_finds_too_long_by_its_halves():
    with OllamaDouble() as double:
        double.models = tuple(
            type(m)(**{**m.__dict__, "window": 24}) if "embedding" in m.capabilities else m
            for m in double.models
        )
        embedder = OllamaEmbedder(double.host, "all-minilm:latest")
        long = "pump valve gas line chamber wafer " * 5
        embedder.window = 512
        vectors = embedder.embed(["short", long, "also short"])
    assert vectors.shape == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_one_text_that_cannot_be_embedded_is_named_by_an_error():
    with OllamaDouble(poison="POISON") as double:
        embedder = OllamaEmbedder(double.host, "all-minilm")
        with pytest.raises(LLMError, match="NaN"):
            embedder.embed(["fine", "POISON", "fine too"])
        assert len(embedder.embed(["fine", "fine too"])) == 2


def test_ollama_refuses_what_is_longer_than_the_window():
    with OllamaDouble() as double, pytest.raises(ValueError, match="window is 512"):
        OllamaEmbedder(double.host, "all-minilm").embed(["pump " * 2000])


def test_ollama_without_the_model_or_the_server_says_so():
    with OllamaDouble() as double:
        for ask in (lambda e: e.digest, lambda e: e.embed(["x"])):
            with pytest.raises(ModelMissing) as caught:
                ask(OllamaEmbedder(double.host, "bge-m3"))
            assert caught.value.hint == "Run `ollama pull bge-m3`."
        double.next("died")
        with pytest.raises(LLMError, match="unexpectedly stopped"):
            OllamaEmbedder(double.host, "all-minilm").embed(["x"])
    with pytest.raises(LLMUnavailable):
        OllamaEmbedder("http://127.0.0.1:9", "all-minilm").embed(["x"])
