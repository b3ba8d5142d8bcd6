"""Decides which of the retrieved documents a question describes without naming it.

"The TechMart receipt of 23 November" is a document that says so of itself: in its title, its file name or its
first lines. To summarise another one would be wrong, so nothing is guessed: every word of the description
must be in the document, its figures, its dates and half of its words in title, file name or first lines, and
no other document may match as well.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.domain import Document, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.text.library_questions import apart, requested_name, without_kinds
from core.text.periods import find_periods
from core.text.tokens import content_words, jaccard

_QUOTED = re.compile(r"[\"“„«『「《]([^\"”“»』」》]+)[\"”“»』」》]")
MAX_DOCUMENTS = 12  # that are looked at, those of the best passages
FIRST_PASSAGES = 5  # that are read for these lines
IDENTITY_CHARACTERS = 1_500  # of the first lines, in which a document says what it is
MIN_IDENTITY_SHARE = 0.5  # share of the description that stands there
COPY_LIKENESS = 0.5  # Jaccard index of what two documents say they are, from which they are copies ...
COPY_FIGURES_LIKENESS = 0.7  # ... where their figures are as much alike: those of two filled-in forms differ


@dataclass(frozen=True)
class MeantDocument:
    """Finds the one document that a question describes."""

    knowledge: KnowledgeBase

    def among(self, question: str, scope: Scope, found: Sequence[Passage]) -> Document | None:
        """Return the document, of copies the first found; None where none is described, or several are."""
        periods = find_periods(question)
        described = question
        for period in reversed(periods):
            described = f"{described[: period.start]} {described[period.end :]}"
        named = without_kinds(requested_name(described))
        quoted = [set(content_words(one)) for one in _QUOTED.findall(question)]
        ids = list(dict.fromkeys(passage.chunk.document_id for passage in found))[:MAX_DOCUMENTS]
        documents = [each for each in self.knowledge.documents(scope) if each.id in ids]
        if not named or not documents:
            return None
        document_words = self.knowledge.words_of_documents(described, ids)
        identities = {each.id: self._identity(each) for each in documents}
        shares = {
            each.id: share
            for each in documents
            if (share := _share(named, identities[each.id], document_words[each.id]))
            and all(one <= set(content_words(identities[each.id])) for one in quoted)
            and all(_dated(period.period, each, identities[each.id]) for period in periods)
        }
        best = [id_ for id_ in ids if id_ in shares and shares[id_] == max(shares.values())]
        return self.only([each for id_ in best for each in documents if each.id == id_])

    def only(self, documents: Sequence[Document]) -> Document | None:
        """Return the first of the documents where there is no other but copies of it."""
        own = [content_words(self._identity(each)) for each in documents]
        return documents[0] if documents and all(_are_copies(own[0], other) for other in own[1:]) else None

    def section(self, question: str, found: Sequence[Passage]) -> tuple[str, tuple[str, ...]] | None:
        """Return the document and the path of headings of the only section found whose heading says all words
        of the description, as an item of a feed or a chapter does."""
        named = without_kinds(requested_name(question))
        paths = {
            (passage.chunk.document_id, passage.chunk.heading_path[: at + 1])
            for passage in found
            for at, heading in enumerate(passage.chunk.heading_path)
            if named and named <= set(content_words(apart(heading)))
        }
        outer = [one for one in paths if not any(one != other and _within(one, other) for other in paths)]
        return outer[0] if len(outer) == 1 else None

    def _identity(self, document: Document) -> str:
        """Return the texts by which a document describes itself: title, file name and first lines."""
        chunks = self.knowledge.chunks(document_id=document.id, most=FIRST_PASSAGES)
        first = " ".join(chunk.text for chunk in chunks)[:IDENTITY_CHARACTERS]
        return " ".join((document.title, apart(document.name), first))


def _within(one: tuple[str, tuple[str, ...]], other: tuple[str, tuple[str, ...]]) -> bool:
    """Say whether a section is the other one or is in it."""
    return one[0] == other[0] and one[1][: len(other[1])] == other[1]


def _share(named: Collection[str], identity: str, document_words: Collection[str]) -> float:
    """Return the share of a description that a document says of itself, 0 where it lacks a word of it."""
    own = set(content_words(apart(identity)))
    if not set(named) <= own | set(document_words) or not _figures(named) <= own:
        return 0.0
    share = sum(word in own for word in named) / len(named)
    return share if share >= MIN_IDENTITY_SHARE else 0.0


def _figures(words: Collection[str]) -> set[str]:
    """Return the words with a digit."""
    return {word for word in words if any(sign.isdigit() for sign in word)}


def _are_copies(one: Collection[str], other: Collection[str]) -> bool:
    """Say whether two documents begin with the same words and the same figures."""
    figures = _figures(one), _figures(other)
    alike = not any(figures) or jaccard(*figures) >= COPY_FIGURES_LIKENESS
    return alike and jaccard(one, other) >= COPY_LIKENESS


def _dated(period: str, document: Document, identity: str) -> bool:
    """Say whether a document is of a period: by the date it claims, or one named where it says what it is."""
    named = (document.date, *(one.period for one in find_periods(identity)))
    return any(one.startswith(period) for one in named)
