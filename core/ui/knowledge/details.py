"""One chunk, one entity, one document's references: each with the ways to what it is linked to."""

from collections.abc import Sequence

import streamlit as st

from core.domain import Chunk, Document, Entity, Passage
from core.errors import NotFound
from core.ui.chat import feedback_form
from core.ui.inspector import source_view
from core.ui.inspector.selection import Source
from core.ui.knowledge import graph_view
from core.ui.shared import components, display_text, safe, session

SHOWN = 8  # mentions shown at once
SHORT = 0.8  # of a chunk; a summary that is longer tells nothing new


def chunk(document: Document, chunks: Sequence[Chunk], held: Chunk) -> None:
    """Show a chunk in its place, then everything distilled from it."""
    library = session.assistant().library.contents
    at = [c.id for c in chunks].index(held.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button("Previous", icon=":material/chevron_left:", disabled=at == 0, type="tertiary"):
            _open(chunks[at - 1])
        if st.button(
            "Next", icon=":material/chevron_right:", disabled=at == len(chunks) - 1, type="tertiary"
        ):
            _open(chunks[at + 1])
        st.caption(
            f"Chunk {at + 1} of {len(chunks)} · {held.kind} · {display_text.count(held.tokens, 'token')}"
        )
    heading = " › ".join(held.heading_path)
    place = held.location.label()
    components.passage(held.text, (), " · ".join(filter(None, (heading, place))), key=f"chunk_{held.id}")
    if held.summary and len(held.summary) <= SHORT * len(held.text):
        st.markdown(f"**In short:** {safe.line(held.summary)}", anchors=False)
    passage = Passage(chunk=held, document_title=document.title, query="", score=0.0)
    source = Source(passage=passage)
    source_view.rows(source, (), f"rows_{held.id}")
    image = source_view.page_image(source, held.location.page) if held.location.page is not None else None
    if image is not None:
        with st.expander(f"The page, {safe.line(place)}", type="compact", expanded=True):
            st.image(image, width="stretch", alt=f"{place} with the chunk boxed")
    atoms = library.atoms([held.id])
    if atoms:
        st.markdown(
            f"**{display_text.count(len(atoms), 'atom')}**, each one thing this chunk says or answers"
        )
        said = [
            f"- {safe.line(atom.text)} :small[:gray[{atom.kind}, {safe.line(atom.by)}]]" for atom in atoms
        ]
        st.markdown("\n".join(said), anchors=False)
    _entities(library.entities(chunk_id=held.id))
    _relations(chunk_id=held.id)
    tags = library.tags(held.id)
    if tags:
        st.markdown(
            "**Tags** " + " ".join(f":gray-badge[{safe.line(tag.name)}]" for tag in tags), anchors=False
        )
        feedback_form.tags(held.id, tags)
    with st.expander("Neighbourhood", type="compact", key=f"near_{held.id}", on_change="rerun") as near:
        if near.open:
            neighbourhood(held.id)


def _open(held: Chunk) -> None:
    session.go(document=held.document_id, chunk=held.id)
    st.rerun()


def _entities(entities: Sequence[Entity]) -> None:
    if not entities:
        return
    st.markdown(f"**{display_text.count(len(entities), 'entity', 'entities')}** named here")
    with st.container(horizontal=True, gap="small"):
        for held in entities[:40]:
            if st.button(safe.line(held.name, 40), key=f"entity_{held.id}", help=safe.line(held.kind)):
                session.go(node=held.id)
                st.rerun()


def _relations(entity_id: str | None = None, chunk_id: str | None = None) -> None:
    library = session.assistant().library.contents
    relations = library.relations(entity_id=entity_id, chunk_id=chunk_id)[:60]
    if not relations:
        return
    ids = list({name for r in relations for name in (r.subject, r.object)})
    names = {entity.id: entity.name for entity in library.entities(ids=ids, limit=len(ids))}
    st.markdown(f"**{display_text.count(len(relations), 'relation')}**")
    named = {name: safe.line(names.get(name, "?")) for name in ids}
    said = [f"- {named[r.subject]} *{safe.line(r.predicate)}* {named[r.object]}" for r in relations]
    st.markdown("\n".join(said), anchors=False)
    plain = [(r, f"{names.get(r.subject, '?')} {r.predicate} {names.get(r.object, '?')}") for r in relations]
    feedback_form.relations(entity_id or chunk_id or "", plain)


def entity(entity_id: str) -> None:
    """Show an entity: its names, where it is named, what is said of it, and what stands around it."""
    library = session.assistant().library.contents
    found = library.entities(ids=[entity_id], limit=1)
    if not found:
        raise NotFound("There is no such entity in the library.")
    held = found[0]
    st.title(safe.line(held.name, 160), anchor=False)
    also = f" · also {', '.join(held.aliases)}" if held.aliases else ""
    st.caption(safe.line(f"{held.kind}{also}"))
    chunks = library.chunks(ids=library.mentions(entity_id)[:60])
    left, right = st.columns([2, 3], gap="large")
    with left:
        _relations(entity_id=entity_id)
        mentions(chunks)
    with right:
        neighbourhood(entity_id)


def mentions(chunks: Sequence[Chunk]) -> None:
    """List chunks as links, with their document; the first ones at once, the others on demand."""
    titles = session.assistant().library.contents.titles()
    st.markdown(f"**Named in {display_text.count(len(chunks), 'chunk')}**")
    for held in chunks[:SHOWN]:
        _mention(held, titles)
    if len(chunks) > SHOWN:
        with st.expander(display_text.count(len(chunks) - SHOWN, "more chunk"), type="compact"):
            for held in chunks[SHOWN:]:
                _mention(held, titles)


def _mention(held: Chunk, titles: dict[str, str]) -> None:
    place = held.location.label()
    where = f"{titles.get(held.document_id, '')}{f', {place}' if place else ''}"
    label = f"**{safe.line(where, 80)}**  \n{safe.line(held.text, 120)}"
    if st.button(label, key=f"mention_{held.id}", type="tertiary", width="stretch"):
        _open(held)


def neighbourhood(node: str) -> None:
    """Draw what stands around a node, as many nodes as the reader allows, with a way to each."""
    budget = st.slider("Nodes to draw", 10, 150, 40, step=10, key=f"budget_{node}")
    near = session.assistant().library.contents.neighbourhood(node, budget=budget)
    graph_view.show(near, node)
    others = {
        held.id: held
        for held in near.nodes
        if held.id != node and held.kind in ("document", "chunk", "entity")
    }
    labels = display_text.distinct(
        {name: f"{held.kind}: {safe.shorten(held.label, 70)}" for name, held in others.items()}
    )
    chosen = st.selectbox(
        "Go to",
        list(others),
        index=None,
        format_func=labels.__getitem__,
        placeholder="A document, chunk or entity of this drawing",
        key=f"goto_{node}",
    )
    if chosen is not None:
        _go_to(others[chosen].kind, chosen)


def _go_to(kind: str, name: str) -> None:
    if kind == "entity":
        session.go(node=name)
    elif kind == "document":
        session.go(document=name)
    else:
        held = session.assistant().library.contents.chunks(ids=[name])
        session.go(document=held[0].document_id, chunk=name)
    st.rerun()


def references(document: Document) -> None:
    """Show what the document points to, and what points to it."""
    library = session.assistant().library.contents
    titles = library.titles()
    given, received = library.references(document.id), library.referring(document.id)
    if not given and not received:
        return
    said = {(f"{held.kind}: {held.text}", held.target_id): None for held in given}
    back = {
        (f"from {titles.get(held.document_id, '')}: {held.text}", held.document_id): None for held in received
    }
    with st.expander(f"Points to {len(said)}, pointed to by {len(back)}", type="compact"):
        for n, (label, target) in enumerate([*said, *back][:120]):
            _reference(label, target, titles, f"reference_{document.id}_{n}")


def _reference(label: str, target: str | None, titles: dict[str, str], key: str) -> None:
    if target is None or target not in titles:
        st.caption(f"{safe.line(label, 120)} (not in the library)")
    elif st.button(f"{safe.line(label, 90)} → {safe.line(titles[target], 60)}", key=key, type="tertiary"):
        session.go(document=target)
        st.rerun()
