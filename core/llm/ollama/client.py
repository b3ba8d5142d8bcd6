"""Asks models served by Ollama: task in, checked reply out, always with the story of how it was made."""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import LLMError, LLMUnavailable, MalformedReply, ModelMissing
from core.llm import prompting
from core.llm.ollama.chat_request import Ask
from core.llm.ollama.interruptible import POLL_SECONDS, run_interruptibly
from core.llm.ollama.reply import ALOUD, WRAPPED, RawReply, Speech, read_json, read_text, schema_of
from core.llm.ollama.server import OllamaServer
from core.llm.ollama.stream import NullListener, Timeouts, chat
from core.llm.ollama.window import fit
from core.ports import Listener, ModelProbe, R
from core.runtime.run_slots import slot_released
from core.tasks import Call, ModelRole, Task

LONGEST_TOKEN = 32  # characters; a reply that is longer for each token it may have does not come from a model
MAX_WHITE_SPACE = 400  # white space in a row after which a model will not come back to its reply
_LEVELS_ONLY = re.compile(r"gpt-oss")  # models that cannot switch thinking off, only turn it low
_EXAMPLES: dict[ModelRole, tuple[str, str]] = {
    "generation": ("can chat", "qwen3:4b-instruct"),
    "vision": ("can read pictures", "qwen3-vl:4b"),
}


@dataclass(frozen=True)
class OllamaLLM:
    """A language model behind Ollama. Roles without a model get one of those that are there.

    `num_ctx` is one constant, for changing it makes the server load the model anew. `run` raises an LLMError
    (LLMUnavailable, ModelMissing, LLMTimeout, MalformedReply ...) and whatever the listener raises.
    """

    host: str
    models: Mapping[ModelRole, str] = field(default_factory=dict)
    num_ctx: int = 8192
    num_predict: int = 1024
    temperature: float = 0.0
    seed: int = 7
    keep_alive: str = "30m"
    connect_timeout: float = 5.0
    load_timeout: float = 300.0
    gap_timeout: float = 90.0
    parallel: int = 2
    retries: int = 1
    pause: float = 0.3  # seconds before the first retry, doubled for each further one
    probed: Callable[[str], ModelProbe | None] = lambda digest: None  # by the digest of the weights
    server: OllamaServer = field(init=False)
    _slots: threading.BoundedSemaphore = field(init=False, repr=False)

    def __post_init__(self) -> None:
        server = OllamaServer(self.host, self.connect_timeout)
        object.__setattr__(self, "server", server)
        object.__setattr__(self, "host", server.host)
        object.__setattr__(self, "_slots", threading.BoundedSemaphore(self.parallel))

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task: one chat, a second one where the first gave nothing usable."""
        listener = listener or NullListener()
        began = time.monotonic()
        listener.check()
        model = run_interruptibly(lambda: self.model(task.role), listener.check, ready=self.server.known)
        fitted = fit(task, self.num_ctx - self._predict)
        ask = Ask(task, model, fitted).as_probed(self.probed(self.server.digest(model)), self._predict)
        with slot_released(), self._slot(listener):
            reply, call = self._answer(ask, into, listener)
        return reply.model_copy(
            update={"call": call.model_copy(update={"seconds": time.monotonic() - began})}
        )

    def model(self, role: ModelRole) -> str:
        """Return the model that serves the role. Raises LLMUnavailable or ModelMissing."""
        chosen = self.models.get(role) or self.server.choose(self.models).get(role)
        if not chosen:
            kind, example = _EXAMPLES.get(role, _EXAMPLES["generation"])
            raise ModelMissing(
                f"The server at {self.host} has no model that {kind}.",
                hint=f"Get one, for example `ollama pull {example}`.",
            )
        return chosen

    def version(self, task: Task) -> str:
        """Return what identifies how this task would be answered: weights, wording and options.

        Empty while the server cannot be asked, for then nothing is known about the weights.
        """
        try:
            model = self.model(task.role)
        except LLMError:
            return ""
        digest = self.server.digest(model)
        wording = prompting.fingerprint(type(task), task.language)
        options = f"{self.num_ctx}/{self.num_predict}/{self.temperature}/{self.seed}"
        return f"{model}@{digest} {wording} {options}" if digest else ""

    @property
    def _predict(self) -> int:
        """Return the longest reply in tokens; it never takes more than half of the window."""
        return min(self.num_predict, self.num_ctx // 2)

    @contextmanager
    def _slot(self, listener: Listener) -> Iterator[None]:
        """Wait for one of the `parallel` places; the listener may end the wait."""
        while not self._slots.acquire(timeout=POLL_SECONDS):
            listener.check()
        try:
            yield
        finally:
            self._slots.release()

    def _answer(self, ask: Ask, into: type[R], listener: Listener) -> tuple[R, Call]:
        raw = self._chat(ask, listener)
        try:
            return self._read(ask, raw, into), ask.call(self.num_ctx, raw)
        except ValueError as error:
            problem = raw.explain(str(error))
        again = ask.repairing(raw, problem, self._room_to_repair(ask, raw))
        if ask.task.prose and problem.endswith(ALOUD):  # a grammar leaves no room to think aloud
            again = replace(again, wrapped=True)
        second = self._chat(again, listener, raw.failed + 1)
        try:
            return self._read(again, second, into), again.call(self.num_ctx, second, raw)
        except ValueError as error:
            malformed = MalformedReply(
                f"{ask.model} gave no usable reply to {type(ask.task).__name__}, twice: "
                f"{second.explain(str(error))}."
            )
            malformed.failed = second.failed + 1
            raise malformed from error

    def _read(self, ask: Ask, raw: RawReply, into: type[R]) -> R:
        """Return the reply in its type. Raises ValueError."""
        if raw.overlong:
            raise ValueError("it went on far beyond its longest length and was stopped")
        if ask.task.prose:
            return into.from_prose(read_text(raw.text))
        return read_json(raw.text, into)

    def _room_to_repair(self, ask: Ask, raw: RawReply) -> int:
        """Return the reply's limit for the second try: twice as long if the first was cut, if it fits."""
        if not (raw.length or raw.thought):
            return self._predict
        return max(self._predict, min(2 * self._predict, self.num_ctx - ask.fitted.tokens - 128))

    def _chat(self, ask: Ask, listener: Listener, failed: int = 0) -> RawReply:
        """Chat once, and again after faults that pass, as long as nothing has been shown of the reply.

        `failed` chats came to nothing before; the reply, or the error, says how many did in all.
        """
        for left in range(self.retries, -1, -1):
            speech = Speech() if ask.task.prose else None
            try:
                return replace(self._listen(ask, speech, listener), failed=failed)
            except LLMError as error:
                failed += 1
                error.failed = failed
                if not isinstance(error, LLMUnavailable) or not left or (speech and speech.begun):
                    raise
            self._wait(self.pause * 2 ** (self.retries - left), listener)
        raise AssertionError("the last try returns or raises")

    def _wait(self, seconds: float, listener: Listener) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            listener.check()
            time.sleep(min(POLL_SECONDS, left))

    def _listen(self, ask: Ask, speech: Speech | None, listener: Listener) -> RawReply:
        timeouts = Timeouts(self.connect_timeout, self.load_timeout, self.gap_timeout)
        pieces: list[str] = []
        thought = False
        blank = size = 0
        most = LONGEST_TOKEN * (ask.predict or self._predict)
        with _ended(chat(self.host, self._request(ask), timeouts, listener.check)) as stream:
            for part in stream:
                content = part.message.content or ""
                thought = thought or bool(part.message.thinking)
                pieces.append(content)
                size += len(content)
                if size > most:
                    return RawReply("".join(pieces)[:most], thought, overlong=True, tokens_out=len(pieces))
                if speech and (shown := speech.take(content)):
                    listener.received(shown)
                blank = blank + len(content) if not content.strip() else len(content) - len(content.rstrip())
                if blank > MAX_WHITE_SPACE:
                    return RawReply("".join(pieces), thought, flooded=True, tokens_out=len(pieces))
        if speech and (shown := speech.flush()):
            listener.received(shown)
        return RawReply(
            "".join(pieces),
            thought,
            length=part.done_reason == "length",
            tokens_in=part.prompt_eval_count or 0,
            tokens_out=part.eval_count or 0,
        )

    def _request(self, ask: Ask) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": ask.model,
            "messages": ask.messages(),
            # Absent, a model that can think does, and thinking uses up the reply's length.
            "think": "low" if _LEVELS_ONLY.search(ask.model) else False,
            "keep_alive": self.keep_alive,
            "options": {
                "num_ctx": self.num_ctx,
                "num_predict": ask.predict or self._predict,
                "temperature": self.temperature,
                "seed": self.seed,
            },
        }
        if ask.wrapped:
            request["format"] = WRAPPED
        elif not ask.task.prose and ask.formed:
            request["format"] = schema_of(ask.task.reply)
        return request


@contextmanager
def _ended(stream: Any) -> Iterator[Any]:
    """Close the stream on leaving, so that the server stops at once."""
    try:
        yield stream
    finally:
        stream.close()
