"""L0: looks a question up in the distilled layer, where somebody has asked or stated it before."""

from dataclasses import dataclass

from core.domain import Atom, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.steps.retriever import Retriever


@dataclass(frozen=True)
class Directory:
    """Finds atoms that say what was asked; verified ones first."""

    knowledge: KnowledgeBase
    retriever: Retriever
    nearness: float = 0.72
    limit: int = 4

    def look_up(self, question: str, scope: Scope) -> tuple[Passage, ...]:
        """Return the chunks of the atoms nearest to the question; empty where none is near enough."""
        vector = self.retriever.vector(question)
        hits = self.knowledge.nearest(vector, "atoms", self.limit * 4, scope)
        near = {hit.id: float(hit.score) for hit in hits if hit.score >= self.nearness}
        atoms = self.knowledge.atoms_by_id(list(near))
        best: dict[str, Atom] = {}
        for atom in sorted(atoms, key=lambda a: (a.verified_by is None, -near[a.id], a.id)):
            best.setdefault(atom.chunk_id, atom)
        chunks = {chunk.id: chunk for chunk in self.knowledge.chunks(ids=list(best))}
        titles = self.knowledge.titles()
        found = [
            Passage(
                chunk=chunks[atom.chunk_id],
                document_title=titles.get(chunks[atom.chunk_id].document_id, ""),
                query=question,
                score=near[atom.id],
                scores={"atom": near[atom.id]},
                why=(f"atom: {atom.text}",),
                rank_before=rank,
                rank_after=rank,
            )
            for rank, atom in enumerate(best.values(), 1)
            if atom.chunk_id in chunks
        ]
        return tuple(found[: self.limit])
