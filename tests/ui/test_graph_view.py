"""The neighbourhood is drawn with a name on every node, and what is drawn is data only."""

import re

import pytest

from core.export.graph_page import graph_page
from core.knowledge.stores.records import Edge, Neighbourhood, Node
from core.ui.knowledge import graph_view

HOSTILE = "</script><img src=x onerror=alert(1)>"
NEAR = Neighbourhood(
    nodes=(
        Node(id="d1", kind="document", label="Defect report"),
        Node(id="e1", kind="entity", label=HOSTILE),
        Node(id="s1", kind="section", label="  "),
    ),
    edges=(Edge(a="d1", b="e1", kind="mentions"), Edge(a="d1", b="gone", kind="contains")),
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_node_has_a_name_and_every_kind_stands_in_the_legend(theme: str) -> None:
    drawn = graph_view.chart(NEAR, "d1", graph_view.COLOURS[theme])
    series = drawn["series"][0]  # type: ignore[index]
    assert [node["name"] for node in series["data"]] == [
        "Defect report",
        HOSTILE,
        "Section without a heading",
    ]
    assert all(node["label"]["formatter"].strip() for node in series["data"])
    assert drawn["legend"]["data"] == ["Document", "Section", "Entity"]  # type: ignore[index]
    assert [series["categories"][node["category"]]["name"] for node in series["data"]] == [
        "Document", "Entity", "Section",
    ]  # fmt: skip


def test_the_drawing_leaves_as_a_page_that_asks_for_nothing_and_runs_no_name() -> None:
    page = graph_page(NEAR, "Around", graph_view.called, graph_view.COLOURS["light"]).decode()
    assert "<img src=x" not in page
    assert "\\u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e" in page
    assert "default-src 'none'" in page
    assert not re.search(r"<(?:script|link)[^>]+https?://", page)


def test_names_are_drawn_on_a_canvas_and_an_edge_needs_both_its_nodes() -> None:
    drawn = graph_view.chart(NEAR, "d1", graph_view.COLOURS["light"])
    assert drawn["tooltip"]["renderMode"] == "richText"  # type: ignore[index]
    assert len(drawn["series"][0]["links"]) == 1  # type: ignore[index]
