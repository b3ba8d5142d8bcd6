"""What somebody has asked or stated before is looked up; verified atoms come first."""

from pathlib import Path

import numpy as np

from core.domain import Atom, Distilled, Scope
from core.llm.encoders.embedders import PackagedEmbedder
from core.retrieval.direct_lookup import DirectLookup
from core.retrieval.hybrid_retriever import HybridRetriever
from tests.making import library, passage


class Fixed:
    """Gives one vector for every question."""

    def __init__(self, *values: float) -> None:
        self.values = values

    def vector(self, text: str) -> np.ndarray:
        vector = np.zeros(384, np.float32)
        vector[: len(self.values)] = self.values
        return vector / np.linalg.norm(vector)


def test_near_atoms_lead_to_their_chunks_verified_ones_first_and_far_ones_to_nothing(tmp_path: Path):
    texts = ("The limit is 12 Pa.", "The pump is a DP-3.")
    with library(tmp_path, *texts) as knowledge:
        atoms = tuple(
            Atom(id=f"a{n}", chunk_id=passage(text).chunk.id, kind="question", text=f"{n}?", verified_by=who)
            for n, (text, who) in enumerate(zip(texts, (None, "Mei"), strict=True))
        )
        vectors = {"atoms": np.eye(2, 384, dtype=np.float32)}
        knowledge.enrich(passage(texts[0]).chunk.document_id, Distilled(atoms=atoms), vectors)
        near = DirectLookup(knowledge, Fixed(1.0, 0.98), nearness=0.6).look_up("?", Scope())
        assert [p.chunk.text for p in near] == [texts[1], texts[0]]
        assert near[0].why == ("by its atom: 1?",)
        assert near[0].document_title == "Manual"
        alone = DirectLookup(knowledge, Fixed(1.0, 0.98), nearness=0.705).look_up("?", Scope())
        assert [p.chunk.text for p in alone] == [texts[0]]
        assert DirectLookup(knowledge, Fixed(0, 0, 1.0)).look_up("?", Scope()) == ()


def test_what_a_document_says_is_searched_in_the_one_that_is_named_and_in_no_other(tmp_path: Path):
    with library(tmp_path, "The chuck is cooled with helium.") as knowledge:
        directory = DirectLookup(knowledge, HybridRetriever(knowledge, PackagedEmbedder()))
        result = directory.look_up("What does the manual say about the chuck?", Scope())
        assert [p.chunk.text for p in result] == ["The chuck is cooled with helium."]
        assert result[0].query == "What does the manual say about the chuck?"
        assert directory.look_up("What does the yield workbook say about the chuck?", Scope()) == ()
