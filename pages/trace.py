"""Read a run from the question to the verdict."""

from core.ui.shared import session
from core.ui.trace import protocol

with session.Guard():
    run = protocol.choose()
    if run is not None:
        protocol.show(run)
