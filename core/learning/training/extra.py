"""The libraries of the extra `train`, loaded when they are first needed."""

import importlib
import os
from typing import Any

from core.errors import TrainingError

NAMES = ("torch", "transformers", "peft", "trl", "datasets", "accelerate")


def load(name: str) -> Any:
    """Return the module. Raises TrainingError where the extra `train` is not installed."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        module = importlib.import_module(name)
        if name == "transformers":
            module.utils.logging.disable_progress_bar()
        return module
    except ImportError as error:
        raise TrainingError(
            f"Training needs {name.split('.', 1)[0]}, which is not installed.",
            hint="Install it with: pip install 'strata[train]'.",
        ) from error
