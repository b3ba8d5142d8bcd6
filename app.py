"""Strata as a server: what runs for each visit, what stands before every request, and what runs at the start."""

import streamlit as st

from core.ui import app_server, early_opening

app = st.App(
    "core/ui/page_router.py",
    middleware=app_server.protection(),
    lifespan=early_opening.ahead_of_visitors,
)
