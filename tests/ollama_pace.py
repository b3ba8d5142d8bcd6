"""How fast a model reads and writes: tokens a second, slots that remember a prefix, time to load.

A slot holds the prompt and reply it worked on last, as llama.cpp's do: what a new prompt shares with it from
the beginning on is not read again. A call goes to the free slot that shares most; others wait in a queue.
"""

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from tests.ollama_protocol import count_tokens


@dataclass(frozen=True)
class Pace:
    """A machine. `speed` lets its clock run that many times faster than it says."""

    read: float = 350.0  # tokens a second
    write: float = 30.0
    slots: int = 1
    load: float = 0.0  # seconds until a model is in memory
    speed: float = 1.0


@dataclass
class Turn:
    """One call in a slot: what it cost, in seconds of the machine."""

    prompt: str
    tokens: int
    cached: int
    began: float  # of the process's clock, when it had a slot
    load: float
    read: float
    write: float = 0.0
    ended: float = 0.0


@dataclass
class Machine:
    """The slots. `turns` keeps every call that was worked on."""

    pace: Pace
    turns: list[Turn] = field(default_factory=list)
    minds: list[tuple[float, float]] = field(default_factory=list)  # when replies were made up: no one's time

    def __post_init__(self) -> None:
        self._free = threading.Condition()
        self._slots: dict[int, str] = dict.fromkeys(range(self.pace.slots), "")
        self._taken: set[int] = set()
        self._loaded = ""

    def take(self, prompt: str, model: str, extra: int = 0) -> tuple[int, Turn]:
        """Wait for a slot; return it with what reading costs. `extra` tokens are no text (pictures)."""
        with self._free:
            self._free.wait_for(lambda: len(self._taken) < len(self._slots))
            free = [number for number in self._slots if number not in self._taken]
            slot = max(free, key=lambda number: self._shared(number, prompt))
            self._taken.add(slot)
            load = 0.0 if self._loaded == model else self.pace.load
            if self._loaded != model:
                self._slots, self._loaded = dict.fromkeys(self._slots, ""), model
            tokens = count_tokens(prompt) + extra
            cached = min(count_tokens(prompt[: self._shared(slot, prompt)]), tokens - 1)
            read = (tokens - cached) / self.pace.read
            turn = Turn(prompt, tokens, cached, time.monotonic(), load, read)
            self.turns.append(turn)
            return slot, turn

    def give(self, slot: int, turn: Turn, said: str) -> None:
        """Free the slot, which keeps what it read and wrote."""
        with self._free:
            self._slots[slot] = turn.prompt + said
            self._taken.discard(slot)
            turn.ended = time.monotonic()
            self._free.notify()

    def due(self, turn: Turn) -> float:
        """Return the moment of the first piece."""
        return turn.began + (turn.load + turn.read) / self.pace.speed

    def busy(self, since: float, until: float) -> float:
        """Return for how many seconds of the process's clock a call was worked on between two moments."""
        return _covered([(turn.began, turn.ended or until) for turn in self.turns], since, until)

    def own(self, since: float, until: float) -> float:
        """Return the seconds between two moments in which no call was worked on."""
        spans = [(turn.began, turn.ended or until) for turn in self.turns]
        return until - since - _covered([*spans, *self.minds], since, until)

    def figures(self, turn: Turn) -> dict[str, int]:
        """Return the durations a server tells, in nanoseconds."""
        spent = {"load_duration": turn.load, "prompt_eval_duration": turn.read, "eval_duration": turn.write}
        return {
            "total_duration": round(sum(spent.values()) * 1e9),
            **{k: max(1, round(v * 1e9)) for k, v in spent.items()},
        }

    def _shared(self, slot: int, prompt: str) -> int:
        """Return how many characters a slot's text and the prompt share from the beginning."""
        held = self._slots[slot]
        if prompt.startswith(held):
            return len(held)
        low, high = 0, min(len(held), len(prompt))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if held[:middle] == prompt[:middle] else (low, middle - 1)
        return low


def _covered(spans: list[tuple[float, float]], since: float, until: float) -> float:
    """Return the length of what the spans cover together between two moments."""
    total, reached = 0.0, since
    for began, ended in sorted(spans):
        ended = min(ended, until)
        total += max(0.0, ended - max(began, reached))
        reached = max(reached, ended)
    return total


def rendered(messages: list[dict[str, Any]]) -> str:
    """Return the messages as a chat template lays them out."""
    return "".join(f"<|{m['role']}|>\n{m.get('content') or ''}\n" for m in messages) + "<|assistant|>\n"
