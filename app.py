"""Strata as a server: what is run for each visit, and what stands before every request; nothing else."""

import streamlit as st

from core.ui import app_server

app = st.App("core/ui/page_router.py", middleware=app_server.protection())
