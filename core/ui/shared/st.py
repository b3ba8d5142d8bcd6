"""Streamlit as the interface sees it: itself at run time, with text parameters of type `Safe` for mypy.

What it offers stands in st.pyi; nothing else in the interface imports Streamlit (ruff's TID251 holds it).
"""

from typing import Any

import streamlit
from pandas import DataFrame as SafeTable
from streamlit.components.v2.types import ComponentRenderer
from streamlit.runtime.scriptrunner import get_script_run_ctx

Upload = ChatValue = Container = Any

__all__ = ["ChatValue", "ComponentRenderer", "Container", "SafeTable", "Upload", "forget"]


def forget(file: Any) -> None:
    """Free the memory of an uploaded file that was taken; its box leaves it out from the next run on."""
    if (context := get_script_run_ctx()) is not None:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def __getattr__(name: str) -> Any:
    return getattr(streamlit, name)
