"""A document in brief: each sentence once, without the mark of the list item it stood in."""

from core.domain import Evidence
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.summary import LISTED, summarised


def summary_lines(*texts: str) -> list[str]:
    pieces = [
        Evidence(
            n=n,
            text=text,
            source="Gate log",
            name="gate.md",
            document="d",
            heading=(f"Part {n}",),
            scores=LISTED,
        )
        for n, text in enumerate(texts, 1)
    ]
    return [
        sentence.text
        for sentence in summarised(read("Summarise the gate log"), pieces, Scorer(Meaning(None)))
    ]


def test_a_short_document_tells_no_sentence_twice():
    first = "The north gate was closed for nine days. Its hinge had been bent by a truck in the week of May."
    lines = summary_lines(first, "The south gate stayed open all through the summer of that year.")
    assert sum("nine days" in line for line in lines) == 1


def test_items_of_a_list_are_told_as_items_once():
    lines = summary_lines(
        "1. Close the valve behind the north gate before noon.\n2. Hang the lock on the breaker of the pump.",
        "- Never open the drain while the casing is warmer than a hand.",
        "The gate was painted blue in the last week of September.",
        "The gate was oiled by the keeper of the southern lock.",
    )
    assert not [line for line in lines if line.startswith(("- -", "- 1.", "- 2."))]
    assert any(line.startswith("- Never open the drain") for line in lines)
