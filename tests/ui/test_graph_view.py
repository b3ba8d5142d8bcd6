"""The neighbourhood is drawn with a name on every node, in sight, and what is drawn is data only."""

import json
import re
from typing import Any

import numpy as np
import pytest

from core.domain import Location
from core.export.graph_page import graph_page
from core.knowledge.stores.records import Edge, Neighbourhood, Node
from core.ui.knowledge import graph_drawing, graph_layout

HOSTILE = "</script><img src=x onerror=alert(1)>"
NEAR = Neighbourhood(
    nodes=(
        Node(id="d1", kind="document", label="Defect report"),
        Node(id="e1", kind="entity", label=HOSTILE, thing="tool"),
        Node(id="e2", kind="entity", label="PN-4410", thing="part number"),
        Node(id="e3", kind="entity", label="ETCH-03", thing="tool"),
        Node(id="s1", kind="section", label="  "),
    ),
    edges=(
        Edge(a="d1", b="e1", kind="mentions"),
        Edge(a="e2", b="d1", kind="made by"),
        Edge(a="e2", b="e3", kind="used in"),
        Edge(a="d1", b="gone", kind="contains"),
    ),
)


def series(theme: str = "light", chosen: str = "") -> dict[str, Any]:
    drawn, _ = graph_drawing.chart(NEAR, "d1", theme, chosen)
    return drawn["series"][0]  # type: ignore[index,no-any-return]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_node_has_a_name_and_what_it_is_stands_counted_in_the_legend(theme: str) -> None:
    drawn, _ = graph_drawing.chart(NEAR, "d1", theme)
    made = series(theme)
    assert [node["name"] for node in made["data"]] == [
        "Defect report", HOSTILE, "PN-4410", "ETCH-03", "Section without a heading",
    ]  # fmt: skip
    assert all(node["label"]["formatter"].strip() for node in made["data"])
    legend = ["Document (1)", "Section (1)", "Tool (2)", "Part number (1)"]
    assert drawn["legend"]["data"] == legend  # type: ignore[index]
    assert [legend[node["category"]].split(" (")[0] for node in made["data"]] == [
        "Document", "Tool", "Part number", "Tool", "Section",
    ]  # fmt: skip
    assert len({each["itemStyle"]["color"] for each in made["categories"]}) == 4


def test_relations_of_the_node_that_was_pressed_are_named_and_all_lines_are_told() -> None:
    def named(chosen: str) -> list[str]:
        return [link["value"] for link in series(chosen=chosen)["links"] if link["label"]["show"]]

    assert named("d1") == ["made by"]
    assert named("e2") == ["made by", "used in"]
    assert graph_drawing.lines(NEAR) == "Lines: named in (1) · made by (1) · used in (1)"


@pytest.mark.parametrize("count", [1, 2, 16, 40])
def test_no_label_lies_over_another_one_on_the_width_of_a_phone(count: int) -> None:
    place = Location(rows=(19, 25), lines=(0, 119))
    nodes = tuple(
        Node(id=str(n), kind="chunk", label=f"sensor-log-ETCH-{n} date | tool", location=place)
        for n in range(count)
    )
    edges = tuple(Edge(a="0", b=str(n), kind="mentions") for n in range(1, count))
    drawn, height = graph_drawing.chart(Neighbourhood(nodes=nodes, edges=edges), "0", "light")
    labels = [node["label"]["formatter"] for node in drawn["series"][0]["data"]]  # type: ignore[index]
    assert max(len(line) for label in labels for line in label.split("\n")) <= 23
    size = np.array([(22 * 6.2, 45.0)] * count)
    places, tall = graph_layout.place(size.tolist(), [(0, n) for n in range(1, count)], 350, 470)
    assert height < 60 * count + 520
    assert (places - size / 2 >= -1).all()
    assert (places + size / 2 <= np.array([350, tall]) + 1).all()
    for n, one in enumerate(places):
        for m, other in enumerate(places[:n]):
            assert (np.abs(one - other) >= (size[n] + size[m]) / 2).any(), (n, m)


def test_the_drawing_leaves_as_a_page_that_asks_for_nothing_and_runs_no_name() -> None:
    page = graph_page(NEAR, "Around", graph_drawing.page_look(NEAR, "light")).decode()
    assert "<img src=x" not in page
    assert "\\u003c/script\\u003e\\u003cimg src=x" in page
    assert "default-src 'none'" in page
    assert not re.search(r"<(?:script|link)[^>]+https?://", page)


def test_the_page_says_in_sight_what_its_nodes_and_lines_are() -> None:
    page = graph_page(NEAR, "Around", graph_drawing.page_look(NEAR, "light")).decode()
    drawn = re.search(r"new vis\.DataSet\((\[\{[^\n]*\"from\"[^\n]*\])\)", page)
    assert drawn is not None
    edges = json.loads(drawn[1])
    assert [edge["label"] for edge in edges] == ["", "made by", "used in"], "a relation says itself"
    assert not [edge for edge in edges if "title" in edge], "what is told on hover only is not on paper"
    legend = re.sub("<[^>]+>", "", page[page.rindex("<p ") :])
    assert "Tool (2)" in legend and "Lines: named in (1) · made by (1) · used in (1)" in legend


def test_names_are_drawn_on_a_canvas_and_an_edge_needs_both_its_nodes() -> None:
    drawn, _ = graph_drawing.chart(NEAR, "d1", "light")
    assert drawn["tooltip"]["renderMode"] == "richText"  # type: ignore[index]
    assert len(series()["links"]) == 3
