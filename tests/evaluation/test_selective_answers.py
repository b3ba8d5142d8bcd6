"""Answers and passages are graded as the data's README says."""

import pytest

from core.domain import Chunk, Outcome, Passage, Report
from core.evaluation.selective_answers import AnswerQuestion, count_forms, curve, graded, ranked, tally


def question(*answers: str, **more: object) -> AnswerQuestion:
    given = {"id": "o7", "question": "?", "answers": answers, "kind": "fact", "doc": "pdf/a.pdf", **more}
    return AnswerQuestion.model_validate(given)


def passage(text: str, document: str = "a", score: float = 0.5) -> Passage:
    chunk = Chunk(
        id=f"{document}-{text}",
        document_id=document,
        section_id="s",
        text=text,
        heading_path=(),
        order=0,
        tokens=9,
    )
    return Passage(chunk=chunk, document_title=document, query="?", score=score)


@pytest.mark.parametrize(
    ("text", "form", "found"),
    [
        ("They paid $1,519.00, in full [2].", "1,519.00", True),
        ("The sum is 1519.", "1,519", True),
        ("The sum is 11519.", "1,519", False),
        ("커피 40만 원 이상", "40만원", True),
        ("ported by Nortel Networks", "port", False),
        ("rated 29.7 %", "29.7", True),
        ("rated 29.73", "29.7", False),
        ("rated 280.0 W", "280", True),
        ("rated 280.05", "280", False),
        ("", "a", False),
    ],
)
def test_a_form_is_held_as_whole_words_and_numbers(text, form, found):
    assert bool(count_forms(text, [form])) is found


def test_all_and_least_ask_for_so_many_of_the_forms():
    some, every = question("a1", "b2", "c3", least=2), question("a1", "b2", all=True)
    assert some.accepts("a1 and c3") and not some.accepts("only a1")
    assert every.accepts("b2, a1") and not every.accepts("b2, c3")
    assert not question().accepts("anything")


def test_the_state_of_an_answer():
    def state(asked: AnswerQuestion, outcome: Outcome, answer: str) -> str | None:
        return graded(asked, Report(run="", question="?", outcome=outcome, answer=answer), str).state

    answerable, without = question("Paris"), question()
    assert state(answerable, Outcome.ANSWER, "It is Paris [1].") == "right"
    assert state(answerable, Outcome.CAVEAT, "It is Rome.") == "wrong_told_as_answer"
    assert state(answerable, Outcome.GAP, "Nearest: Paris.") == "right_untold"
    assert state(answerable, Outcome.NOTHING, "") == "refused_though_answerable"
    assert state(without, Outcome.CONFLICT, "It is Rome.") == "wrong_told_as_answer"
    assert state(without, Outcome.GAP, "Nearest: Rome.") == "refused_rightly"


def test_the_rank_is_where_all_that_is_needed_was_shown():
    shown = [passage("a1", "b"), passage("nothing"), passage("b2 and a1")]
    row = ranked(question("a1", "b2", all=True), shown, lambda document: f"{document}.pdf")
    assert (row.rank, row.rank_in_document) == (3, 3)
    assert ranked(question("a1"), shown, lambda document: f"{document}.pdf").rank_in_document == 3
    assert ranked(question("a1"), shown, str).rank == 1
    assert ranked(question("c3"), shown, str).rank is None


def test_precision_counts_what_is_told_and_coverage_what_could_be():
    def row(asked: AnswerQuestion, outcome: Outcome, answer: str, sure: float):
        report = Report(
            run="", question="?", outcome=outcome, answer=answer, passages=(passage(answer, score=sure),)
        )
        return graded(asked, report, str)

    rows = [
        row(question("x1"), Outcome.ANSWER, "x1", 0.9),
        row(question("x1"), Outcome.ANSWER, "x2", 0.2),
        row(question("x1"), Outcome.GAP, "", 0.1),
        row(question(), Outcome.ANSWER, "x1", 0.5),
        row(question(), Outcome.NOTHING, "", 0.0),
    ]
    figures = tally(rows)
    assert figures["precision"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["coverage"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["refusals"] == 0.5
    assert figures["kinds"]["fact"]["wrong_told_as_answer"] == 2
    assert figures["passages"]["looked_up"] == {
        "questions": 3,
        **dict.fromkeys(("top1", "top3", "top10"), pytest.approx(1 / 3, abs=1e-4)),
        **dict.fromkeys(("in_document_top1", "in_document_top3", "in_document_top10"), 0.0),
    }
    points = curve(rows, steps=3)
    assert [(p["precision"], p["coverage"]) for p in points] == [
        (1.0, 0.3333),
        (0.5, 0.3333),
        (0.3333, 0.3333),
    ]
    assert question(id="o12").parity() == "even"
