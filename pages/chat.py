"""Ask the library and see at once whether to trust the answer."""

import streamlit as st

from core.ui import chat, session

with session.Guard():
    chat.history()
    held = chat.runs()
    question = chat.ask_box()
    stage = st.empty()  # holds the empty state, and nothing once there is a conversation
    if held:
        chat.conversation(held)
    elif not question:
        with stage.container():
            chat.welcome()
    if question:
        chat.ask(question)
