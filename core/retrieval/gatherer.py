"""Gathers the evidence for one question: words and meaning, plain and by topic, tables and entities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from core.domain import Effort, Passage, Scope, SubQuestionType
from core.knowledge.base import KnowledgeBase
from core.ports import LLM, Emit, Reranker
from core.retrieval.labelled_rows import NamedRows
from core.retrieval.list_continuations import ListContinuations
from core.retrieval.passage_details import PassageDetails
from core.retrieval.search_port import Kind, LibrarySearch
from core.retrieval.sentence_highlighter import SentenceHighlighter
from core.retrieval.table_query import TableQuery
from core.retrieval.term_mapping import TermMapper, put_in_columns
from core.retrieval.thing_passages import ThingPassages
from core.retrieval.topics import topics_of
from core.retrieval.whole_document import WholeDocument
from core.tasks import TagPair
from core.text.thing_questions import everything_of, theme_of
from core.text.vocabulary import NO_WORDS, Vocabulary
from core.trace import Reranked, Searched, WordsMapped

KINDS: dict[SubQuestionType, Kind] = {
    "factual": "factual",
    "quantitative": "factual",
    "reasoning": "reasoning",
    "bridging": "reasoning",
    "comparative": "reasoning",
    "global": "global",
    "summarising": "global",
}
WIDER_POOL_FACTOR = 3  # times as many candidates where facts have a reranker of their own
MAX_TAGS = 300  # of the library, the most used, that topics are chosen from


@dataclass(frozen=True)
class Gathered:
    """The evidence of one question, best first, and the SQL that was run for it."""

    passages: tuple[Passage, ...] = ()
    sql: str = ""


@dataclass(frozen=True)
class Gatherer:
    """Hybrid gathering (PIKE-RAG, section 5.2.3): 3 by words, 3 by meaning, the best 3 of 10 + 10."""

    retriever: LibrarySearch
    knowledge: KnowledgeBase
    reranker: Reranker
    llm: LLM
    keyword: int = 3
    semantic: int = 3
    reranked: int = 3
    candidates: int = 10
    rules: LLM | None = None  # writes table queries where a model need not
    vocabulary: Vocabulary = NO_WORDS
    facts: Reranker | None = None  # orders for what is in one place; None: as for everything

    def ranker(self, kind: Kind) -> Reranker:
        """Return the reranker for a kind of question."""
        return self.facts if self.facts is not None and kind == "factual" else self.reranker

    @property
    def tables(self) -> TableQuery:
        """What asks the library's tables."""
        return TableQuery(self.knowledge, self.rules or self.llm)

    @property
    def term_mapper(self) -> TermMapper:
        """What reads the words of a question as the library's terms."""
        return TermMapper(self.knowledge, self.retriever, self.vocabulary)

    def search(self, query: str, limit: int, *, without: Sequence[str] = ()) -> list[Passage]:
        """Return the passages of one search in its order; `without` names parts of it to leave out."""
        search = self.retriever.without(*without) if without else self.retriever
        return search.search(query, limit)

    def tags(self, most: int = MAX_TAGS) -> tuple[str, ...]:
        """Return the tags of the library, the most used first."""
        return self.retriever.snapshots.now().tags[:most]

    def uncached(self, without: Sequence[str] = ()) -> "Gatherer":
        """Return a gatherer without a memory of earlier searches, and without parts of the search."""
        return replace(self, retriever=self.retriever.uncached().without(*without))

    def for_effort(self, effort: Effort) -> "Gatherer":
        """Return a gatherer that asks a model in thorough effort only."""
        return self if effort == "thorough" else replace(self, llm=self.rules or self.llm)

    def gather(
        self,
        question: str,
        scope: Scope,
        emit: Emit,
        type: SubQuestionType = "factual",
        sub_question: int | None = None,
        language: str = "en",
        proposed: Sequence[TagPair] = (),
        topics: Sequence[str] = (),
    ) -> Gathered:
        """Return 3 to 9 passages, more where topics or tools added others, sentences that matter marked.

        `proposed` pairs words of the question with words of the library, `topics` are tags, both as it was
        understood. Every step emits its event. Raises KnowledgeError, LLMError.
        """
        thing = everything_of(question)
        theme = theme_of(question) if sub_question is None or not thing else ""
        kind: Kind = "global" if theme else KINDS[type]
        work = _RetrievalState(self, question, scope, emit, kind, sub_question, language, themes=bool(theme))
        if kind == "global" and (whole := work.whole()):
            return Gathered(PassageDetails(self.knowledge).add(question, whole))
        # "library" of a question for a theme stands in no passage that answers it
        asked, question = question, theme if theme and not thing else question
        work.question = question
        query = work.mapped(proposed)
        found = work.searched(query, "plain")
        if kind == "global" and (whole := work.whole(found, asked)):
            return Gathered(PassageDetails(self.knowledge).add(question, whole))
        about = topics_of(question, work.tags, topics)
        work.terms = " ".join((query, *about))
        found = joined(work.known(thing), found) if thing else found
        if about:
            found = joined(found, work.searched(query, "topics", about))
        found = work.queried(joined(found, work.named(found)), type)
        found = ListContinuations(self.knowledge).add(work.reranked(found), scope)
        marked = SentenceHighlighter().highlight(question, found)
        return Gathered(PassageDetails(self.knowledge).add(question, marked), work.sql)


@dataclass
class _RetrievalState:
    """The state of one retrieval: what was asked and found so far."""

    by: Gatherer
    question: str
    scope: Scope
    emit: Emit
    kind: Kind
    sub_question: int | None
    language: str
    themes: bool = True  # what several documents say of a theme may be read
    sql: str = ""
    terms: str = ""  # the question with the library's terms and topics: what tables are chosen by
    pairs: tuple[TagPair, ...] = ()  # words of the question with those of the library

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags of the library that topics are chosen from, the most used first."""
        return self.by.tags()

    def whole(self, passages: Sequence[Passage] = (), asked: str = "") -> list[Passage]:
        """Return the document that the question means as a whole, section by section; it is not reranked.
        It is the one that the question names, or the one of those that passages were found in."""
        documents = WholeDocument(self.by.knowledge, vocabulary=self.by.vocabulary, themes=self.themes)
        if passages:
            read = documents.read_found(asked, self.scope, passages)
        else:
            read = documents.read(self.question, self.scope)
        found = [self._own(one) for one in read]
        if found:
            self.emit(
                Searched(
                    query=self.question,
                    kind="summary",
                    passages=tuple(found),
                    sub_question=self.sub_question,
                )
            )
        return found

    def mapped(self, proposed: Sequence[TagPair]) -> str:
        """Return the question with the library's terms beside its own words ("heart races", palpitations)."""
        pairs = self.by.term_mapper.pairs(self.question, self.tags, proposed)
        if not pairs:
            return self.question
        self.pairs = pairs
        self.emit(WordsMapped(pairs=pairs, sub_question=self.sub_question))
        return f"{self.question} ({', '.join(dict.fromkeys(pair.meant for pair in pairs))})"

    def searched(
        self, query: str, kind: Literal["plain", "topics"], topics: Sequence[str] = ()
    ) -> list[Passage]:
        """Search once: the best by words, the best by meaning, and the best of both after reranking."""
        by = self.by
        ranker = by.ranker(self.kind)
        most = by.candidates if ranker is by.reranker else WIDER_POOL_FACTOR * by.candidates
        known = by.retriever.remembers(query, most, self.scope, self.kind, topics)
        words = by.retriever.by_keyword(query, most, self.scope, topics)
        meaning = by.retriever.search(query, most, self.scope, self.kind, topics)
        # What words alone return is behind what all layers together return: its score has another scale.
        least = min((passage.score for passage in meaning), default=1.0)
        words = [w.model_copy(update={"score": min(w.score, least)}) for w in words]
        both = joined(meaning, words)
        ranked = ranker.rerank(self.question, both) if both else []
        chosen = joined(ranked[: by.reranked], meaning[: by.semantic], words[: by.keyword])
        if self.sub_question is None:  # of a whole question, as many as are shown where none answers
            chosen = joined(chosen, ranked)[: max(len(chosen), by.candidates)]
        chosen = [self._own(passage) for passage in chosen]
        self.emit(
            Searched(
                query=query,
                kind=kind,
                topics=tuple(topics),
                passages=tuple(chosen),
                sub_question=self.sub_question,
                cached=known,
            )
        )
        return chosen

    def named(self, found: list[Passage]) -> list[Passage]:
        """Return the tables with a row whose label the question says, where no search found them."""
        found_ids = {passage.chunk.id for passage in found}
        rows = NamedRows(self.by.knowledge).find(self.question, self.terms, self.scope)
        least = min((passage.score for passage in found), default=1.0)
        new = [
            self._own(row.model_copy(update={"score": least}))
            for row in rows
            if row.chunk.id not in found_ids
        ]
        if new:
            self.emit(
                Searched(query=self.terms, kind="table", passages=tuple(new), sub_question=self.sub_question)
            )
        return new

    def known(self, thing: str) -> list[Passage]:
        """Return the rows and passages that name the thing a question asks everything about."""
        reader = ThingPassages(self.by.knowledge, self.by.tables)
        found = reader.read(thing, self.question, self.scope, self.language, self.emit, self.sub_question)
        return list(map(self._own, found))

    def queried(self, found: list[Passage], type: SubQuestionType) -> list[Passage]:
        """Put first what a query returns: rules write it, a model only for a figure they miss."""
        by = self.by
        writers = [(by.tables, question) for question in dict.fromkeys((self.question, self.in_columns()))]
        if type == "quantitative" and by.rules is not None and by.rules is not by.llm:
            writers.append((TableQuery(by.knowledge, by.llm), self.question))
        for writer, question in writers:
            answer = writer.ask(
                question,
                self.scope,
                self.emit,
                hits=found,
                terms=self.terms,
                sub_question=self.sub_question,
                language=self.language,
            )
            rows = [self._own(p) for p in answer.passages if p.chunk.id not in self.scope.without]
            if rows:
                self.sql = answer.sql
                return joined(rows, found)
        return found

    def in_columns(self) -> str:
        """Return the question with the names of columns for its words, where these are of another script."""
        tables = self.by.knowledge.tables(scope=self.scope) if self.pairs else ()
        names = {column.name.casefold() for table in tables for column in table.columns}
        return put_in_columns(self.question, self.pairs, names)

    def reranked(self, found: list[Passage]) -> list[Passage]:
        """Return all in the order of the question as it was asked; computed rows stay first."""
        computed = [passage for passage in found if "table" in passage.scores]
        ranker = self.by.ranker(self.kind)
        rest = ranker.rerank(self.question, [p for p in found if "table" not in p.scores])
        ordered = [*computed, *rest]
        self.emit(
            Reranked(
                question=self.question,
                reranker=ranker.name,
                passages=tuple(ordered),
                sub_question=self.sub_question,
            )
        )
        return ordered

    def _own(self, passage: Passage) -> Passage:
        return passage.model_copy(update={"sub_question": self.sub_question})


def joined(*lists: Sequence[Passage]) -> list[Passage]:
    """Return the passages of all lists in their order, each chunk once, with the scores of every list."""
    merged: dict[str, Passage] = {}
    for passage in (passage for found in lists for passage in found):
        known = merged.get(passage.chunk.id)
        if known is None:
            merged[passage.chunk.id] = passage
        else:
            merged[passage.chunk.id] = known.model_copy(
                update={
                    "score": max(known.score, passage.score),
                    "scores": {**passage.scores, **known.scores},
                    "why": tuple(dict.fromkeys((*known.why, *passage.why))),
                }
            )
    return list(merged.values())
