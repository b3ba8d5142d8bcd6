"""Adds the passages that continue a list which was cut at the end of a chunk."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Chunk, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.retrieval.reasons import CONTINUES_LIST
from core.text.list_items import ends_in_list, leading_items

MAX_CONTINUED = 4  # passages, the best ones, whose lists are completed
MAX_CHUNKS = 2  # that are added behind one of them


@dataclass(frozen=True)
class ListContinuations:
    """Inserts the continuation of a passage's list right behind it."""

    knowledge: KnowledgeBase

    def add(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        """Return the passages with the chunks that continue the lists of the best ones, each chunk once."""
        following = {
            passage.chunk.id: self._following(passage.chunk, scope) for passage in passages[:MAX_CONTINUED]
        }
        moved = {chunk.id for chunks in following.values() for chunk in chunks}
        by_chunk = {passage.chunk.id: passage for passage in passages}
        found: list[Passage] = []
        for passage in passages:
            if passage.chunk.id not in moved:
                found.append(passage)
                found += [
                    self._behind(passage, by_chunk.get(chunk.id), chunk)
                    for chunk in following.get(passage.chunk.id, ())
                ]
        return found

    def _following(self, chunk: Chunk, scope: Scope) -> list[Chunk]:
        """Return the chunks behind one in its section, as far as each continues a list."""
        found: list[Chunk] = []
        last = chunk
        if chunk.kind != "text" or not ends_in_list(chunk.text):
            return found
        behind = [
            one for one in self.knowledge.chunks(section_id=chunk.section_id) if one.order > chunk.order
        ]
        for one in behind[:MAX_CHUNKS]:
            if one.kind != "text" or one.id in scope.without or one.order != last.order + 1:
                break
            if not ends_in_list(last.text) or not leading_items(one.text):
                break
            found.append(one)
            last = one
        return found

    @staticmethod
    def _behind(passage: Passage, known: Passage | None, chunk: Chunk) -> Passage:
        """Return the passage of a chunk that continues a list: as it was found, or scored as that list."""
        if known is not None:
            return known
        return passage.model_copy(
            update={"chunk": chunk, "scores": {}, "why": (CONTINUES_LIST,), "highlights": (), "beside": ()}
        )
