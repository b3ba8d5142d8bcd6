"""Draws a neighbourhood for ECharts: a name at each node, a colour for what it is, words at relations."""

import math
from collections import Counter

import numpy as np

from core.export.graph_page import GraphLook
from core.i18n.escaping import shorten
from core.i18n.messages import Message, mark, plain, say_plain
from core.knowledge.search.neighbourhood import TOGETHER
from core.knowledge.stores.records import Edge, Neighbourhood, Node, NodeKind
from core.ui.knowledge import graph_layout
from core.ui.shared import display_text

HEIGHT_PIXELS, PIXELS_A_NODE = 470, 26  # of the first nodes, and of each that is added
NARROW_PIXELS = 350  # the least width: a phone's
LINE_PIXELS, LEGEND_PIXELS = 13, 24
FIRST_NODES = 16  # nodes that have room in the height
MAX_LABEL_CHARACTERS = 22
THING = "thing:"  # before what an entity is, in the name of its group
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
ENTITIES: dict[str, tuple[str, ...]] = {  # colours of what entities are
    "light": ("#b7591f", "#3f6fb0", "#8a3d63", "#5d7a1f", "#8c6d1f", "#2d8a6b", "#a03c3c", "#5a5f9e"),
    "dark": ("#e0915a", "#86aee6", "#d389ad", "#a9c46c", "#d6b65e", "#72cdae", "#e58a8a", "#a5a9e6"),
}
EDGES: dict[str, Message] = {  # lines that say where something stands; other ones are relations
    "contains": mark("contains"),
    "mentions": mark("named in"),
    "asks": mark("says or answers"),
    "tagged": mark("is tagged"),
    "refers": mark("points to"),
    TOGETHER: mark("named together"),
}
LINES = {TOGETHER: "dotted", "refers": "dashed"}
DASHES = {"dotted": "┈", "dashed": "╌"}
SIZES: dict[NodeKind, int] = {
    "document": 26, "section": 18, "chunk": 16, "atom": 11, "entity": 20, "tag": 13,
}  # fmt: skip


def called(node: Node) -> str:
    """Return a node's name, never empty: what has none is called after its kind."""
    return node.label.strip() or plain("{kind} without a heading", kind=say_plain(NAMES[node.kind]))


def groups(near: Neighbourhood, theme: str) -> dict[str, tuple[str, str]]:
    """Return the name with its count, and the colour, of each kind of node; entities go by what they are."""
    counts = Counter(_group(node) for node in near.nodes)
    shown: dict[str, tuple[str, str]] = {}
    for kind in NAMES:
        if kind in counts:
            shown[kind] = f"{say_plain(NAMES[kind])} ({counts[kind]})", COLOURS[theme][kind]
    things = sorted((name for name in counts if name not in shown), key=lambda name: (-counts[name], name))
    for n, name in enumerate(things):
        called = display_text.sentence(display_text.thing(name.removeprefix(THING)))
        shown[name] = f"{called} ({counts[name]})", ENTITIES[theme][n % len(ENTITIES[theme])]
    return shown


def _group(node: Node) -> str:
    return f"{THING}{node.thing}" if node.thing else node.kind


def chart(near: Neighbourhood, centre: str, theme: str, chosen: str = "") -> tuple[dict[str, object], int]:
    """Return the drawing for ECharts and its height in pixels. ECharts draws all text on a canvas: nothing in
    it becomes markup. The relations of the node that was `chosen` last are named at their lines."""
    colours, shown = COLOURS[theme], groups(near, theme)
    nodes = sorted(near.nodes, key=lambda node: node.id != centre)
    at = {node.id: n for n, node in enumerate(nodes)}
    edges = [edge for edge in near.edges if edge.a in at and edge.b in at]
    labels = [_label(node) for node in nodes]
    boxes = [_box(node, label, here=node.id == centre) for node, label in zip(nodes, labels, strict=True)]
    room = HEIGHT_PIXELS + PIXELS_A_NODE * max(0, len(nodes) - FIRST_NODES)
    links = [(at[edge.a], at[edge.b]) for edge in edges]
    places, height = graph_layout.place(boxes, links, NARROW_PIXELS, room)
    tops = places[:, 1] - [tall / 2 for _, tall in boxes]
    middles = tops + [_across(node, here=node.id == centre) / 2 for node in nodes]
    rows = math.ceil(sum(45 + 1.1 * _wide(name) for name, _ in shown.values()) / (NARROW_PIXELS - 45))
    head = LEGEND_PIXELS * rows + 8
    points = [
        _point(node, label, (float(x), float(y)), centre, list(shown).index(_group(node)), colours)
        for node, label, x, y in zip(nodes, labels, places[:, 0], middles, strict=True)
    ]
    drawn: dict[str, object] = {
        "animation": False,
        "tooltip": {"renderMode": "richText", "formatter": "{b}"},
        "legend": {
            "data": [name for name, _ in shown.values()],
            "top": 0,
            "textStyle": {"color": colours["ink"]},
        },
        "series": [
            {
                "type": "graph",
                "layout": "none",
                "roam": True,
                "draggable": True,
                "selectedMode": "single",
                "left": "center",
                "width": float(np.ptp(places[:, 0])),
                "top": head + float(middles.min()),
                "height": float(np.ptp(middles)),
                "categories": [
                    {"name": name, "itemStyle": {"color": colour}} for name, colour in shown.values()
                ],
                "label": {
                    "show": True,
                    "position": "bottom",
                    "distance": 3,
                    "color": colours["ink"],
                    "textBorderColor": colours["paper"],
                    "textBorderWidth": 3,
                    "fontSize": 11,
                    "lineHeight": LINE_PIXELS,
                },
                "lineStyle": {"color": colours["line"], "width": 1.2},
                "edgeLabel": {
                    "fontSize": 10,
                    "opacity": 1,
                    "color": colours["ink"],
                    "textBorderColor": colours["paper"],
                    "textBorderWidth": 3,
                    "formatter": "{c}",
                },
                "emphasis": {"focus": "adjacency", "label": {"fontWeight": "bold"}},
                "data": points,
                "links": [_link(edge, chosen or centre) for edge in edges],
            }
        ],
    }
    return drawn, round(head + height)


def edge_label(edge: Edge) -> str:
    """Return what a line says: a relation its own words."""
    return say_plain(EDGES[edge.kind]) if edge.kind in EDGES else edge.kind


def _link(edge: Edge, chosen: str) -> dict[str, object]:
    """Return a line; its label shows when it is pointed at, that of a relation of the chosen node always."""
    is_relation = edge.kind not in EDGES
    return {
        "source": edge.a,
        "target": edge.b,
        "value": edge_label(edge),
        "tooltip": {"formatter": "{c}"},
        "lineStyle": {"type": LINES.get(edge.kind, "solid"), "width": 2 if is_relation else 1.2},
        "label": {"show": is_relation and chosen in (edge.a, edge.b)},
    }


def _across(node: Node, *, here: bool) -> float:
    return SIZES[node.kind] * (1.4 if here else 1)


def _wide(text: str) -> float:
    return sum(11.0 if ord(sign) > 0x2E7F else 6.2 for sign in text)


def _box(node: Node, label: str, *, here: bool) -> tuple[float, float]:
    """Return the width and height of a node with its label below."""
    lines, across = label.split("\n"), _across(node, here=here)
    return max(across, *map(_wide, lines)), across + 3 + LINE_PIXELS * len(lines)


def _point(
    node: Node, label: str, at: tuple[float, float], centre: str, group: int, colours: dict[str, str]
) -> dict[str, object]:
    here = node.id == centre
    return {
        "id": node.id,
        "name": called(node),
        "x": at[0],
        "y": at[1],
        "category": group,
        "symbolSize": _across(node, here=here),
        "itemStyle": {"borderColor": colours["ink"], "borderWidth": 2} if here else {},
        "label": {"formatter": label},
    }


def _label(node: Node) -> str:
    """Return a node's label with its place in the document: chunks of one table begin alike."""
    parts = (called(node), node.location.in_words())
    return "\n".join(shorten(text, MAX_LABEL_CHARACTERS) for text in parts if text)


def page_look(near: Neighbourhood, theme: str) -> GraphLook:
    """Return how the drawing looks as its own page."""
    colours, shown = COLOURS[theme], groups(near, theme)
    return GraphLook(
        called=_label,
        colour=lambda node: shown[_group(node)][1],
        label_of=lambda edge: "" if edge.kind in EDGES else edge.kind,
        kinds=tuple(shown.values()),
        lines=lines(near),
        dashed=LINES.keys(),
        line=colours["line"],
        ink=colours["ink"],
        paper=colours["paper"],
    )


def lines(near: Neighbourhood) -> str:
    """Say what the lines of a drawing are and how many, a relation by its own words."""
    known = {node.id for node in near.nodes}
    drawn = [edge for edge in near.edges if edge.a in known and edge.b in known]
    words = {edge.kind: edge_label(edge) for edge in drawn}
    listed = [
        f"{words[kind]} ({n})" + (f" {DASHES[LINES[kind]]}" if kind in LINES else "")
        for kind, n in Counter(edge.kind for edge in drawn).most_common()
    ]
    return plain("Lines: {kinds}", kinds=" · ".join(listed)) if listed else ""
