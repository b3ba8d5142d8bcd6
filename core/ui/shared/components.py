"""The drawn parts of the interface, as Streamlit components whose text is set as text, never as markup.

Their JavaScript is in assets/ and draws what it is given as JSON; colours and fonts come from the theme.
Nothing is fetched from anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from core.i18n.messages import mark, plain, say_plain
from core.ui.shared import st, streamlit_words

_ASSETS = Path(__file__).parent.parent / "assets"

Row = Mapping[str, object]
_WORDS = {
    "open": mark("Open the source"),
    "pin": mark("Pin"),
    "pinned": mark("Pinned"),
    "ban": mark("Ban"),
    "banned": mark("Banned"),
    "source": mark("Source"),
    "row": mark("Row"),
    "uncited": mark("no citation"),
    "none": mark("nothing found"),
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


def _texts(*names: str) -> dict[str, str]:
    return {name: say_plain(_WORDS[name]) for name in names}


def _on_press(key: str, pressed: Callable[[int], None] | None) -> Callable[[], None]:
    """Return what tells `pressed` the number a figure was pressed at, before the page is drawn anew."""

    def opened() -> None:
        number = st.session_state[key]["opened"]
        if number is not None and pressed is not None:
            pressed(int(number))

    return opened


def language(code: str, chosen: str, on_kept: Callable[[str], None], key: str) -> None:
    """Set the page's language in the browser and keep the reader's choice; `on_kept` gets an earlier one.

    Stock Streamlit sets no language, keeps nothing for a reader, and has its own words in English only.
    """

    def found() -> None:
        before = st.session_state[key]["kept"]
        if before:
            on_kept(str(before))

    data = {"language": code, "chosen": chosen, "words": streamlit_words.words()}
    _component("language")(data=data, key=key, on_kept_change=found)


def answer(
    blocks: Sequence[Row],
    sources: Mapping[int, Row],
    key: str,
    *,
    writing: bool = False,
    pressed: Callable[[int, int], None] | None = None,
) -> None:
    """Draw an answer of blocks (core.ui.chat.answer_layout), telling `pressed` the number of a citation and
    the place of its sentence. Stock text cannot be pressed, nor show a preview of what is pointed at."""

    def opened() -> None:
        event = st.session_state[key]["opened"]
        if event is not None and pressed is not None:
            pressed(int(event["number"]), int(event["sentence"]))

    data = {
        "blocks": list(blocks),
        "sources": {str(n): dict(source) for n, source in sources.items()},
        "writing": writing,
        "words": _texts("source"),
    }
    _component("answer")(data=data, key=key, on_opened_change=opened)


def plan(data: Row, key: str, *, pressed: Callable[[int], None] | None = None) -> None:
    """Draw a plan: columns of nodes and the edges between them (see core.ui.trace.trace_charts.plan). Stock
    graphs are a canvas or a picture: the keyboard reaches no node, and a screen reader reads none."""
    drawn = {**data, "pressable": pressed is not None}
    _component("plan")(data=drawn, key=key, on_opened_change=_on_press(key, pressed))


def copy(text: str, label: str, key: str) -> None:
    """Draw a button that puts the text into the clipboard; stock Streamlit has none."""
    data = {"text": text, "label": label, "done": plain("Copied")}
    _component("copy")(data=data, key=key, width="content")


def skip(label: str, run: str, key: str, *, arrived: Callable[[str], None] | None = None) -> None:
    """Draw a skip link, visible only while focused, to the first citation of the last answer.

    The question of another `run` is scrolled into view once; `arrived` is then called with that run's id.
    Stock Streamlit has neither.
    """

    def on_arrived() -> None:
        there = st.session_state[key]["arrived"]
        if there is not None and arrived is not None:
            arrived(str(there))

    data = {"label": label, "run": run, "tell": arrived is not None}
    _component("skip")(data=data, key=key, width="content", on_arrived_change=on_arrived)


def slope(data: Row, key: str) -> None:
    """Draw the order before and after reranking (see core.ui.trace.trace_charts.slope). A stock chart keeps
    no room for titles at its lines."""
    _component("slope")(data=dict(data), key=key)


def tree(data: Row, choose: Callable[[str], None], key: str) -> None:
    """Draw a tree that is used by keyboard (core.ui.trace.run_tree), telling `choose` the node chosen.

    Streamlit has no tree; the nearest, a list of buttons, cannot be folded without a run of the page.
    """

    def chosen() -> None:
        pressed = st.session_state[key]["opened"]
        if pressed is not None:
            choose(str(pressed))

    _component("tree")(data=dict(data), key=key, on_opened_change=chosen)


def evidence(
    rows: Sequence[Row],
    key: str,
    pressed: Callable[[int], None],
    *,
    pin: Callable[[int, str], None] | None = None,
) -> None:
    """Draw passages with their scores; `pressed` is called with the index of the one to open.

    With `pin`, passages can be pinned and banned, and it is called with the index and what was done. A row of
    a stock table does not unfold, and the head of a stock expander holds no figure.
    """

    def marked() -> None:
        event = st.session_state[key]["marked"]
        if event is not None and pin is not None:
            pin(int(event["index"]), str(event["what"]))

    data = {
        "rows": list(rows),
        "words": _texts("open", "pin", "pinned", "ban", "banned"),
        "marking": pin is not None,
    }
    _component("evidence")(
        data=data, key=key, on_opened_change=_on_press(key, pressed), on_marked_change=marked
    )


def compare(data: Row, key: str) -> None:
    """Draw two texts side by side, row beside row (see core.ui.trace.run_differences). Stock text
    cannot mark words that changed."""
    _component("compare")(data=dict(data), key=key)


def shares(data: Row, key: str) -> None:
    """Draw a bar a document (see core.ui.trace.trace_charts.shares). A stock chart keeps no room for titles,
    and a stock bar tells a screen reader of work in progress."""
    _component("shares")(data=dict(data), key=key)


def ledger(
    rows: Sequence[Row], sources: Mapping[int, str], key: str, pressed: Callable[[int, int], None]
) -> None:
    """Draw sentences against their citations, telling `pressed` the number of a citation and the place of
    its sentence. Nothing in a stock table can be pressed."""

    def opened() -> None:
        event = st.session_state[key]["opened"]
        if event is not None:
            pressed(int(event["number"]), int(event["sentence"]))

    data = {
        "rows": list(rows),
        "sources": {str(n): label for n, label in sources.items()},
        "words": _texts("source", "uncited"),
    }
    _component("ledger")(data=data, key=key, on_opened_change=opened)


def options(data: Row, key: str, pressed: Callable[[int, int], None]) -> None:
    """Draw options side by side as a table, or one below the other where there is no room, telling `pressed`
    the number of a source and the place of its option. A stock table is not as wide as it needs to be, and
    nothing in it can be pressed."""

    def opened() -> None:
        event = st.session_state[key]["opened"]
        if event is not None:
            pressed(int(event["number"]), int(event["option"]))

    _component("options")(data={**data, "words": _texts("source")}, key=key, on_opened_change=opened)


def passage(
    text: str,
    marks: Sequence[tuple[int, int]],
    heading: str,
    key: str,
    *,
    turn: str = "",
    drawn: tuple[str, float] | None = None,
) -> None:
    """Draw one passage in full with the sentences that matter marked.

    `turn` names what is shown: with another one, the first mark scrolls into view; where its page is drawn
    above it, in the container of the key in `drawn`, its place on it, that share of the page from its top.
    Stock Streamlit cannot scroll.
    """
    data = {
        "text": text,
        "marks": [list(mark) for mark in marks],
        "heading": heading,
        "turn": turn,
        "drawn": list(drawn) if drawn is not None else None,
    }
    _component("passage")(data=data, key=key)


def rows(data: Row, key: str) -> None:
    """Draw rows of a table, those that matter marked and in view.

    Stock tables are drawn on a canvas: they cannot scroll to a row, nor tell a screen reader of a mark.
    """
    _component("rows")(data={**data, "words": _texts("row")}, key=key)


def legs(data: Row, key: str, pressed: Callable[[int, int], None]) -> None:
    """Draw rankings side by side (core.ui.evaluation.rankings), telling `pressed` the column and the row.
    Stock columns do not keep rows beside each other."""
    drawn = {**data, "words": _texts("none")}
    _component("legs")(
        data=drawn, key=key, on_opened_change=_on_press(key, lambda number: pressed(*divmod(number, 1000)))
    )
