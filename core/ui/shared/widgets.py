"""Small pieces that several pages use."""

from collections.abc import Iterable

import streamlit as st

from core.trace import Failed
from core.ui.shared import safe


def section(number: int, title: str, anchor: str = "") -> None:
    """Write a numbered heading of a protocol."""
    st.subheader(f"{number}\u2002{title}", anchor=anchor or False, divider="gray")


def facts(rows: Iterable[tuple[str, str]]) -> None:
    """Write pairs of a name and foreign text, one a line."""
    said = "  \n".join(f"**{name}**\u2002{safe.line(text)}" for name, text in rows)
    if said:
        st.markdown(said, anchors=False)


def failure(failed: Failed) -> None:
    """Show why a run failed, with the report to copy where it is a bug."""
    st.error(f"**{safe.line(failed.message)}**  \n{safe.line(failed.hint)}", icon=":material/error:")
    if failed.details:
        st.code(failed.details, language=None, wrap_lines=True, height=200)
