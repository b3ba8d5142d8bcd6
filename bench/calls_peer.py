"""LlamaIndex over the same passages and the same double: its plain engine and that of sub-questions.

The library is the real one, with its own prompts and its own client of Ollama. It searches the same chunks by
the vectors Strata embeds with, and reads as many of them as Strata did for the question; its engine of
sub-questions reads as many in all, shared between the parts.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.domain import Chunk
from core.llm.encoders.embedders import PackagedEmbedder


@dataclass(frozen=True)
class Times:
    """When (process clock) a question was asked, its first word came, and it ended."""

    asked: float
    first: float
    ended: float


class LlamaIndex:
    """The index and both engines."""

    def __init__(self, host: str, model: str, chunks: Sequence[Chunk], titles: dict[str, str]) -> None:
        from llama_index.core import Settings, VectorStoreIndex
        from llama_index.core.embeddings import BaseEmbedding
        from llama_index.core.schema import TextNode
        from llama_index.llms.ollama import Ollama

        embedder = PackagedEmbedder()

        class Packaged(BaseEmbedding):
            """The vectors of the packaged model."""

            def _get_text_embedding(self, text: str) -> list[float]:
                return [float(x) for x in embedder.embed([text])[0]]

            def _get_query_embedding(self, query: str) -> list[float]:
                return self._get_text_embedding(query)

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return self._get_text_embedding(query)

        def served() -> Any:
            return Ollama(
                model=model,
                base_url=host,
                request_timeout=600,
                context_window=8192,
                thinking=False,
                additional_kwargs={"num_predict": 1024},
            )

        self.served = served
        self.llm = served()
        Settings.llm, Settings.embed_model = self.llm, Packaged(model_name="packaged")
        vectors = embedder.embed([chunk.passage_text() for chunk in chunks])
        nodes = [
            TextNode(
                id_=chunk.id,
                text=chunk.text,
                embedding=vector.tolist(),
                metadata={"file_path": titles.get(chunk.document_id, ""), "place": chunk.location.label()},
            )
            for chunk, vector in zip(chunks, vectors, strict=True)
        ]
        self.nodes: dict[str, Any] = {node.id_: node for node in nodes}
        self.index: Any = VectorStoreIndex(nodes)

    def plain(self, question: str, passages: int, given: Sequence[str] = ()) -> Times:
        """Ask the plain query engine, streaming; over the `given` chunks where there are any."""
        from llama_index.core.query_engine import RetrieverQueryEngine

        if given:
            retriever: Any = _given(self.nodes, given)
            engine: Any = RetrieverQueryEngine.from_args(retriever, llm=self.llm, streaming=True)
        else:
            engine = self.index.as_query_engine(similarity_top_k=max(1, passages), streaming=True)
        return _timed(lambda: engine.query(question))

    def sub_questions(self, question: str, passages: int, parts: int) -> Times:
        """Ask the engine of sub-questions; its parts at the same time, its last answer streaming."""
        from llama_index.core import get_response_synthesizer
        from llama_index.core.query_engine import SubQuestionQueryEngine
        from llama_index.core.question_gen import LLMQuestionGenerator
        from llama_index.core.tools import QueryEngineTool

        each = max(1, round(passages / max(1, parts)))
        llm = self.served()  # its connections belong to the event loop of one question
        tool = QueryEngineTool.from_defaults(
            self.index.as_query_engine(llm=llm, similarity_top_k=each),
            name="library",
            description="The documents.",
        )
        engine = SubQuestionQueryEngine.from_defaults(
            [tool],
            question_gen=LLMQuestionGenerator.from_defaults(llm=llm),
            response_synthesizer=get_response_synthesizer(llm=llm, streaming=True),
            verbose=False,
            use_async=True,
        )
        asyncio.set_event_loop(asyncio.new_event_loop())
        return _timed(lambda: engine.query(question))


def _given(nodes: dict[str, Any], chunks: Sequence[str]) -> Any:
    """Return a retriever of LlamaIndex that returns these chunks."""
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore

    class Given(BaseRetriever):
        """Brings what it was given."""

        def _retrieve(self, query_bundle: Any) -> list[Any]:
            return [NodeWithScore(node=nodes[chunk], score=1.0) for chunk in chunks if chunk in nodes]

    return Given()


def _timed(ask: Any) -> Times:
    asked = time.monotonic()
    first = 0.0
    for _ in ask().response_gen:
        first = first or time.monotonic()
    return Times(asked, first, time.monotonic())
