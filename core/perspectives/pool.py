"""The passages a council has read, numbered where a task needs numbers and named by chunk elsewhere."""

from collections.abc import Iterable, Sequence

from core.domain import Evidence, Passage
from core.retrieval.evidence_pieces import as_evidence


class Pool:
    """Passages by chunk id, in the order they came."""

    def __init__(self, passages: Iterable[Passage] = ()) -> None:
        self._by_chunk: dict[str, Passage] = {}
        self.add(passages)

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; those already there stay as they are."""
        for passage in passages:
            self._by_chunk.setdefault(passage.chunk.id, passage)

    def passages(self) -> tuple[Passage, ...]:
        """Return all of them."""
        return tuple(self._by_chunk.values())

    def evidence(self, offered: Iterable[str] | None = None) -> tuple[Evidence, ...]:
        """Return the passages for a task, those `offered` or all, each under its number here, from 1."""
        wanted = None if offered is None else set(offered)
        return tuple(
            as_evidence((passage,), n)[0]
            for n, passage in enumerate(self.passages(), 1)
            if wanted is None or passage.chunk.id in wanted
        )

    def chunks(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the chunks of these numbers; a number that does not exist is left out."""
        passages = self.passages()
        return tuple(dict.fromkeys(passages[n - 1].chunk.id for n in numbers if 0 < n <= len(passages)))

    def numbers(self, chunks: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of these chunks; those that are not here are left out."""
        at = {passage.chunk.id: n for n, passage in enumerate(self.passages(), 1)}
        return tuple(at[chunk] for chunk in dict.fromkeys(chunks) if chunk in at)
