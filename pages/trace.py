"""Find a run, and follow it from the question to each sentence."""

from core.ui.shared import session
from core.ui.trace import run_list, run_page

with session.Guard():
    wanted = session.param(session.RUN)
    run = run_page.find(wanted) if wanted else None
    if run is not None:
        run_page.show(run)
    else:
        run_list.show()
