"""A command's process ends at once, with its status, when what it began has ended."""

import os
import subprocess
import sys

import pytest

BEGUN = """
import atexit, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
class Heavy:
    def __del__(self): print("taken apart", flush=True)
heavy = Heavy()
atexit.register(lambda: print("exit function", flush=True))
threading.Thread(target=lambda: (time.sleep(0.3), print("thread"))).start()
pool = ThreadPoolExecutor(1)
pool.submit(print, "executor").result()
from core.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(("given", "status"), [("--version", 0), ("nosuch", 2)])
def test_threads_and_exit_functions_end_and_nothing_is_taken_apart(given: str, status: int) -> None:
    done = subprocess.run([sys.executable, "-c", BEGUN, given], capture_output=True, text=True, timeout=60)
    assert done.returncode == status
    lines = done.stdout.split("\n")
    assert {"executor", "thread", "exit function"} <= set(lines) and "taken apart" not in lines
    assert ("No such command" in done.stderr) is (status == 2)


def test_output_that_nobody_reads_is_told_by_the_status() -> None:
    code = """
import os
read, write = os.pipe()
os.dup2(write, 1), os.close(read)
from core.runtime.process_exit import end_process
print("for nobody")
end_process(0)"""
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    assert subprocess.run([sys.executable, "-c", code], env=buffered, timeout=60).returncode == 120


def test_a_message_instead_of_a_status_is_said() -> None:
    code = """
import click
from core.cli.commands_on_demand import GroupOnDemand
@click.group(cls=GroupOnDemand, on_demand={}, invoke_without_command=True)
def refusing(): raise SystemExit("no room")
refusing([])"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "no room\n")
