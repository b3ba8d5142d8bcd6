"""Strata as a server: what runs for a visit, what stands before each request, what begins at the start."""

import streamlit as st

from core.ui.serving import app_server, early_opening

app = st.App(
    "core/ui/serving/page_router.py",
    middleware=app_server.protection(),
    lifespan=early_opening.open_in_background,
)
