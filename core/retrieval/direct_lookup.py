"""L0: looks a question up in the distilled layer, where somebody has asked or stated it before."""

import re
from dataclasses import dataclass

from core.domain import Atom, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.retrieval.reasons import BY_ATOM
from core.retrieval.search_port import LibrarySearch
from core.text.codes import hyphenated_codes
from core.text.tokens import content_words

_SOURCE = re.compile(
    r"^what (?:does|do|did) (?:the )?(.+?) (?:say|state|write|tell us|report)s? (?:about|on|of) "
    r"|^(?:according to|as) (?:the )?(.+?)(?: says| states)?,",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DirectLookup:
    """Finds atoms equivalent to the question; verified ones first."""

    knowledge: KnowledgeBase
    retriever: LibrarySearch
    nearness: float = 0.72
    limit: int = 4

    def look_up(self, question: str, scope: Scope) -> tuple[Passage, ...]:
        """Return the chunks of the atoms nearest to the question; empty where none is near enough.

        A question that names a document by the code in its title is looked up in that document only.
        """
        named = self._named(question, scope)
        if named.documents != scope.documents:
            passages = self.retriever.search(question, 2 * self.limit, named)
            ranks = [{"rank_before": n, "rank_after": n} for n in range(1, len(passages) + 1)]
            return tuple(one.model_copy(update=rank) for one, rank in zip(passages, ranks, strict=True))
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
                why=(BY_ATOM.format(atom=atom.text),),
                rank_before=rank,
                rank_after=rank,
            )
            for rank, atom in enumerate(best.values(), 1)
            if atom.chunk_id in chunks
        ]
        return tuple(found[: self.limit])

    def _named(self, question: str, scope: Scope) -> Scope:
        """Return the scope narrowed to the documents whose title says a code of the question.

        "What does X say about Y" asks X alone: its code, or the words it is called by, all of them.
        """
        asked = _SOURCE.match(question)
        called = next((name for name in asked.groups() if name), "") if asked else ""
        codes = [code.casefold() for code in hyphenated_codes(called or question)]
        named = frozenset(content_words(called))
        found = tuple(
            document.id
            for document in self.knowledge.documents(scope)
            if any(code in document.title.casefold() for code in codes)
            or (
                named and not codes and named <= frozenset(content_words(f"{document.title} {document.name}"))
            )
        )
        return scope.model_copy(update={"documents": found}) if found else scope
