"""The folders of workers whose process was killed: they go with the workers."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

MODULES = ("core.ingest.parser_worker", "core.knowledge.stores.typed_tables.query_worker")
OWNER = """
import sys, time
from core.runtime.worker_processes import Worker
w = Worker(sys.argv[1])
time.sleep(600)
"""


@pytest.mark.parametrize("module", MODULES)
def test_an_idle_worker_takes_its_folder_along_when_its_owner_is_killed(module: str, tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    owner = subprocess.Popen([sys.executable, "-c", OWNER, module], env=environment)
    try:
        until(lambda: [*tmp_path.iterdir()] and psutil.Process(owner.pid).children())
        (worker,) = psutil.Process(owner.pid).children()
    finally:
        owner.kill()
        owner.wait()
    until(lambda: not worker.is_running())
    until(lambda: not [*tmp_path.iterdir()])


def until(so: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not so():
        assert time.monotonic() < end
        time.sleep(0.05)
