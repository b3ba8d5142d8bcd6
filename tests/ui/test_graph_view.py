"""The neighbourhood is one page that asks for nothing and runs nothing foreign."""

import re

import pytest

from core.knowledge.stores.records import Edge, Neighbourhood, Node
from core.ui.knowledge import graph_view

NEAR = Neighbourhood(
    nodes=(
        Node(id="d1", kind="document", label="Defect report"),
        Node(id="e1", kind="entity", label="</script><img src=x onerror=alert(1)>"),
    ),
    edges=(Edge(a="d1", b="e1", kind="mentions"), Edge(a="d1", b="gone", kind="contains")),
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_asks_for_nothing(theme: str) -> None:
    html = graph_view.page(NEAR, "d1", graph_view.COLOURS[theme])
    assert not re.search(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)\s*=\s*[\"']?(?:https?:)?//", html)


def test_a_label_cannot_leave_its_script() -> None:
    html = graph_view.page(NEAR, "d1", graph_view.COLOURS["light"])
    assert "<img src=x" not in html


def test_an_edge_to_a_node_that_is_not_drawn_is_left_out() -> None:
    assert '"gone"' not in graph_view.page(NEAR, "d1", graph_view.COLOURS["light"])
