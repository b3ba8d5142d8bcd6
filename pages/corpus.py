"""Put files into the library, watch them arrive, take them out again."""

import streamlit as st

from core.ui.corpus import documents_page, enrichment_panel, machine_files
from core.ui.shared import session

with session.Guard():
    st.title("Corpus", anchor=False)
    documents_page.add()
    documents_page.jobs()
    documents_page.documents()
    enrichment_panel.panel()
    machine_files.panel()
