"""A neighbourhood of the graph as one HTML page that asks for nothing, drawn by pyvis."""

import html
import re
from collections.abc import Callable, Mapping

from pyvis.network import Network

from core.knowledge.stores.records import Neighbourhood, Node

_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'\">"
)
# pyvis asks for bootstrap from a CDN even where everything else is inlined; nothing here needs it.
_REMOTE = re.compile(r"<(?:link|script)\b[^>]*(?:href|src)\s*=\s*[\"']https?://[^>]*>(?:\s*</script>)?", re.S)


def graph_page(
    near: Neighbourhood, title: str, called: Callable[[Node], str], colours: Mapping[str, str]
) -> bytes:
    """Return the page; pyvis writes names as JSON in which no "<" is left.

    `called` names a node; `colours` gives a colour for each kind, and "line" and "paper".
    """
    network = Network(height="95vh", width="100%", bgcolor=colours["paper"], cdn_resources="in_line")
    known = {node.id for node in near.nodes}
    for node in near.nodes:
        name = called(node)
        network.add_node(node.id, label=name, title=name, color=colours[node.kind], shape="dot")
    for edge in near.edges:
        if edge.a in known and edge.b in known:
            network.add_edge(edge.a, edge.b, title=edge.kind, color=colours["line"])
    drawn = _REMOTE.sub("", str(network.generate_html(notebook=False)))
    return drawn.replace("<head>", f"<head>{_POLICY}<title>{html.escape(title)}</title>", 1).encode()
