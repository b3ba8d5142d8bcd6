"""Drops extracted facts that the chunk does not support.

A model may write what it knows or guesses, or follow instructions in the text. Names, ends of relations and
aliases must occur in the chunk, in its headings, or in the chunk before it; sentences must not introduce
figures or names, and must use words of the text.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from core.domain import BUILT_IN, Chunk, Document
from core.i18n.messages import mark
from core.ingest.distilled_assembly import ChunkFacts
from core.ingest.entity_resolution import singular
from core.tasks import EntityDraft, PieceFacts, RelationDraft
from core.text.proper_names import names_in
from core.text.sentences import sentence_spans
from core.text.tokens import content_words, is_cjk, is_stopword

LEFT_OUT = mark("{count} things the model said that the text does not say were left out.")
_WORDS = re.compile(r"\w+")
_GROUPED = re.compile(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_SHARED = 0.5  # least share of a sentence's content words that occur in the text
_STEM = 4  # letters two forms of a predicate's word must share: "supplies", "supplier"
_MOST_BETWEEN = 40  # characters between a name and its alias
_SAME = re.compile(
    r"[\s\"“”„«»'‘’]*(?:[(（\[【]|,?\s*(?:or|also|aka|a\.k\.a\.|i\.e\.|that is|(?:also |formerly |now )?"
    r"(?:called|known as|named)|abbreviated|short(?:ened)?(?: for)?|alias)\b"
    r"|[，、]?(?:又称|也叫|又名|简称|即|以下简称|亦称))"
    r".{0,20}",
    re.IGNORECASE,
)


@dataclass
class Grounding:
    """Keeps the facts that a chunk supports; counts the dropped ones by kind."""

    document: Document
    left_out: Counter[str] = field(default_factory=Counter)

    def of(self, chunks: Sequence[Chunk], facts: Sequence[ChunkFacts]) -> list[ChunkFacts]:
        """Return the facts of a document's chunks; those of rules are read from the text as they are."""
        before = ["", *("\n".join([*a.heading_path[-1:], a.text]) for a, _ in pairwise(chunks))]
        return [
            fact
            if fact.engine == BUILT_IN
            else fact._replace(piece=self._grounded(chunk, fact.piece, earlier))
            for chunk, fact, earlier in zip(chunks, facts, before, strict=False)
        ]

    def notes(self) -> tuple[str, ...]:
        """Say what was left out."""
        return (LEFT_OUT.format(count=self.left_out.total()),) if self.left_out else ()

    def _grounded(self, chunk: Chunk, facts: PieceFacts, before: str) -> PieceFacts:
        text = _Text("\n".join([self.document.title, *chunk.heading_path, before, chunk.text]))
        own = _Text(chunk.text)
        entities = [
            EntityDraft(
                name=entity.name,
                kind=entity.kind,
                aliases=tuple(
                    a for a in entity.aliases if self._count(text.calls(entity.name, a), "aliases")
                ),
            )
            for entity in facts.entities
            if self._count(text.names(entity.name), "names")
        ]
        return facts.model_copy(
            update={
                "entities": tuple(entities),
                "relations": tuple(
                    each for each in facts.relations if self._count(_relates(each, text, own), "relations")
                ),
                "questions": self._sentences(facts.questions, text, "questions"),
                "statements": self._sentences(facts.statements, text, "statements"),
                "tags": tuple(tag for tag in facts.tags if self._count(text.shares(tag.name, 0), "tags")),
                "summary": next(iter(self._sentences([facts.summary], text, "summaries")), "")
                if facts.summary
                else "",
            }
        )

    def _sentences(self, sentences: Iterable[str], text: "_Text", kind: str) -> tuple[str, ...]:
        return tuple(each for each in sentences if self._count(text.supports(each), kind))

    def _count(self, grounded: bool, kind: str) -> bool:
        if not grounded:
            self.left_out[kind] += 1
        return grounded


def _relates(relation: RelationDraft, text: "_Text", own: "_Text") -> bool:
    """Say whether both ends are in the text, one of them in the chunk, and the predicate's words are."""
    ends = (relation.subject, relation.object)
    return (
        all(text.names(end) for end in ends)
        and any(own.names(end) for end in ends)
        and text.shares(relation.predicate, _STEM)
    )


class _Text:
    """A text in which names, figures and words are looked up."""

    def __init__(self, text: str) -> None:
        self.text = unicodedata.normalize("NFKC", text)

    @cached_property
    def _words(self) -> str:
        return _plain(self.text)

    @cached_property
    def _dense(self) -> str:
        return "".join(self.text.casefold().split())

    @cached_property
    def _content(self) -> frozenset[str]:
        return frozenset(content_words(self.text))

    @cached_property
    def _figures(self) -> frozenset[str]:
        return frozenset(_FIGURE.findall(_GROUPED.sub("", self.text)))

    def names(self, name: str) -> bool:
        """Say whether a name is in the text, in whatever case, number and hyphenation."""
        plain = _plain(name)
        if is_cjk(name):
            return "".join(unicodedata.normalize("NFKC", name).casefold().split()) in self._dense
        return bool(plain.strip()) and plain in self._words

    def calls(self, name: str, alias: str) -> bool:
        """Say whether the text gives an alias of a name: beside it as another name of it, or a part of it."""
        if not self.names(alias):
            return False
        if _plain(alias) in _plain(name):
            return True
        text, ends = self.text.casefold(), (name.casefold(), alias.casefold())
        for first, second in (ends, ends[::-1]):
            for match in re.finditer(re.escape(first), text):
                behind = text[match.end() : match.end() + _MOST_BETWEEN + len(second)]
                at = behind.find(second)
                if at >= 0 and _SAME.fullmatch(behind[:at]):
                    return True
        return False

    def shares(self, words: str, stem: int) -> bool:
        """Say whether one of the words occurs, or one with its first `stem` letters; words of grammar do."""
        asked = content_words(words)
        if not asked or not self._content.isdisjoint(asked):
            return True
        begins = {word[:stem] for word in self._content if len(word) >= stem} if stem else set()
        return any(word[:stem] in begins for word in asked if stem)

    def supports(self, sentence: str) -> bool:
        """Say whether a sentence adds no figure or name, and half of its content words occur in the text."""
        plain = unicodedata.normalize("NFKC", sentence)
        if not self._figures.issuperset(_FIGURE.findall(_GROUPED.sub("", plain))):
            return False
        found = [name.text for name in names_in(plain)]
        named = [word for name in found for word in ([name] if is_cjk(name) else name.split())]
        if not plain.rstrip().endswith(("?", "？")):  # the first word of a sentence may be a name
            first = [plain[a:b].split()[0] for a, b in sentence_spans(plain) if plain[a:b].strip()]
            named += [word for word in first if not is_cjk(word)]
        if not all(is_stopword(word.lower()) or self.names(word) for word in named):
            return False
        asked = set(content_words(plain))
        return len(asked & self._content) >= _SHARED * len(asked)


def _plain(text: str) -> str:
    words = _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(singular(word) for word in words)} "
