"""The app in its own process, forked from one that has imported it; `started` of
workspace_figures.py starts it the way everybody does."""

import os
import sys
from multiprocessing.context import ForkServerProcess as AppProcess
from pathlib import Path

from tests.forked import forked

ROOT = Path(__file__).resolve().parent.parent.parent


def app_process(port: int, environment: dict[str, str], log: Path) -> AppProcess:
    """Start the app on the port and return its process."""
    return forked(_run, port, environment, log)


def _run(port: int, environment: dict[str, str], log: Path) -> None:
    from streamlit.web import cli

    from tests.component_manifests import scanned_once

    with log.open("wb") as result:
        os.dup2(result.fileno(), 1)
        os.dup2(result.fileno(), 2)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    scanned_once()
    sys.argv = ["streamlit", "run", "app.py", "--server.port", str(port)]
    cli.main()
