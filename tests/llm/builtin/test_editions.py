"""What is asked of one revision is not answered from another, and which one was found is said."""

import pytest

from core.domain import Evidence, Outcome
from core.llm.builtin.answer.editions import is_of_other_edition, other_editions, superseded
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


OLD, NEW = "SOP-7 Glazing, revision 9 (SOP-7_rev9.docx)", "SOP-7 Glazing, revision 10 (SOP-7_rev10.docx)"
FIRING = "SOP-8 Firing, revision 1"


@pytest.mark.parametrize(
    ("question", "replaced"),
    [
        ("How long are records kept?", {OLD}),
        ("How long does revision 9 of SOP-7 keep records?", {NEW}),
        ("What changed between revision 9 and revision 10?", set()),
        ("How long were records kept in 2021?", set()),
        ("How long did the previous instruction keep records?", set()),
    ],
)
def test_of_editions_of_one_document_the_one_named_stands_else_the_latest(question, replaced):
    assert superseded(question, (OLD, FIRING, NEW)) == replaced


def test_what_the_latest_edition_says_is_told(engine):
    shown = {"SOP-7, revision 9": "5", "SOP-7, revision 10": "10"}
    pieces = tuple(
        Evidence(n=n, text=f"Firing records are kept for {years} years.", source=source)
        for n, (source, years) in enumerate(shown.items(), 1)
    )
    reply = engine.run(Answer(question="How long are firing records kept?", evidence=pieces), Written)
    assert "10" in reply.sentences[0].text and len(reply.sentences) == 1


@pytest.mark.parametrize(
    ("question", "replaced"),
    [
        ("When is the tower open?", {"House rules, 2019 edition"}),
        ("When is the tower open under the 2019 edition?", {"House rules, 2024 edition"}),
        ("When was the tower open in 2019?", set()),
    ],
)
def test_an_edition_may_be_called_by_its_year(question, replaced):
    assert superseded(question, ("House rules, 2019 edition", "House rules, 2024 edition")) == replaced


def test_a_year_without_an_edition_of_its_own_is_said():
    known = tuple(
        Evidence(n=n, text="Rules.", source=f"House rules, {year} edition")
        for n, year in ((1, 2019), (2, 2024))
    )
    asked = "What does the 2021 edition say of children?"
    assert other_editions(asked, known) == (("edition 2021",), ("edition 2019", "edition 2024"))


def test_files_of_one_name_are_editions_of_one_document_whatever_their_titles():
    old, new = (
        "Melting (WI-207_melting_issue_C.html)",
        "Melting and transfer, Issue D (WI-207_melting_issue_D.docx)",
    )
    year = "Pasteurisers (P-14_pasteurisers_ed6_2021.html)", "P-14 (P-14_pasteurisers_ed7_2024.docx)"
    assert superseded("How long are records kept?", (old, new, *year)) == {old, year[0]}
    assert superseded("How long are records kept?", ("A (issue_C.html)", "B (issue_D.html)")) == frozenset()


def test_an_edition_with_a_number_is_not_denied_where_it_is_called_by_its_year():
    pieces = tuple(
        Evidence(n=n, text="Grips are moved.", source="Ropes", name=f"ropes_ed{n}_{year}.docx")
        for n, year in ((3, 2019), (4, 2023))
    )
    asked = "How often are grips moved under the 2019 edition?"
    assert other_editions(asked, pieces) == ((), ())
    assert not any(is_of_other_edition(asked, piece) for piece in pieces)
    assert superseded(asked, [piece.name for piece in pieces]) == frozenset()


def test_what_was_so_before_an_edition_is_not_what_it_says():
    old, new = (
        Evidence(n=n, text="Grips are moved.", source="Ropes", name=f"ropes_ed{n}_{year}.docx")
        for n, year in ((3, 2019), (4, 2023))
    )
    for asked in ("How often were grips moved before the 2023 edition?", "Grips, before edition 4 came?"):
        assert is_of_other_edition(asked, new) and not is_of_other_edition(asked, old)
        assert superseded(asked, [old.name, new.name]) == frozenset()
