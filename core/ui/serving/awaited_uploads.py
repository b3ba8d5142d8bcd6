"""Which uploads are still to come: of the addresses given to a browser, those that nothing came to yet.

Streamlit's box of files says nothing more once it has left the page, and what it was sending is lost.
"""

import threading
import time
from collections import OrderedDict
from urllib.parse import urlsplit

MAX_SESSIONS = 1000  # then the one that was quiet for longest is forgotten


class _Session:
    """The uploads of one page that is open: whether each is awaited, and when it last was heard of one."""

    def __init__(self) -> None:
        self.files: dict[str, bool] = {}
        self.last = 0.0


class AwaitedUploads:
    """The uploads of all sessions, by the addresses `.../SESSION/FILE` that Streamlit gives out for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def given(self, address: str) -> None:
        """Note an address that a browser may send a file to."""
        self._note(address, awaited=True)

    def ended(self, address: str) -> None:
        """Note that a file came, was refused or broke off; the browser tells of one that did not come."""
        self._note(address, awaited=False)

    def quiet(self, file: str) -> float:
        """Return the seconds since the session that sent the file last sent one; 0 while it still does."""
        now = time.monotonic()
        with self._lock:
            for session in self._sessions.values():
                if file in session.files:
                    return 0.0 if any(session.files.values()) else now - session.last
        return float("inf")

    def _note(self, address: str, *, awaited: bool) -> None:
        name, _, file = urlsplit(address).path.rstrip("/").rpartition("/")
        with self._lock:
            session = self._sessions.setdefault(name, _Session())
            session.files[file] = awaited
            session.last = time.monotonic()
            self._sessions.move_to_end(name)
            if len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)


AWAITED = AwaitedUploads()
