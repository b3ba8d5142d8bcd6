"""Tests retrieval on one question, leg by leg: scores, ranks, paths and times.

The searches are those of a run (`Gatherer`, `HybridRetriever`, reranker), made one after the other so that
each can be shown and timed by itself. Nothing is remembered from earlier searches: every time is its own.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast, get_args

from core.domain import Passage, Scope, Span, Value
from core.retrieval.gatherer import Gatherer
from core.retrieval.search_port import EVERYTHING, Kind
from core.tasks import TagPair
from core.text.tokens import content_words, detect_language, is_cjk, words
from core.trace import Event, Searched, TableQueried, WordsMapped

LegName = Literal["keyword", "semantic", "graph", "reranked", "final"]
LEGS: tuple[LegName, ...] = get_args(LegName)
# What can be left out to see what it is worth: layers, the late interaction, names, the second search, the
# graph, reranking.
PARTS = (
    "keyword",
    "chunk",
    "atom",
    "section",
    "document",
    "late",
    "names",
    "second_search",
    "graph",
    "rerank",
)
_WORD = re.compile(r"[^\W_][\w\-./]*")


class LegFound(Value):
    """What one leg returns, best first, and the seconds it took."""

    name: LegName
    passages: tuple[Passage, ...]
    seconds: float


class RetrievalTest(Value):
    """The retrieval of one question with everything that explains it.

    `legs` in this order: by words, by meaning, all layers spread over the graph, those reranked against the
    question, and what a run would read (topics, tools and second searches included). `sure` (0 to 1) says
    how likely the library covers the question at all.
    """

    question: str
    language: str
    kind: Kind
    without: tuple[str, ...] = ()
    reranker: str = ""
    legs: tuple[LegFound, ...] = ()
    mapped: tuple[TagPair, ...] = ()
    topics: tuple[str, ...] = ()
    sql: str = ""
    sure: float = 0.0
    events: tuple[Event, ...] = ()
    embedding: float = 0.0  # seconds to turn the question into vectors; not counted in the legs
    seconds: float = 0.0  # of everything

    def leg(self, name: LegName) -> tuple[Passage, ...]:
        """Return the passages of a leg, best first."""
        return next((leg.passages for leg in self.legs if leg.name == name), ())


class UnchangedOrder:
    """A reranker that is switched off: the order of the search stays."""

    name = "none"

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return the passages as they stand, with their ranks."""
        return [
            passage.model_copy(update={"rank_before": rank, "rank_after": rank})
            for rank, passage in enumerate(passages, start=1)
        ]


@dataclass(frozen=True)
class RetrievalTester:
    """Searches as a run would, one leg after the other."""

    gatherer: Gatherer

    def test(
        self,
        question: str,
        limit: int = 10,
        scope: Scope = EVERYTHING,
        kind: Kind = "factual",
        without: Sequence[str] = (),
        legs: Sequence[LegName] = LEGS,
    ) -> RetrievalTest:
        """Return up to `limit` passages for each of the legs; `without` names `PARTS` to leave out.

        Raises ValueError for a part there is not, KnowledgeError, LLMError.
        """
        if strangers := set(without) - set(PARTS):
            raise ValueError(f"no such part: {', '.join(sorted(strangers))}")
        by = replace(
            self.gatherer.uncached([part for part in without if part != "rerank"]),
            reranker=UnchangedOrder() if "rerank" in without else self.gatherer.reranker,
            facts=None if "rerank" in without else self.gatherer.facts,
        )
        began = time.perf_counter()
        by.retriever.vector(question)
        searches = _Searches(by, question, limit, scope, kind, embedding=time.perf_counter() - began)
        return searches.result(tuple(without), [name for name in LEGS if name in legs])


@dataclass
class _Searches:
    """One question on its way through the legs."""

    by: Gatherer
    question: str
    limit: int
    scope: Scope
    kind: Kind
    embedding: float
    events: list[Event] = field(default_factory=list)
    _spread: Sequence[Passage] = ()  # what all layers together returned

    def result(self, without: tuple[str, ...], names: Sequence[LegName]) -> RetrievalTest:
        """Return the passages each of the named legs found, and its time in seconds."""
        legs = tuple(self._timed(name) for name in names)
        searched = [event for event in self.events if isinstance(event, Searched)]
        return RetrievalTest(
            question=self.question,
            language=detect_language(self.question),
            kind=self.kind,
            without=without,
            reranker=self.by.reranker.name,
            legs=legs,
            mapped=tuple(p for e in self.events if isinstance(e, WordsMapped) for p in e.pairs),
            topics=tuple(dict.fromkeys(topic for event in searched for topic in event.topics)),
            sql="\n".join(e.sql for e in self.events if isinstance(e, TableQueried) and e.sql),
            sure=max((passage.score for passage in self._spread), default=0.0),
            events=tuple(self.events),
            embedding=self.embedding,
            seconds=self.embedding + sum(leg.seconds for leg in legs),
        )

    def _timed(self, name: LegName) -> LegFound:
        if name == "reranked" and not self._spread:
            self._spread = self._search("graph")
        began = time.perf_counter()
        passages = tuple(self._search(name))
        seconds = time.perf_counter() - began
        if name == "graph":
            self._spread = passages
        return LegFound(name=name, passages=passages, seconds=seconds)

    def _search(self, name: LegName) -> Sequence[Passage]:
        found = self.by.retriever
        match name:
            case "keyword":
                return found.by_keyword(self.question, self.limit, self.scope)
            case "semantic":
                return found.by_meaning(self.question, self.limit, self.scope)
            case "graph":
                return found.search(self.question, self.limit, self.scope, self.kind)
            case "reranked":
                return self.by.ranker(self.kind).rerank(self.question, self._spread) if self._spread else ()
            case "final":
                language = detect_language(self.question)
                return self.by.gather(
                    self.question, self.scope, self._on_event, self.kind, None, language
                ).passages

    def _on_event(self, event: object) -> None:
        self.events.append(cast(Event, event))


def term_spans(question: str, text: str) -> tuple[Span, ...]:
    """Return where words of the question are in the text: English by their stems, Chinese as written."""
    asked = set(content_words(question))
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        token = match.group()
        if not is_cjk(token) and asked.intersection(words(token)):
            spans.append((match.start(), match.start() + len(token.rstrip("-./"))))
    for word in filter(is_cjk, asked):
        spans += [(at.start(), at.end()) for at in re.finditer(re.escape(word), text, re.IGNORECASE)]
    return _joined(sorted(spans))


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(Span(start=start, end=end) for start, end in merged)
