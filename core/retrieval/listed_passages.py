"""Passages selected by what they mention or by their place, without a search score."""

from collections.abc import Mapping, Sequence

from core.domain import Chunk, Passage
from core.knowledge.base import KnowledgeBase

LISTED = {"section": 1.0}  # the scores of a passage that no search found
THEME = {"theme": 1.0}  # ... and of one that is read for its theme


def ids_mentioning(knowledge: KnowledgeBase, name: str) -> list[str]:
    """Return the ids of the chunks that mention an entity called so, each once."""
    entities = knowledge.entities_called([name])
    return list(dict.fromkeys(id_ for each in entities for id_ in knowledge.mentions(each.id)))


def listed(chunks: Sequence[Chunk], titles: Mapping[str, str], question: str, why: str) -> list[Passage]:
    """Return the chunks as passages in their order, all of score 1; `titles` are those of documents by id."""
    return [
        Passage(
            chunk=chunk,
            document_title=titles[chunk.document_id],
            query=question,
            score=1.0,
            scores=dict(LISTED),
            why=(why,),
            rank_before=rank,
            rank_after=rank,
        )
        for rank, chunk in enumerate(chunks, 1)
    ]
