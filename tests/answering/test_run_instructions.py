"""What a reader says meanwhile is read as a question or as a restriction."""

import pytest

from core.answering.run_instructions import combined, read
from tests.making import passage


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("When was Norvac founded?", "When was Norvac founded?"),
        ("also: when was Norvac founded?", "when was Norvac founded?"),
        ("Also consider the helium leak rate.", "What is said about the helium leak rate?"),
        ("what about SOP-112?", "What is said about SOP-112?"),
        ("另外考虑检漏时间", "关于检漏时间，资料中说了什么？"),
        ("干泵多久保养一次？", "干泵多久保养一次？"),
    ],
)
def test_a_question_is_read_as_one(text, question):
    assert read(text).question == question


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("only the year 2025", (2025, 2025)),
        ("only 2024 to 2025 please", (2024, 2025)),
        ("only what happened since 2024", (2024, 9999)),
        ("only before 2024", (0, 2023)),
        ("只看2025年", (2025, 2025)),
        ("only SOP-2025", None),
        ("in English", None),
    ],
)
def test_years_are_read(text, years):
    assert read(text).years == years
    assert not read(text).question


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("answer in one sentence", 1),
        ("use 3 sentences", 3),
        ("keep it short", 2),
        ("用一句话回答", 1),
        ("简短回答", 2),
        ("only the year 2025", 0),
    ],
)
def test_a_length_is_read(text, most):
    assert read(text).sentences == most


def test_the_last_wish_of_a_kind_holds_and_the_writer_reads_all():
    wish = combined(["in two sentences.", "only 2025", "in one sentence"])
    assert (wish.sentences, wish.years) == (1, (2025, 2025))
    assert wish.beside("Q?") == "Q? (in two sentences; only 2025; in one sentence)"
    assert combined([]).beside("Q?") == "Q?"


def test_evidence_is_narrowed_to_the_years_but_never_to_nothing():
    old, new = passage("In 2023 it was 4."), passage("In 2025 it was 5.")
    pinned = passage("It is 6.").model_copy(update={"pinned": True})
    assert read("only 2025").narrow([old, new, pinned]) == (new, pinned)
    assert read("only 2019").narrow([old, new]) == (old, new)
    assert read("in French").narrow([old, new]) == (old, new)
