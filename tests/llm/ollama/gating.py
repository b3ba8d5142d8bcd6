"""A double with one model, and the smallest task asked of it."""

from core.llm.ollama.client import OllamaLLM
from core.tasks import Understand, Understood
from tests.ollama_double import Asked, OllamaDouble

GATED = '{"composite": true, "reason": "two hops", "level": "L2", "parts": []}'
PROSE = "The pump is old [1]. It is loud [2]. Nobody knows who bought it."


def brain(asked: Asked) -> str:
    return GATED if asked.format else PROSE


def open_llm(double: OllamaDouble, **options) -> OllamaLLM:
    return OllamaLLM(double.host, **{"pause": 0.01, **options})


def gate(llm: OllamaLLM, listener=None) -> Understood:
    return llm.run(Understand(question="Who leads the maker of X?"), Understood, listener)
