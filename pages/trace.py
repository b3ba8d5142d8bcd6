"""Read a run from the question to the verdict."""

from core.ui import protocol, session

with session.Guard():
    run = protocol.choose()
    if run is not None:
        protocol.show(run)
