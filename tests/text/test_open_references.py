"""What waits for another part reads as a question, in its own language, and shows no sign of a place."""

import pytest

from core.text.open_references import worded

ASKED = {
    1: "批次 L25-0317 在哪台设备上加工？",
    2: "Which pump failed?",
    3: "E-217 报警来自哪台设备？",
    4: "谁负责密封圈？",
    5: "ETCH-03 使用的密封圈是什么？",
    6: "为什么良率下降？",
}


@pytest.mark.parametrize(
    ("question", "reads"),
    [
        ("#1的静电吸盘多久更换一次？", "该设备的静电吸盘多久更换一次？"),
        ("#1和#3哪个更新？", "第1部分的设备和第3部分的设备哪个更新？"),
        ("#5由谁供应？", "该密封圈由谁供应？"),
        ("#4的电话是多少？", "第4部分的答案的电话是多少？"),
        ("#6是谁发现的？", "第6部分的答案是谁发现的？"),
        ("#9多重？", "第9部分的答案多重？"),
        ("How much does #2 weigh?", "How much does [part 2] weigh?"),
        ("A（#1、#3）和B（#5）哪个更重？", "A和B哪个更重？"),
        ("How do A (#1, #2) and B (#3) compare in price?", "How do A and B compare in price?"),
    ],
)
def test_a_reference_is_said_by_what_its_part_asks_for(question, reads):
    assert worded(question, ASKED) == reads
