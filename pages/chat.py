"""Ask the library and see at once whether to trust the answer."""

from core.ui.chat import conversation
from core.ui.shared import session, st

with session.Guard():
    conversation.history()
    held = conversation.runs()
    question = conversation.ask_box()
    stage = st.empty()  # holds the empty state, and nothing once there is a conversation
    if held:
        conversation.conversation(held)
    elif not question:
        with stage.container():
            conversation.welcome()
    if question:
        conversation.ask(question)
