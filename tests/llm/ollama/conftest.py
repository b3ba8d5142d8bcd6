"""A double of Ollama with one model, which gates and writes prose."""

import pytest

from tests.llm.ollama.gating import brain
from tests.ollama_double import Model, OllamaDouble


@pytest.fixture
def double():
    with OllamaDouble(brain=brain, models=(Model("qwen3:4b"),)) as running:
        yield running
