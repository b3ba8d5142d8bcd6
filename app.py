"""Strata in the browser: the pages and their order, and how they are served; nothing else."""

import streamlit as st

from core.ui import app_server
from core.ui.shared import frame

if __name__ == "__main__":  # run by Streamlit, for each visit
    frame.run(st.navigation(frame.pages(), position="hidden"))
else:  # imported by the server, once
    app = st.App(__file__, middleware=app_server.protection())
