"""Foreign text made harmless where Streamlit reads Markdown; see core.text.escaping."""

import pandas as pd

from core.text.escaping import Safe as Safe
from core.text.escaping import escape as escape
from core.text.escaping import line as line
from core.text.escaping import shorten as shorten
from core.ui.shared import st


def cells(frame: pd.DataFrame) -> st.SafeTable:
    """Return the frame as `st.table` shows it: its cells and the names of its columns are markdown there."""
    plain = frame.rename(columns=lambda name: line(str(name)))
    return plain.map(lambda cell: line(cell) if isinstance(cell, str) else cell)  # type: ignore[return-value]
