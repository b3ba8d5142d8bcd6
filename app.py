"""Strata in the browser: the pages and their order; nothing else."""

import streamlit as st

from core.ui.shared import frame

frame.run(st.navigation(frame.pages()))
