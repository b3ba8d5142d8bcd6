"""A trained decomposer that runs here, without a model server: it does one task, `ProposeNext`."""

import json
import threading
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import MalformedReply
from core.learning.training.base_model import adapter_base, fitting, model_of, tokenizer_of, with_adapter
from core.learning.training.extra import load
from core.ports import Listener, R
from core.tasks import Call, Task

MAX_REPLY_TOKENS = 96


class TrainedProposer:
    """An LLM made of a base model and an adapter (or a whole model), loaded with its first use."""

    def __init__(
        self, folder: Path, render: Callable[[Task], tuple[str, str]], base: str = "", engine: str = ""
    ) -> None:
        """`base` is the model the adapter is put on, by default the one it was trained on."""
        self._folder, self._render, self._base = folder, render, base
        self._engine = engine or folder.name
        self._lock = threading.Lock()

    @cached_property
    def _model(self) -> Any:
        if not (self._folder / "adapter_config.json").is_file():
            return model_of(str(self._folder)).eval()
        base = self._base or adapter_base(self._folder).name
        fitting(self._folder, base)
        return with_adapter(model_of(base), self._folder).eval()

    @cached_property
    def _tokenizer(self) -> Any:
        return tokenizer_of(str(self._folder))

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Answer with the most likely words. Raises TrainingError, MalformedReply or Stopped."""
        if listener is not None:
            listener.check()
        began = time.perf_counter()
        system, user = self._render(task)
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        with self._lock:
            text, read, written = self._generate(prompt)
        call = Call(
            task=type(task).__name__,
            engine=self._engine,
            seconds=time.perf_counter() - began,
            tokens_in=read,
            tokens_out=written,
            reply=text,
        )
        try:
            reply = into.model_validate(json.loads(text))
        except (ValueError, ValidationError) as error:
            raise MalformedReply(f"{self._engine} said something else than JSON: {text[:80]!r}.") from error
        return reply.model_copy(update={"call": call})

    def _generate(self, prompt: list[dict[str, str]]) -> tuple[str, int, int]:
        torch, model = load("torch"), self._model
        ids = self._tokenizer.apply_chat_template(
            prompt, add_generation_prompt=True, tokenize=True, return_tensors="pt", return_dict=True
        )["input_ids"]
        with torch.inference_mode():
            made = model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=MAX_REPLY_TOKENS,
                do_sample=False,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        new = made[0, ids.shape[1] :]
        return self._tokenizer.decode(new, skip_special_tokens=True), int(ids.shape[1]), int(new.shape[0])
