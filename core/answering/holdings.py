"""Answers what the library itself holds: counted in its catalogue, not read out of a document."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.domain import Document, Scope, Sentence, Support
from core.knowledge.base import KnowledgeBase

NAMED = 20  # titles that are told; the rest is counted
TOPICS, RATED = 8, 40  # tags that are told, in several documents each, of so many that are used most
_PHRASES = {
    "en": ("The library holds {n} documents", "They are: {titles}", " and {more} more", "; "),
    "zh": ("资料库共有 {n} 份文件", "它们是：{titles}", "，以及另外 {more} 份", "；"),
}
_GROUPS = {
    "en": ("By year: {counts}.", "Spoken of in most documents: {counts}."),
    "zh": ("按年份：{counts}。", "谈到最多（文件数）：{counts}。"),
}
_ONE = "The library holds one document"


@dataclass(frozen=True)
class Holdings:
    """Counts and names documents, by kind of file, year and topic."""

    knowledge: KnowledgeBase

    def describe(self, scope: Scope, language: str, *, named: bool) -> tuple[Sentence, ...]:
        """Return how many documents there are, by kind of file, and with `named` what they are called."""
        documents = self.knowledge.documents(scope)
        chinese = language == "zh"
        counted, listed, more, joint = _PHRASES["zh" if chinese else "en"]
        head = _ONE if len(documents) == 1 and not chinese else counted.format(n=len(documents))
        kinds = Counter(_kind(document) for document in documents)
        by_kind = ("，" if chinese else ", ").join(f"{count} {kind}" for kind, count in kinds.most_common())
        end = "。" if chinese else "."
        said = [f"{head}{'：' if chinese else ': '}{by_kind}{end}" if documents else f"{head}{end}"]
        if named and len(documents) > 1:
            said += self._grouped(documents, scope, language)
        if named and documents:
            titles = joint.join(document.title or document.name for document in documents[:NAMED])
            left = len(documents) - NAMED
            said.append(listed.format(titles=titles) + (more.format(more=left) if left > 0 else "") + end)
        return tuple(Sentence(text=text, support=Support.SUPPORTED) for text in said)

    def _grouped(self, documents: Sequence[Document], scope: Scope, language: str) -> list[str]:
        """Return the documents counted by the year they are dated, and the topics most passages carry."""
        by_year, by_topic = _GROUPS["zh" if language == "zh" else "en"]
        years = Counter(document.date[:4] for document in documents if document.date)
        dated = ", ".join(f"{year} ({count})" for year, count in sorted(years.items()))
        said = [by_year.format(counts=dated)] if dated else []
        if scope == Scope():  # tags are counted over the whole library
            names = [name for _, name, _ in self.knowledge.tag_counts()[:RATED]]
            spread = sorted(((self._documents_with(name), name) for name in names), key=lambda one: -one[0])
            topics = ", ".join(f"{name} ({count})" for count, name in spread[:TOPICS] if count > 1)
            said += [by_topic.format(counts=topics)] if topics else []
        return said

    def _documents_with(self, tag: str) -> int:
        chunks = self.knowledge.chunks(ids=list(self.knowledge.tagged([tag])))
        return len({chunk.document_id for chunk in chunks})


def _kind(document: Document) -> str:
    """Return the kind of file as readers know it: its ending."""
    return PurePath(document.name).suffix.lstrip(".").upper() or document.media_type
