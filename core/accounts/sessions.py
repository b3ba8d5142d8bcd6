"""Sessions of people who signed in, and how often somebody may guess. Both live as long as the process."""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

MAX_SESSIONS = 10_000  # sessions, and names or addresses that guessed wrong, that are remembered


@dataclass
class Session:
    """The session of a person who signed in. Times are seconds of a monotonic clock."""

    name: str
    began: float
    used: float
    account: str  # `Account.version` at sign-in; a changed account ends the session


class Sessions:
    """Who is signed in. Only digests of the tokens are kept, so that they cannot be read out of memory."""

    def __init__(self, idle: float, longest: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle, self._longest, self._clock = idle, longest, clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, name: str, account: str = "") -> str:
        """Begin a session with an account as it is (`Account.version`); return its token, 256 random bits."""
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._sessions[_digest(token)] = Session(name, now, now, account)
            while len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
        return token

    def find(self, token: str, *, used: bool = True) -> Session | None:
        """Return the session of a token, None where there is none or it has ended; `used` keeps it from
        growing idle."""
        key, now = _digest(token), self._clock()
        with self._lock:
            session = self._sessions.get(key)
            if session is None:
                return None
            if now - session.used > self._idle or now - session.began > self._longest:
                del self._sessions[key]
                return None
            if used:
                session.used = now
            return session

    def close(self, token: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(_digest(token), None)

    def close_all(self, name: str) -> None:
        """End every session of a person."""
        with self._lock:
            for key in [key for key, session in self._sessions.items() if session.name == name]:
                del self._sessions[key]


class Guesses:
    """Exponential back-off for wrong passwords: the first guesses are free, then each waits twice as long.

    One is forgiven for each `longest` seconds that are over since: those who share an address would by their
    slips of weeks lock each other out.
    """

    def __init__(
        self, free: int = 5, longest: float = 900.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._longest, self._clock = free, longest, clock
        self._wrong: OrderedDict[str, tuple[int, float]] = (
            OrderedDict()
        )  # key -> (wrong guesses, blocked until)
        self._lock = threading.Lock()

    def wait(self, key: str) -> float:
        """Return for how many seconds no guess under the key is looked at."""
        with self._lock:
            return max(0.0, self._wrong.get(key, (0, 0.0))[1] - self._clock())

    def wrong(self, key: str) -> None:
        """Count a wrong guess under the key."""
        with self._lock:
            times, until = self._wrong.pop(key, (0, 0.0))
            forgiven = int(max(0.0, self._clock() - until) // self._longest)
            times = max(0, times - forgiven) + 1
            pause = 0.0 if times < self._free else min(self._longest, 2.0 ** min(times - self._free, 20))
            self._wrong[key] = (times, self._clock() + pause)
            while len(self._wrong) > MAX_SESSIONS:
                self._wrong.popitem(last=False)

    def right(self, key: str) -> None:
        """Forget the wrong guesses under the key."""
        with self._lock:
            self._wrong.pop(key, None)


def sender(address: str) -> str:
    """Return under what the guesses of an address are counted: of IPv6 the network that one household has."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4 or found.ipv4_mapped:
        return str(found if found.version == 4 else found.ipv4_mapped)
    return str(ip_network((found, 64), strict=False))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
