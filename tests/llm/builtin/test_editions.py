"""What is asked of one revision is not answered from another, and which one was found is said."""

import pytest

from core.domain import Evidence, Outcome
from core.llm.builtin.answer.editions import other_editions
from core.tasks import Answer, Written

BULLETIN = Evidence(
    n=1,
    text="Replaces revision B. The gland bolts of the pump are tightened to 32 Nm.",
    source="Bulletin MB-14, revision C",
)
OTHER = Evidence(n=2, text="The housing is painted blue.", source="Bulletin MB-15, revision D")


@pytest.mark.parametrize(
    ("question", "lacking", "instead"),
    [
        ("What torque does revision D of MB-14 ask for?", ("revision D",), ("revision B", "revision C")),
        ("What torque does MB-14 rev. 2 ask for?", ("revision 2",), ("revision B", "revision C")),
        ("MB-14 的 F 版规定的扭矩是多少？", ("F 版",), ("revision B", "revision C")),
        ("What torque does revision C of MB-14 ask for?", (), ()),
        ("What torque does MB-14 ask for?", (), ()),
        ("What torque does version 3 of MB-14 ask for?", (), ()),  # nothing says of which version it is
        ("What torque does revision A of MB-16 ask for?", (), ()),  # nor is MB-16 known
    ],
)
def test_the_edition_asked_for_is_told_from_those_that_were_found(question, lacking, instead):
    assert other_editions(question, (BULLETIN, OTHER)) == (lacking, instead)


def test_another_revision_is_never_the_answer_and_is_named(engine):
    question = "To what torque are the gland bolts of MB-14 revision D tightened?"
    reply = engine.run(Answer(question=question, evidence=(BULLETIN,)), Written)
    assert reply.outcome is Outcome.CLOSEST
    assert "“revision C”, not “revision D”" in reply.text
    known = engine.run(Answer(question=question.replace("D", "C"), evidence=(BULLETIN,)), Written)
    assert "it knows" not in known.text
