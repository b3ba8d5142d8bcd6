"""Classes of tags from the corpus itself (PIKE-RAG, arXiv 2501.11551, 5.2.2).

A model names the key factors of sampled chunks; these, and the tags there are, are generalised into named
classes. Each chunk that says a factor of a class is tagged by it, and so is what is enriched afterwards.
Without a model the tags alone are the factors. With questions and answers the factors and tags of the chunks
that answered come first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.learning.factor_sampling import FactorReader, Factors, spelling
from core.ports import LLM
from core.retrieval.boilerplate import Boilerplate
from core.tasks import Classified, ClassifyTags, TagClass
from core.text.proper_names import names_in
from core.text.tokens import detect_language, fold, words
from core.text.topic_terms import is_topic_term

_TERMS_PER_CALL = 240  # key terms that are sorted at once
_LEAST_CHUNKS = 2  # a term of one chunk is no factor of the corpus
_CHUNKS_READ = 24  # of those with a tag, to see whether only repeated lines say it
_LEAST_TERMS = 3  # of a class
_MAX_DESCRIPTION = 160  # characters
_LEAST_COMMON, _MAX_SHARE = 20, 0.2  # chunks, and share of all, that a factor may be in to tag them

Search = Callable[[str, int], Sequence[Passage]]


@dataclass(frozen=True)
class TagClassifier:
    """Learns the classes; `search` finds passages for a text, the best first; `namer` gives the model that
    names factors, within a budget, None without one."""

    knowledge: KnowledgeBase
    llm: LLM
    search: Search
    most: int = 8
    namer: Callable[[], LLM] | None = None

    def learn(self, samples: Sequence[tuple[str, str]] = ()) -> tuple[TagClass, ...]:
        """Make the classes anew, keep them and give the tags there are their class. Raises LLMError.

        `samples` are (question, answer) pairs.
        """
        answering = self._answering(samples)
        named = FactorReader(self.knowledge, self.namer()).read(answering) if self.namer else {}
        terms = self.factors(answering, named)
        language = detect_language(" ".join(terms))
        reply = self.llm.run(ClassifyTags(terms=terms, most=self.most, language=language), Classified)
        classes = _checked(reply.classes, terms, self.most)
        with self.knowledge.atomically():
            self.knowledge.enrichment.keep_factors(named)
            self.knowledge.enrichment.set_classes(classes, self._chunks_stating(classes, named))
        return classes

    def factors(self, answering: Sequence[str], named: Factors) -> tuple[str, ...]:
        """Return the key terms: those of the chunks that answer the samples, factors `named` in others, then
        the library's tags, the most used first; names, codes, clauses, tags of a single chunk and what only
        repeated lines say are none."""
        of_answers = Counter(
            term
            for chunk in answering
            for term in (*named.get(chunk, ()), *filter(is_topic_term, self._tags(chunk)))
        )
        sampled = Counter(term for terms in named.values() for term in terms)
        counts: Counter[str] = Counter()
        for _, name, times in self.knowledge.tag_counts():
            counts[name] += times
        often = [n for n, times in counts.most_common() if times >= _LEAST_CHUNKS and is_topic_term(n)]
        every = [*_by_use(of_answers), *_by_use(sampled), *often]
        spelt = {fold(name): name for name in reversed(every)}  # the first spelling stays
        once = dict.fromkeys(spelt[fold(name)] for name in every)
        terms = [name for name in once if not any(char.isdigit() for char in name)][:_TERMS_PER_CALL]
        return tuple(self._without_boilerplate(terms))

    def _without_boilerplate(self, terms: Sequence[str]) -> list[str]:
        """Return the terms but those that nothing says beside the lines which many documents repeat."""
        ids = {term: sorted(self.knowledge.tagged([term]))[:_CHUNKS_READ] for term in terms}
        chunks = self.knowledge.chunks(ids=list({one for found in ids.values() for one in found}))
        boilerplate = Boilerplate(self.knowledge, self.knowledge.counts()["documents"])
        own = {id_: _in_words(text) for id_, text in boilerplate.outside(chunks).items()}
        whole = {chunk.id: _in_words(chunk.text) for chunk in chunks}
        return [
            term
            for term in terms
            if not (saying := [one for one in ids[term] if _in_words(term) in whole.get(one, "")])
            or any(_in_words(term) in own[one] for one in saying)
        ]

    def _chunks_stating(self, classes: Sequence[TagClass], named: Factors) -> dict[str, list[str]]:
        """Return for each factor that is a term of a class the chunks that say it, word by word; a factor of
        most of the library tells nothing apart and is left to the chunks it was named in."""
        factors = {name for names in named.values() for name in names}
        most = max(_LEAST_COMMON, int(self.knowledge.counts()["chunks"] * _MAX_SHARE))
        found: dict[str, list[str]] = {}
        for term in (term for each in classes for term in each.terms if term in factors):
            chunks = self.knowledge.chunks(ids=self.knowledge.chunks_with_words(term, most))
            found[term] = [chunk.id for chunk in chunks if spelling(term) in spelling(chunk.text)]
        return found

    def _answering(self, samples: Sequence[tuple[str, str]]) -> list[str]:
        """Return the chunks that answer the samples, one each."""
        found = (self.search(f"{question} {answer}", 1) for question, answer in samples)
        return list(dict.fromkeys(passage.chunk.id for passages in found for passage in passages))

    def _tags(self, chunk: str) -> list[str]:
        return [tag.name for tag in self.knowledge.tags(chunk)]


def _in_words(text: str) -> str:
    """Return the words of a text, in their order, each between spaces."""
    return f" {' '.join(words(text))} "


def _by_use(counts: Counter[str]) -> Iterable[str]:
    return (name for name, _ in counts.most_common())


def _checked(classes: Sequence[TagClass], terms: Sequence[str], most: int) -> tuple[TagClass, ...]:
    """Return the classes with terms of the list only, each in one class, none with less than three."""
    open_terms = {term.casefold(): term for term in terms}
    accepted: list[TagClass] = []
    for each in classes:
        own = [open_terms.pop(term.casefold()) for term in each.terms if term.casefold() in open_terms]
        name = " ".join(each.name.split())
        if name and len(own) >= _LEAST_TERMS:
            accepted.append(TagClass(name=name, terms=tuple(own), description=_described(each, own)))
    return tuple(accepted[:most])


def _described(tag_class: TagClass, terms: Sequence[str]) -> str:
    """Return the description, "" where it is long or brings a figure or a name that no term has."""
    plain = " ".join(tag_class.description.replace("|", "/").split())
    own = fold(" ".join((tag_class.name, *terms)))
    foreign = any(fold(name.text) not in own for name in names_in(plain))
    digits = any(char.isdigit() for char in plain)
    return "" if foreign or digits or len(plain) > _MAX_DESCRIPTION else plain
