"""The double's models: what they are, fetching and deleting them, and the vectors they give."""

from collections.abc import Iterator

from tests.ollama_protocol import STATUS_FAULTS, Model, count_tokens, embed
from tests.ollama_wire import Body, Wire


class Shelf(Wire):
    """The routes about models and vectors."""

    # -- vectors -----------------------------------------------------------------------------

    def _embed(self, body: Body) -> None:
        model = self._embedder(body)
        if model is None:
            return None
        given = body.get("input") or []
        texts = [given] if isinstance(given, str) else given
        if not all(isinstance(text, str) for text in texts):
            return self._json(400, {"error": "invalid input type"})
        problem = self._unembeddable(model, texts, body.get("truncate", True))
        if problem:
            return self._json(400, {"error": problem})
        fault = self.double.fault()
        if fault and fault.kind in STATUS_FAULTS:
            status, result = STATUS_FAULTS[fault.kind]
            return self._json(status, {"error": result})
        self._pause(self.double.latency)
        width = body.get("dimensions")
        vectors = [embed(model, text, width) for text in texts]
        answer: Body = {"model": body["model"], "embeddings": vectors}
        if texts:
            tokens = sum(count_tokens(text) for text in texts)
            answer |= {"total_duration": 1_000_000, "load_duration": 500_000, "prompt_eval_count": tokens}
        return self._json(200, answer)

    def _embeddings(self, body: Body) -> None:
        model = self._embedder(body)
        if model is not None:  # the old route does not normalise
            self._json(200, {"embedding": [3.0 * x for x in embed(model, body.get("prompt", ""), None)]})

    def _embedder(self, body: Body) -> Model | None:
        name = body.get("model", "")
        model = self.double.find(name)
        if model is None:
            self._json(404, {"error": f'model "{name}" not found, try pulling it first'})
        elif "embedding" not in model.capabilities:
            self._json(500, {"error": "this model does not support embeddings"})
            return None
        return model

    def _unembeddable(self, model: Model, texts: list[str], truncate: bool) -> str:
        """Return why the whole batch fails, "" if it does not."""
        if self.double.poison and any(self.double.poison in text for text in texts):
            return "embedding contains NaN or Inf values"
        if not truncate and any(count_tokens(text) > model.window for text in texts):
            return "the input length exceeds the context length"
        return ""

    # -- models ------------------------------------------------------------------------------

    def _card(self, model: Model) -> Body:
        details: Body = {
            "parent_model": "", "format": "gguf", "family": model.family, "families": [model.family],
            "parameter_size": "4.0B", "quantization_level": "Q4_K_M",
        }  # fmt: skip
        card: Body = {
            "name": model.name, "model": model.name, "modified_at": "2026-05-04T17:37:44.706015396-07:00",
            "size": 2_019_393_189, "digest": model.digest, "details": details,
        }  # fmt: skip
        if not self.double.old:
            details |= {"context_length": model.window, "embedding_length": model.width}
            card["capabilities"] = list(model.capabilities)
        return card

    def _tags(self) -> None:
        self._pause(self.double.tags_latency)
        self._json(200, {"models": [self._card(model) for model in self.double.models]})

    def _running(self) -> list[Body]:
        return [
            {
                **self._card(model),
                "expires_at": "2036-10-17T16:47:07.93355-07:00",
                "size_vram": 1_000_000_000,
                "context_length": self.double.loaded[model.name],
            }
            for model in self.double.models
            if model.name in self.double.loaded
        ]

    def _show(self, body: Body) -> None:
        name = body.get("model") or body.get("name") or ""
        model = self.double.find(name)
        if model is None:
            full = name if ":" in name else f"{name}:latest"
            return self._json(404, {"error": f"model '{full}' not found"})
        card = self._card(model)
        shown: Body = {
            "modelfile": "# Modelfile", "parameters": "num_keep                       24",
            "template": "{{ .Prompt }}", "details": card["details"], "modified_at": card["modified_at"],
            "model_info": {
                "general.architecture": model.family,
                f"{model.family}.context_length": model.window,
                f"{model.family}.embedding_length": model.width,
            },
        }  # fmt: skip
        if not self.double.old:
            shown["capabilities"] = list(model.capabilities)
        return self._json(200, shown)

    def _pull(self, body: Body) -> None:
        name = body.get("model") or body.get("name") or ""
        total = 2_142_590_208
        steps: list[Body] = [{"status": "pulling manifest"}]
        if name in self.double.pullable:
            layer = {"status": "pulling 8eeb52dfb3bb", "digest": "sha256:8eeb52dfb3bb" + "0" * 52}
            steps.append({**layer, "total": total})
            steps += [{**layer, "total": total, "completed": total * n // 10} for n in range(1, 11)]
            steps += [{"status": s} for s in ("verifying sha256 digest", "writing manifest", "success")]
        else:
            steps.append({"error": "pull model manifest: file does not exist"})
        if body.get("stream", True):
            return self._stream(self._arriving(name, steps), self.double.fault(), self.double.piece_latency)
        last = list(self._arriving(name, steps))[-1]
        return self._json(500 if "error" in last else 200, last)

    def _arriving(self, name: str, steps: list[Body]) -> Iterator[Body]:
        """Yield the steps; with the last of them the model is there."""
        for step in steps:
            if step.get("status") == "success" and self.double.find(name) is None:
                self.double.models += (Model(name, ("completion", "tools")),)
            yield step

    def _delete(self, body: Body) -> None:
        name = body.get("model") or body.get("name") or ""
        model = self.double.find(name)
        if model is None:
            return self._json(404, {"error": f"model '{name}' not found"})
        self.double.models = tuple(m for m in self.double.models if m is not model)
        return self._text(200, "")
