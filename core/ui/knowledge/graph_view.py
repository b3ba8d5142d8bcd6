"""The neighbourhood of a node as a graph: labelled, coloured by kind, one more step at each press."""

from collections.abc import Sequence

from core.export.graph_page import graph_page
from core.i18n.escaping import layout, line, shorten
from core.i18n.messages import plain, plain_n, say_plain, t
from core.knowledge.stores.records import Edge, Neighbourhood, Node
from core.ui.knowledge import graph_drawing
from core.ui.shared import display_text, session, st, widgets

FIRST_NODES, MORE_NODES = graph_drawing.FIRST_NODES, 10  # nodes drawn at first, and added by each press


def gather(centres: Sequence[str]) -> Neighbourhood:
    """Return what stands around all the centres; the first of them has the widest circle."""
    library = session.assistant().library.contents
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], Edge] = {}
    more = False
    for at, centre in enumerate(centres):
        near = library.neighbourhood(centre, budget=MORE_NODES if at else FIRST_NODES)
        nodes |= {node.id: nodes.get(node.id, node) for node in near.nodes}
        edges |= {(edge.a, edge.b, edge.kind): edge for edge in near.edges}
        more = more or near.more
    return Neighbourhood(nodes=tuple(nodes.values()), edges=tuple(edges.values()), more=more)


def show(centre: str) -> None:
    """Draw what stands around a node; a node that is pressed shows its own neighbours too."""
    state_key = f"graph_{centre}"
    opened: list[str] = st.session_state.setdefault(state_key, [centre])
    near = gather(opened)
    key = f"drawn_{centre}"

    def expand() -> None:
        chosen = st.session_state[key]["selection"]["selected"]
        indices = [
            at for group in chosen if group["data_type"] in ("node", "main") for at in group["data_indices"]
        ]
        if indices and indices[0] < len(nodes):
            node = nodes[indices[0]].id
            st.session_state[state_key] = (
                [*(n for n in opened if n != node), node] if node != centre else opened
            )

    drawn, height = graph_drawing.chart(near, centre, widgets.theme(), opened[-1])
    nodes = sorted(near.nodes, key=lambda node: node.id != centre)  # as they are drawn
    st.echarts_chart(
        drawn,
        height=height,
        key=key,
        on_select=expand,
        alt=plain("The neighbourhood as a graph of {n} nodes", n=len(near.nodes)),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        count = plain_n("{n} node", "{n} nodes", len(near.nodes))
        more = plain("press one to see more around it; drag to move, scroll to zoom")
        st.caption(layout("{said} · {more}", said=count, more=more))
        if named := graph_drawing.lines(near):
            st.caption(line(named))
        st.download_button(
            t("Save as a page"),
            lambda: graph_page(near, plain("Neighbourhood"), graph_drawing.page_look(near, "light")),
            file_name="graph.html",
            mime="text/html",
            type="tertiary",
            icon=":material/download:",
            on_click="ignore",
            key=f"graph_page_{centre}",
        )
        if len(opened) > 1:
            st.button(
                t("Start anew"),
                type="tertiary",
                icon=":material/restart_alt:",
                key=f"anew_{centre}",
                on_click=lambda: st.session_state.pop(state_key, None),
            )
    _pressed(near, opened[-1], centre)
    _links(near, centre)


def _pressed(near: Neighbourhood, chosen: str, centre: str) -> None:
    """Say in full what was pressed last, with the way to it."""
    node = next((each for each in near.nodes if each.id == chosen), None)
    if node is None or chosen == centre:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"pressed_{centre}"):
        st.markdown(
            layout(
                "**{kind}**\u2002{name}",
                kind=say_plain(graph_drawing.NAMES[node.kind]),
                name=graph_drawing.called(node),
            ),
            anchors=False,
        )
        if node.kind in ("document", "chunk", "entity") and st.button(t("Open it"), key=f"open_{centre}"):
            go_to(node.kind, node.id)


def _links(near: Neighbourhood, centre: str) -> None:
    """Offer the way to each node of the drawing by keyboard, too."""
    others = {n.id: n for n in near.nodes if n.id != centre and n.kind in ("document", "chunk", "entity")}
    labels = display_text.distinct(
        {
            name: f"{say_plain(graph_drawing.NAMES[n.kind])}: {shorten(graph_drawing.called(n), 70)}"
            for name, n in others.items()
        }
    )
    chosen = st.selectbox(
        t("Go to"),
        list(others),
        index=None,
        format_func=labels.__getitem__,
        placeholder=plain("A document, chunk or entity of this drawing"),
        key=f"goto_{centre}",
    )
    if chosen is not None:
        go_to(others[chosen].kind, chosen)


def go_to(kind: str, name: str) -> None:
    """Open a node's own page."""
    if kind == "entity":
        session.go(node=name)
    elif kind == "document":
        session.go(document=name)
    else:
        chunks = session.assistant().library.contents.chunks(ids=[name])
        session.go(document=chunks[0].document_id, chunk=name)
    st.rerun()
