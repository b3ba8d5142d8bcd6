from core.domain import Evidence
from core.tasks import (
    Proposals,
    Propose,
    Select,
    Selection,
)

JAWS = Evidence(n=1, source="Jaws", text="Jaws is a 1975 film directed by Steven Spielberg.")
QUESTION = "Who is the wife of the director of Jaws?"


def test_the_loop_proposes_first_what_it_can_ask_and_then_what_it_learnt(engine):
    first = engine.run(Propose(question=QUESTION), Proposals)
    assert first.questions[0] == "Who is the director of Jaws?" and not first.enough
    then = engine.run(Propose(question=QUESTION, context=(JAWS,), asked=first.questions), Proposals)
    assert any("Steven Spielberg" in question for question in then.questions)


def test_nothing_is_proposed_twice(engine):
    asked: tuple[str, ...] = ()
    for _ in range(5):
        proposals = engine.run(Propose(question=QUESTION, context=(JAWS,), asked=asked), Proposals).questions
        assert not set(proposals) & set(asked)
        asked += proposals


def test_the_candidate_that_carries_on_is_selected(engine):
    candidates = ("What is an orca?", "Who is Steven Spielberg married to?", "When was it released?")
    chosen = engine.run(Select(question=QUESTION, context=(JAWS,), candidates=candidates), Selection)
    assert chosen.index == 1 and chosen.reason
    assert engine.run(Select(question=QUESTION, candidates=("zzz",)), Selection).index is None
