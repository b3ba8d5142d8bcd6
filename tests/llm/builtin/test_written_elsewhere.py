"""A sentence that only says where the value is written is no answer, whatever other figures are in it."""

import pytest

from core.domain import Evidence, Outcome
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.written_elsewhere import refers_elsewhere
from core.tasks import Answer, Written


@pytest.mark.parametrize(
    ("question", "text", "refers"),
    [
        ("What is the price of the feed roller?", "Lead time 14 weeks, price see parts-list.xlsx.", True),
        (
            "What is the weight of the roller?",
            "The roller is new and its weight is stated on the drawing.",
            True,
        ),
        ("Who is the owner of the mill?", "The owner is listed in the register sheet.", True),
        ("进料辊的价格是多少？", "进料辊由 Ostmark 供货，交货期 14 周，价格见零件表。", True),
        ("进料辊的交货期是多少？", "进料辊由 Ostmark 供货，交货期 14 周，价格见零件表。", False),
        ("What torque do the bolts need?", "The torque is given in table 3 as 25 Nm.", False),
        ("What torque do the bolts need?", "Bolts need a torque of 25 Nm (see table 3).", False),
        ("Where is the torque given?", "The torque is given in table 3.", False),
        ("Which oil does the gearbox use?", "The gearbox uses oil VG-46 as described in SOP-OIL-02.", False),
        ("How is the gearbox cleaned?", "The cleaning of the gearbox is described in SOP-OIL-02.", False),
    ],
)
def test_what_only_says_where_it_is_written(question, text, refers):
    assert refers_elsewhere(read(question), text) is refers


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "What is the price of the feed roller?",
            "The feed roller is delivered within 14 weeks; the price is given in the parts list.",
        ),
        ("进料辊的价格是多少？", "进料辊由 Ostmark 供货，交货期 14 周，价格见零件表。"),
    ],
)
def test_it_is_shown_as_the_closest_passage(engine, question, text):
    evidence = (Evidence(n=1, source="Rollers", text=text),)
    written = engine.run(Answer(question=question, evidence=evidence, language="en"), Written)
    assert written.outcome is Outcome.CLOSEST
