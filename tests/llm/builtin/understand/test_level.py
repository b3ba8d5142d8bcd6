"""The level and the kind of answer a question asks for."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.domain import Level

LEVELS = [
    json.loads(line) for line in (Path(__file__).parent / "levels.jsonl").read_text("utf-8").splitlines()
]


def test_levels_are_found_with_precision_and_recall_of_at_least_nine_in_ten(read):
    stated = [(row["level"], read(row["question"]).level.value) for row in LEVELS]
    right = Counter(gold for gold, found in stated if gold == found)
    gold, found = Counter(g for g, _ in stated), Counter(f for _, f in stated)
    assert len(LEVELS) == 120 and set(gold.values()) == {24}
    for level in Level:
        assert right[level] / gold[level] >= 0.9, level
        assert right[level] / found[level] >= 0.9, level


def test_a_plain_fact_goes_neither_to_the_forecast_nor_to_the_council(read):
    for question in (
        "who are the inventors",
        "Which inventor designed the pump?",
        "What improvements were made in 2024?",
        "What alternatives did the report consider?",
        "What torque is recommended for the lid screws?",
        "What does the manual recommend for cleaning?",
        "What should I do when alarm A-207 appears?",
        "Which oil should I fill into the gearbox of pump P-101?",
        "How do I reset the alarm?",
        "Who will attend the meeting on 12 May?",
        "What is the budget for next year?",
        "What was forecast for 2024?",
        "Who proposed the change?",
        "谁提出了这个方案？",
        "谁提出了提高良率的建议？",
        "报告中提出了哪些改进建议？",
        "2024年的预算是多少？",
        "会议室的租金是多少？",
        "2025年周会讨论了多少个问题？",
        "2025年会计部有多少人？",
        "2024年会有多少人参加？",
        "周会由谁主持，社会保险费是多少？",
    ):
        assert read(question).level in (Level.DIRECT, Level.FACTUAL, Level.LINKING), question


@pytest.mark.parametrize(
    "question", ["Until when may we run 6 % alcohol on S-5?", "Until when may K-2 run without service?"]
)
def test_until_when_something_is_allowed_is_a_fact(read, question):
    assert read(question).level is Level.FACTUAL
    assert read("Until when will the yield keep falling?").level is Level.PREDICTIVE


def test_what_the_library_holds_is_asked_of_the_library_and_a_future_measure_is_foretold(read):
    assert read("How many documents are in the library?").level is Level.DIRECT
    assert read("Which files mention the throttle valve?").level is Level.DIRECT
    assert read("资料库里有多少份文件？").level is Level.DIRECT
    scrapped = read("How many wafers will be scrapped in 2026?")
    assert (scrapped.level, scrapped.kind) == (Level.PREDICTIVE, "forecast")
    for question in (
        "2026年会报废多少片晶圆？",
        "2026年晶圆将报废多少片？",
        "2026年3月A77会报废多少片晶圆？",
    ):
        assert (read(question).level, read(question).kind) == (Level.PREDICTIVE, "forecast"), question


def test_the_kind_of_answer_is_said(read):
    for question, kind in {
        "Who approved the report?": "person",
        "How much does the pump cost?": "number",
        "When was it replaced?": "date",
        "How do I change the filter?": "steps",
        "Summarise the report on the leak.": "summary",
        "What is this library about?": "library",
        "What is the report about?": "summary",
        "Why did the yield drop?": "cause",
        "Is the lid locked?": "yes_no",
        "List the alarms.": "list",
        "How could we reduce the scrap?": "ideas",
        "为什么良率下降？": "cause",
        "更换密封圈需要多少时间？": "number",
        "概述氦气泄漏的情况": "overview",
    }.items():
        assert read(question).kind == kind, question


def test_reading_is_sure_of_the_plain_and_unsure_of_what_it_cannot_take_apart(read):
    assert read("Who approved the report?").certainty > 0.75
    assert read("Was Mei Tanaka ever in Bergen, where Norvac has its headquarters?").certainty < 0.75


def test_to_summarise_what_goes_by_a_code_reads_a_document_where_the_code_alone_is_looked_up(read):
    assert (read("Summarise KB-17").level, read("Summarise KB-17").kind) == (Level.FACTUAL, "summary")
    assert read("alarm KB-17").level is Level.DIRECT


def test_what_all_documents_say_is_summed_up_and_one_code_among_them_is_looked_up(read):
    for question in (
        "What does the library say about yield?",
        "What do the documents say about helium leaks?",
        "What do we know about the seal bands?",
        "Give me an overview of wet cleans",
        "资料库里关于良率说了什么？",
        "良率的情况是什么？",
    ):
        assert (read(question).level, read(question).kind) == (Level.LINKING, "overview"), question
    assert read("What does the library say about PN-4410?").level is Level.FACTUAL
    assert read("What does the equipment manual say about helium leaks?").level is Level.DIRECT
