"""What answers "how many": a count of the thing, not a figure that measures something else."""

import pytest

from core.llm.extractive.counts import counts_nothing

CHAMBERS = "How many chambers does the PE-300 have?"
PARTS = "part number: PN-4610; part: Chamber O-ring set; price: 340; stock: 24"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (CHAMBERS, "This procedure describes the wet clean of a PE-300 process chamber after 600 RF hours."),
        (CHAMBERS, "Inspect the chuck of ETCH-03 chamber B (see the manual, section 6) by 2025-03-18."),
        (CHAMBERS, PARTS),
        ("How many alarms were there?", "The helium leak alarm was lowered from 4.0 to 3.0 sccm."),
        ("How many alarms were there?", "4月1日起，氦气泄漏报警上限由 3.0 sccm 降为 2.5 sccm。"),
    ],
)
def test_a_figure_that_measures_counts_nothing(question: str, text: str) -> None:
    assert counts_nothing(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (CHAMBERS, "The PE-300 has two chambers and takes 6 hours to clean."),
        (CHAMBERS, "Each tool has chambers A and B."),  # no figure: left to others to judge
        (CHAMBERS, "Property: Chambers; Value: 2 (A and B)"),
        ("How many O-ring sets are in stock?", PARTS),
        ("How many hours does the clean take?", "The clean takes 6 hours."),
        ("How much pressure is needed?", "The chamber is vented to 760 Torr."),
        ("When was it vented?", "The chamber was vented on 2025-03-18."),
    ],
)
def test_a_figure_that_may_count_is_left(question: str, text: str) -> None:
    assert not counts_nothing(question, text)
