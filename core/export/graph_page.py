"""A neighbourhood of the graph as one HTML page that asks for nothing, drawn by pyvis."""

import hashlib
import html
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from pyvis.network import Network

from core.knowledge.stores.records import Edge, Neighbourhood, Node

_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
    "script-src {scripts}; style-src 'unsafe-inline'\">"
)
_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.S)
# pyvis asks for bootstrap from a CDN even where everything else is inlined; nothing here needs it.
_REMOTE = re.compile(r"<(?:link|script)\b[^>]*(?:href|src)\s*=\s*[\"']https?://[^>]*>(?:\s*</script>)?", re.S)


_FONT_PIXELS = 20  # the drawing is fitted to the window, at half its size or so


@dataclass(frozen=True)
class GraphLook:
    """How the parts of a drawing look, and what is said of them in words."""

    called: Callable[[Node], str]
    colour: Callable[[Node], str]
    label_of: Callable[[Edge], str]  # at a line; "" where `lines` tells enough
    kinds: Sequence[tuple[str, str]]  # what the nodes are, each with its colour
    lines: str  # what the lines are
    dashed: Collection[str]  # kinds of edges
    line: str
    ink: str
    paper: str


def graph_page(near: Neighbourhood, title: str, look: GraphLook) -> bytes:
    """Return the page; pyvis writes names as JSON in which no "<" is left. Its own scripts alone run.

    Nothing has a tooltip: pyvis writes those as markup where one holds "href", and paper shows none. A
    relation is written at its line; what the other lines and the colours mean is written below.
    """
    network = Network(height="88vh", width="100%", bgcolor=look.paper, cdn_resources="in_line")
    network.barnes_hut(gravity=-4000, spring_length=110, overlap=0.4)
    font = {"size": _FONT_PIXELS, "color": look.ink, "strokeColor": look.paper, "strokeWidth": 3}
    known = {node.id for node in near.nodes}
    for node in near.nodes:
        colour, name = look.colour(node), look.called(node)
        network.add_node(node.id, label=name, color=colour, shape="dot", size=14, font=font)
    for edge in near.edges:
        if edge.a in known and edge.b in known:
            dashed = edge.kind in look.dashed
            network.add_edge(
                edge.a, edge.b, label=look.label_of(edge), color=look.line, font=font, dashes=dashed
            )
    drawn = _REMOTE.sub("", str(network.generate_html(notebook=False)))
    digests = (hashlib.sha256(script.encode()).digest() for script in _SCRIPT.findall(drawn))
    policy = _POLICY.format(scripts=" ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests))
    drawn = drawn.replace("<head>", f"<head>{policy}<title>{html.escape(title)}</title>", 1)
    return drawn.replace("</body>", f"{_legend(look)}</body>", 1).encode()


def _legend(look: GraphLook) -> str:
    """Return the legend of colours and lines, in HTML."""
    kinds = " ".join(
        f'<span style="white-space:nowrap"><b style="color:{colour}">\u25cf</b> {html.escape(name)}</span>'
        for name, colour in look.kinds
    )
    return f'<p style="font:14px sans-serif;color:{look.ink}">{kinds}<br>{html.escape(look.lines)}</p>'
