"""Draws the neighbourhood of a node with pyvis, wholly offline."""

import json
import re
from collections.abc import Sequence

from pyvis.network import Network

from core.knowledge.stores.records import Neighbourhood
from core.text.escaping import Safe, join, shorten
from core.text.messages import plain, t, tn
from core.ui import app_server
from core.ui.shared import st

HEIGHT = 520
# pyvis asks for bootstrap from a CDN even when everything else is inlined; nothing here needs it.
_SCRIPT = re.compile(r"<script\b(.*?</script>)", re.S)  # whole, for a script may speak of scripts
_REMOTE = re.compile(r"<(?:link|script)\b[^>]*(?:href|src)\s*=\s*[\"']https?://[^>]*>(?:\s*</script>)?", re.S)

COLOURS = {
    "light": {
        "document": "#1a6472",
        "section": "#5d8f99",
        "chunk": "#b9cdd0",
        "atom": "#d9b46c",
        "entity": "#b7791f",
        "tag": "#8d9492",
        "line": "#c9cbc4",
        "ink": "#1e2526",
        "paper": "#fcfcfa",
    },
    "dark": {
        "document": "#7fc4cf",
        "section": "#4c8490",
        "chunk": "#3c5a60",
        "atom": "#8f7136",
        "entity": "#d6a24c",
        "tag": "#78807e",
        "line": "#3a4344",
        "ink": "#e4e6e2",
        "paper": "#14191a",
    },
}
SIZES = {"document": 20, "section": 14, "chunk": 12, "atom": 8, "entity": 15, "tag": 10}


def options(colours: dict[str, str]) -> str:
    """Return the drawing's options: labels outlined in the paper's colour, a layout that settles at once."""
    font = {"face": "Source Sans, sans-serif", "color": colours["ink"], "strokeColor": colours["paper"]}
    return json.dumps(
        {
            "nodes": {"borderWidth": 0, "font": {**font, "size": 18, "strokeWidth": 3}},
            "edges": {"smooth": False, "width": 1},
            "interaction": {"hover": True, "keyboard": {"enabled": True, "bindToWindow": False}},
            "physics": {
                "solver": "forceAtlas2Based",
                "forceAtlas2Based": {"springLength": 90, "gravitationalConstant": -60},
                "stabilization": {"iterations": 250, "fit": True},
            },
        }
    )


def theme() -> str:
    """Return the theme the reader has chosen, "light" where it is not known."""
    kind = st.context.theme.type
    return kind if kind in COLOURS else "light"


def page(near: Neighbourhood, centre: str, colours: dict[str, str], labelled: Sequence[str] = ()) -> str:
    """Return the drawing as one HTML page that asks for nothing."""
    network = Network(
        height=f"{HEIGHT - 4}px",
        width="100%",
        bgcolor=colours["paper"],
        cdn_resources="in_line",
    )
    network.set_options(options(colours))
    known = {node.id for node in near.nodes}
    for node in near.nodes:
        shown = node.id == centre or node.kind not in ("chunk", "atom") or node.id in labelled
        network.add_node(
            node.id,
            label=shorten(node.label, 28) if shown else " ",
            title=shorten(f"{node.kind}: {node.label}", 200),
            color=colours[node.kind],
            size=SIZES[node.kind] * (1.5 if node.id == centre else 1),
        )
    for edge in near.edges:
        if edge.a in known and edge.b in known:
            network.add_edge(edge.a, edge.b, title=edge.kind, color=colours["line"])
    # The layout settles before it is shown and then stands still.
    settled = (
        "network.once('stabilizationIterationsDone', function () { network.setOptions({physics: false}); });"
    )
    html = _REMOTE.sub("", str(network.generate_html(notebook=False)))
    html = html.replace("return network;", f"{settled} return network;")
    html = _SCRIPT.sub(rf'<script nonce="{app_server.NONCE}"\1', html)
    plain = (
        f"<style>body,.card{{margin:0;border:0;background:{colours['paper']}}}h1,#loadingBar{{display:none}}"
    )
    return html.replace(
        "</head>", f"{plain}#mynetwork{{border:0!important;float:none!important}}</style></head>"
    )


def show(near: Neighbourhood, centre: str) -> None:
    """Draw the neighbourhood with a legend of its kinds."""
    colours = COLOURS[theme()]
    st.iframe(page(near, centre, colours), height=HEIGHT, alt=plain("The neighbourhood as a graph"))
    kinds: dict[str, int] = {}
    for node in near.nodes:
        kinds[node.kind] = kinds.get(node.kind, 0) + 1
    said = [_counted(kind, number) for kind, number in kinds.items()]
    if near.more:
        said.append(t("more lies beyond the budget"))
    help_ = t("Drag to move, scroll to zoom, point to read.")
    st.caption(t("{what}. {help}", what=join(" · ", said), help=help_))


def _counted(kind: str, n: int) -> Safe:
    match kind:
        case "document":
            return tn("{n} document", "{n} documents", n)
        case "section":
            return tn("{n} section", "{n} sections", n)
        case "chunk":
            return tn("{n} chunk", "{n} chunks", n)
        case "atom":
            return tn("{n} atom", "{n} atoms", n)
        case "entity":
            return tn("{n} entity", "{n} entities", n)
        case _:
            return tn("{n} tag", "{n} tags", n)
