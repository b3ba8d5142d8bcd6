"""Threads share few heaps of the C library: what questions leave in many is never handed back whole."""

import platform
import subprocess
import sys

import pytest

from tests.conftest import ROOT

TWELVE = """
import sys, threading
if sys.argv[1:]:
    import core.runtime.memory
meet = threading.Barrier(12)
def work():
    meet.wait()
    held = [bytes(3000 + n % 7) for n in range(3000)]
    meet.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
[each.start() for each in threads], [each.join() for each in threads]
# A heap of a thread is the used beginning of a reserved region that begins at a multiple of 64 MB.
lines = [line.split()[0] for line in open("/proc/self/maps") if " rw-p " in line]
spans = [[int(end, 16) for end in line.split("-")] for line in lines]
print(sum(begin % 2**26 == 0 and end - begin < 2**26 for begin, end in spans))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="heaps of glibc")
def test_threads_share_two_heaps() -> None:
    def heaps(*arguments: str) -> int:
        command = [sys.executable, "-c", TWELVE, *arguments]
        return int(subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout)

    assert heaps() > 2 >= heaps("as Strata does")
