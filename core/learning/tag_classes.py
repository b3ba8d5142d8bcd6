"""Classes of tags from the corpus itself (PIKE-RAG, arXiv 2501.11551, 5.2.2).

The key factors of its chunks, which are their tags, are generalised into named classes; what is enriched
afterwards is tagged by them. With questions and answers the tags of the chunks that answered come first.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.ports import LLM
from core.tasks import Classified, ClassifyTags, TagClass
from core.text.tokens import detect_language

_TERMS_PER_CALL = 240  # key terms that are sorted at once
_LEAST_CHUNKS = 2  # a term of one chunk is no factor of the corpus
_LEAST_TERMS = 3  # of a class

Search = Callable[[str, int], Sequence[Passage]]


@dataclass(frozen=True)
class TagClassifier:
    """Learns the classes; `search` finds passages for a text, the best first."""

    knowledge: KnowledgeBase
    llm: LLM
    search: Search
    most: int = 8

    def learn(self, samples: Sequence[tuple[str, str]] = ()) -> tuple[TagClass, ...]:
        """Make the classes anew, keep them and give the tags there are their class. Raises LLMError.

        `samples` are (question, answer) pairs.
        """
        terms = self.factors(samples)
        language = detect_language(" ".join(terms))
        reply = self.llm.run(ClassifyTags(terms=terms, most=self.most, language=language), Classified)
        classes = _checked(reply.classes, terms, self.most)
        self.knowledge.enrichment.set_classes([(each.name, each.terms) for each in classes])
        return classes

    def factors(self, samples: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Return the key terms: tags of the chunks that answer the samples, then the library's, the most used
        first; names with digits and tags of a single chunk are none."""
        answering: Counter[str] = Counter()
        for question, answer in samples:
            for passage in self.search(f"{question} {answer}", 1):
                answering.update(tag.name for tag in self.knowledge.tags(passage.chunk.id))
        counts: Counter[str] = Counter()
        for _, name, times in self.knowledge.tag_counts():
            counts[name] += times
        often = [name for name, times in counts.most_common() if times >= _LEAST_CHUNKS]
        every = dict.fromkeys([name for name, _ in answering.most_common()] + often)
        return tuple(name for name in every if not any(char.isdigit() for char in name))[:_TERMS_PER_CALL]


def _checked(classes: Sequence[TagClass], terms: Sequence[str], most: int) -> tuple[TagClass, ...]:
    """Return the classes with terms of the list only, each in one class, none with less than three."""
    open_terms = {term.casefold(): term for term in terms}
    kept: list[TagClass] = []
    for each in classes:
        own = [open_terms.pop(term.casefold()) for term in each.terms if term.casefold() in open_terms]
        name = " ".join(each.name.split())
        if name and len(own) >= _LEAST_TERMS:
            kept.append(TagClass(name=name, terms=tuple(own)))
    return tuple(kept[:most])
