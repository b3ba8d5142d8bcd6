"""The drawn parts of the interface, as Streamlit components whose text is set as text, never as markup.

Their JavaScript stands in assets/ and draws what it is given as JSON; colours and fonts come from the theme.
Nothing is fetched from anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.ui.shared import st

_ASSETS = Path(__file__).parent.parent / "assets"

Row = Mapping[str, object]


@cache
def _script(name: str) -> str:
    return "\n".join((_ASSETS / part).read_text("utf-8") for part in ("dom.js", f"{name}.js"))


@cache
def _style() -> str:
    return (_ASSETS / "figures.css").read_text("utf-8")


@cache
def _component(name: str) -> st.ComponentRenderer:
    return st.components.v2.component(f"strata_{name}", js=_script(name), css=_style(), isolate_styles=False)


def _mount(name: str, data: Row, key: str) -> Any:
    return _component(name)(data=dict(data), key=key, on_opened_change=lambda: None)


def _opened(result: Any) -> int | None:
    return None if result.opened is None else int(result.opened)


def answer(
    blocks: Sequence[Row], sources: Mapping[int, str], key: str, *, writing: bool = False
) -> int | None:
    """Draw an answer of blocks (core.ui.chat.prose); return the number of the citation that was pressed."""
    data = {
        "blocks": list(blocks),
        "sources": {str(n): label for n, label in sources.items()},
        "writing": writing,
    }
    return _opened(_mount("answer", data, key))


def plan(data: Row, key: str) -> None:
    """Draw a plan: columns of nodes and the edges between them (see core.ui.trace.charts.plan)."""
    _mount("plan", data, key)


def slope(data: Row, key: str) -> None:
    """Draw the order before and after reranking (see core.ui.trace.charts.slope)."""
    _mount("slope", data, key)


def waterfall(data: Row, key: str) -> None:
    """Draw the steps of a run on a common time axis (see core.ui.trace.charts.waterfall)."""
    _mount("waterfall", data, key)


def evidence(rows: Sequence[Row], key: str) -> int | None:
    """Draw passages with their scores; return the index of the one that was pressed."""
    return _opened(_mount("evidence", {"rows": list(rows)}, key))


def markable(rows: Sequence[Row], mark: Callable[[int, str], None], key: str) -> int | None:
    """Draw passages that can be pinned and banned, telling `mark` which and how; return the one pressed."""

    def marked() -> None:
        pressed = st.session_state[key]["marked"]
        if pressed is not None:
            mark(int(pressed["index"]), str(pressed["what"]))

    data = {"rows": list(rows), "marking": True}
    return _opened(
        _component("evidence")(data=data, key=key, on_opened_change=lambda: None, on_marked_change=marked)
    )


def compare(data: Row, key: str) -> None:
    """Draw two texts side by side, row beside row (see core.ui.trace.differences)."""
    _component("compare")(data=dict(data), key=key)


def shares(data: Row, key: str) -> None:
    """Draw a bar a document (see core.ui.trace.charts.shares)."""
    _component("shares")(data=dict(data), key=key)


def ledger(rows: Sequence[Row], sources: Mapping[int, str], key: str) -> int | None:
    """Draw sentences against their citations; return the number of the citation that was pressed."""
    data = {"rows": list(rows), "sources": {str(n): label for n, label in sources.items()}}
    return _opened(_mount("ledger", data, key))


def passage(text: str, marks: Sequence[tuple[int, int]], heading: str, key: str) -> None:
    """Draw one passage in full with the sentences that matter marked."""
    _mount("passage", {"text": text, "marks": [list(mark) for mark in marks], "heading": heading}, key)


def legs(data: Row, key: str) -> tuple[int, int] | None:
    """Draw rankings side by side (core.ui.knowledge.rankings); return the column and row that was pressed."""
    pressed = _opened(_mount("legs", data, key))
    return None if pressed is None else divmod(pressed, 1000)
