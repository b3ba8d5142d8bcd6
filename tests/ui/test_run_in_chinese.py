"""What the interface says of a run in words of its own is shown in the reader's language."""

import pytest

from core.domain import Location
from core.i18n import messages
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import Neighbourhood, Node
from core.learning.usefulness_prior import REASON
from core.llm.encoders.second_hop import BY_HOP, HOPPED
from core.perspectives.lens import LENS
from core.retrieval import reasons
from core.retrieval.labelled_rows import BY_ROW
from core.retrieval.table_query import COMPUTED
from core.tasks.task_base import Task
from core.ui.knowledge import graph_drawing
from core.ui.shared import display_text
from core.ui.trace import event_words, run_tree, trace_charts
from core.ui.trace.run_trace import read_trace
from tests.ui import sample

KEPT = (
    *reasons.BY_LEG.values(), *reasons.BY_SUMMARY.values(), reasons.BY_ATOM, reasons.BY_NAME, reasons.BY_LINK,
    BY_HOP, HOPPED, BY_ROW, COMPUTED, LENS, REASON,
)  # fmt: skip
VALUES = {
    "rank": 3, "atom": "Which pump?", "name": "V-7", "there": "Limits", "names": "Ada", "role": "Cost",
    "label": "V-7", "table": "Limits", "query": "SELECT 1", "good": 2, "times": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "english", "chinese"),
    [
        (Location(page=2), "page 3", "第 3 页"),
        (Location(page=0, rows=(0, 4)), "page 1, rows 1 to 5", "第 1 页, 第 1 至 5 行"),
        (Location(sheet="May", rows=(6, 6)), "May, row 7", "May, 第 7 行"),
        (Location(lines=(9, 12)), "lines 10 to 13", "文本第 10 至 13 行"),
        (Location(seconds=(4.0, 9.0)), "4 s to 9 s", "4 秒至 9 秒"),
    ],
)
def test_a_place_is_told_to_the_reader_and_kept_in_english(
    place: Location, english: str, chinese: str
) -> None:
    with messages.speaking("zh"):
        assert place.in_words() == chinese
        assert place.label() == english  # prompts and caches do not depend on who reads
    assert place.in_words() == place.label() == english


@pytest.mark.parametrize("kept", KEPT)
def test_why_a_passage_was_found_is_recognised(kept: str) -> None:
    result = kept.format(**VALUES)
    with messages.speaking("zh"):
        text = translated_plain(result)
    assert text != result and translated_plain(result) == result
    assert all(str(value) in text for name, value in VALUES.items() if f"{{{name}}}" in kept)


def test_every_task_has_a_name_of_its_own() -> None:
    asked = [kind.__name__ for kind in Task.__subclasses__() if kind.__module__.startswith("core.")]
    with messages.speaking("zh"):
        shown = {name: event_words.task(name) for name in asked}
    assert len(set(shown.values())) == len(asked) > 10
    assert not [name for name, text in shown.items() if text.isascii()]


def test_calls_passages_and_marks_of_a_run_are_told() -> None:
    trace = read_trace(sample.events())
    with messages.speaking("zh"):
        calls = [node for node in run_tree.tree(sample.run(), trace) if node.id.startswith("call:")]
        rows = trace_charts.evidence(sample.PASSAGES, [sample.PASSAGES[0].chunk.id], lambda chunk: "banned")
    assert calls and all("内置引擎" in node.label and not node.kind.isascii() for node in calls)
    assert rows[0]["badge"] == "已引用, 已禁用" and rows[0]["place"] == "第 2 页"


def test_chunks_that_begin_alike_are_told_apart_in_the_drawing() -> None:
    one, other = (
        Node(id=str(n), kind="chunk", label="sensor log date | tool", location=Location(rows=(n, n + 4)))
        for n in (0, 5)
    )
    near = Neighbourhood(nodes=(one, other), edges=())
    drawn, _ = graph_drawing.chart(near, "0", "light")
    labels = [node["label"]["formatter"] for node in drawn["series"][0]["data"]]  # type: ignore[index]
    assert labels == ["sensor log date | tool\nrows 1 to 5", "sensor log date | tool\nrows 6 to 10"]


def test_what_entities_are_is_told_in_chinese_and_a_word_of_the_library_stays() -> None:
    with messages.speaking("zh"):
        assert [display_text.thing(kind) for kind in ("person", "supplier", "检查项目", "reticle")] == [
            "人物", "供应商", "检查项目", "reticle",
        ]  # fmt: skip


def test_what_kind_of_file_a_document_is_is_told() -> None:
    with messages.speaking("zh"):
        kinds = ("application/vnd.ms-outlook", "application/x-ipynb+json", "application/json")
        assert [display_text.kind(kind) for kind in kinds] == ["电子邮件", "Jupyter 笔记本", "JSON"]
