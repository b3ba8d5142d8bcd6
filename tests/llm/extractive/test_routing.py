import json
from collections import Counter
from pathlib import Path

import pytest

from core.domain import Level
from core.tasks import Gate, Gated, Route, Routed

LEVELS = [
    json.loads(line) for line in (Path(__file__).parent / "levels.jsonl").read_text("utf-8").splitlines()
]


def test_levels_are_found_with_precision_and_recall_of_at_least_nine_in_ten(engine):
    said = [(row["level"], engine.run(Route(question=row["question"]), Routed).level.value) for row in LEVELS]
    right = Counter(gold for gold, found in said if gold == found)
    gold, found = Counter(g for g, _ in said), Counter(f for _, f in said)
    assert len(LEVELS) == 120 and set(gold.values()) == {24}
    for level in Level:
        assert right[level] / gold[level] >= 0.9, level
        assert right[level] / found[level] >= 0.9, level


def test_the_reason_of_a_route_can_be_read(engine):
    assert engine.run(Route(question="Forecast the yield for next month."), Routed).reason == (
        "asks for a forecast; speaks of the time to come"
    )


def test_a_count_that_a_table_lists_is_a_look_up(engine):
    question = "How many alarms in 2024 in total?"
    card = "Table months. 12 rows. Columns: Month (date), alarms in total (integer)."
    assert engine.run(Route(question=question), Routed).level is Level.LINKING
    assert engine.run(Route(question=question, library=(card,)), Routed).level is Level.DIRECT


@pytest.mark.parametrize(
    ("question", "composite"),
    [
        ("Who is the general manager of the Boston Celtics?", False),
        ("Who is the wife of the general manager of the Boston Celtics?", True),
        ("where does the dutch reformed church come from", False),
        ("which film came out first, jaws or alien", True),
        ("ETCH-03的射频功率上限是多少？", False),
        ("ETCH-03和ETCH-05的维护周期有什么不同？", True),
        ("导致4月良率下降的那个部件是由哪家供应商提供的？", True),
    ],
)
def test_the_gate_tells_simple_from_composite(engine, question, composite):
    reply = engine.run(Gate(question=question), Gated)
    assert reply.composite is composite and reply.reason


@pytest.mark.parametrize("pair", ["musique pair", "fanoutqa pair"])
def test_the_gate_keeps_its_goal_on_public_pairs(bench_data, engine, pair):
    from bench.gate_plan import score_gate

    scores = score_gate(bench_data / "gate" / "questions.jsonl", engine)
    assert scores["pairs"][pair] >= 0.85 and scores["ms"] <= 10


@pytest.mark.parametrize(
    "question",
    [
        "What does the 8D report 8D-2025-003 say about the root cause?",
        "What does SOP-ETCH-012 say about the electrostatic chuck?",
        "What does the equipment manual say about the focus ring?",
        "According to the spare parts catalogue, what is the price of PN-4410?",
        "SOP-ETCH-015 对静电吸盘是怎么规定的？",
    ],
)
def test_what_one_document_says_is_looked_up_in_it(engine, question):
    assert engine.run(Route(question=question), Routed).level is Level.DIRECT


@pytest.mark.parametrize(
    ("question", "seeks"),
    [
        ("Summarise what the library says about edge particles.", "global"),
        ("What is this library about?", "global"),
        ("概述氦气泄漏的情况", "global"),
        ("Why did the yield of A77 drop?", "reasoning"),
        ("为什么良率下降？", "reasoning"),
        ("What torque do the lid screws need?", "factual"),
    ],
)
def test_what_kind_of_evidence_a_question_needs_is_said_with_its_level(engine, question, seeks):
    assert engine.run(Route(question=question), Routed).seeks == seeks
