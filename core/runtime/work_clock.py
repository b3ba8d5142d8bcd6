"""How long a process has worked, on a machine that others keep busy too."""

import time
from collections.abc import Iterable

import psutil


class WorkClock:
    """Counts what a process has worked since this was made: a limit on it does not depend on who else works.

    Counted is the processor time of its busiest thread, or of a process it started; but never less than the
    clock's time over `patience`, for what waits without working must end too. The current process is watched
    where none is given.
    """

    def __init__(self, process: psutil.Process | None = None, patience: float = 1.0) -> None:
        self._process = process or psutil.Process()
        self._patience = patience
        self._begun = time.monotonic()
        self._before = self._times(())

    def seconds(self, children: Iterable[psutil.Process] = ()) -> float:
        """Return the seconds counted; `children` are what the process has started."""
        elapsed = time.monotonic() - self._begun
        if self._patience <= 1.0:
            return elapsed
        times = self._times(children)
        worked = max((spent - self._before.get(name, 0.0) for name, spent in times.items()), default=elapsed)
        return max(worked, elapsed / self._patience)

    def _times(self, children: Iterable[psutil.Process]) -> dict[tuple[str, int], float]:
        """Return the processor seconds of each thread and child; none where the system does not tell."""
        try:
            times = {("thread", one.id): one.user_time + one.system_time for one in self._process.threads()}
        except psutil.Error:
            return {}
        for child in children:
            try:
                spent = child.cpu_times()
            except psutil.Error:
                continue  # it has ended
            times["process", child.pid] = spent.user + spent.system
        return times
