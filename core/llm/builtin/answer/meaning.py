"""How near words and texts are in meaning, by an embedder's vectors of words, texts and tokens."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.llm.builtin.answer.word_matching import SYLLABIC, SYNONYM_LIKENESS, Word
from core.llm.encoders.rerankers import FULL_TOKEN_COSINE, MIN_TOKEN_COSINE, HasTokenSpans
from core.ports import Embedder
from core.text.chinese_english import in_english
from core.text.english import MAX_UNREAD_SHARE, unread
from core.text.maxsim import best_matches
from core.text.tokens import is_cjk

SYNONYM_COSINE = 0.88  # of two words' vectors, from which on they mean the same
UNRELATED_COSINE = 0.5  # ... up to which they mean nothing alike
RESERVED_TOKENS = 16  # of a window, for special tokens and what a model wants before each text
CACHED_TEXTS = 256  # texts whose vectors are kept, about 66 KB each


class Meaning:
    """How near words and texts are in meaning, by the embedder's vectors; those of words are kept, and those
    of the last texts: a question's parts and their review are read against the same."""

    def __init__(self, embedder: Embedder | None, most: int = 5_000) -> None:
        self._embedder = embedder
        self._most = most
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._lock = threading.Lock()
        self._encoded: OrderedDict[str, _Encoded] = OrderedDict()

    def __reduce__(self) -> "tuple[type[Meaning], tuple[Embedder | None, int]]":
        """Go to another process, as to a worker of a cluster, without what is kept here."""
        return Meaning, (self._embedder, self._most)

    def prepare(self, words: Sequence[str]) -> None:
        """Compute the vectors of new words together: one by one would take ten times as long."""
        new = [word for word in dict.fromkeys(words) if word not in self._vectors and _readable(word)]
        if self._embedder is None or not new:
            return
        if len(self._vectors) + len(new) > self._most:
            self._vectors.clear()
        self._vectors.update(
            zip(new, self._embedder.embed(_readable_parts(self._embedder, new)), strict=True)
        )

    def near(self, question: str, text: str) -> float:
        """Return 0 (nothing alike) to `SYNONYM_LIKENESS` (the same meaning), of words that were prepared."""
        return SYNONYM_LIKENESS * min(
            1.0,
            max(0.0, (self.cosine(question, text) - UNRELATED_COSINE) / (SYNONYM_COSINE - UNRELATED_COSINE)),
        )

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of two words' vectors, 0.0 for one that was not prepared or cannot be read."""
        first, second = self._vectors.get(one), self._vectors.get(other)
        return 0.0 if first is None or second is None else float(first @ second)

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Return the vectors (n, d) of whole texts, None without an embedder."""
        if self._embedder is None or not texts:
            return None
        return self._embedder.embed(_readable_parts(self._embedder, texts))

    def compare(self, question: str, words: Sequence[Word], texts: Sequence[str]) -> "Compared | None":
        """Return how near each text is to the question, as a whole and word by word (late interaction).

        Of what is over the embedder's window the beginning is compared, a Chinese question by what
        the dictionary says for its words. None without an embedder, or where it cannot read the question.
        """
        embedder = self._embedder
        if embedder is None or not texts:
            return None
        if embedder.english_only and unread(question) > MAX_UNREAD_SHARE:
            question, words = _gloss(words)
            if unread(question) > MAX_UNREAD_SHARE or not question:
                return None
        question, *texts = _readable_parts(embedder, [question, *texts])
        asked, *read = self._encode(embedder, [question, *texts])
        cosines = np.stack([one.vector for one in read]) @ asked.vector
        rows = [one.tokens for one in read if one.tokens is not None]
        if asked.tokens is None or not isinstance(embedder, HasTokenSpans):
            return Compared(cosines, None)
        best = best_matches(asked.tokens, rows)
        spans = embedder.token_spans(question)
        of_word = [
            [at for at, (start, end) in enumerate(spans) if start < word.end and end > word.start]
            for word in words
        ]
        pairs = [best[:, at].mean(axis=1) if at else np.ones(len(best)) for at in of_word]
        likeness = (np.stack(pairs, axis=1) - MIN_TOKEN_COSINE) / (FULL_TOKEN_COSINE - MIN_TOKEN_COSINE)
        return Compared(cosines, np.clip(likeness, 0.0, 1.0))

    def _encode(self, embedder: Embedder, texts: Sequence[str]) -> "list[_Encoded]":
        with self._lock:
            found = {text: self._encoded[text] for text in texts if text in self._encoded}
        if new := [text for text in dict.fromkeys(texts) if text not in found]:
            made = embedder.encode(new)
            tokens = made.tokens or [None] * len(new)
            found |= zip(new, map(_Encoded, made.vectors, tokens), strict=True)
        with self._lock:
            for text in texts:
                self._encoded[text] = found[text]
                self._encoded.move_to_end(text)
            while len(self._encoded) > CACHED_TEXTS:
                self._encoded.popitem(last=False)
        return [found[text] for text in texts]


@dataclass(frozen=True)
class _Encoded:
    """A text's vector (d) and those of its tokens (t, d)."""

    vector: NDArray[np.float32]
    tokens: NDArray[np.float32] | None


def _readable_parts(embedder: Embedder, texts: Sequence[str]) -> list[str]:
    """Return the texts, of those over the embedder's window only the beginning.

    Characters do not say how many tokens a text has: of Korean one may have three. Bytes are as many or more.
    """
    fitting = list(texts)
    room = embedder.window - RESERVED_TOKENS
    long = [at for at, text in enumerate(texts) if len(text.encode("utf-8", "replace")) > room]
    counts = embedder.count_many([texts[at] for at in long]) if long else []
    for at, count in zip(long, counts, strict=True):
        while count > embedder.window:
            fitting[at] = fitting[at][: len(fitting[at]) * embedder.window * 9 // (count * 10)]
            count = embedder.count(fitting[at])
    return fitting


def _gloss(words: Sequence[Word]) -> tuple[str, list[Word]]:
    """Return the first English meaning of each Chinese word in a row, other words as they are, with their
    new places."""
    text, placed = "", []
    for word in words:
        gloss = next(iter(in_english(word.text)), word.text) if is_cjk(word.text) else word.text
        start = len(text) + bool(text)
        text = f"{text} {gloss}".strip()
        placed.append(Word(word.key, word.text, start, start + len(gloss)))
    return text, placed


@dataclass(frozen=True)
class Compared:
    """Texts against a question: cosines (n), and the match of each of its words (m) in each text (n, m)."""

    cosines: NDArray[np.float32]
    word_likeness: NDArray[np.float32] | None


@dataclass(frozen=True)
class Nearness:
    """How near one piece is to the question in meaning: cosine, and the match of each of its words."""

    cosine: float
    word_likeness: Sequence[float]
    readable: bool

    @classmethod
    def of(cls, compared: Compared | None, at: int, words: int) -> "Nearness":
        if compared is None:
            return cls(0.0, [0.0] * words, False)
        likeness = None if compared.word_likeness is None else compared.word_likeness[at].tolist()
        return cls(float(compared.cosines[at]), likeness or [0.0] * words, likeness is not None)


def _readable(word: str) -> bool:
    """Say whether a general embedder has a meaning for the word: letters, more than two, no code."""
    return len(word) > 2 and word.isalpha() and not is_cjk(word) and not SYLLABIC.search(word)
