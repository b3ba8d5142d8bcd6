"""Vectors of a model that Ollama serves."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from pydantic import ValidationError

from core.errors import LLMError, LLMTimeout, LLMUnavailable, MalformedReply, ModelMissing
from core.ports import Encoded, Vectors
from core.runtime.run_slots import slot_released
from core.text.english import english_model

if TYPE_CHECKING:
    from ollama import Client

T = TypeVar("T")


class OllamaEmbedder:
    """A model behind Ollama's /api/embed. Texts are counted by a rule that errs on the long side."""

    def __init__(
        self, host: str, model: str, batch: int = 32, window: int = 2048, timeout: float = 300.0
    ) -> None:
        self.name = model
        self.english_only = english_model(model)
        self._host = host
        self._window = window
        self._batch = batch
        self._timeout = timeout

    @cached_property
    def window(self) -> int:
        """Return what the model declares, at most what servers were seen to read in fact."""
        info = self._ask(lambda client: client.show(self.name)).modelinfo or {}
        declared = info.get(f"{info.get('general.architecture')}.context_length", self._window)
        return min(int(declared), self._window)

    @cached_property
    def digest(self) -> str:
        """Identify the model by the digest the server lists."""
        for model in self._ask(lambda client: client.list()).models or ():
            if model.model in (self.name, f"{self.name}:latest"):
                return f"{(model.digest or '').removeprefix('sha256:')[:16]}-{self.window}"
        raise ModelMissing(
            f"Ollama does not have the embedding model {self.name}", hint=f"Run `ollama pull {self.name}`."
        )

    @cached_property
    def dimension(self) -> int:
        return int(self.embed(["x"]).shape[1])

    def count(self, text: str) -> int:
        """Return an upper estimate: a token for every CJK character or mark, one for every 3 letters."""
        ascii_letters = sum(1 for c in text if c.isascii() and c.isalnum())
        others = sum(1 for c in text if not c.isspace()) - ascii_letters
        words = len(text.split())
        return 2 + others + max(words, (ascii_letters + 2) // 3)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise ValueError for a text over the window, LLMError where the server fails."""
        counts = self.count_many(texts)
        if counts and max(counts) > self.window:
            raise ValueError(f"a text has about {max(counts)} tokens, the window is {self.window}")
        rows: list[Sequence[float]] = []
        for start in range(0, len(texts), self._batch):
            rows += self._embed(texts[start : start + self._batch])
        if not rows:
            return np.zeros((0, self.dimension), np.float32)
        vectors = np.asarray(rows, np.float32)
        scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return scaled

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return pooled vectors only: Ollama gives no token vectors."""
        return Encoded(self.embed(texts))

    def _embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """Embed a batch; where a text spoils it (400), halve the batch, then that text (mean of its halves).

        Servers read less than they declare, so a text is only known to be too long once it was refused.
        """
        from ollama import ResponseError

        try:
            found = self._ask(lambda client: client.embed(self.name, list(texts), truncate=False)).embeddings
        except ResponseError as error:
            middle = len(texts) // 2
            if middle:
                return self._embed(texts[:middle]) + self._embed(texts[middle:])
            text = texts[0]
            if "length" not in str(error) or len(text) < 2:
                raise LLMError(f"{self.name} could not embed a text: {error}") from error
            cut = text.rfind(" ", 1, len(text) // 2 + 1)
            cut = cut if cut > 0 else len(text) // 2
            halves = np.asarray(self._embed([text[:cut]]) + self._embed([text[cut:]]), np.float32)
            return [[float(x) for x in halves.mean(axis=0)]]
        if len(found) != len(texts):
            raise MalformedReply(f"{self.name} gave {len(found)} vectors for {len(texts)} texts")
        return list(found)

    def _ask(self, request: "Callable[[Client], T]") -> T:
        """Do the request; only a refusal of the text itself (400) stays a ResponseError."""
        import httpx
        from ollama import ResponseError

        from core.llm.ollama.stream import open_client

        try:
            with slot_released(), open_client(self._host, self._timeout, self._timeout) as client:
                return request(client)
        except ResponseError as error:
            if error.status_code == 400:
                raise
            if error.status_code == 404:
                raise ModelMissing(str(error), hint=f"Run `ollama pull {self.name}`.") from error
            raise LLMError(f"Ollama failed to embed with {self.name}: {error}") from error
        except ValidationError as error:
            raise MalformedReply(f"Ollama's reply for {self.name} is not what its API promises") from error
        except httpx.TimeoutException as error:
            raise LLMTimeout(f"Ollama went silent while embedding with {self.name}") from error
        except (ConnectionError, httpx.HTTPError) as error:
            raise LLMUnavailable(f"Ollama does not answer: {error}") from error
