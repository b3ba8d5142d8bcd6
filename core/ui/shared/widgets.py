"""Small pieces that several pages use."""

import re
from collections.abc import Iterable
from typing import Literal

import pandas as pd

from core.domain import Document
from core.errors import StrataError
from core.i18n.escaping import Safe, join, layout, line
from core.i18n.recorded_messages import translated
from core.trace import Failed
from core.ui.shared import st

_FIGURES = re.compile(r"(\d{1,15})")


def theme() -> Literal["light", "dark"]:
    """Return the theme the reader has chosen, "light" where it is not known."""
    return "dark" if st.context.theme.type == "dark" else "light"


def section(number: int, title: str, anchor: str = "") -> None:
    """Write a numbered section heading of a run's page."""
    st.subheader(
        layout("{number}\u2002{title}", number=number, title=title), anchor=anchor or False, divider="gray"
    )


def facts(rows: Iterable[tuple[str, str]]) -> None:
    """Write pairs of a name and foreign text, one a line."""
    lines = [layout("**{name}**\u2002{text}", name=name, text=text) for name, text in rows]
    if lines:
        st.markdown(join("  \n", lines), anchors=False)


def failure(failed: Failed) -> None:
    """Show why a run failed, with the report to copy where it is a bug."""
    st.error(
        layout("**{what}**  \n{hint}", what=translated(failed.message), hint=translated(failed.hint)),
        icon=":material/error:",
    )
    if failed.details:
        st.code(failed.details, language=None, wrap_lines=True, height=200)


def complaint(error: StrataError) -> Safe:
    """Return a known error and what to do about it, a line each."""
    return join("  \n", [translated(str(error)), translated(error.hint)])


def by_title(documents: Iterable[Document]) -> list[Document]:
    """Return the documents by title, figures in it by their value: files are read several at a time, so the
    order in which they came in is none that a reader knows."""
    return sorted(documents, key=lambda document: (_natural(document.title), _natural(document.name)))


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _FIGURES.split(text.casefold())]


def cells(frame: pd.DataFrame) -> st.SafeTable:
    """Return the frame as `st.table` shows it: its cells and the names of its columns are Markdown there."""
    escaped = frame.rename(columns=lambda name: line(str(name)))
    return st.SafeTable(escaped.map(lambda cell: line(cell) if isinstance(cell, str) else cell))
