"""Collects what the documents say of a theme: passages with all of its words, a few of each document."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.domain import Chunk, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.retrieval.boilerplate import Boilerplate
from core.retrieval.listed_passages import THEME, ids_mentioning, listed
from core.retrieval.reasons import OF_THING
from core.text.thing_questions import mentions_theme
from core.text.vocabulary import NO_WORDS, Vocabulary

POOL_CHUNKS = 200  # found by the theme's words
MIN_DOCUMENTS, MIN_PASSAGES = 2, 3  # that say a theme: it is known where so many documents or passages do
MAX_PASSAGES = 24  # that are read
PASSAGES_A_DOCUMENT = 3  # of these; of rows, one


@dataclass(frozen=True)
class ThemePassages:
    """Reads the passages of a theme, those of the document that says most of it first."""

    knowledge: KnowledgeBase
    vocabulary: Vocabulary = NO_WORDS

    def read(self, theme: str, question: str, scope: Scope, *, of_one: bool = False) -> list[Passage]:
        """Return the first passages of each document, then the others; [] where no theme is called so, or
        where one document alone says it and it is not wanted `of_one`."""
        titles = {document.id: document.title for document in self.knowledge.documents(scope)}
        by_document: dict[str, list[Chunk]] = {}
        for chunk in self._saying(self.vocabulary.names_of(theme), scope):
            if chunk.document_id in titles and chunk.id not in scope.without:
                by_document.setdefault(chunk.document_id, []).append(chunk)
        chosen = [_few(chunks) for chunks in by_document.values()]
        enough = of_one and sum(map(len, by_document.values())) >= MIN_PASSAGES
        if len(chosen) < MIN_DOCUMENTS and not enough:
            return []
        selected = [chunk for each in zip_longest(*chosen) for chunk in each if chunk is not None]
        passages = listed(selected[:MAX_PASSAGES], titles, question, OF_THING)
        return [passage.model_copy(update={"scores": dict(THEME)}) for passage in passages]

    def _saying(self, names: Sequence[str], scope: Scope) -> list[Chunk]:
        """Return the passages that say one of the names, best first, none that only repeats others."""
        ids: dict[str, None] = {}
        for name in names:
            ids |= dict.fromkeys(hit.id for hit in self.knowledge.keyword(name, POOL_CHUNKS, scope))
            ids |= dict.fromkeys(ids_mentioning(self.knowledge, name))
        places = {id_: at for at, id_ in enumerate(ids)}
        chunks = [
            chunk
            for chunk in self.knowledge.chunks(ids=list(ids))
            if any(mentions_theme(name, chunk.passage_text()) for name in names)
        ]
        boilerplate = Boilerplate(self.knowledge, self.knowledge.counts()["documents"])
        only = boilerplate.only_repeats(chunks)
        lines = {line for c in chunks for line in boilerplate.beside("", c, searched=False)}
        lines |= {line for c in chunks if c.id in only for line in c.text.splitlines()}
        own = [c for c in chunks if c.id not in only and _mentions_itself(c, names, lines)]
        return sorted(own, key=lambda chunk: places[chunk.id])


def _mentions_itself(chunk: Chunk, names: Sequence[str], repeated: Collection[str]) -> bool:
    """Say whether a passage has a name of the theme outside the lines that many documents repeat."""
    text = chunk.passage_text()
    for line in repeated:
        text = text.replace(line, "")
    return any(mentions_theme(name, text) for name in names)


def _few(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the passages of a document that are read: prose, and of its rows one passage."""
    prose = [chunk for chunk in chunks if chunk.table_id is None]
    rows = [chunk for chunk in chunks if chunk.table_id is not None]
    return [*prose, *rows[:1]][:PASSAGES_A_DOCUMENT]
