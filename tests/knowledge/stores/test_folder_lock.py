"""The lock of a library's folder, taken while others look whether it is taken."""

import threading
from pathlib import Path

from core.knowledge.stores.folder_lock import claim, claimed


def test_a_look_at_the_lock_keeps_nobody_from_claiming_the_library(tmp_path: Path) -> None:
    claim(tmp_path).release()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.0005):
            claimed(tmp_path)

    looking = [threading.Thread(target=look) for _ in range(4)]
    for thread in looking:
        thread.start()
    try:
        for _ in range(60):
            lock = claim(tmp_path)
            assert claimed(tmp_path)
            lock.release()
    finally:
        ended.set()
        for thread in looking:
            thread.join()
    assert not claimed(tmp_path)
