"""The drawn parts of the interface, as Streamlit components whose text is set as text, never as markup.

Their JavaScript stands in assets/ and draws what it is given as JSON; colours and fonts come from the theme.
Nothing is fetched from anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.text.messages import mark, plain, say_plain
from core.ui.shared import st

_ASSETS = Path(__file__).parent.parent / "assets"

Row = Mapping[str, object]
_WORDS = {
    "open": mark("Open the source"),
    "pin": mark("Pin"),
    "pinned": mark("Pinned"),
    "ban": mark("Ban"),
    "banned": mark("Banned"),
}


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


def language(code: str, chosen: str, kept: Callable[[str], None], key: str) -> None:
    """Tell the browser the page's language and keep the reader's choice there; `kept` is told an earlier one.

    Stock Streamlit sets no language and keeps nothing for a reader.
    """

    def found() -> None:
        before = st.session_state[key]["kept"]
        if before:
            kept(str(before))

    _component("language")(data={"language": code, "chosen": chosen}, key=key, on_kept_change=found)


def answer(
    blocks: Sequence[Row],
    sources: Mapping[int, Row],
    key: str,
    *,
    writing: bool = False,
    pressed: Callable[[int, int], None] | None = None,
) -> None:
    """Draw an answer of blocks (core.ui.chat.prose), telling `pressed` the number of a citation and the
    place of its sentence. Stock text cannot be pressed, nor show a preview of what is pointed at."""

    def opened() -> None:
        told = st.session_state[key]["opened"]
        if told is not None and pressed is not None:
            pressed(int(told["number"]), int(told["sentence"]))

    data = {
        "blocks": list(blocks),
        "sources": {str(n): dict(source) for n, source in sources.items()},
        "writing": writing,
    }
    _component("answer")(data=data, key=key, on_opened_change=opened)


def plan(data: Row, key: str, *, pressed: Callable[[int], None] | None = None) -> None:
    """Draw a plan: columns of nodes and the edges between them (see core.ui.trace.charts.plan)."""

    def opened() -> None:
        told = st.session_state[key]["opened"]
        if told is not None and pressed is not None:
            pressed(int(told))

    drawn = {**data, "pressable": pressed is not None}
    _component("plan")(data=drawn, key=key, on_opened_change=opened)


def copy(text: str, label: str, key: str) -> None:
    """Draw a button that puts the text into the clipboard; stock Streamlit has none."""
    data = {"text": text, "label": label, "done": plain("Copied")}
    _component("copy")(data=data, key=key, width="content")


def skip(label: str, run: str, key: str) -> None:
    """Draw a link, seen only with the focus, that leads the keyboard to the last answer's first citation;
    when another run is the last, its question is brought into view. Stock Streamlit does neither."""
    _component("skip")(data={"label": label, "run": run}, key=key, width="content")


def slope(data: Row, key: str) -> None:
    """Draw the order before and after reranking (see core.ui.trace.charts.slope)."""
    _mount("slope", data, key)


def tree(data: Row, choose: Callable[[str], None], key: str) -> None:
    """Draw a tree that is used by keyboard (core.ui.trace.run_tree), telling `choose` the node chosen.

    Streamlit has no tree; the nearest, a list of buttons, cannot be folded without a run of the page.
    """

    def chosen() -> None:
        pressed = st.session_state[key]["opened"]
        if pressed is not None:
            choose(str(pressed))

    _component("tree")(data=dict(data), key=key, on_opened_change=chosen)


def evidence(rows: Sequence[Row], key: str) -> int | None:
    """Draw passages with their scores; return the index of the one that was pressed."""
    return _opened(
        _mount(
            "evidence",
            {"rows": list(rows), "words": {name: say_plain(word) for name, word in _WORDS.items()}},
            key,
        )
    )


def markable(rows: Sequence[Row], pin: Callable[[int, str], None], key: str) -> int | None:
    """Draw passages that can be pinned and banned, telling `pin` which and how; return the one pressed."""

    def marked() -> None:
        pressed = st.session_state[key]["marked"]
        if pressed is not None:
            pin(int(pressed["index"]), str(pressed["what"]))

    data = {
        "rows": list(rows),
        "words": {name: say_plain(word) for name, word in _WORDS.items()},
        "marking": True,
    }
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


def passage(text: str, marks: Sequence[tuple[int, int]], heading: str, key: str, *, turn: str = "") -> None:
    """Draw one passage in full with the sentences that matter marked.

    `turn` names what is shown: with another one, the first mark is brought into view.
    """
    data = {"text": text, "marks": [list(mark) for mark in marks], "heading": heading, "turn": turn}
    _component("passage")(data=data, key=key)


def rows(data: Row, key: str) -> None:
    """Draw rows of a table, those that matter marked and in view.

    Stock tables are drawn on a canvas: they cannot bring a row into view, nor tell a screen reader of a mark.
    """
    _component("rows")(data=dict(data), key=key)


def legs(data: Row, key: str) -> tuple[int, int] | None:
    """Draw rankings side by side (core.ui.knowledge.rankings); return the column and row that was pressed."""
    pressed = _opened(_mount("legs", data, key))
    return None if pressed is None else divmod(pressed, 1000)
