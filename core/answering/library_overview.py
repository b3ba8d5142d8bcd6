"""Answers what the library itself holds: counted in its catalogue, not read out of a document."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from textwrap import shorten

from core.answering.document_topics import DocumentTopic, document_topics
from core.domain import Document, Scope, Sentence, Support
from core.knowledge.base import KnowledgeBase
from core.text.library_questions import Aspect

MAX_TITLES = 20  # titles that are listed; the rest is counted
TITLES_PER_TOPIC = 4  # titles a topic is shown with in a library of more than that
MAX_TITLE_CHARACTERS = 80
MAX_LINKED, MAX_NEWEST = 5, 5  # documents that are listed as most linked, and as newest
_PHRASES = {
    "en": {
        "none": "The library holds no documents.",
        "one": "The library holds one document: {kinds}.",
        "counted": "The library holds {n} documents: {kinds}.",
        "languages": "Written in: {counts}.",
        "unwritten": "Of none the language is known.",
        "years": "By year: {counts}.",
        "newest": "Newest: {titles}. Oldest: {last}.",
        "undated": "None of them says its date.",
        "topic": "{terms} ({n}): {titles}{more}.",
        "nameless": "Others",
        "linked": "Most linked: {titles}.",
        "times": "{title} (named by {n})",
        "unlinked": "No document names another.",
        "titles": "They are: {titles}{more}.",
        "more": " and {n} more",
        "joint": "; ",
        "comma": ", ",
    },
    "zh": {
        "none": "资料库里还没有文件。",
        "one": "资料库共有 1 份文件：{kinds}。",
        "counted": "资料库共有 {n} 份文件：{kinds}。",
        "languages": "语言：{counts}。",
        "unwritten": "没有文件的语言是已知的。",
        "years": "按年份：{counts}。",
        "newest": "最新：{titles}。最早：{last}。",
        "undated": "没有文件注明日期。",
        "topic": "{terms}（{n} 份）：{titles}{more}。",
        "nameless": "其他",
        "linked": "被引用最多：{titles}。",
        "times": "{title}（{n} 份文件提到）",
        "unlinked": "没有文件提到其他文件。",
        "titles": "它们是：{titles}{more}。",
        "more": "，以及另外 {n} 份",
        "joint": "；",
        "comma": "，",
    },
}
_LACKING: dict[Aspect, str] = {"kinds": "unwritten", "dates": "undated", "links": "unlinked"}


@dataclass(frozen=True)
class OverviewAnswer:
    """The documents in a scope, and how to describe them."""

    documents: Mapping[str, Document]
    language: str

    def say(self, key: str, **values: object) -> str:
        return _PHRASES["zh" if self.language == "zh" else "en"][key].format(**values)

    def joined(self, ids: Sequence[str], most: int) -> dict[str, str]:
        """Return the titles of so many documents as `titles`, the number of the others as `more`."""
        titles = [self.title(each) for each in ids[:most]]
        left = len(ids) - most
        return {
            "titles": self.say("joint").join(titles),
            "more": self.say("more", n=left) if left > 0 else "",
        }

    def title(self, document_id: str) -> str:
        document = self.documents[document_id]
        return shorten(document.title or document.name, MAX_TITLE_CHARACTERS, placeholder=" …")


@dataclass(frozen=True)
class LibraryOverview:
    """Counts documents by kind of file, language and year, groups them by topic, lists what links them."""

    knowledge: KnowledgeBase

    def describe(
        self, scope: Scope, language: str, aspects: frozenset[Aspect] = frozenset()
    ) -> tuple[Sentence, ...]:
        """Return how many documents there are, and what is asked of them; without `aspects` all of it."""
        documents = {document.id: document for document in self.knowledge.documents(scope)}
        answer = OverviewAnswer(documents, language)
        texts = [self._counted(answer)]
        whole: dict[Aspect, Callable[[OverviewAnswer], list[str]]] = {
            "kinds": self._languages,
            "topics": self._topics,
            "links": self._links,
            "dates": self._dates,
            "titles": self._titles,
        }
        survey: frozenset[Aspect] = frozenset({"dates", "topics", "links"})
        wanted = aspects - {"count"} or (survey if not aspects else frozenset())
        for aspect, describe in whole.items():
            if aspect in wanted and documents:
                texts += describe(answer) or ([answer.say(_LACKING[aspect])] if aspect in aspects else [])
        return tuple(Sentence(text=text, support=Support.SUPPORTED) for text in texts)

    def _counted(self, overview: OverviewAnswer) -> str:
        kinds = Counter(_kind(document) for document in overview.documents.values())
        by_kind = overview.say("comma").join(f"{count} {kind}" for kind, count in kinds.most_common())
        key = {0: "none", 1: "one"}.get(len(overview.documents), "counted")
        return overview.say(key, n=len(overview.documents), kinds=by_kind)

    def _languages(self, overview: OverviewAnswer) -> list[str]:
        counts = Counter(document.language for document in overview.documents.values() if document.language)
        named = overview.say("comma").join(f"{language} ({n})" for language, n in counts.most_common())
        return [overview.say("languages", counts=named)] if named else []

    def _dates(self, overview: OverviewAnswer) -> list[str]:
        """Return the documents counted by year, the newest and the oldest, as far as they say their date."""
        dated = sorted((d.date, d.id) for d in overview.documents.values() if d.date)
        if not dated:
            return []
        years = Counter(date[:4] for date, _ in dated)
        counts = overview.say("comma").join(f"{year} ({count})" for year, count in sorted(years.items()))
        shown = [f"{overview.title(each)} ({date})" for date, each in dated]
        newest = overview.say("joint").join(reversed(shown[-MAX_NEWEST:]))
        return [overview.say("years", counts=counts), overview.say("newest", titles=newest, last=shown[0])]

    def _topics(self, overview: OverviewAnswer) -> list[str]:
        """Return the documents by what they are about; of too few to be grouped, what they are called."""
        tags = self.knowledge.document_tags()
        within = {each: tags.get(each, Counter[str]()) for each in overview.documents}
        groups = document_topics(self.knowledge.document_vectors(list(overview.documents)), within)
        return [self._topic(overview, group) for group in groups] or self._titles(overview)

    def _topic(self, overview: OverviewAnswer, group: DocumentTopic) -> str:
        terms = overview.say("comma").join(group.terms) or overview.say("nameless")
        most = MAX_TITLES if len(overview.documents) <= MAX_TITLES else TITLES_PER_TOPIC
        titles = overview.joined(group.documents, most)
        return "- " + overview.say("topic", terms=terms, n=len(group.documents), **titles)

    def _links(self, overview: OverviewAnswer) -> list[str]:
        """Return the documents that most others name, of those in scope."""
        pointed = self.knowledge.pointed_to()
        counts = {
            target: len(by & overview.documents.keys())
            for target, by in pointed.items()
            if target in overview.documents
        }
        most = sorted((each for each in counts if counts[each]), key=lambda each: (-counts[each], each))
        if not most:
            return []
        shown = [
            overview.say("times", title=overview.title(each), n=counts[each]) for each in most[:MAX_LINKED]
        ]
        return [overview.say("linked", titles=overview.say("joint").join(shown))]

    def _titles(self, overview: OverviewAnswer) -> list[str]:
        return [overview.say("titles", **overview.joined(list(overview.documents), MAX_TITLES))]


def _kind(document: Document) -> str:
    """Return the kind of file as readers know it: its ending."""
    return PurePath(document.name).suffix.lstrip(".").upper() or document.media_type
