"""A question in other words is told from one that only looks alike; where it is not plain they differ."""

import pytest

from core.llm.builtin.questions.equivalent_questions import are_equivalent
from core.llm.builtin.questions.opposites import poles


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who approved the 2024 training budget?", "By whom was the 2024 training budget approved?"),
        ("What does alarm A-217 on ETCH-03 mean?", "What is the meaning of alarm A-217 on ETCH-03?"),
        ("Which tank supplies the pump P-7?", "The pump P-7 is supplied by which tank, please?"),
        ("What is the highest pressure of chamber B?", "What is the maximum pressure of chamber B?"),
        ("What is the lead time of the electrostatic chuck?", "What is the electrostatic chuck's lead time?"),
        ("What is the lead time of the electrostatic chuck?", "electrostatic chuck lead time?"),
        ("What is the lead time of the electrostatic chuck?", "the lead time of the electrostatic chuck"),
        (
            "What is the filter's change interval in dusty halls?",
            "What is the change interval of the filter in dusty halls?",
        ),
        ("Who is the supplier's manager?", "Who is the manager of the supplier?"),
        ("静电吸盘的交期是多少？", "静电吸盘交期？"),
        ("苏州工厂的安全主管是谁？", "谁是苏州工厂的安全主管？"),
    ],
)
def test_these_ask_for_the_same(one: str, other: str):
    assert are_equivalent(one, other) == are_equivalent(other, one)
    assert are_equivalent(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who approved the 2024 training budget?", "Who approved the 2023 training budget?"),
        ("Who approved the 2024 training budget?", "Who did not approve the 2024 training budget?"),
        ("Who approved the 2024 training budget?", "When was the 2024 training budget approved?"),
        ("Who approved the 2024 training budget?", "Who will approve the 2024 training budget?"),
        ("Who hired Alice Meyer?", "Who did Alice Meyer hire?"),
        ("Who may appoint a member?", "Whom may a member appoint?"),
        ("Who may members appoint?", "Who may appoint members?"),
        ("Who has Alice Meyer replaced?", "Who has replaced Alice Meyer?"),
        ("Did Nordvik sue Halvorsen?", "Did Halvorsen sue Nordvik?"),
        ("How often must the filter on K-5 be replaced?", "How often must the filter on K-5 be cleaned?"),
        ("What does alarm A-217 mean?", "What does alarm A-271 mean?"),
        ("What is the highest pressure of chamber B?", "What is the highest pressure of chamber C?"),
        ("What is the highest pressure of chamber B?", "What is the lowest pressure of chamber B?"),
        ("When does the bus from Bergen leave?", "When does the bus to Bergen leave?"),
        ("What was the yield before rework?", "What was the yield after rework?"),
        ("Which pumps does the supplier deliver?", "Which supplier delivers the pumps?"),
        ("What is the customer of the supplier?", "supplier customer delivery?"),
        ("What is the supplier of the customer?", "supplier customer?"),
        ("Who is the manager of the supplier?", "Who is the manager's supplier?"),
        ("What is the lead time of the chuck?", "What was the chuck's lead time?"),
        ("What is the lead time of the chuck?", "chuck lead time in 2025?"),
        ("What is the lead time of the chuck?", "chuck price?"),
        ("泵更换了几次？", "泵更换了什么？"),
        ("甲方向乙方供应什么？", "乙方向甲方供应什么？"),
        ("2023年哪个部门的差旅费最高？", "2022年哪个部门的差旅费最高？"),
    ],
)
def test_these_do_not(one: str, other: str):
    assert not are_equivalent(one, other)
    assert not are_equivalent(other, one)


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("Code A-217: what does it mean?", False),
        ("This means that the valve is shut.", False),
        ("the mean lag", True),
        ("What does the mean lag tell?", True),
    ],
)
def test_what_something_means_is_no_mean(text: str, mean: bool):
    assert bool(poles(text, "middle")) is mean
