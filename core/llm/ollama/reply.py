"""Reads what a model said: thoughts and fences off, then the reply's type decides."""

import json
import re
from typing import Any, TypeVar

from pydantic import ValidationError

from core.tasks import Reply

R = TypeVar("R", bound=Reply)

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_OPEN, _CLOSE = "<think>", "</think>"


def schema_of(into: type[Reply]) -> dict[str, Any]:
    """Return the reply's JSON schema with every field required: small models leave out what they may."""
    schema = into.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        if "properties" in part:
            part["required"] = list(part["properties"])
    return schema


def without_thoughts(text: str) -> str:
    """Return the text without <think> blocks, also where only the opening or the closing mark is there."""
    text = _THOUGHT.sub("", text)
    text = text.rpartition(_CLOSE)[2]
    return text.partition(_OPEN)[0]


def read_text(content: str) -> str:
    """Return the prose of a reply. Raises ValueError where there is none."""
    text = without_thoughts(content).strip()
    fenced = _FENCE.fullmatch(text)
    if fenced:
        text = fenced.group(1).strip()
    if not text:
        raise ValueError("the reply is empty")
    return text


def read_json(content: str, into: type[R]) -> R:
    """Return the reply in its type. Raises ValueError that says what is wrong, for the model to mend."""
    text = without_thoughts(content).strip()
    if not text:
        raise ValueError("the reply is empty")
    fenced = _FENCE.search(text)
    problem = "the reply holds no JSON object"
    for candidate in (text, fenced.group(1).strip() if fenced else "", _first_object(text)):
        if not candidate.startswith("{"):
            continue
        try:
            reply = into.model_validate_json(candidate, extra="ignore")
        except ValidationError as error:
            problem = _say(error)
            continue
        if reply.model_fields_set:
            return reply
        problem = f"the reply has none of the fields {', '.join(schema_of(into)['properties'])}"
    raise ValueError(problem)


def _first_object(text: str) -> str:
    """Return the first complete JSON object within the text, "" if there is none."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start != -1:
        try:
            _, end = decoder.raw_decode(text, start)
        except ValueError:
            start = text.find("{", start + 1)
            continue
        return text[start:end]
    return ""


def _say(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'JSON'}: {problem['msg']}"
        for problem in error.errors()[:3]
    ]
    return "; ".join(problems)


class Speech:
    """Passes on the prose of a stream as it comes, and keeps thoughts to itself."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self.begun = False

    def take(self, piece: str) -> str:
        """Take the next piece; return what may be shown now."""
        self._held += piece
        shown = ""
        while True:
            mark = _CLOSE if self._thinking else _OPEN
            before, found, after = self._held.partition(mark)
            if not found:
                break
            shown += "" if self._thinking else before
            self._held, self._thinking = after, not self._thinking
        keep = _partial(self._held, mark)
        ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return self._show(shown + ("" if self._thinking else ready))

    def rest(self) -> str:
        """Return what was held back because it looked like the start of a thought."""
        held, self._held = self._held, ""
        return "" if self._thinking else self._show(held)

    def _show(self, text: str) -> str:
        if not self.begun:
            text = text.lstrip()
            self.begun = bool(text)
        return text


def _partial(text: str, mark: str) -> int:
    """Return how many characters at the end of the text could be the start of the mark."""
    return next((size for size in range(len(mark) - 1, 0, -1) if text.endswith(mark[:size])), 0)
