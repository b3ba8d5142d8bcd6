"""Evidence is distinguished from the nearest of what has nothing to do with the question."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.answering.sufficiency import Sufficiency
from core.domain import Scope
from tests.making import library, passage


@pytest.fixture
def holds(tmp_path: Path) -> Iterator[Sufficiency]:
    with library(tmp_path, "The limit of alarm EX-05 is 12 Pa.", "The pump was replaced.") as knowledge:
        yield Sufficiency(knowledge, min_cosine=0.25)


Q = "What is the limit of alarm EX-05?"


def test_nearness_in_meaning_is_enough(holds):
    assert holds.related(Q, [passage("Druck in der Kammer", chunk=0.4)])
    assert holds.related(Q, [passage("Druck in der Kammer", atom=0.3)])


def test_words_are_enough_where_meaning_is_far(holds):
    assert holds.related(Q, [passage("The limit of alarm EX-05 is 12 Pa.", chunk=0.1)])


def test_neither_is_nothing(holds):
    assert not holds.related(Q, [passage("Bees find their way home.", chunk=0.1, keyword=3.0)])
    assert not holds.related(Q, [])


def test_a_question_without_a_letter_is_about_nothing(holds):
    assert not holds.related("🙂🙂", [passage("Anything", chunk=0.9)])
    assert holds.related("Both?", [passage("Anything", chunk=0.9)])


def test_names_the_library_never_uses_are_told(holds):
    assert holds.unknown("Who is the CEO of the pump company QX-7?", Scope()) == ("CEO", "QX-7")
    assert holds.unknown("Which limits do alarms like EX-05 have?", Scope()) == ()
    assert holds.unknown("谁更换了真空泵？", Scope()) == ()


def test_a_chinese_question_is_about_what_holds_its_words_english_names(holds):
    asked = "晶圆缺陷由设备引起吗？"
    assert holds.related(asked, [passage("Defects of the wafer came from the equipment.", chunk=0.1)])
    assert not holds.related(asked, [passage("Bees find their way home.", chunk=0.1, keyword=3.0)])
