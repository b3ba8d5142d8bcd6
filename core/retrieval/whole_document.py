"""What a document says as a whole: the beginning of each of its sections, and more of short ones.

A search by the words of "What is this report about?" finds whatever says "report".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from core.domain import Chunk, Document, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.ports import Vectors
from core.retrieval.boilerplate import Boilerplate
from core.retrieval.listed_passages import ids_mentioning, listed
from core.retrieval.meant_document import MeantDocument
from core.retrieval.reasons import OF_SECTION, OF_THING
from core.retrieval.theme_passages import ThemePassages
from core.text.codes import THING_CODE
from core.text.library_questions import (
    apart,
    means_document,
    points_at_document,
    requested_name,
    without_kinds,
)
from core.text.thing_questions import theme_of
from core.text.tokens import content_words
from core.text.vocabulary import NO_WORDS, Vocabulary

MIN_DOCUMENTS_OF_A_THING = 2  # that name it beside the one whose title does
RELEVANCE = 0.6  # weight of what is near to the whole, beside what is new


@dataclass(frozen=True)
class WholeDocument:
    """Finds the one document a question means, and reads it from section to section."""

    knowledge: KnowledgeBase
    most: int = 10
    vocabulary: Vocabulary = NO_WORDS
    themes: bool = True  # what several documents say of a theme is read, too

    def read(self, question: str, scope: Scope) -> list[Passage]:
        """Return the first passage of each section, then others, at most `most`, in the document's order.

        Of a thing or a theme that several documents name, what each of them says of it. Empty where the
        question means no document, or may mean several.
        """
        document = self._meant(question, scope)
        if document is None and (of_thing := self._of_thing(question, scope)):
            return of_thing
        of_theme = self._of_theme(question, scope)
        if document is None:
            return of_theme
        others = {passage.chunk.document_id for passage in of_theme} - {document.id}
        if len(others) >= MIN_DOCUMENTS_OF_A_THING and not self._is_title(document, question):
            return of_theme
        return self._sections(document, question, scope)

    def read_found(self, question: str, scope: Scope, found: Sequence[Passage]) -> list[Passage]:
        """Return as `read` does what the question describes of what was found: a section, or a document."""
        meant = MeantDocument(self.knowledge)
        if section := meant.section(question, found):
            document = next(each for each in self.knowledge.documents(scope) if each.id == section[0])
            return self._sections(document, question, scope, section[1])
        described = meant.among(question, scope, found)
        if described:
            return self._sections(described, question, scope)
        return self._of_theme(question, scope, of_one=True)

    def _sections(
        self, document: Document, question: str, scope: Scope, under: tuple[str, ...] = ()
    ) -> list[Passage]:
        """Return the first passage of each section of a document, all or those under a path of headings, then
        others, in its order."""
        chunks = [
            each
            for each in self.knowledge.chunks(document_id=document.id)
            if each.id not in scope.without and each.heading_path[: len(under)] == under
        ]
        boilerplate = Boilerplate(self.knowledge, self.knowledge.counts()["documents"])
        repeated = boilerplate.only_repeats(chunks)
        chunks = [chunk for chunk in chunks if chunk.id not in repeated] or chunks
        chunks.sort(key=lambda chunk: chunk.order)
        first = {chunk.section_id: chunk for chunk in reversed(chunks)}
        begun = {chunk.id for chunk in first.values()}
        vectors = self.knowledge.chunk_vectors([chunk.id for chunk in chunks])
        selected = _representative([chunk for chunk in chunks if chunk.id in begun], self.most, vectors)
        others = [chunk for chunk in chunks if chunk.id not in begun]
        selected += _representative(others, self.most - len(selected), vectors, selected)
        selected.sort(key=lambda chunk: chunk.order)
        return listed(selected, {document.id: document.title}, question, OF_SECTION)

    def _meant(self, question: str, scope: Scope) -> Document | None:
        """Return the only document, or one of copies, whose title and file name say all that names one in the
        question.

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
        return MeantDocument(self.knowledge).only(named)

    def _only_treats(self, document: Document, question: str) -> bool:
        """Say whether the question names a thing that several documents name and this one only is about: its
        code ("ETCH-03" of "sensor-log-ETCH-03") begins neither title nor file name, as a document's does."""
        codes = THING_CODE.findall(question)
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
        codes = THING_CODE.findall(question)
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
        selected = [chunk for each in rounds for chunk in each if chunk is not None][: self.most]
        return listed(selected, titles, question, OF_THING)

    def _is_title(self, document: Document, question: str) -> bool:
        """Say whether the question says the words of a document's title, but figures and what its kind is
        called: "yield" is more than the subject of the "Yield meeting"."""
        title = without_kinds(frozenset(content_words(apart(document.title))))
        return all(word in requested_name(question) or any(map(str.isdigit, word)) for word in title)

    def _of_theme(self, question: str, scope: Scope, *, of_one: bool = False) -> list[Passage]:
        theme = theme_of(question) if self.themes else ""
        reader = ThemePassages(self.knowledge, self.vocabulary)
        return reader.read(theme, question, scope, of_one=of_one) if theme else []


def _representative(
    chunks: Sequence[Chunk], most: int, vectors: Mapping[str, Vectors], beside: Sequence[Chunk] = ()
) -> list[Chunk]:
    """Return at most so many chunks that together stand for all: the first, then, by maximal marginal
    relevance (Carbonell & Goldstein, SIGIR 1998), those near to the mean of all that say what none
    `beside` says."""
    if len(chunks) <= most:
        return list(chunks)
    selected = [] if beside else list(chunks[:1])
    left = [chunk for chunk in chunks[len(selected) :] if chunk.id in vectors]
    if not left:
        return list(chunks[:most])
    mean = np.mean([vectors[chunk.id] for chunk in left], axis=0)
    own = np.array([vectors[chunk.id] for chunk in left])
    near = own @ (mean / np.linalg.norm(mean))
    chosen_vectors = [vectors[chunk.id] for chunk in (*beside, *selected) if chunk.id in vectors]
    similarity = np.max(own @ np.array(chosen_vectors).T, axis=1) if chosen_vectors else np.zeros(len(left))
    for _ in range(min(most - len(selected), len(left))):
        at = int(np.argmax(RELEVANCE * near - (1 - RELEVANCE) * similarity))
        selected.append(left[at])
        similarity = np.maximum(similarity, own @ own[at])
        near[at] = -np.inf
    return selected
