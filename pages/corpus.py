"""Put files into the library, watch them arrive, take them out again."""

import streamlit as st

from core.ui import corpus, machine, session

with session.Guard():
    st.title("Corpus", anchor=False)
    corpus.add()
    corpus.jobs()
    corpus.documents()
    machine.panel()
