import pytest

from core.tasks import Decompose, PlanDraft


def plan(engine, question, most=5):
    return engine.run(Decompose(question=question, most=most), PlanDraft).parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Where was the wife of Lou Breslow born?",
            [("Who is the wife of Lou Breslow?", ()), ("Where was #1 born?", (1,))],
        ),
        (
            "What team was Anna Benson's husband on?",
            [("Who is Anna Benson's husband?", ()), ("What team was #1 on?", (1,))],
        ),
        (
            "Who supplies the part that caused alarm A-207?",
            [("Which part caused alarm A-207?", ()), ("Who supplies #1?", (1,))],
        ),
        (
            "Who is Karl Von Habsburg's paternal grandmother?",
            [("Who is Karl Von Habsburg's father?", ()), ("Who is #1's mother?", (1,))],
        ),
        ("张三的丈夫的雇主是谁？", [("张三的丈夫是谁？", ()), ("#1的雇主是谁？", (1,))]),
        (
            "导致4月良率下降的那个部件是由哪家供应商提供的？",
            [("导致4月良率下降的部件是什么？", ()), ("#1是由哪家供应商提供的？", (1,))],
        ),
        ("谁负责ETCH-03，他还签署了哪些报告？", [("谁负责ETCH-03？", ()), ("#1还签署了哪些报告？", (1,))]),
    ],
)
def test_nested_descriptions_become_parts_of_their_own(engine, question, parts):
    assert [(part.question, part.depends_on) for part in plan(engine, question)] == parts


def test_what_is_to_be_explained_is_what_the_next_question_speaks_of(engine):
    parts = plan(engine, "What caused the edge particles of DR-2025-041 and how was it solved?")
    assert [(part.question, part.depends_on) for part in parts] == [
        ("What caused the edge particles of DR-2025-041?", ()),
        ("How were the edge particles of DR-2025-041 solved?", ()),
    ]
    parts = plan(engine, "Which part caused the alarm and who supplies it?")
    assert [part.question for part in parts] == ["Which part caused the alarm?", "Who supplies #1?"]


def test_a_comparison_asks_the_same_of_both_and_then_compares(engine):
    parts = plan(engine, "Which film has the director who died first, Jaws or Alien?")
    assert [part.question for part in parts] == [
        "Who is the director of Jaws?",
        "When did #1 die?",
        "Who is the director of Alien?",
        "When did #3 die?",
        "Which film has the director who died first, Jaws (#2) or Alien (#4)?",
    ]
    assert parts[-1].type == "comparative" and parts[-1].depends_on == (2, 4)


@pytest.mark.parametrize(
    ("question", "each"),
    [
        (
            "Compare the ring interval in the equipment manual and in the wet clean procedure.",
            (
                "What is the ring interval in the equipment manual?",
                "What is the ring interval in the wet clean procedure?",
            ),
        ),
        (
            "What is the difference in the ring interval, in the manual and in the procedure?",
            ("What is the ring interval in the manual?", "What is the ring interval in the procedure?"),
        ),
        (
            "How does the mean yield of A77 in 2023 differ from 2024?",
            ("What is the mean yield of A77 in 2023?", "What is the mean yield of A77 in 2024?"),
        ),
        (
            "What is the difference between the leak limit of revision B and revision C?",
            ("What is the leak limit of revision B?", "What is the leak limit of revision C?"),
        ),
    ],
)
def test_one_thing_in_two_places_is_asked_for_in_each(engine, question, each):
    parts = plan(engine, question)
    assert tuple(part.question for part in parts[:2]) == each
    assert parts[2].depends_on == (1, 2)


def test_a_list_asks_the_same_of_each_and_is_merged_beyond_five(engine):
    assert len(plan(engine, "What are the heights of Everest, K2, Lhotse and Makalu?")) == 4
    many = plan(
        engine, "What are the heights of Everest, K2, Lhotse, Makalu, Dhaulagiri, Manaslu and Annapurna?"
    )
    assert len(many) == 5
    assert all(any(peak in part.question for part in many) for peak in ("Everest", "Manaslu", "Annapurna"))


def test_a_ranked_set_is_found_before_it_is_asked_about(engine):
    parts = plan(engine, "What are the capitals of the five smallest countries in Europe?")
    assert [part.depends_on for part in parts] == [(), (1,)]


def test_two_questions_in_one_are_parted_and_the_pronoun_is_filled(engine):
    parts = plan(engine, "What is the average yield of ETCH-03 and who is responsible for it?")
    assert [part.question for part in parts] == [
        "What is the average yield of ETCH-03?",
        "Who is responsible for ETCH-03?",
    ]
    assert parts[0].type == "quantitative"


@pytest.mark.parametrize("question", ["Who approved the report?", "什么是等离子体刻蚀？", "ETCH-03"])
def test_a_question_that_cannot_be_taken_apart_stays_whole(engine, question):
    assert len(plan(engine, question)) == 1


def test_every_dependency_points_to_an_earlier_part(engine, bench_data):
    from bench.gate_plan import rows

    for row in [*rows(bench_data / "gate" / "questions.jsonl")]:
        for part in plan(engine, row["question"], most=4):
            assert all(0 < need < part.id for need in part.depends_on) and part.id <= 4


def test_plans_are_nearer_to_gold_than_splitting_at_and(engine, bench_data):
    from bench.gate_plan import planned_shape, score_plan, split_shape

    path = bench_data / "decomposition" / "musique.jsonl"
    ours, theirs = score_plan(path, lambda q: planned_shape(q, engine)), score_plan(path, split_shape)
    assert ours["accuracy"] > 0.55 > theirs["accuracy"] and ours["edge_f1"] > 0.7
