"""Hands a trained decomposer to Ollama: an adapter where Ollama reads one, else the merged model.

Ollama converts safetensors adapters for Llama, Mistral and Gemma 2 only, and safetensors models for more
families (its Modelfile reference and converter); so anything else is merged into its base first.
"""

import shutil
from pathlib import Path

from core.errors import TrainingError
from core.learning.training.base_model import (
    Base,
    adapter_base,
    describe,
    fitting,
    model_of,
    tokenizer_of,
    with_adapter,
)
from core.learning.training.modelfile import parse
from core.learning.training.training_runs import Exported

ADAPTERS = ("llama", "mistral", "gemma2")
MODELS = (*ADAPTERS, "gemma", "gemma3_text", "mixtral", "phi3", "qwen2")


def export(
    trained: Path, folder: Path, *, name: str, served: str = "", base: str = "", merge: bool = False
) -> Exported:
    """Write the Modelfile with an adapter for the Ollama model `served`, or the merged model beside it.

    `base` is the model to merge into, by default the one it was trained on.
    Raises TrainingError for an adapter of another base, a family Ollama does not read, or no name.
    """
    here = adapter_base(trained) if (trained / "adapter_config.json").is_file() else None
    made_for = _checked(trained, here, base)
    lora = here is not None and not merge and made_for.model_type in ADAPTERS
    if not lora and made_for.model_type not in MODELS:
        raise TrainingError(
            f"Ollama reads no safetensors of the family {made_for.model_type}.",
            hint=f"Train a model of one of these families: {', '.join(MODELS)}.",
        )
    if lora and not served:
        raise TrainingError(
            "An adapter is put on a model of Ollama, which was not named.",
            hint=f"Add --from with the Ollama name of {made_for.name} (for example llama3.2:3b), or --merge.",
        )
    lines = [f"FROM {served}", "ADAPTER ./adapter"] if lora else ["FROM ./model"]
    text = "\n".join([*lines, "PARAMETER temperature 0", "PARAMETER num_predict 128"]) + "\n"
    if parse(text)[0].value != lines[0].removeprefix("FROM ") or len(parse(text)) != len(lines) + 2:
        raise TrainingError(
            f"{served!r} is no name of a model.", hint="Give one name, for example llama3.2:3b."
        )
    folder.mkdir(parents=True, exist_ok=True)
    if lora:
        _copy(trained, folder / "adapter")
    else:
        _merged(trained, here, base or made_for.name, folder / "model")
    (folder / "Modelfile").write_text(text, "utf-8")
    commands = (
        *((f"ollama pull {served}",) if lora else ()),
        f"cd {folder}",
        f"ollama create {name} -f Modelfile",
        f"export STRATA_LLM__DECOMPOSER={name}",
        "strata eval decomposer --questions QUESTIONS.jsonl",
    )
    return Exported(folder=str(folder), modelfile=text, commands=commands, merged=not lora)


def _checked(trained: Path, made_for: Base | None, base: str) -> Base:
    if made_for is None:
        return describe(str(trained))
    return fitting(trained, base) if base else made_for


def _copy(trained: Path, target: Path) -> None:
    """Copy what Ollama reads of an adapter: its configuration and its weights."""
    target.mkdir(exist_ok=True)
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        shutil.copyfile(trained / name, target / name)


def _merged(trained: Path, made_for: Base | None, base: str, target: Path) -> None:
    if made_for is None:
        shutil.copytree(trained, target, dirs_exist_ok=True)
        return
    fitting(trained, base)
    joined = with_adapter(model_of(base), trained).merge_and_unload()
    joined.save_pretrained(str(target))
    tokenizer_of(base).save_pretrained(str(target))
