"""Finds out what a model really does: a schema kept, thinking switched off, both together, how fast.

What is found is kept by the model's weights and the server's release (`Probes`), and decides what is sent.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import LLMError
from core.llm.ollama.reasoning import reasons
from core.llm.ollama.reply import without_thoughts
from core.llm.ollama.server import OllamaServer
from core.llm.ollama.stream import Timeouts, chat
from core.llm.ollama.window import estimate_tokens, was_cut
from core.ports import ModelProbe

SHORT_REPLY_TOKENS = 48  # allowed to a model that does not think
REASONING_REPLY_TOKENS = 512  # ... to one that may
_SHORT_PROMPT = "Say in one sentence what a lighthouse is for."
_SCHEMA = {
    "type": "object",
    "properties": {"metres": {"type": "integer"}, "colour": {"enum": ["red", "white"]}},
    "required": ["metres", "colour"],
}
_FILLER = "The keeper of lamp {n} wrote down wind, tide and the hour, and closed the book. "


class Probes:
    """What was found of models, kept in a file; any thread may ask."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._probes: dict[str, ModelProbe] | None = None

    def find(self, digest: str) -> ModelProbe | None:
        """Return what was found of a model's weights last, None if nothing was."""
        with self._lock:
            return self._load().get(digest)

    def keep(self, found: ModelProbe) -> None:
        """Remember what was found."""
        with self._lock:
            probes = {**self._load(), found.digest: found}
            self._file.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({k: v.model_dump() for k, v in probes.items()}, indent=1)
            self._file.write_text(text, encoding="utf-8")
            self._probes = probes

    def all(self) -> tuple[ModelProbe, ...]:
        """Return what was found of every model."""
        with self._lock:
            return tuple(self._load().values())

    def _load(self) -> dict[str, ModelProbe]:
        if self._probes is None:
            try:
                stored = json.loads(self._file.read_text("utf-8"))
                self._probes = {key: ModelProbe.model_validate(value) for key, value in stored.items()}
            except (OSError, ValueError, ValidationError, AttributeError):  # none yet, or of another version
                self._probes = {}
        return self._probes


@dataclass(frozen=True)
class _ProbeReply:
    """One reply to the probe."""

    text: str
    thought: bool
    read: int
    read_speed: float
    write_speed: float


@dataclass(frozen=True)
class Prober:
    """Asks a model three or four short things and measures."""

    server: OllamaServer
    num_ctx: int = 8192
    timeouts: Timeouts = field(default_factory=Timeouts)
    check: Callable[[], None] = lambda: None

    def probe(self, model: str) -> ModelProbe:
        """Return what the model does. Raises LLMError where it cannot be asked, and what `check` raises."""
        info = self.server.find(model)
        plain = self._ask(model, _SHORT_PROMPT, think=False)
        formed = self._ask(model, _SHORT_PROMPT, think=False, form=_SCHEMA)
        holds = holds_thinking = _keeps(formed.text)
        if not holds and info is not None and info.can("thinking"):
            holds_thinking = _keeps(self._ask(model, _SHORT_PROMPT, think=True, form=_SCHEMA).text)
        many = min(120, self.num_ctx // 40)
        long = f"{time.time():.0f}. " + "".join(_FILLER.format(n=n) for n in range(many)) + _SHORT_PROMPT
        timed = self._ask(model, long, think=False)
        leaks = "</think>" in plain.text or reasons(without_thoughts(plain.text))
        return ModelProbe(
            model=model,
            digest=self.server.digest(model),
            server=self.server.version(),
            format_holds=holds,
            format_holds_thinking=holds_thinking,
            think_off_holds=not (plain.thought or formed.thought or leaks),
            leaks=leaks,
            read_speed=round(timed.read_speed, 1),
            write_speed=round(timed.write_speed, 1),
            window=self._window(model),
            cut=was_cut(estimate_tokens(long), timed.read, self.num_ctx),
            at=time.time(),
        )

    def _window(self, model: str) -> int:
        try:
            running = self.server.running()
        except LLMError:
            return 0
        return running.get(model) or running.get(f"{model}:latest") or 0

    def _ask(self, model: str, text: str, *, think: bool, form: Any = None) -> _ProbeReply:
        request: dict[str, Any] = {
            "model": model,
            "messages": [{"role": "user", "content": text}],
            "think": think,
            "options": {
                "num_ctx": self.num_ctx,
                "num_predict": REASONING_REPLY_TOKENS if think or form else SHORT_REPLY_TOKENS,
                "temperature": 0.0,
            },
        }
        if form is not None:
            request["format"] = form
        content, thought = "", False
        for part in chat(self.server.host, request, self.timeouts, self.check):
            content += part.message.content or ""
            thought = thought or bool(part.message.thinking)
        return _ProbeReply(
            content,
            thought,
            part.prompt_eval_count or 0,
            _speed(part.prompt_eval_count, part.prompt_eval_duration),
            _speed(part.eval_count, part.eval_duration),
        )


def _speed(tokens: int | None, nanoseconds: int | None) -> float:
    return (tokens or 0) / nanoseconds * 1e9 if nanoseconds else 0.0


def _keeps(text: str) -> bool:
    """Say whether the reply is an instance of the schema and nothing else."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and isinstance(value.get("metres"), int)
        and value.get("colour") in ("red", "white")
    )
