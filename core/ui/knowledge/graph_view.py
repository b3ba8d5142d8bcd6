"""The neighbourhood of a node as a graph: labelled, coloured by kind, one more step at each press."""

from collections.abc import Sequence

from core.export.graph_page import graph_page
from core.i18n.escaping import layout, shorten
from core.i18n.messages import Message, mark, plain, plain_n, say_plain, t
from core.knowledge.stores.records import Edge, Neighbourhood, Node, NodeKind
from core.ui.shared import display_text, session, st, widgets

HEIGHT_PIXELS = 520
FIRST_NODES, MORE_NODES = 16, 10  # nodes drawn at first, and added by each press
MAX_LABEL_CHARACTERS = 26  # characters
NAMES: dict[NodeKind, Message] = {
    "document": mark("Document"),
    "section": mark("Section"),
    "chunk": mark("Chunk"),
    "atom": mark("Atom"),
    "entity": mark("Entity"),
    "tag": mark("Tag"),
}
COLOURS: dict[str, dict[str, str]] = {
    "light": {
        "document": "#1a6472",
        "section": "#5d8f99",
        "chunk": "#9db8bc",
        "atom": "#c79a3f",
        "entity": "#b7591f",
        "tag": "#7a5a86",
        "line": "#b9bcb4",
        "ink": "#1e2526",
        "paper": "#fcfcfa",
    },
    "dark": {
        "document": "#7fc4cf",
        "section": "#4c8490",
        "chunk": "#5d7f86",
        "atom": "#b08a3e",
        "entity": "#e0915a",
        "tag": "#b79bc2",
        "line": "#4a5455",
        "ink": "#e4e6e2",
        "paper": "#14191a",
    },
}
SIZES: dict[NodeKind, int] = {
    "document": 26, "section": 18, "chunk": 16, "atom": 11, "entity": 20, "tag": 13,
}  # fmt: skip


def called(node: Node) -> str:
    """Return a node's name, never empty: what has none is called after its kind."""
    return node.label.strip() or plain("{kind} without a heading", kind=say_plain(NAMES[node.kind]))


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


def chart(near: Neighbourhood, centre: str, colours: dict[str, str]) -> dict[str, object]:
    """Return the drawing for ECharts, which draws all text on a canvas: nothing in it becomes markup."""
    known = {node.id for node in near.nodes}
    kinds = [kind for kind in NAMES if any(node.kind == kind for node in near.nodes)]
    return {
        "animation": False,
        "tooltip": {"renderMode": "richText", "formatter": "{b}"},
        "legend": {
            "data": [say_plain(NAMES[kind]) for kind in kinds],
            "top": 0,
            "textStyle": {"color": colours["ink"]},
        },
        "series": [
            {
                "type": "graph",
                "layout": "force",
                "roam": True,
                "draggable": True,
                "selectedMode": "single",
                "top": 40,
                "force": {
                    "repulsion": 420,
                    "edgeLength": [70, 170],
                    "gravity": 0.08,
                    "layoutAnimation": False,
                },
                "categories": [
                    {"name": say_plain(NAMES[kind]), "itemStyle": {"color": colours[kind]}} for kind in kinds
                ],
                "label": {
                    "show": True,
                    "position": "bottom",
                    "distance": 3,
                    "color": colours["ink"],
                    "textBorderColor": colours["paper"],
                    "textBorderWidth": 3,
                    "fontSize": 11,
                },
                "labelLayout": {"hideOverlap": True},  # what is hidden is shown when it is pointed at
                "lineStyle": {"color": colours["line"], "width": 1.2},
                "emphasis": {"focus": "adjacency", "label": {"fontWeight": "bold"}},
                "data": [_point(node, kinds, centre, colours) for node in near.nodes],
                "links": [
                    {"source": edge.a, "target": edge.b, "value": edge.kind}
                    for edge in near.edges
                    if edge.a in known and edge.b in known
                ],
            }
        ],
    }


def _point(node: Node, kinds: Sequence[NodeKind], centre: str, colours: dict[str, str]) -> dict[str, object]:
    here = node.id == centre
    return {
        "id": node.id,
        "name": called(node),
        "category": kinds.index(node.kind),
        "symbolSize": SIZES[node.kind] * (1.4 if here else 1),
        "itemStyle": {"borderColor": colours["ink"], "borderWidth": 2} if here else {},
        "label": {"formatter": _label(node)},
    }


def _label(node: Node) -> str:
    """Return what stands at a node; chunks of one table begin alike and are told apart by their place."""
    return "\n".join(filter(None, (shorten(called(node), MAX_LABEL_CHARACTERS), node.location.told())))


def show(centre: str) -> None:
    """Draw what stands around a node; a node that is pressed shows its own neighbours too."""
    kept = f"graph_{centre}"
    opened: list[str] = st.session_state.setdefault(kept, [centre])
    near = gather(opened)
    key = f"drawn_{centre}"

    def expand() -> None:
        chosen = st.session_state[key]["selection"]["selected"]
        indices = [
            at for group in chosen if group["data_type"] in ("node", "main") for at in group["data_indices"]
        ]
        if indices and indices[0] < len(near.nodes):
            node = near.nodes[indices[0]].id
            st.session_state[kept] = [*(n for n in opened if n != node), node] if node != centre else opened

    st.echarts_chart(
        chart(near, centre, COLOURS[widgets.theme()]),
        height=HEIGHT_PIXELS,
        key=key,
        on_select=expand,
        alt=plain("The neighbourhood as a graph of {n} nodes", n=len(near.nodes)),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = plain_n("{n} node", "{n} nodes", len(near.nodes))
        more = plain("press one to see more around it; drag to move, scroll to zoom")
        st.caption(layout("{said} · {more}", said=said, more=more))
        st.download_button(
            t("Save as a page"),
            lambda: graph_page(near, plain("Neighbourhood"), called, COLOURS["light"]),
            file_name="graph.html",
            mime="text/html",
            type="tertiary",
            icon=":material/download:",
            key=f"graph_page_{centre}",
        )
        if len(opened) > 1:
            st.button(
                t("Start anew"),
                type="tertiary",
                icon=":material/restart_alt:",
                key=f"anew_{centre}",
                on_click=lambda: st.session_state.pop(kept, None),
            )
    _pressed(near, opened[-1], centre)
    _links(near, centre)


def _pressed(near: Neighbourhood, chosen: str, centre: str) -> None:
    """Say in full what was pressed last, with the way to it."""
    node = next((held for held in near.nodes if held.id == chosen), None)
    if node is None or chosen == centre:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"pressed_{centre}"):
        st.markdown(
            layout("**{kind}**\u2002{name}", kind=say_plain(NAMES[node.kind]), name=called(node)),
            anchors=False,
        )
        if node.kind in ("document", "chunk", "entity") and st.button(t("Open it"), key=f"open_{centre}"):
            go_to(node.kind, node.id)


def _links(near: Neighbourhood, centre: str) -> None:
    """Offer the way to each node of the drawing by keyboard, too."""
    others = {n.id: n for n in near.nodes if n.id != centre and n.kind in ("document", "chunk", "entity")}
    labels = display_text.distinct(
        {name: f"{say_plain(NAMES[n.kind])}: {shorten(called(n), 70)}" for name, n in others.items()}
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
        held = session.assistant().library.contents.chunks(ids=[name])
        session.go(document=held[0].document_id, chunk=name)
    st.rerun()
