"""What Streamlit runs for each visit: the frame and the page the address names.

It stands apart from pages/: a folder of that name beside the main script is taken by Streamlit for its own
older kind of pages, listed and opened before `st.navigation` has said which there are.
"""

from core.ui.shared import frame, st

frame.run(st.navigation(frame.pages(), position="hidden"))
