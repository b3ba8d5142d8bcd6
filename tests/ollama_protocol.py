"""What travels between Ollama and its clients: models, faults, tokens, vectors, JSON as Go writes it."""

import hashlib
import json
import time
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Kind = Literal[
    "error_mid_stream", "no_done", "stall", "reset", "length_cut", "flood", "fenced", "think_in_content",
    "only_thinking", "prose_instead", "wrong_schema", "empty", "garbage", "queue_full", "died", "slow_first",
    "untagged_thoughts", "huge",
    "unauthorised", "refused_option",
]  # fmt: skip
STATUS_FAULTS: dict[str, tuple[int, str]] = {
    "queue_full": (503, "server busy, please try again.  maximum pending requests exceeded"),
    "died": (
        500,
        "model runner has unexpectedly stopped, this may be due to resource limitations or an internal "
        "error, check ollama server logs for details",
    ),
    "unauthorised": (401, "unauthorized"),
    "refused_option": (500, 'option "num_ctx" must be of type integer'),
}
NUM_KEEP = 4
IMAGE_TOKENS = 768


@dataclass(frozen=True)
class Model:
    """A model the double pretends to have."""

    name: str
    capabilities: tuple[str, ...] = ("completion", "tools")
    window: int = 40960
    width: int = 384
    family: str = "qwen3"
    # What public reports say of models: a thinking model may not heed `think: false`, and then either thinks
    # apart, or writes its thoughts into the reply, with a closing tag or without any.
    thinks: Literal["as told", "always", "tagged", "untagged"] = "as told"
    heeds_format: Literal["always", "while thinking", "never"] = "always"

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.name}/{self.window}/{self.width}".encode()).hexdigest()


MODELS = (
    Model("all-minilm:latest", ("embedding",), window=512, width=384, family="bert"),
    Model("qwen3:4b", ("completion", "tools", "thinking")),
    Model("llava:7b", ("completion", "vision"), family="llama"),
    Model("nomic-embed-text:latest", ("embedding",), window=2048, width=768, family="nomic-bert"),
)


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request; `after` counts pieces, `seconds` is how long a pause lasts."""

    kind: Kind
    after: int = 2
    seconds: float = 30.0


@dataclass(frozen=True)
class Asked:
    """What a brain is asked: the messages after the server's own cutting."""

    model: str
    system: str
    user: str
    format: Any = None
    images: tuple[str, ...] = ()


def count_tokens(text: str) -> int:
    wide = sum(1 for char in text if ord(char) > 0x2E7F)
    return wide + (len(text) - wide + 3) // 4


def embed(model: Model, text: str, width: int | None) -> list[float]:
    """Return a normalised vector: the sum of a fixed random vector for each word."""
    total = np.zeros(model.width)
    for word in text.lower().split() or [""]:
        seed = int.from_bytes(hashlib.blake2b(f"{model.name}/{word}".encode(), digest_size=8).digest())
        total += np.random.default_rng(seed).standard_normal(model.width)
    if width:
        total = total[:width]
    return [float(x) for x in (total / (np.linalg.norm(total) or 1.0)).astype(np.float32)]


def go_json(value: object) -> bytes:
    """Return JSON as Go's encoder writes it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode()


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + ".123456789Z"
