"""Put files into the library, watch them arrive, take them out again."""

import streamlit as st

from core.ui.corpus import documents_page, enrichment, machine_files
from core.ui.shared import session

with session.Guard():
    st.title("Corpus", anchor=False)
    documents_page.add()
    documents_page.jobs()
    documents_page.documents()
    enrichment.panel()
    machine_files.panel()
