"""Streamlit as the interface sees it: itself at run time, with text parameters of type `Safe` for mypy.

What it offers is in st.pyi; nothing else in the interface imports Streamlit (ruff's TID251 holds it).
"""

from typing import Any

import streamlit
from pandas import DataFrame as SafeTable
from streamlit.components.v2.types import ComponentRenderer

Upload = ChatValue = Container = Any

__all__ = ["ChatValue", "ComponentRenderer", "Container", "SafeTable", "Upload"]


def __getattr__(name: str) -> Any:
    return getattr(streamlit, name)
