"""Browse the library: documents, sections, chunks, what was distilled from them, and back."""

from core.ui.knowledge import knowledge_page
from core.ui.shared import session

with session.Guard():
    knowledge_page.page()
