"""Why a passage was found, in words: the legs that found it, and the names that led to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain import Chunk
from core.i18n.messages import Message, mark
from core.knowledge.base import KnowledgeBase
from core.retrieval.score_fusion import Leg, best
from core.retrieval.search_legs import LegResults

# Kept in English with the passage; what shows them tells them in the reader's language.
BY_LEG: dict[str, Message] = {
    "keyword": mark("words: number {rank}"),
    "chunk": mark("meaning: number {rank}"),
}
BY_SUMMARY: dict[str, Message] = {
    "section": mark("summary of its section"),
    "document": mark("summary of its document"),
}
OF_SECTION = mark("beginning of a section of the document that is asked for")
OF_THING = mark("names the thing that is asked about")
CONTINUES_LIST = mark("goes on with the list of the passage before")
BY_ATOM = mark("by its atom: {atom}")
BY_NAME = mark("second search for {name}")
BY_LINK = mark("linked from {there} by {names}")

TOP_RANKS = 10  # of a leg, up to which a rank is reported
MAX_PATH_STARTS = 4  # passages found directly from which a path is looked for


@dataclass(frozen=True)
class Reasons:
    """Explains for each passage which legs of the search retrieved it."""

    knowledge: KnowledgeBase
    found: LegResults
    graph: Leg
    titles: Mapping[str, str]  # of the documents
    searched_again: Mapping[str, str] = field(default_factory=dict)  # chunk id -> the name in the question

    def of(self, chunks: Sequence[Chunk]) -> list[tuple[str, ...]]:
        """Return the reasons for each chunk, in the order given, the strongest reason first."""
        places = {
            name: {key: rank for rank, key in enumerate(best(leg, TOP_RANKS), start=1)}
            for name, leg in self.found.legs.items()
        }
        direct = [
            chunk
            for chunk in chunks
            if any(
                places.get(leg, {}).get(chunk.id, TOP_RANKS + 1) <= MAX_PATH_STARTS
                for leg in ("keyword", "chunk")
            )
        ][:MAX_PATH_STARTS]
        names = self.knowledge.shared_names([chunk.id for chunk in chunks], [chunk.id for chunk in direct])
        shown = {chunk.id for chunk in chunks} & places.get("atom", {}).keys()
        atoms = self.knowledge.atoms_by_id([self.found.through["atom"][chunk] for chunk in sorted(shown)])
        texts = {atom.chunk_id: atom.text for atom in atoms}
        return [(*self._direct(chunk, places, texts), *self._path(chunk, direct, names)) for chunk in chunks]

    def _direct(
        self, found: Chunk, places: Mapping[str, Mapping[str, int]], atoms: Mapping[str, str]
    ) -> list[str]:
        chunk = found.id
        reasons = [
            template.format(rank=places[leg][chunk])
            for leg, template in BY_LEG.items()
            if chunk in places.get(leg, {})
        ]
        if chunk in atoms:
            reasons.append(BY_ATOM.format(atom=atoms[chunk]))
        reasons += [template for leg, template in BY_SUMMARY.items() if chunk in places.get(leg, {})]
        if chunk in self.searched_again:
            node = self.searched_again[chunk]
            names = {entity.id: entity.name for entity in self.knowledge.entities(ids=[node])}
            reasons.append(BY_NAME.format(name=names.get(node) or self._title(found)))
        return reasons

    def _path(
        self, chunk: Chunk, direct: Sequence[Chunk], names: Mapping[str, Mapping[str, str]]
    ) -> list[str]:
        """Return the names by which the graph led here from a chunk that was found directly."""
        if any(chunk is start for start in direct) or chunk.id not in self.graph:
            return []
        own = names.get(chunk.id, {})
        for start in direct:
            shared = [name for entity, name in names.get(start.id, {}).items() if entity in own]
            if shared:
                there = " > ".join(start.heading_path[-1:]) or self._title(start)
                return [BY_LINK.format(there=there, names=", ".join(shared[:2]))]
        return []

    def _title(self, chunk: Chunk) -> str:
        return self.titles.get(chunk.document_id, "")
