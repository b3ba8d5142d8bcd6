"""Which questions are about the library as a whole, and what they ask of it."""

import pytest

from core.text.library_questions import requested_aspects


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is in the library?", set()),
        ("How many documents are there?", {"count"}),
        ("What topics does the corpus cover?", {"topics"}),
        ("Give me an overview of everything in here", {"topics"}),
        ("Which documents are most linked to each other?", {"links"}),
        ("Which files are the newest?", {"dates"}),
        ("资料库里主要讲什么？", {"topics"}),
        ("这个资料库讲什么？", {"topics"}),
        ("图书馆里有多少个文档？", {"count"}),
        ("你有几个文件？", {"count"}),
        ("How many documents are there and of which dates?", {"count", "dates"}),
        ("最新的文件有哪些？", {"dates"}),
        ("Which document is cited most often by the others?", {"links"}),
        ("Give me a summary of all the material here", {"topics"}),
        ("哪份文档被其他文档提到得最多？", {"links"}),
        ("最早的文件是哪一份？", {"dates"}),
        ("知识库一共有多少份文档？", {"count"}),
    ],
)
def test_a_question_that_says_nothing_else_is_about_the_library(question, asked):
    assert requested_aspects(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "What is this document about?",  # one of them
        "Which documents mention the pump?",  # of something in them
        "How many documents did Mei Tanaka write?",
        "What topics did the meeting cover?",  # no word for the library
        "What data is missing from the library?",
        "这份文件讲了什么泵？",
        "文件里提到哪些供应商？",
    ],
)
def test_a_question_that_names_anything_else_is_not(question):
    assert requested_aspects(question) is None
