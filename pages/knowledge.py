"""Browse the library: documents, sections, chunks, what was distilled from them, and back."""

from core.ui.knowledge import browse
from core.ui.shared import session

with session.Guard():
    browse.page()
