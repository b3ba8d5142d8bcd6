"""Assembles the facts extracted from a document's chunks: names resolved, each item with its source."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from core.domain import (
    BUILT_IN,
    FIELDS,
    ROWS,
    RULES,
    Atom,
    Chunk,
    Distilled,
    Document,
    Mention,
    Reference,
    Relation,
    Section,
    Table,
    Tag,
    identify,
)
from core.ingest.entity_resolution import Resolver, pairs_in
from core.ingest.references import own_codes
from core.ingest.table_relations import Rows, relations_of_fields, relations_of_rows, shown_in
from core.ingest.tag_names import TagNames
from core.tasks import Call, PieceFacts
from core.text.codes import codes_in
from core.text.title_names import Target, TitleNames, recognisable, spellings
from core.text.tokens import content_words

_HEADING_CHUNKS = 3  # chunks of a section that stand for its heading, and how much each counts


class ChunkFacts(NamedTuple):
    """The facts extracted from one chunk, and the call that extracted them."""

    piece: PieceFacts
    call: Call | None

    @property
    def engine(self) -> str:
        return self.call.engine if self.call else BUILT_IN


class Assembly:
    """Collects facts chunk by chunk and builds the document's distilled layer."""

    def __init__(
        self,
        document: Document,
        sections: Sequence[Section],
        chunks: Sequence[Chunk],
        most_atoms: int,
        resolver: Resolver,
        tags: TagNames,
    ) -> None:
        self._document = document
        self._sections = sections
        self._chunks = chunks
        self._most_atoms = most_atoms
        self._resolver = resolver
        self._tag_names = tags
        self._atoms: dict[str, Atom] = {}
        self._tags: dict[tuple[str, str], str] = {}  # (chunk, name) -> class
        self._mentions: dict[tuple[str, str], int] = {}  # (chunk, normal form) -> times
        self._relations: dict[tuple[str, str, str, str], str] = {}  # chunk, forms and predicate -> engine
        self._references: dict[tuple[str, str, str], Reference] = {}

    def add(self, chunk: Chunk, facts: ChunkFacts) -> None:
        """Note what was said about one chunk; an atom another chunk made already is left out."""
        piece_facts, engine = facts.piece, facts.engine
        made: list[tuple[Literal["question", "statement"], str]] = []
        made += [("question", text) for text in piece_facts.questions[: self._most_atoms]]
        made += [("statement", text) for text in piece_facts.statements[: self._most_atoms]]
        for kind, text in made:
            plain = " ".join(text.split())
            if plain and plain.casefold() not in self._atoms:
                self._atoms[plain.casefold()] = Atom(
                    id=identify(chunk.id, kind, plain),
                    chunk_id=chunk.id,
                    kind=kind,
                    text=plain,
                    by=RULES if kind == "question" and engine == BUILT_IN else engine,
                )
        for tag in piece_facts.tags:
            if name := self._tag_names.name(tag.name, chunk.text):
                self._tags.setdefault((chunk.id, name), tag.tag_class or "topic")
        self._entities(chunk, piece_facts, engine)

    def _entities(self, chunk: Chunk, piece_facts: PieceFacts, engine: str) -> None:
        for entity in piece_facts.entities:
            self._mention(chunk, entity.name, entity.kind)
            for alias in entity.aliases:
                if alias in chunk.text:
                    self._resolver.explain(entity.name, alias)
        if "(" in chunk.text or "（" in chunk.text:
            for name, other in pairs_in(chunk.text):
                self._resolver.explain(name, other)
                self._mention(chunk, name, "term")
        for code, times in Counter(codes_in(chunk.text)).items():
            self._mention(chunk, code, "identifier", times)
        for relation in piece_facts.relations:
            subject = self._mention(chunk, relation.subject)
            thing = self._mention(chunk, relation.object)
            if subject and thing and subject != thing and relation.predicate.strip():
                self._relations[(chunk.id, subject, relation.predicate.strip(), thing)] = engine

    def add_rows(self, table: Table, rows: Rows) -> None:
        """Note what the rows of a table say of the things they name, each where the row is shown."""
        shown = shown_in(self._chunks, table)
        fields = relations_of_fields(table, rows, self._document.name)
        by = FIELDS if fields else ROWS
        for relation in fields or relations_of_rows(table, rows):
            if (chunk := shown.get(relation.row)) is None:
                continue
            subject = self._mention(chunk, relation.subject, relation.kind)
            thing = self._mention(chunk, relation.object, relation.predicate)
            if subject and thing and subject != thing:
                self._relations[(chunk.id, subject, relation.predicate, thing)] = by

    def _mention(self, chunk: Chunk, name: str, kind: str = "thing", times: int = 0) -> str:
        form = self._resolver.add_name(name, kind)
        if form:
            times = times or max(1, chunk.text.count(name))
            key = (chunk.id, form)
            self._mentions[key] = max(times, self._mentions.get(key, 0))
        return form

    def find(self, names: TitleNames) -> None:
        """Find where chunks name titles and headings of the library, other than those they stand under."""
        own = {chunk.id: {*chunk.heading_path} for chunk in self._chunks}
        sections = {chunk.id: chunk.section_id for chunk in self._chunks}
        for chunk_id, found in names.find((chunk.id, chunk.text) for chunk in self._chunks):
            for name, times in found:
                targets = names.targets(name)
                if name in own[chunk_id] or any(t.section_id == sections[chunk_id] for t in targets):
                    continue
                form = self._resolver.add_name(name, "title")
                self._mentions[(chunk_id, form)] = max(times, self._mentions.get((chunk_id, form), 0))
                self._refer(chunk_id, name, targets)

    def _refer(self, chunk_id: str, name: str, targets: tuple[Target, ...]) -> None:
        """Note an edge to a document one of whose headings is named; titles the library finds itself."""
        for target in targets:
            if target.section_id and target.document_id != self._document.id:
                self._references.setdefault(
                    (chunk_id, name, target.document_id),
                    Reference(
                        document_id=self._document.id,
                        chunk_id=chunk_id,
                        kind="entity",
                        text=name,
                        target_id=target.document_id,
                    ),
                )

    def _name_itself(self) -> None:
        """Say what the document and its sections are about: their titles, headings and identifiers."""
        first = [chunk.id for chunk in self._chunks[:1]]
        of_section = self._chunks_of_sections()
        for name, target in names_of(self._document, self._sections):
            kind, about = (
                ("heading", target.section_id) if target.section_id else ("document", target.document_id)
            )
            for spelling in filter(recognisable, spellings(name)):
                self._call(spelling, kind, about, of_section.get(about, first)[:_HEADING_CHUNKS])
        own, about_them = own_codes(self._document, self._chunks)
        for code in own:
            self._call(code, "identifier", self._document.id, first)
        self._written_by(self._document.authors())
        for code in about_them:  # a log of a tool is not what the tool's name leads to
            self._call(code, "identifier", "", first)

    def _chunks_of_sections(self) -> dict[str, list[str]]:
        """Return the chunks of each section; for one without any those of the sections below it."""
        own: dict[str, list[str]] = {}
        for chunk in self._chunks:
            own.setdefault(chunk.section_id, []).append(chunk.id)
        below: dict[str, list[str]] = {}
        parents = {section.id: section.parent_id for section in self._sections}
        for section, chunks in own.items():
            parent = parents.get(section)
            while parent is not None:
                below.setdefault(parent, []).extend(chunks)
                parent = parents.get(parent)
        return below | own

    def _written_by(self, authors: Sequence[str]) -> None:
        """Note who wrote the document, each author where the document first names him or her."""
        titled = recognisable(self._document.title)
        for name in authors:
            if chunk := next((chunk for chunk in self._chunks if name in chunk.text), None):
                person = self._mention(chunk, name, "person")
                title = self._mention(chunk, self._document.title, "document", 1) if titled else ""
                if title and person and title != person:
                    self._relations[(chunk.id, title, "written by", person)] = BUILT_IN

    def _call(self, name: str, kind: str, about: str, chunks: Sequence[str]) -> None:
        """Note what something is called, as a mention by its own chunks: so a name leads to what it names.

        `about` is the document or section that stands under the name, "" for one that only mentions it.
        """
        form = self._resolver.add_name(name, kind, (about,) if about else ())
        for chunk_id in chunks if form else ():
            self._mentions[(chunk_id, form)] = self._mentions.get((chunk_id, form), 0) + _HEADING_CHUNKS

    def _fits(self, form: str, name: str) -> bool:
        """Say whether a short form may stand for a name that another document explains it with.

        A column has codes of its own ("PHI" among "STL" and "TOR"): one that is in tables only is looked
        up only where the document says a word of the name, too.
        """
        kinds = {chunk.id: chunk.kind for chunk in self._chunks}
        if any(met == form and kinds[chunk_id] != "table" for chunk_id, met in self._mentions):
            return True
        content = {word for chunk in self._chunks for word in content_words(chunk.text)}
        return not content.isdisjoint(content_words(name))

    def assembled(self) -> Distilled:
        """Return everything that was added and found, names resolved to entities."""
        self._name_itself()
        resolver = self._resolver
        resolver.consult(self._fits)
        mentions: Counter[tuple[str, str]] = Counter()
        for (chunk_id, form), times in self._mentions.items():
            mentions[(chunk_id, resolver.id_of(form))] += times
        relations = []
        for (chunk_id, subject, predicate, thing), by in self._relations.items():
            ends = resolver.id_of(subject), resolver.id_of(thing)
            if ends[0] != ends[1]:
                relations.append(
                    Relation(
                        id=identify(chunk_id, ends[0], predicate, ends[1]),
                        subject=ends[0],
                        predicate=predicate,
                        object=ends[1],
                        chunk_id=chunk_id,
                        by=by,
                    )
                )
        return Distilled(
            atoms=tuple(self._atoms.values()),
            entities=resolver.entities(form for _, form in self._mentions),
            mentions=tuple(
                Mention(chunk_id=chunk, entity_id=entity, count=times)
                for (chunk, entity), times in mentions.items()
            ),
            relations=tuple({relation.id: relation for relation in relations}.values()),
            tags=tuple(
                Tag(chunk_id=chunk, name=name, tag_class=kind) for (chunk, name), kind in self._tags.items()
            ),
            references=tuple(self._references.values()),
        )


def names_of(document: Document, sections: Iterable[Section]) -> Iterable[tuple[str, Target]]:
    """Yield the names a document adds to the library: its title and its headings."""
    yield document.title, Target(document.id)
    for section in sections:
        if section.path[-1] != document.title:
            yield section.path[-1], Target(document.id, section.id)
