"""Key factors of sampled chunks, named by a model (PIKE-RAG, arXiv 2501.11551, 5.2.2).

Which document a chunk is read of next is chosen by upper confidence bounds over how much of what was named
there was new, among unread ones by chance, the longer the likelier; calls, and with them chunks, are few
however large the library is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.domain import Chunk
from core.errors import BudgetExceeded, LLMError, MalformedReply
from core.knowledge.base import KnowledgeBase
from core.ports import LLM
from core.retrieval.upper_confidence import upper_confidence
from core.tasks import EnrichedPiece, FactorsNamed, NameFactors
from core.text.tokens import content_words, fold, is_cjk, stem

PIECES_PER_CALL = 6
MAX_FACTORS = 8  # of a piece
MAX_KNOWN = 60  # factors named last, given to a call
_LEAST_TOKENS = 40  # of a chunk that says anything
_MAX_CHARACTERS = 40  # of a factor
_MAX_WORDS = 5

Factors = Mapping[str, tuple[str, ...]]  # by the id of the chunk they were named in


@dataclass
class DocumentArms:
    """Documents as arms of a bandit. One that was not read yet counts as one read once that brought what
    those read so far brought on average."""

    exploration: float = 0.3
    gains: dict[str, list[float]] = field(default_factory=dict)  # document -> new share, chunk by chunk
    drawn: Counter[str] = field(default_factory=Counter)
    _every: list[float] = field(default_factory=list)

    def draw(self, documents: Iterable[str]) -> str:
        """Return the document with the highest bound, the first of them, and count it."""
        best = max(documents, key=self.bound)
        self.drawn[best] += 1
        return best

    def bound(self, document_id: str) -> float:
        """Return the mean of what a document brought + c * sqrt(ln N / n), its n beginning with 1."""
        gains = self.gains.get(document_id) or self._every
        mean = sum(gains) / len(gains) if gains else 1.0
        return upper_confidence(mean, 1 + self.drawn[document_id], 1 + self.drawn.total(), self.exploration)

    def reward(self, document_id: str, share: float) -> None:
        """Record the reward of a draw: the share of the chunk's factors not seen before."""
        self.gains.setdefault(document_id, []).append(share)
        self._every.append(share)


@dataclass(frozen=True)
class FactorReader:
    """Reads a sample of a library's chunks, in at most `calls` calls."""

    knowledge: KnowledgeBase
    llm: LLM
    calls: int = 8

    def read(self, first: Sequence[str] = ()) -> Factors:
        """Return the factors of each chunk read; chunks named in `first` are read before any other.

        A reply that cannot be read costs its chunks; where the server is away or the budget is used up, what
        was named so far is returned.
        """
        arms = DocumentArms()
        spelt: dict[str, str] = {}
        found: dict[str, tuple[str, ...]] = {}
        for batch in islice(_batches(self._sample(arms, first), self.calls * PIECES_PER_CALL), self.calls):
            try:
                named = self._named(batch, tuple(spelt.values())[-MAX_KNOWN:])
            except MalformedReply:
                continue
            except (LLMError, BudgetExceeded):
                break
            for chunk in batch:
                keys = {spelling(name): name for name in named.get(chunk.id, ())}
                fresh = keys.keys() - spelt.keys()
                arms.reward(chunk.document_id, len(fresh) / max(1, len(keys)))
                found[chunk.id] = tuple(spelt.setdefault(key, name) for key, name in keys.items())
        return found

    def _sample(self, arms: DocumentArms, first: Sequence[str]) -> Iterator[Chunk]:
        """Yield chunks of prose, those of `first`, then document by document as the arms are drawn."""
        seen = set(first)
        yield from (
            chunk for chunk in self.knowledge.chunks(ids=list(dict.fromkeys(first))) if _is_prose(chunk)
        )
        sizes = self.knowledge.enrichment.passages_of_prose(_LEAST_TOKENS)
        waiting: dict[str, list[Chunk] | None] = dict.fromkeys(_by_chance(sizes))
        while waiting:
            document_id = arms.draw(waiting)
            chunks = waiting[document_id]
            if chunks is None:  # ids are hashes of content: their order is by chance, and always the same
                prose = [each for each in self.knowledge.chunks(document_id) if _is_prose(each)]
                chunks = sorted((each for each in prose if each.id not in seen), key=lambda each: each.id)
                waiting[document_id] = chunks
            if chunks:
                yield chunks.pop()
            if not chunks:
                del waiting[document_id]

    def _named(self, batch: Sequence[Chunk], known: tuple[str, ...]) -> dict[str, list[str]]:
        pieces = tuple(
            EnrichedPiece(n=n, text=chunk.text, heading=chunk.heading_path[-1] if chunk.heading_path else "")
            for n, chunk in enumerate(batch, 1)
        )
        task = NameFactors(known=known, pieces=pieces, language=batch[0].language)
        reply = self.llm.run(task, FactorsNamed)
        return {
            batch[piece.n - 1].id: stated_factors(piece.factors, batch[piece.n - 1].passage_text())
            for piece in reply.pieces
            if 1 <= piece.n <= len(batch)
        }


def stated_factors(named: Iterable[str], text: str) -> list[str]:
    """Return the factors that the text says itself: its words all stand there; no figures, no sentences."""
    text_words = set(content_words(text))
    stated: list[str] = []
    for each in named:
        name = " ".join(each.split()).strip(" .,;:|。，；：")
        words = content_words(name)
        short = len(name) <= _MAX_CHARACTERS and len(name.split()) <= _MAX_WORDS
        mentioned = text_words.issuperset(words) or (is_cjk(name) and name in text)
        if words and short and mentioned and not any(char.isdigit() for char in name):
            stated.append(name)
    return stated[:MAX_FACTORS]


def _batches(sample: Iterable[Chunk], most: int) -> Iterator[list[Chunk]]:
    """Yield the chunks of each call, in one language, of `most` drawn; draws follow what was named."""
    waiting: dict[str, list[Chunk]] = {}
    for chunk in islice(sample, most):
        alike = waiting.setdefault(chunk.language, [])
        alike.append(chunk)
        if len(alike) == PIECES_PER_CALL:
            yield waiting.pop(chunk.language)
    yield from waiting.values()


def _by_chance(sizes: Mapping[str, int]) -> list[str]:
    """Return the documents as if drawn by chance by their sizes (Efraimidis and Spirakis, 2006), always the
    same: ids are hashes."""
    return sorted(sizes, key=lambda key: (int(key, 16) / 16 ** len(key)) ** (1 / sizes[key]), reverse=True)


def spelling(name: str) -> str:
    """Return the normal form of a factor: its words folded and stemmed."""
    return " ".join(stem(word) for word in fold(name).split())


def _is_prose(chunk: Chunk) -> bool:
    return chunk.kind == "text" and chunk.tokens >= _LEAST_TOKENS
