"""Whether a text speaks of the thing a question asks about, and of what it asks of it."""

import pytest

from core.llm.extractive.attributes import says_attribute, says_object

CHUCK = "静电吸盘由 Nordvak Ceramics 供货，交货期 14 周。"


@pytest.mark.parametrize(
    ("question", "text", "spoken"),
    [
        ("静电吸盘的供应商是谁？", CHUCK, True),
        ("聚焦环的供应商是谁？", CHUCK, False),
        ("反射功率的报警上限是多少？", "氦气泄漏报警上限降为 2.5 sccm。", False),
        ("反射功率的报警上限是多少？", "parameter: reflected RF power; alarm: 25", True),
        ("静电吸盘的价格是多少？", "Electrostatic chuck (ESC): 38500 EUR", True),
        ("静电吸盘的价格是多少？", "Focus ring: 2100 EUR", False),
        ("What is the limit of revision B?", "Chamber: B; Alarm: E-217", False),
        ("What is the limit of revision B?", "revision: B; change: lowered to 3.0", True),
    ],
)
def test_a_text_must_speak_of_the_thing_that_is_asked_about(question, text, spoken):
    assert says_object(question, text) is spoken


def test_half_an_attribute_in_chinese_is_enough_only_where_the_rest_has_no_chinese_name():
    leak = "氦气泄漏报警上限由 3.0 sccm 降为 2.5 sccm。"
    assert not says_attribute("What is the pressure limit in the plan?", leak)
    assert says_attribute("What is the alarm limit in the plan?", leak)
    assert says_attribute("What is the zork limit in the plan?", leak)
