"""Answers what the library itself holds: counted in its catalogue, not read out of a document."""

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from core.domain import Document, Scope, Sentence, Support
from core.knowledge.base import KnowledgeBase

NAMED = 20  # titles that are told; the rest is counted
_SAID = {
    "en": ("The library holds {n} documents", "They are: {titles}", " and {more} more", "; "),
    "zh": ("资料库共有 {n} 份文件", "它们是：{titles}", "，以及另外 {more} 份", "；"),
}
_ONE = "The library holds one document"


@dataclass(frozen=True)
class Holdings:
    """Counts and names documents."""

    knowledge: KnowledgeBase

    def tell(self, scope: Scope, language: str, *, named: bool) -> tuple[Sentence, ...]:
        """Return how many documents there are, by kind of file, and with `named` what they are called."""
        documents = self.knowledge.documents(scope)
        chinese = language == "zh"
        counted, listed, more, joint = _SAID["zh" if chinese else "en"]
        head = _ONE if len(documents) == 1 and not chinese else counted.format(n=len(documents))
        kinds = Counter(_kind(document) for document in documents)
        by_kind = ("，" if chinese else ", ").join(f"{count} {kind}" for kind, count in kinds.most_common())
        end = "。" if chinese else "."
        said = [f"{head}{'：' if chinese else ': '}{by_kind}{end}" if documents else f"{head}{end}"]
        if named and documents:
            titles = joint.join(document.title or document.name for document in documents[:NAMED])
            left = len(documents) - NAMED
            said.append(listed.format(titles=titles) + (more.format(more=left) if left > 0 else "") + end)
        return tuple(Sentence(text=text, support=Support.SUPPORTED) for text in said)


def _kind(document: Document) -> str:
    """Return the kind of file as readers know it: its ending."""
    return PurePath(document.name).suffix.lstrip(".").upper() or document.media_type
