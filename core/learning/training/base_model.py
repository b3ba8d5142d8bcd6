"""The model that is trained on: where it lies, what it is, and whether an adapter was made for it."""

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

from core.domain import Value
from core.errors import TrainingError
from core.learning.training.extra import load

CARD = "base.json"
SHAPE = ("model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")


class Base(Value):
    """A base model: its name or folder, its shape, and a digest of the shape and the tokenizer's words."""

    name: str
    model_type: str
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    vocab_size: int
    digest: str

    def described(self) -> str:
        return f"{self.model_type}, {self.num_hidden_layers} x {self.hidden_size}, {self.vocab_size} words"


def tokenizer_of(name: str) -> Any:
    """Return the tokenizer of a model on this machine. Raises TrainingError."""
    return _opened(load("transformers").AutoTokenizer, name)


def describe(name: str) -> Base:
    """Return the base model found on this machine, its shape and digest. Raises TrainingError for none."""
    config = _opened(load("transformers").AutoConfig, name)
    config = config.get_text_config()
    shape: dict[str, Any] = {key: getattr(config, key, 0) or 0 for key in SHAPE}
    words = json.dumps(sorted(tokenizer_of(name).get_vocab().items()), ensure_ascii=True)
    fingerprint = json.dumps(shape, sort_keys=True) + hashlib.sha256(words.encode("ascii")).hexdigest()
    return Base(name=name, digest=hashlib.sha256(fingerprint.encode("ascii")).hexdigest()[:16], **shape)


def model_of(name: str, **settings: Any) -> Any:
    """Return the weights of a causal language model on this machine. Raises TrainingError."""
    return _opened(load("transformers").AutoModelForCausalLM, name, **settings)


def with_adapter(model: Any, adapter: Path, *, trainable: bool = False) -> Any:
    """Return the model with the adapter on it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # peft's words to transformers, not to the reader
        return load("peft").PeftModel.from_pretrained(model, str(adapter), is_trainable=trainable)


def adapter_base(adapter: Path) -> Base:
    """Return the base an adapter was made for. Raises TrainingError where that is not known."""
    card = adapter / CARD
    if not (adapter / "adapter_config.json").is_file() or not card.is_file():
        raise TrainingError(
            f"{adapter.name} is no adapter that Strata trained: it has no adapter_config.json and {CARD}.",
            hint="Give the folder `adapter` of a run of `strata train sft` or `strata train dpo`.",
        )
    return Base.model_validate_json(card.read_text("utf-8"))


def fitting(adapter: Path, base: str) -> Base:
    """Return the base if the adapter was made for it. Raises TrainingError for another one."""
    made_for, here = adapter_base(adapter), describe(base)
    if made_for.digest != here.digest:
        raise TrainingError(
            f"The adapter was trained on {made_for.name} ({made_for.described()}), "
            f"not on {base} ({here.described()}).",
            hint=f"Use it with {made_for.name}, or train one for {base} with `strata train sft`.",
        )
    return here


def _opened(kind: Any, name: str, **settings: Any) -> Any:
    try:
        return kind.from_pretrained(name, local_files_only=True, **settings)
    except (OSError, ValueError) as error:
        raise TrainingError(
            f"There is no model {name} on this machine that transformers can read.",
            hint="Give the folder of a model in Hugging Face form, or fetch it first: hf download NAME.",
        ) from error
