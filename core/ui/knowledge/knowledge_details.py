"""One chunk, one entity, one document's references: each with links to its neighbours."""

from collections.abc import Sequence

from core.domain import FIELDS, ROWS, Chunk, Document, Entity, Passage, Reference
from core.errors import NotFound
from core.i18n.escaping import join, layout, line
from core.i18n.messages import Message, mark, plain, say, t, tn
from core.ui.chat import feedback_form
from core.ui.inspector import source_view
from core.ui.inspector.selection import Source
from core.ui.knowledge import chunk_edit, graph_view
from core.ui.shared import components, display_text, session, st

RELATION_SOURCES: dict[str, Message] = {FIELDS: mark("field of a form"), ROWS: mark("row of a table")}
MAX_MENTIONS = 8  # mentions shown at once
MAX_CHUNKS = 60  # chunks that a list names at most
MAX_SUMMARY_SHARE = 0.8  # of a chunk; a summary that is longer tells nothing new


def chunk(document: Document, chunks: Sequence[Chunk], current: Chunk) -> None:
    """Show a chunk in its place, then everything distilled from it."""
    library = session.assistant().library.contents
    at = [c.id for c in chunks].index(current.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button(t("Previous"), icon=":material/chevron_left:", disabled=at == 0, type="tertiary"):
            _open(chunks[at - 1])
        if st.button(
            t("Next"), icon=":material/chevron_right:", disabled=at == len(chunks) - 1, type="tertiary"
        ):
            _open(chunks[at + 1])
        st.caption(
            t(
                "Chunk {value} of {chunks} · {kind} · {token}",
                value=at + 1,
                chunks=len(chunks),
                kind=display_text.thing(current.kind),
                token=tn("{n:,} token", "{n:,} tokens", current.tokens),
            )
        )
    heading = " › ".join(current.heading_path)
    place = current.location.in_words()
    components.passage(
        current.text, (), " · ".join(filter(None, (heading, place))), key=f"chunk_{current.id}"
    )
    source_view.note_edit(current)
    chunk_edit.offer(current)
    if current.summary and len(current.summary) <= MAX_SUMMARY_SHARE * len(current.text):
        st.markdown(t("**In short:** {summary}", summary=current.summary), anchors=False)
    passage = Passage(chunk=current, document_title=document.title, query="", score=0.0)
    source = Source(passage=passage)
    source_view.rows(source, (), f"rows_{current.id}")
    _page(source, chunks)
    atoms = library.atoms([current.id])
    if atoms:
        st.markdown(
            tn(
                "**{n:,} atom**, one thing this chunk says or answers",
                "**{n:,} atoms**, each one thing this chunk says or answers",
                len(atoms),
            )
        )
        lines = [
            layout(
                "- {text} :small[:gray[{kind}, {by}]]",
                text=atom.text,
                kind=display_text.thing(atom.kind),
                by=atom.by,
            )
            for atom in atoms
        ]
        st.markdown(join("\n", lines), anchors=False)
    _entities(library.entities(chunk_id=current.id))
    _relations(chunk_id=current.id)
    tags = library.tags(current.id)
    if tags:
        badges = join(" ", [layout(":gray-badge[{name}]", name=tag.name) for tag in tags])
        st.markdown(t("**Tags** {badges}", badges=badges), anchors=False)
        feedback_form.tags(current.id, tags)
    with st.expander(t("Neighbourhood"), type="compact", key=f"near_{current.id}", on_change="rerun") as near:
        if near.open:
            graph_view.show(current.id)


def _page(source: Source, chunks: Sequence[Chunk]) -> None:
    """Draw the chunk's page with its box, or with the boxes of all that was read on the page."""
    current = source.passage.chunk
    page = current.location.page
    image = source_view.page_image(source, page) if page is not None else None
    if image is None or page is None:
        return
    place = current.location.in_words()
    with st.expander(t("The page, {place}", place=place), type="compact", expanded=True):
        boxes = [box for chunk in chunks for box in chunk.location.boxes if box.page == page]
        others = [chunk for chunk in chunks if any(box.page == page for box in chunk.location.boxes)]
        label = tn("All that was read here: {n:,} chunk", "All that was read here: {n:,} chunks", len(others))
        if len(others) > 1 and st.toggle(label, key=f"parsed_{current.document_id}"):
            library = session.assistant().library
            image = (
                library.page_image(current.document_id, page, boxes, source_view.PAGE_WIDTH_PIXELS) or image
            )
        st.image(image, width="stretch", alt=plain("{place} with the chunk boxed", place=place))


def _open(target: Chunk) -> None:
    session.go(document=target.document_id, chunk=target.id)
    st.rerun()


def _entities(entities: Sequence[Entity]) -> None:
    if not entities:
        return
    st.markdown(tn("**{n:,} entity** named here", "**{n:,} entities** named here", len(entities)))
    with st.container(horizontal=True, gap="small"):
        for each in entities[:40]:
            if st.button(
                line(each.name, 40), key=f"entity_{each.id}", help=line(display_text.thing(each.kind))
            ):
                session.go(node=each.id)
                st.rerun()


def _relations(entity_id: str | None = None, chunk_id: str | None = None) -> None:
    library = session.assistant().library.contents
    found = library.relations(entity_id=entity_id, chunk_id=chunk_id)[:60]
    ids = list({name for r in found for name in (r.subject, r.object)})
    names = {entity.id: entity.name for entity in library.entities(ids=ids, limit=len(ids))}
    relations = [r for r in found if r.subject in names and r.object in names]
    if not relations:
        return
    st.markdown(tn("**{n:,} relation**", "**{n:,} relations**", len(relations)))
    named = {name: line(names[name]) for name in ids if name in names}
    lines = [
        layout(
            "- {one} *{verb}* {other}{source}",
            one=named[r.subject],
            verb=r.predicate,
            other=named[r.object],
            source=layout(" :small[:gray[{said}]]", said=say(RELATION_SOURCES[r.by]))
            if r.by in RELATION_SOURCES
            else "",
        )
        for r in relations
    ]
    st.markdown(join("\n", lines), anchors=False)
    spoken = [(r, f"{names[r.subject]} {r.predicate} {names[r.object]}") for r in relations]
    feedback_form.relations(entity_id or chunk_id or "", spoken)


def entity(entity_id: str) -> None:
    """Show an entity: its names, where it is named, what is said of it, and what stands around it."""
    library = session.assistant().library.contents
    found = library.entities(ids=[entity_id], limit=1)
    if not found:
        raise NotFound("There is no such entity in the library.")
    subject = found[0]
    st.title(line(subject.name, 160), anchor=False)
    parts = [line(display_text.thing(subject.kind))]
    if subject.aliases:
        parts.append(t("also {names}", names=", ".join(subject.aliases)))
    st.caption(join(" · ", parts))
    named = library.mentions(entity_id)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _relations(entity_id=entity_id)
        mentions(named)
    with right:
        graph_view.show(entity_id)


def mentions(ids: Sequence[str]) -> None:
    """List chunks as links, with their document; the first ones at once, some others on demand."""
    library = session.assistant().library.contents
    titles, chunks = library.titles(), library.chunks(ids=ids[:MAX_CHUNKS])
    st.markdown(tn("**Named in {n:,} chunk**", "**Named in {n:,} chunks**", len(ids)))
    for each in chunks[:MAX_MENTIONS]:
        _mention(each, titles)
    if len(chunks) > MAX_MENTIONS:
        with st.expander(
            tn("{n:,} more chunk", "{n:,} more chunks", len(ids) - MAX_MENTIONS), type="compact"
        ):
            for each in chunks[MAX_MENTIONS:]:
                _mention(each, titles)
            if len(ids) > MAX_CHUNKS:
                st.caption(t("Only the first {n:,} are listed; a search finds the others.", n=MAX_CHUNKS))


def _mention(chunk: Chunk, titles: dict[str, str]) -> None:
    place = chunk.location.in_words()
    where = f"{titles.get(chunk.document_id, '')}{f', {place}' if place else ''}"
    label = layout("**{where}**  \n{text}", where=line(where, 80), text=line(chunk.text, 120))
    if st.button(label, key=f"mention_{chunk.id}", type="tertiary", width="stretch"):
        _open(chunk)


def references(document: Document) -> None:
    """Show what the document points to, and what points to it."""
    library = session.assistant().library.contents
    titles = library.titles()
    outgoing, received = library.references(document.id), library.referring(document.id)
    if not outgoing and not received:
        return
    forward = {(f"{reference.kind}: {reference.text}", reference.target_id): None for reference in outgoing}
    back = {(_received(titles, reference), reference.document_id): None for reference in received}
    with st.expander(
        t("Points to {said}, pointed to by {back}", said=len(forward), back=len(back)), type="compact"
    ):
        for n, (label, target) in enumerate([*forward, *back][:120]):
            _reference(label, target, titles, f"reference_{document.id}_{n}")


def _received(titles: dict[str, str], reference: Reference) -> str:
    return plain("from {title}: {text}", title=titles.get(reference.document_id, ""), text=reference.text)


def _reference(label: str, target: str | None, titles: dict[str, str], key: str) -> None:
    if target is None or target not in titles:
        st.caption(t("{label} (not in the library)", label=line(label, 120)))
    elif st.button(
        layout("{label} → {titles}", label=line(label, 90), titles=line(titles[target], 60)),
        key=key,
        type="tertiary",
    ):
        session.go(document=target)
        st.rerun()
