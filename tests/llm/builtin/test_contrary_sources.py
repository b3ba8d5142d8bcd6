"""Two documents disagree where each by itself answers, with another value of the same measure."""

import pytest

from core.domain import Evidence
from core.llm.builtin.answer.answer_or_abstain import decide_outcome
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.scorer import Scorer
from core.llm.encoders.embedders import PackagedEmbedder


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer(Meaning(PackagedEmbedder()))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The wet clean of chamber B takes 5 hours.", "conflict"),
        ("The wet clean of chamber B takes 390 minutes.", "answer"),
        ("The wet clean of chamber B is due after 600 RF hours.", "answer"),
    ],
)
def test_another_value_of_the_same_measure_is_contrary(scorer: Scorer, text: str, outcome: str) -> None:
    pieces = [
        Evidence(n=1, document="a", source="Notes", text="The wet clean of chamber B takes 6.5 hours."),
        Evidence(n=2, document="b", source="Manual", text=text),
    ]
    found = decide_outcome("How long does the wet clean of chamber B take?", pieces, scorer)
    assert found.outcome == outcome
    assert "6.5 hours" in found.sentences[0].text
