"""Ollama's routes for talking, and what goes wrong on them."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.ollama_obedience import MUSING, spoken
from tests.ollama_pace import Turn, rendered
from tests.ollama_protocol import (
    IMAGE_TOKENS,
    NUM_KEEP,
    STATUS_FAULTS,
    Asked,
    Fault,
    Model,
    count_tokens,
    now,
)
from tests.ollama_shelf import Shelf
from tests.ollama_wire import Body, Gone

PROSE = "Sure! Here is what I think about that: it depends on many things, as so often."
POSTS = {
    "/api/chat": "chat", "/api/generate": "generate", "/api/embed": "embed", "/api/embeddings": "embeddings",
    "/api/show": "show", "/api/pull": "pull",
}  # fmt: skip


class Handler(Shelf):
    """One connection of a client."""

    # -- routes ------------------------------------------------------------------------------

    def do_GET(self) -> None:
        routes: dict[str, Callable[[], None]] = {
            "/": lambda: self._text(200, "Ollama is running"),
            "/api/tags": self._tags,
            "/api/version": lambda: self._json(200, {"version": "0.2.8" if self.double.old else "0.33.0"}),
            "/api/ps": lambda: self._json(200, {"models": self._running()}),
        }
        self._route(routes, set(POSTS) | {"/api/delete"})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        self._route({path: partial(self._posted, method) for path, method in POSTS.items()}, {"/api/tags"})

    def do_DELETE(self) -> None:
        self._route({"/api/delete": lambda: self._posted("delete")}, set(POSTS))

    def _route(self, routes: dict[str, Callable[[], None]], others: set[str]) -> None:
        host = (self.headers.get("Host") or "").rpartition(":")[0].strip("[]")
        if host and host not in ("localhost", "127.0.0.1", "::1") and not host.endswith(".localhost"):
            return self._text(403, "")
        if self.path in routes:
            try:
                return routes[self.path]()
            except (Gone, BrokenPipeError, ConnectionResetError):  # they stop generating then
                with self.double.lock:
                    self.double.cancelled += 1
                self.close_connection = True
                return None
        if self.path in others:
            return self._text(405, "405 method not allowed")
        return self._text(404, "404 page not found")

    def _posted(self, method: str) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not raw:
            return self._json(400, {"error": "missing request body"})
        try:
            body = json.loads(raw)
        except ValueError:
            return self._json(
                400, {"error": f"invalid character {chr(raw[0])!r} looking for beginning of value"}
            )
        with self.double.lock:
            self.double.requests.append((self.path, body))
        getattr(self, f"_{method}")(body)
        return None

    # -- talking -----------------------------------------------------------------------------

    def _chat(self, body: Body) -> None:
        name = body.get("model", "")
        if not name:
            return self._json(400, {"error": "model is required"})
        model = self.double.find(name)
        if model is None:
            return self._json(404, {"error": f"model '{name}' not found"})
        if "completion" not in model.capabilities:
            return self._json(400, {"error": f'"{name}" does not support chat'})
        if body.get("think") and "thinking" not in model.capabilities and not self.double.old:
            return self._json(400, {"error": f'"{name}" does not support thinking'})
        form = body.get("format")
        if form and form != "json" and not isinstance(form, dict):
            result = f'invalid format: {json.dumps(form)}; expected "json" or a valid JSON Schema object'
            return self._json(500, {"error": result})
        if not body.get("messages"):
            reason = "unload" if body.get("keep_alive") == 0 else "load"
            return self._json(200, self._part(name, "", done=True, done_reason=reason))
        with self.double.lock:
            self.double.busy += 1
            self.double.busiest = max(self.double.busiest, self.double.busy)
        try:
            return self._converse(model, body)
        finally:
            with self.double.lock:
                self.double.busy -= 1

    def _generate(self, body: Body) -> None:
        messages = [{"role": "user", "content": body.get("prompt", "")}]
        if body.get("system"):
            messages.insert(0, {"role": "system", "content": body["system"]})
        self.generating = True
        self._chat({**body, "messages": messages if body.get("prompt") else []})

    def _converse(self, model: Model, body: Body) -> None:
        fault = self.double.fault()
        if fault and fault.kind in STATUS_FAULTS:
            status, reply = STATUS_FAULTS[fault.kind]
            return self._json(status, {"error": reply})
        options = body.get("options") or {}
        window = self.double.load(model, options)
        asked, read = self._read(model, body, window)
        machine = self.double.machine
        began = time.monotonic()
        reply = self.double.brain(asked)
        if machine is None:
            return self._reply(model, body, reply, read, fault, None)
        machine.minds.append((began, time.monotonic()))
        slot, turn = machine.take(rendered(body["messages"]), model.name, IMAGE_TOKENS * len(asked.images))
        self.said = ""
        try:
            return self._reply(model, body, reply, read, fault, turn)
        finally:
            machine.give(slot, turn, self.said)

    def _reply(
        self, model: Model, body: Body, said: str, read: int, fault: Fault | None, turn: Turn | None
    ) -> None:
        said, thoughts = spoken(model, body, said, old=self.double.old)
        limit = int((body.get("options") or {}).get("num_predict") or 10**6)
        said, thoughts, reason = self._spoil(fault, said, thoughts, limit)
        self._pause(self.double.latency + (fault.seconds if fault and fault.kind == "slow_first" else 0.0))
        if turn is not None and self.double.machine is not None:
            self._pause(self.double.machine.due(turn) - time.monotonic())
            self.said = said
        parts = self._parts(body["model"], said, thoughts, reason, read, turn)
        if body.get("stream", True):
            prose = 0.0 if body.get("format") else self.double.prose_latency
            return self._stream(parts, fault, max(prose, self.double.piece_latency))
        whole = list(parts)
        last = whole[-1]
        self._put(last, "".join(self._content(part) for part in whole))
        return self._json(200, last)

    def _read(self, model: Model, body: Body, window: int) -> tuple[Asked, int]:
        """Return what is left of the messages in the window, and how many tokens that is."""
        messages = list(body["messages"])
        pictures = tuple(p for m in messages for p in m.get("images") or ())

        def total() -> int:
            return sum(count_tokens(m.get("content") or "") for m in messages) + IMAGE_TOKENS * len(pictures)

        while total() > window:  # the oldest go first; system messages and the last one stay
            oldest = next((m for m in messages[:-1] if m["role"] != "system"), None)
            if oldest is None:
                break
            messages.remove(oldest)
        system = "\n".join(m["content"] for m in messages if m["role"] == "system")
        user = next((m["content"] for m in messages if m["role"] == "user"), "")
        read = total()
        if read > window:  # the beginning goes, and with it what was to be done
            read = window - (window - NUM_KEEP) // 2
            rest = f"{system}\n{user}"
            while count_tokens(rest) > read:
                rest = rest[max(1, (count_tokens(rest) - read) // 2) :]
            system, user = "", rest
        return Asked(model.name, system, user, body.get("format"), pictures), read

    def _spoil(self, fault: Fault | None, said: str, thoughts: str, limit: int) -> tuple[str, str, str]:
        """Return content, thoughts and done_reason as the fault would have them."""
        kind = fault.kind if fault else ""
        if kind == "length_cut":
            return said[: max(1, len(said) // 2)], thoughts, "length"
        if kind == "flood":
            return said[:-1] + "\n " * 5000, thoughts, "length"
        if kind == "only_thinking":
            return "", "Hm, let me think about that once more. " * 20, "length"
        if len(thoughts) > limit * 4:  # thoughts count too, and leave no room
            return "", thoughts[: limit * 4], "length"
        if kind == "huge":  # a server that keeps no limit
            return said + "and so on and on, " * 20_000, thoughts, "stop"
        spoiled = {
            "untagged_thoughts": f"{MUSING}\n\n{said}",
            "fenced": f"Here you are:\n```json\n{said}\n```\n",
            "think_in_content": f"<think>I should reply {{}} as asked.</think>\n{said}",
            "prose_instead": PROSE,
            "wrong_schema": '{"colour": "blue", "size": 3}',
            "empty": "",
        }
        said = spoiled.get(kind, said)
        longest = limit * 4
        return (said[:longest], thoughts, "length") if len(said) > longest else (said, thoughts, "stop")

    def _parts(
        self, name: str, said: str, thoughts: str, reason: str, read: int, turn: Turn | None
    ) -> Iterator[Body]:
        size = self.double.piece_chars
        for start in range(0, len(thoughts), size):
            yield self._part(name, "", thinking=thoughts[start : start + size])
            self._written(thoughts[start : start + size], turn)
        for start in range(0, len(said), size):
            self._written(said[start : start + size], turn)
            yield self._part(name, said[start : start + size])
        figures = {
            "total_duration": 5_000_000,
            "load_duration": 1_000_000,
            "prompt_eval_count": read,
            "prompt_eval_duration": 1_000_000,
            "eval_count": count_tokens(thoughts + said) if thoughts + said else 0,
            "eval_duration": 3_000_000,
        }
        if turn is not None and self.double.machine is not None:
            figures |= self.double.machine.figures(turn)
        shown = {key: value for key, value in figures.items() if value}  # zero is left out
        yield self._part(name, "", done=True, done_reason=reason, **shown)

    def _written(self, piece: str, turn: Turn | None) -> None:
        """Take the time that writing the piece takes."""
        if turn is None or self.double.machine is None:
            return
        pace = self.double.machine.pace
        turn.write += count_tokens(piece) / pace.write
        due = self.double.machine.due(turn) + turn.write / pace.speed
        self._pause(due - time.monotonic())

    def _part(self, name: str, content: str, done: bool = False, **more: Any) -> Body:
        if self.double.old:
            more.pop("done_reason", None)
            more.pop("thinking", None)
        if getattr(self, "generating", False):
            return {"model": name, "created_at": now(), "response": content, "done": done, **more}
        message: Body = {"role": "assistant", "content": content}
        if self.double.old:
            message["images"] = None
        if "thinking" in more:
            message["thinking"] = more.pop("thinking")
        return {"model": name, "created_at": now(), "message": message, "done": done, **more}

    @staticmethod
    def _content(part: Body) -> str:
        return str(part["response"] if "response" in part else part["message"]["content"])

    @staticmethod
    def _put(part: Body, content: str) -> None:
        if "response" in part:
            part["response"] = content
        else:
            part["message"]["content"] = content
