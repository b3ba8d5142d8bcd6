"""See which engine does what, and what would mend what is missing."""

from core.ui import house, session

with session.Guard():
    house.page()
