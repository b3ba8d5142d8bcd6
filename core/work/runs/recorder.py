"""Timestamps the events of a run and saves each at once."""

import threading
import time
from collections.abc import Callable

from core.domain import Value
from core.knowledge.stores.activity.runs import RunStore
from core.trace import BaseEvent, Event, Stamped, Wrote

GATHER_SECONDS = 0.1  # seconds for which written text is gathered into one event


class Recorder:
    """Records one run's events in order, from any thread.

    `check` is asked before each event, so that a run without a model can be stopped as well.
    """

    def __init__(self, store: RunStore, run: str, check: Callable[[], None]) -> None:
        self._store, self._run, self._check = store, run, check
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._events: list[Stamped] = []
        self._text: list[Wrote] = []
        self._flushed = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def events(self) -> list[Event]:
        """Return the events so far."""
        with self._lock:
            self._flush()
            return [stamped.event for stamped in self._events]

    def emit(self, event: object) -> None:
        """Save the event. Raises Stopped if the run was stopped."""
        self._check()
        self.record(event)

    def record(self, event: object) -> None:
        """Save the event, stopped or not."""
        if not isinstance(event, BaseEvent):
            raise ValueError(f"{type(event).__name__} is no event")
        with self._lock:
            if isinstance(event, Wrote):
                if self._text and self._text[-1].round != event.round:
                    self._flush()
                self._text.append(event)
                if self.seconds - self._flushed >= GATHER_SECONDS:
                    self._flush()
                return
            self._flush()
            self._save(event)

    def _flush(self) -> None:
        if self._text:
            text = "".join(piece.text for piece in self._text)
            calls = tuple(call for piece in self._text for call in piece.calls)
            self._save(self._text[0].model_copy(update={"text": text, "calls": calls}))
            self._text = []
            self._flushed = self.seconds

    def _save(self, event: Value) -> None:
        stamped = Stamped.model_construct(seq=len(self._events), at=self.seconds, event=event)
        self._events.append(stamped)
        self._store.append(self._run, [stamped])
