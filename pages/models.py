"""See which engine does what, and what would mend what is missing."""

from core.ui.models import engine_status
from core.ui.shared import session

with session.Guard():
    engine_status.page()
