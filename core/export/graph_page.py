"""A neighbourhood of the graph as one HTML page that asks for nothing, drawn by pyvis."""

import hashlib
import html
import re
from base64 import b64encode
from collections.abc import Callable, Mapping

from pyvis.network import Network

from core.knowledge.stores.records import Neighbourhood, Node

_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
    "script-src {scripts}; style-src 'unsafe-inline'\">"
)
_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.S)
# pyvis asks for bootstrap from a CDN even where everything else is inlined; nothing here needs it.
_REMOTE = re.compile(r"<(?:link|script)\b[^>]*(?:href|src)\s*=\s*[\"']https?://[^>]*>(?:\s*</script>)?", re.S)


def graph_page(
    near: Neighbourhood, title: str, called: Callable[[Node], str], colours: Mapping[str, str]
) -> bytes:
    """Return the page; pyvis writes names as JSON in which no "<" is left. Its own scripts alone run.

    Nodes have no tooltip: pyvis writes those as markup where one of them holds "href". A name is drawn whole.
    `called` names a node; `colours` gives a colour for each kind, and "line" and "paper".
    """
    network = Network(height="95vh", width="100%", bgcolor=colours["paper"], cdn_resources="in_line")
    known = {node.id for node in near.nodes}
    for node in near.nodes:
        name = called(node)
        network.add_node(node.id, label=name, color=colours[node.kind], shape="dot")
    for edge in near.edges:
        if edge.a in known and edge.b in known:
            network.add_edge(edge.a, edge.b, title=edge.kind, color=colours["line"])
    drawn = _REMOTE.sub("", str(network.generate_html(notebook=False)))
    digests = (hashlib.sha256(script.encode()).digest() for script in _SCRIPT.findall(drawn))
    policy = _POLICY.format(scripts=" ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests))
    return drawn.replace("<head>", f"<head>{policy}<title>{html.escape(title)}</title>", 1).encode()
