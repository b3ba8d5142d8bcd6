"""Questions taken apart, and questions that are not."""

import pytest

from core.domain import Plan, SubQuestion
from core.llm.builtin.understand.understand_rule import asks
from tests.llm.builtin.understand.plan_parts import execution, parts


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("Who led the survey, and which SOP describes it?", "Which SOP describes"),
        ("On which tool was lot L25-0317 processed, and which SOP describes the repair of its chuck?",
         "Which SOP describes the repair of #1's chuck?"),
        ("Where is pump V-7, and which NASA report names it?", "Which NASA report names"),
    ],
)  # fmt: skip
def test_a_name_behind_which_is_what_is_asked_for(read, question, last):
    assert parts(read(question))[-1][0].startswith(last)


NESTED = {
    "Where was the wife of Lou Breslow born?": ["Who is the wife of Lou Breslow?", "Where was #1 born?"],
    "What team was Anna Benson's husband on?": ["Who is Anna Benson's husband?", "What team was #1 on?"],
    "Who supplies the part that caused alarm A-207?": ["Which part caused alarm A-207?", "Who supplies #1?"],
    "What is the supplier of the part that alarm E-217 points to?": [
        "What is the part that alarm E-217 points to?",
        "What is the supplier of #1?",
    ],
    "Who is Karl Von Habsburg's paternal grandmother?": [
        "Who is Karl Von Habsburg's father?",
        "Who is #1's mother?",
    ],
    "When did the state where Copake Lake is located join the union?": [
        "What is the state where Copake Lake is located?",
        "When did #1 join the union?",
    ],
    "Which meeting does the person who leads the Audit Office chair?": [
        "Which person leads the Audit Office?",
        "Which meeting does #1 chair?",
    ],
    "Who pays for the bus that the Linden School rents?": [
        "What is the bus that the Linden School rents?",
        "Who pays for #1?",
    ],
    "How much fuel does the generator that powers Ward 6 burn?": [
        "Which generator powers Ward 6?",
        "How much fuel does #1 burn?",
    ],
    "Does the valve that isolates line 4 have a spare?": [
        "Which valve isolates line 4?",
        "Does #1 have a spare?",
    ],
    "How long is the river on which Tolvik lies?": [
        "What is the river on which Tolvik lies?",
        "How long is #1?",
    ],
    "The lawyer who represents Tamsin Hale works for which firm?": [
        "Which lawyer represents Tamsin Hale?",
        "#1 works for which firm?",
    ],
    "What character did the actor born on January 19, 1944 play in Dallas?": [
        "Which actor was born on January 19, 1944?",
        "What character did #1 play in Dallas?",
    ],
    "领导审计处的人主持哪个会议？": ["谁领导审计处？", "#1主持哪个会议？"],
    "给T-3储罐供料的泵报了什么警报？": ["给T-3储罐供料的泵是什么？", "#1报了什么警报？"],
    "谁维修了导致E-217报警的部件？": ["导致E-217报警的部件是什么？", "谁维修了#1？"],
    "李娜出生的城市有多少人口？": ["李娜出生的城市是什么？", "#1有多少人口？"],
    "承包N-5项目的企业注册资本是多少？": ["承包N-5项目的企业是什么？", "#1注册资本是多少？"],
    "张三的丈夫的雇主是谁？": ["张三的丈夫是谁？", "#1的雇主是谁？"],
    "导致4月良率下降的那个部件是由哪家供应商提供的？": [
        "导致4月良率下降的部件是什么？",
        "#1是由哪家供应商提供的？",
    ],
    "谁负责ETCH-03，他还签署了哪些报告？": ["谁负责ETCH-03？", "#1还签署了哪些报告？"],
}


@pytest.mark.parametrize("question", NESTED)
def test_nested_descriptions_become_parts_of_their_own(read, question):
    reply = read(question)
    assert parts(reply) == [(NESTED[question][0], ()), (NESTED[question][1], (1,))]
    assert execution(reply) == "all_sequential"


@pytest.mark.parametrize(
    "question",
    [
        "What must a visitor who enters the Rhode lab wear?",  # whoever that is
        "Which trains that leave Bergen stop in Voss?",  # a condition of those asked for
        "Which Dutch painter made the door of the hall in Venn?",
        "What did the fossils found in the Burgess Shale lack?",
        "P-3泵使用的密封圈有哪些？",
    ],
)
def test_a_description_that_is_asked_for_or_names_no_one_thing_is_left_whole(read, question):
    assert len(read(question).parts) == 1


SPLIT = {
    "Who supplies the part whose seal broke on K-7, and what is its lead time?": [
        "What is the part whose seal broke on K-7?",
        "Who supplies #1?",
        "What is #1's lead time?",
    ],
    "What is the average yield of ETCH-03 and who is responsible for it?": [
        "What is the average yield of ETCH-03?",
        "Who is responsible for ETCH-03?",
    ],
    "Which part caused the alarm and who supplies it?": ["Which part caused the alarm?", "Who supplies #1?"],
    "What caused the edge particles of DR-2025-041 and how was it solved?": [
        "What caused the edge particles of DR-2025-041?",
        "How were the edge particles of DR-2025-041 solved?",
    ],
    "Who wrote the report on tides and what does it recommend?": [
        "Who wrote the report on tides?",
        "What does the report on tides recommend?",
    ],
    "What are the capitals of the five smallest countries in Europe?": [
        "What are the five smallest countries in Europe?",
        "What are the capitals of #1?",
    ],
    "What are the heights of Everest, K2 and Lhotse?": [
        "What are the heights of Everest?",
        "What are the heights of K2?",
        "What are the heights of Lhotse?",
    ],
    "Which film has the director who died first, Jaws or Alien?": [
        "Who is the director of Jaws?",
        "When did #1 die?",
        "Who is the director of Alien?",
        "When did #3 die?",
        "Which film has the director who died first, Jaws (#2) or Alien (#4)?",
    ],
    "Compare the ring interval in the equipment manual and in the wet clean procedure.": [
        "What is the ring interval in the equipment manual?",
        "What is the ring interval in the wet clean procedure?",
        "How do the equipment manual (#1) and the wet clean procedure (#2) compare in ring interval?",
    ],
    "How does the mean yield of A77 in 2023 differ from 2024?": [
        "What is the mean yield of A77 in 2023?",
        "What is the mean yield of A77 in 2024?",
        "How do 2023 (#1) and 2024 (#2) compare in mean yield of A77?",
    ],
    "Who wrote the report on AX-12, and in which department does that person work?": [
        "Who wrote the report on AX-12?",
        "In which department does #1 work?",
    ],
    "Which pump failed in May, by when is that pump to be replaced, and by which firm?": [
        "Which pump failed in May?",
        "By when is #1 to be replaced?",
        "By which firm is #1 to be replaced?",
    ],
    "Which pump failed in May, and how long does the repair take?": [
        "Which pump failed in May?",
        "How long does the repair take (#1)?",
    ],
    "Who repaired ETCH-07, and what was the highest pressure of the test?": [
        "Who repaired ETCH-07?",
        "What was the highest pressure of the test (ETCH-07)?",
    ],
    "Who runs Norvac; where will the next summer games be held?": [
        "Who runs Norvac?",
        "Where will the next summer games be held?",
    ],
    "Compare the limits of version B and version C, and say since when C is valid.": [
        "What are the limits of version B?",
        "What are the limits of version C?",
        "How do version B (#1) and version C (#2) compare in limits?",
        "Since when version C is valid?",
    ],
    "What is the price of the valve that has to be closed when alarm K-7 is raised and the pump is off?": [
        "Which valve has to be closed when alarm K-7 is raised and the pump is off?",
        "What is the price of #1?",
    ],
    "批次 B-77 在哪台设备上清洗，更换静电吸盘依据哪份规程？": [
        "批次 B-77 在哪台设备上清洗？",
        "更换静电吸盘依据哪份规程？",
    ],
    "K-7 的维护依据哪份规程，该规程的批准人是谁？": [
        "K-7 的维护依据哪份规程？",
        "#1的批准人是谁？",
    ],
    "K-7 的供应商是谁，它的交货期是多少？": [
        "K-7 的供应商是谁？",
        "K-7的交货期是多少？",
    ],
    "哪份报告记录了裂纹，批准人是谁？": [
        "哪份报告记录了裂纹？",
        "#1批准人是谁？",
    ],
    "会议决定由谁更换 K-7 的阀门，更换需要多长时间？": [
        "会议决定由谁更换 K-7 的阀门？",
        "会议决定更换 K-7 的阀门，更换需要多长时间？",
    ],
    "ETCH-03和ETCH-05的维护周期有什么不同？": [
        "ETCH-03的维护周期是多少？",
        "ETCH-05的维护周期是多少？",
        "ETCH-03（#1）和ETCH-05（#2）的维护周期有什么不同？",
    ],
}


@pytest.mark.parametrize("question", SPLIT)
def test_several_things_asked_are_asked_one_by_one(read, question):
    assert [part.question for part in read(question).parts] == SPLIT[question]


@pytest.mark.parametrize(
    "question",
    [
        "Who approved the report?",
        "什么是等离子体刻蚀？",
        "ETCH-03",
        "",
        "?",
        "who plays copper in fox and the hound",
        "Which of the lots are on hold since the meeting?",  # nothing tells them apart
        "Which of the two suppliers makes the chuck?",
        "How will the rents of Elm Street develop over the next three quarters?",  # a span is no set
        "How many wards did Mercy Hospital open in the last five years?",
        "Were the cracks of the housing caused by the pump of K-7?",  # describes no cracks
        "Was the valve replaced by the team of K-7?",
    ],
)
def test_a_question_that_cannot_be_taken_apart_is_its_only_part(read, question):
    assert len(read(question).parts) == 1


def test_a_part_that_is_no_question_by_its_grammar_is_seen():
    for text in (
        "What is the supplier of the part that alarm E-217?",
        "Who is #1 points to?",
        "What is #1?",
        "The pump",
    ):
        assert not asks(text), text
    for text in (
        "Who supplies #1?",
        "What is the part that alarm E-217 points to?",
        "Is #1 older than #2?",
        "谁负责#1？",
    ):
        assert asks(text), text


def test_no_part_of_a_public_question_fails_its_own_check_and_none_points_forwards(read, bench_data):
    from bench.gate_plan import rows

    for row in rows(bench_data / "gate" / "questions.jsonl"):
        made = read(row["question"], most=4).parts
        for part in made:
            assert part.id <= 4 and all(0 < need < part.id for need in part.depends_on)
            assert len(made) == 1 or asks(part.question), part.question


def test_what_people_write_as_a_question_passes_the_check(bench_data):
    from bench.gate_plan import rows

    stated = [
        part["question"]
        for row in rows(bench_data / "decomposition" / "fanoutqa_dev.jsonl")
        for part in row["sub_questions"]
    ]
    assert sum(map(asks, stated)) / len(stated) > 0.98


def test_plans_and_gate_keep_their_figures_on_public_questions(bench_data):
    from bench.gate_plan import planned_shape, score_gate, score_plan
    from core.llm.builtin import BuiltinLLM

    engine = BuiltinLLM()
    musique = score_plan(bench_data / "decomposition" / "musique.jsonl", lambda q: planned_shape(q, engine))
    assert musique["accuracy"] > 0.6 and musique["edge_f1"] > 0.74
    gate = score_gate(bench_data / "gate" / "questions.jsonl", engine)
    assert gate["accuracy"] > 0.89 and gate["not_fitted"] > 0.85
    assert gate["sure"]["share"] > 0.6 and gate["sure"]["accuracy"] > 0.94


def test_an_accepted_plan_is_followed_for_a_question_that_differs_in_its_names_only(read):
    accepted = Plan(
        question="Would the Harbour Bridge survive a storm?",
        parts=(
            SubQuestion(id=1, question="How strong is the Harbour Bridge?"),
            SubQuestion(id=2, question="Is #1 enough for a storm?", depends_on=(1,)),
        ),
    )
    reply = read("Would the Vellin Lighthouse survive a storm?", examples=(accepted,))
    assert parts(reply) == [("How strong is the Vellin Lighthouse?", ()), ("Is #1 enough for a storm?", (1,))]
    assert len(read("Would the Vellin Lighthouse sink?", examples=(accepted,)).parts) == 1


@pytest.mark.parametrize(
    "question",
    ["Add up the costs of A77, B12 and C9.", "What is the sum of the sales of A77, B12 and C9?"],
)
def test_one_sum_over_several_things_is_one_question(read, question):
    assert len(read(question).parts) <= 1
