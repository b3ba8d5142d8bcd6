"""What a document says as a whole: the beginning of each of its sections, and more of short ones.

A search by the words of "What is this report about?" finds whatever says "report".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.domain import Chunk, Document, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.retrieval.listed_passages import ids_mentioning, listed
from core.retrieval.reasons import OF_SECTION, OF_THING
from core.text.library_questions import means_document, points_at_document, requested_name
from core.text.series_names import CODE

MIN_DOCUMENTS_OF_A_THING = 2  # that name it beside the one whose title does


@dataclass(frozen=True)
class WholeDocument:
    """Finds the one document a question means, and reads it from section to section."""

    knowledge: KnowledgeBase
    most: int = 10

    def read(self, question: str, scope: Scope) -> list[Passage]:
        """Return the first passage of each section, then others, at most `most`, in the document's order.

        Of a thing that several documents name, what each of them says of it. Empty where the question means
        no document, or may mean several.
        """
        document = self._meant(question, scope)
        if document is None:
            return self._of_thing(question, scope)
        chunks = [
            each for each in self.knowledge.chunks(document_id=document.id) if each.id not in scope.without
        ]
        chunks.sort(key=lambda chunk: chunk.order)
        first = {chunk.section_id: chunk for chunk in reversed(chunks)}
        begun = {chunk.id for chunk in first.values()}
        kept = _spread([chunk for chunk in chunks if chunk.id in begun], self.most)
        kept += _spread([chunk for chunk in chunks if chunk.id not in begun], self.most - len(kept))
        kept.sort(key=lambda chunk: chunk.order)
        return listed(kept, {document.id: document.title}, question, OF_SECTION)

    def _meant(self, question: str, scope: Scope) -> Document | None:
        """Return the only document whose title and file name say all that names one in the question.

        Where nothing does, the question must point at one, and the scope hold no other.
        """
        documents = self.knowledge.documents(scope)
        named = [
            each
            for each in documents
            if means_document(question, each.title, each.name) and not self._only_treats(each, question)
        ]
        if not named and not requested_name(question) and points_at_document(question):
            named = list(documents)
        return named[0] if len(named) == 1 else None

    def _only_treats(self, document: Document, question: str) -> bool:
        """Say whether the question names a thing that several documents name and this one only is about: its
        code ("ETCH-03" of "sensor-log-ETCH-03") begins neither title nor file name, as a document's does."""
        codes = CODE.findall(question)
        if len(codes) != 1 or any(
            name.lower().startswith(codes[0].lower()) for name in (document.title, document.name)
        ):
            return False
        naming = {chunk.document_id for chunk in self._naming(codes[0])} - {document.id}
        return len(naming) >= MIN_DOCUMENTS_OF_A_THING

    def _naming(self, code: str) -> list[Chunk]:
        """Return the passages that name a thing, prose before rows, each kind in its order."""
        chunks = self.knowledge.chunks(ids=ids_mentioning(self.knowledge, code))
        return sorted(chunks, key=lambda chunk: (chunk.table_id is not None, chunk.order))

    def _of_thing(self, question: str, scope: Scope) -> list[Passage]:
        """Return what the documents say of the one code that a question for an overview names: a passage of
        each, then a second one of each. Empty where fewer than three documents name it."""
        codes = CODE.findall(question)
        if len(codes) != 1 or requested_name(question) - requested_name(codes[0]):
            return []
        titles = {document.id: document.title for document in self.knowledge.documents(scope)}
        by_document: dict[str, list[Chunk]] = {}
        for chunk in self._naming(codes[0]):
            if chunk.document_id in titles and chunk.id not in scope.without:
                by_document.setdefault(chunk.document_id, []).append(chunk)
        if len(by_document) <= MIN_DOCUMENTS_OF_A_THING:
            return []
        rounds = zip_longest(*by_document.values())
        kept = [chunk for each in rounds for chunk in each if chunk is not None][: self.most]
        return listed(kept, titles, question, OF_THING)


def _spread(chunks: Sequence[Chunk], most: int) -> list[Chunk]:
    """Return at most so many, the first among them and the others at equal distances."""
    if len(chunks) <= most:
        return list(chunks)
    return [chunks[at * len(chunks) // most] for at in range(most)]
