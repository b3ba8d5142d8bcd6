"""Plans of comparisons: a part for each thing and attribute, and one that compares."""

import pytest

from tests.llm.builtin.understand.plan_parts import execution, parts


def test_two_things_compared_and_explained_are_five_parts_with_their_order(read):
    question = "Compare BERT and GPT-2's performance on GLUE, and explain what attention mechanism they use"
    reply = read(question)
    assert parts(reply) == [
        ("What is BERT's performance on GLUE?", ()),
        ("What is GPT-2's performance on GLUE?", ()),
        ("What attention mechanism does BERT use?", ()),
        ("What attention mechanism does GPT-2 use?", ()),
        ("How do BERT (#1) and GPT-2 (#2) compare in performance on GLUE?", (1, 2)),
    ]
    assert (execution(reply), reply.parts[-1].type, reply.kind) == ("mixed", "comparative", "comparison")
    reply = read("比较BERT和GPT-2在GLUE上的表现，并说明它们分别使用什么注意力机制")
    assert parts(reply) == [
        ("BERT在GLUE上的表现是什么？", ()),
        ("GPT-2在GLUE上的表现是什么？", ()),
        ("BERT使用什么注意力机制？", ()),
        ("GPT-2使用什么注意力机制？", ()),
        ("比较BERT（#1）和GPT-2（#2）在GLUE上的表现。", (1, 2)),
    ]
    assert execution(reply) == "mixed"
    reply = read("比较BERT和GPT-2在GLUE上的表现，并解释它们使用的注意力机制")
    assert parts(reply)[2:4] == [
        ("BERT使用的注意力机制是什么？", ()),
        ("GPT-2使用的注意力机制是什么？", ()),
    ]


_PRICE_AND_RENT = ["What is the rent of Flat 12?", "What is the floor area of Flat 12?",
                   "What is the rent of Flat 14?", "What is the floor area of Flat 14?"]  # fmt: skip
COMPARED = {
    "Which chamber of K-3 had more alarms, A or B?": [
        "How many alarms does chamber A of K-3 have?",
        "How many alarms does chamber B of K-3 have?",
    ],
    "Is the price of the Kestrel higher than that of the Merlin?": [
        "What is the price of the Kestrel?",
        "What is the price of the Merlin?",
    ],
    "Were there more freshwater ducks in 2022 or in 2023?": [
        "How many freshwater ducks were there in 2022?",
        "How many freshwater ducks were there in 2023?",
    ],
    "Which lot has more added particles, L25-0301 or L25-0309?": [
        "How many added particles does L25-0301 have?",
        "How many added particles does L25-0309 have?",
    ],
    "Chr10 和 Chr13.1 哪个尺寸更大？": ["Chr10的尺寸是多少？", "Chr13.1的尺寸是多少？"],
    "Kestrel 和 Merlin 有什么区别？": ["Kestrel的情况是什么？", "Merlin的情况是什么？"],
    "Compare the rent and floor area of Flat 12 and Flat 14": _PRICE_AND_RENT,
    "How do Flat 12 and Flat 14 differ in rent and floor area?": _PRICE_AND_RENT,
    "What is the difference in rent and floor area between Flat 12 and Flat 14?": _PRICE_AND_RENT,
    "Flat 12 vs Flat 14: rent and floor area": _PRICE_AND_RENT,
    "Brixen water sales: 2022 versus 2023": [
        "What are the Brixen water sales of 2022?",
        "What are the Brixen water sales of 2023?",
    ],
    "grey geese in 2020 and in 2022, side by side": [
        "What are the grey geese in 2020?",
        "What are the grey geese in 2022?",
    ],
    "How many lots of Orval and how many of Brixen are in the depot?": [
        "How many lots of Orval are in the depot?",
        "How many lots of Brixen are in the depot?",
    ],
    "What is the draught of the Orval compared with the Brixen?": [
        "What is the draught of the Orval?",
        "What is the draught of the Brixen?",
    ],
    "How many more people lived in Velm in 1525 compared to 1553?": [
        "How many people lived in Velm in 1525?",
        "How many people lived in Velm in 1553?",
    ],
    "What is K-10's range compared to K-20's?": ["What is K-10's range?", "What is K-20's range?"],
    "Compare Orval's and Brixen's revenue": ["What is Orval's revenue?", "What is Brixen's revenue?"],
    "Compare oat milk and soy milk in sugar": [
        "What is the sugar of oat milk?",
        "What is the sugar of soy milk?",
    ],
    "Compare oat milk and soy milk regarding sugar": [
        "What is the sugar of oat milk?",
        "What is the sugar of soy milk?",
    ],
    "Compare Orval's revenue and that of Brixen": [
        "What is Orval's revenue?",
        "What is Brixen's revenue?",
    ],
    "Compare the fare and length of Route 7, Route 8 and Route 9": [
        f"What is the fare and length of Route {n}?" for n in (7, 8, 9)
    ],
    "Which of Hall A and Hall B has the higher noise level?": [
        "What is the noise level of Hall A?",
        "What is the noise level of Hall B?",
    ],
    "Is Hall A larger than Hall B?": ["How large is Hall A?", "How large is Hall B?"],
    "Which part is cheaper, PN-4410 or PN-4502?": [
        "What is the price of PN-4410?",
        "What is the price of PN-4502?",
    ],
    "Which kettle lasts longer, K-10 or K-20?": ["How long does K-10 last?", "How long does K-20 last?"],
    "Which is heavier: K-10, K-20 or K-30?": [f"How heavy is K-{n}?" for n in (10, 20, 30)],
    "Kestrel比Merlin重吗？": ["Kestrel有多重？", "Merlin有多重？"],
    "PN-4410 和 PN-4502 哪个更贵？": ["PN-4410的价格是多少？", "PN-4502的价格是多少？"],
    "哪个交货期更长，PN-4410 还是 PN-4502？": ["PN-4410的交货期是多少？", "PN-4502的交货期是多少？"],
    "从租金和面积两方面比较12号公寓和14号公寓": [
        "12号公寓的租金是多少？",
        "12号公寓的面积是多少？",
        "14号公寓的租金是多少？",
        "14号公寓的面积是多少？",
    ],
    "比较锡的熔点和铅的熔点": ["锡的熔点是什么？", "铅的熔点是什么？"],
}


@pytest.mark.parametrize("question", COMPARED)
def test_each_side_of_a_comparison_is_asked_for_each_thing_that_is_compared(read, question):
    reply = read(question)
    assert parts(reply)[:-1] == [(text, ()) for text in COMPARED[question]]
    assert reply.parts[-1].type == "comparative"
    assert reply.parts[-1].depends_on == tuple(range(1, len(reply.parts)))


@pytest.mark.parametrize(
    "question",
    [
        "Compare the range of the Kestrel and the endurance of the Merlin",
        "比较Kestrel的航程和Merlin的续航时间",
    ],
)
def test_a_comparison_whose_sides_cannot_be_told_is_asked_whole(read, question):
    assert len(read(question).parts) == 1
