"""A follow-up is read as a question that stands alone."""

import pytest

from core.domain import Turn


@pytest.mark.parametrize(
    ("before", "answer", "question", "whole"),
    [
        (
            "When was the chuck of tool 3 replaced?",
            "In March.",
            "and for tool 4?",
            "When was the chuck of tool 4 replaced?",
        ),
        (
            "When was the chuck of tool 3 replaced?",
            "In March.",
            "Why?",
            "Why was the chuck of tool 3 replaced?",
        ),
        ("What is the yield of ETCH-03?", "91 %", "What about ETCH-05?", "What is the yield of ETCH-05?"),
        (
            "What is the yield of ETCH-03?",
            "91 %",
            "Who is responsible for it?",
            "Who is responsible for ETCH-03?",
        ),
        ("Who wrote the 8D report?", "Mei Lin wrote it.", "Where does she work?", "Where does Mei Lin work?"),
        ("1号机的静电吸盘是什么时候更换的？", "3月。", "那2号机呢？", "2号机的静电吸盘是什么时候更换的？"),
        ("谁负责ETCH-03？", "韦伯。", "ETCH-05呢？", "谁负责ETCH-05？"),
        ("谁负责ETCH-03？", "韦伯。", "他还负责什么？", "韦伯还负责什么？"),
        ("谁负责ETCH-03？", "韦伯。", "它的良率是多少？", "ETCH-03的良率是多少？"),
        (
            "What is the yield of ETCH-03?",
            "91 %",
            "Is it dangerous to open the chamber?",
            "Is it dangerous to open the chamber?",
        ),
        (
            "What is the yield of ETCH-03?",
            "91 %",
            "How long does it take to mend it?",
            "How long does it take to mend ETCH-03?",
        ),
        (
            "How many were scrapped?",
            "75.",
            "For lot B-77, which tool was used?",
            "For lot B-77, which tool was used?",
        ),
        ("How many were scrapped?", "75.", "So show the alarms of K-7.", "Show the alarms of K-7."),
        ("When was lot B-77 made?", "In May.", "On which tool?", "On which tool was lot B-77 made?"),
        ("Who owns K-7?", "Bo.", "What about K-9, who cleans it?", "Who cleans K-9?"),
        (
            "Who owns K-7?",
            "Bo.",
            "Which tool made lot B-77, and when was it cleaned?",
            "Which tool made lot B-77, and when was it cleaned?",
        ),
        ("Who owns K-7?", "Bo.", "Has lot B-77 its own report?", "Has lot B-77 its own report?"),
        ("Who owns K-7?", "Bo.", "Is lot B-77 cleaned in it?", "Is lot B-77 cleaned in K-7?"),
        ("谁负责K-7？", "韦伯。", "批次B-77在哪台设备上清洗呢？", "批次B-77在哪台设备上清洗呢？"),
        ("谁负责K-7？", "韦伯。", "B-77由谁清洗，它的良率是多少？", "B-77由谁清洗，它的良率是多少？"),
        ("谁负责K-7？", "韦伯。", "那交货期是多少呢？", "K-7的交货期是多少？"),
        ("更换需要多久？", "5 小时。", "它的价格是多少？", "它的价格是多少？"),
        (
            "Who wrote it?",
            "Mei Lin.",
            "What is the base pressure of CVD-02?",
            "What is the base pressure of CVD-02?",
        ),
    ],
)
def test_a_follow_up_is_read_as_a_whole_question(read, before, answer, question, whole):
    history = (Turn(question=before, answer=answer),)
    assert read(question, history=history).question == whole


def test_a_first_question_stays_as_it_is(read):
    assert read("and it?").question == "and it?"


def test_a_pronoun_that_nothing_explains_leaves_the_reading_unsure(read):
    history = (Turn(question="why", answer=""),)
    assert read("Who repairs it?", history=history).certainty == 0.0
