"""A question that names a document by what it is keeps to it."""

import pytest

from core.llm.extractive.sources import kept_to_named
from core.tasks import Evidence

MANUAL = Evidence(n=1, source="PE-300 Plasma Etcher: Equipment Manual", text="The ring lasts 500 RF hours.")
SOP = Evidence(n=2, source="SOP-ETCH-012 Chamber wet clean", text="The ring lasts 400 RF hours.")
REPORT = Evidence(n=3, source="Defect report DR-2025-041", text="152 wafers were scrapped.")
EVERY = (MANUAL, SOP, REPORT)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What is the interval in the equipment manual?", (1,)),
        ("What is the interval in the wet clean procedure?", (2,)),  # an SOP is a procedure
        ("How many wafers were scrapped according to the defect report?", (3,)),
        ("Compare it in the equipment manual and in the wet clean procedure.", (1, 2)),
        ("What is said in the travel report?", (1, 2, 3)),  # a document nobody found
        ("What is said in the report?", (1, 2, 3)),
        ("How long does the ring last?", (1, 2, 3)),
    ],
)
def test_the_evidence_is_that_of_the_document_named(question, kept):
    assert tuple(piece.n for piece in kept_to_named(question, EVERY)) == kept
