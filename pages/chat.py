"""Ask the library and see at once whether to trust the answer."""

from core.ui.chat import ask_box, conversation, history, welcome
from core.ui.shared import session, st

with session.Guard():
    history.show()
    ask_box.show()
    runs = conversation.runs()
    stage = st.empty()  # holds the empty state, and nothing once there is a conversation
    if runs:
        conversation.show(runs)
    else:
        with stage.container():
            welcome.show()
