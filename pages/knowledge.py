"""Walk through the library: documents, sections, chunks, what was distilled from them, and back."""

from core.ui import browse, session

with session.Guard():
    browse.page()
