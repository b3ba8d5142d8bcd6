import threading
import time

import pytest

from core.domain import Proposal, Scope
from core.errors import BudgetExceeded, LLMUnavailable, Stopped
from core.llm.extractive import ExtractiveLLM
from core.perspectives.casting import cast
from core.perspectives.referee import united
from core.perspectives.roles import known, written
from core.perspectives.telling import tell
from core.tasks import (
    Argue,
    Argued,
    Criticise,
    ObjectionDraft,
    Objections,
    PlanRoles,
    ProposalDraft,
    Settle,
    Settlement,
    Task,
)
from tests.doubles import ScriptedLLM
from tests.perspectives.conftest import QUESTION, Chamber, research

ROLES = tuple(known(name, "en") for name in ("equipment", "cost", "sceptic"))

IDEAS = {
    "equipment": "Exchange the worn chuck",
    "cost": "Buy spare parts earlier",
    "sceptic": "Test the focus ring first",
}


def scripted(**lines) -> ScriptedLLM:
    """An LLM that says what is given for a kind of task and leaves the rest to the rules."""
    rules = ExtractiveLLM()

    def say(task: Task):
        line = lines.get(type(task).__name__)
        if callable(line):
            line = line(task)
        return line if line is not None else rules.run(task, type(task).reply)

    return ScriptedLLM(say)


def own_idea(task: Argue) -> Argued:
    """Return one proposal in each role's own words, resting on the first passage it read."""
    name = task.perspective.split(" | ")[0]
    return Argued(proposals=(ProposalDraft(text=IDEAS[name], citations=(1,)),))


def test_a_council_is_told_from_the_roles_to_the_settlement(chamber, llm):
    held = chamber.hold(llm)
    names = chamber.names()
    assert names[0] == "roles_planned"
    assert names[-1] == "settled"
    assert names.count("perspective_given") == len(held.report.perspectives) >= 3
    assert names.index("moderated") > max(i for i, name in enumerate(names) if name == "perspective_given")
    assert "criticised" in names
    assert chamber.told[-1].council == held.report


def test_a_proposal_keeps_its_number_from_the_first_event_on(chamber):
    held = chamber.hold(scripted(Argue=own_idea), ROLES)
    told = {p.id for e in chamber.told if e.name == "perspective_given" for p in e.perspective.proposals}
    assert told == {p.id for p in held.report.proposals}
    assert len(told) == 3


def test_everything_said_rests_on_a_passage_that_was_read(chamber, llm):
    held = chamber.hold(llm)
    report = held.report
    read = {passage.chunk.id for passage in held.passages}
    said = [
        *(statement for given in report.perspectives for statement in given.argument),
        *report.proposals,
        *(one for proposal in report.proposals for one in proposal.objections),
        *report.common,
    ]
    assert report.proposals
    assert all(one.chunks and set(one.chunks) <= read for one in said)


def test_the_built_in_engine_quotes_and_never_invents(chamber):
    held = chamber.hold(ExtractiveLLM())
    texts = {p.chunk.id: " ".join(p.chunk.text.split()) for p in held.passages}
    for given in held.report.perspectives:
        for statement in given.argument:
            assert statement.text in " ".join(texts[chunk] for chunk in statement.chunks)
        for proposal in given.proposals:
            told = " ".join(texts[chunk] for chunk in proposal.chunks)
            quoted = proposal.text.split("“")[1].rstrip("”")
            assert all(piece in told for piece in (quoted, proposal.effect, proposal.risk, proposal.effort))


def test_two_roles_read_differently_and_one_asked_twice_reads_the_same(chamber):
    report = chamber.hold(ExtractiveLLM(), ROLES).report
    read = [given.chunks for given in report.perspectives]
    assert len(set(read)) == 3
    assert "c1" in read[1]  # cost reads the cost sheet
    assert Chamber().hold(ExtractiveLLM(), ROLES).report == report


def test_calls_are_bounded_one_round_of_each(chamber):
    llm = scripted()
    chamber.hold(llm, roles=5)
    kinds = [type(task) for task in llm.asked]
    assert kinds.count(PlanRoles) == 1
    assert kinds.count(Argue) == 5
    assert kinds.count(Criticise) <= 5
    assert kinds.count(Settle) == 1
    assert kinds[-1] is Settle


def test_a_failing_role_says_why_and_leaves_the_others_alive(chamber):
    def argue(task: Argue):
        if task.perspective.startswith("cost"):
            raise LLMUnavailable("no reply")

    held = chamber.hold(scripted(Argue=argue), ROLES)
    failed = [given for given in held.report.perspectives if given.failure]
    assert [given.role.id for given in failed] == ["cost"]
    assert failed[0].failure == "LLMUnavailable: no reply"
    assert {p.role for p in held.report.proposals} <= {"equipment", "sceptic"}
    assert held.report.proposals
    told = tell(held.report, held.passages, "en")
    assert any("Cost controller could not take part" in note for note in told.notes)


def test_each_role_is_criticised_by_another_once(chamber):
    chamber.hold(scripted(Argue=own_idea), ROLES)
    told = [(event.critic, event.of) for event in chamber.told if event.name == "criticised"]
    assert told == [("equipment", "cost"), ("cost", "sceptic"), ("sceptic", "equipment")]


def test_a_critic_that_fails_leaves_the_proposals_standing(chamber):
    def criticise(task: Criticise):
        if task.perspective.startswith("equipment"):
            raise LLMUnavailable("no reply")

    held = chamber.hold(scripted(Argue=own_idea, Criticise=criticise), ROLES)
    failures = [event.failure for event in chamber.told if event.name == "criticised"]
    assert failures.count("LLMUnavailable: no reply") == 1
    assert all(p.criticised_by == () for p in held.report.proposals if p.role == "cost")


def test_where_all_roles_fail_the_first_error_is_raised(chamber):
    def argue(task: Argue):
        raise LLMUnavailable("no reply")

    with pytest.raises(LLMUnavailable):
        chamber.hold(scripted(Argue=argue), ROLES)


@pytest.mark.parametrize("end", [Stopped("stop"), BudgetExceeded("spent")])
def test_a_stop_or_a_spent_budget_ends_the_council(chamber, end):
    def argue(task: Argue):
        if task.perspective.startswith("cost"):  # one of three is enough
            raise end

    with pytest.raises(type(end)):
        chamber.hold(scripted(Argue=argue), ROLES)


def test_a_proposal_that_cites_nothing_is_left_out_and_said(chamber):
    drafts = (
        ProposalDraft(text="Trust me.", citations=()),
        ProposalDraft(text="See page 99.", citations=(99,)),
        ProposalDraft(text="Exchange the chuck.", citations=(1,)),
    )
    held = chamber.hold(scripted(Argue=Argued(proposals=drafts)), ROLES)
    assert [p.text for p in held.report.proposals] == ["Exchange the chuck."]
    assert held.report.proposals[0].backed_by == ("cost", "sceptic")
    assert {given.dropped for given in held.report.perspectives} == {2}
    assert "2 proposals that cited nothing" in " ".join(tell(held.report, held.passages, "en").notes)


def test_a_fatal_objection_puts_a_proposal_last_and_out_of_the_answer(chamber):
    def criticise(task: Criticise):
        first = task.proposals[0]
        kill = ObjectionDraft(proposal=first.index, text="It is forbidden.", citations=(1,), fatal=True)
        return Objections(objections=(kill,) if task.perspective.startswith("sceptic") else ())

    order = Settlement(order=(1, 3, 5))
    held = chamber.hold(scripted(Argue=own_idea, Criticise=criticise, Settle=order), ROLES)
    fallen = [p for p in held.report.proposals if not p.survived]
    assert len(fallen) == 1
    assert [p.id for p in held.report.proposals] == [3, 5, 1]
    told = tell(held.report, held.passages, "en")
    assert fallen[0].text not in told.text
    assert any(fallen[0].text in note for note in told.notes)


def test_an_objection_to_a_proposal_that_does_not_exist_is_left_out(chamber):
    stray = Objections(objections=(ObjectionDraft(proposal=77, text="No.", citations=(1,)),))
    held = chamber.hold(scripted(Criticise=stray), ROLES)
    assert not held.report.disagreements
    assert not [one for event in chamber.told if event.name == "criticised" for one in event.objections]


def test_the_moderator_raises_what_nobody_cited_and_what_nobody_spoke_of(chamber):
    drafts = Argued(proposals=(ProposalDraft(text="Exchange it.", citations=(1,)),))
    held = chamber.hold(scripted(Argue=drafts), ROLES)
    cited = {chunk for p in held.report.proposals for chunk in p.chunks}
    unused = [one for one in held.report.raised if one.kind == "unused"]
    assert unused
    assert not {one.chunk for one in unused} & cited
    assert "throughput" in [one.text for one in held.report.raised if one.kind == "gap"]


def test_critics_read_what_the_moderator_raised(chamber):
    llm = scripted(Argue=own_idea)
    held = chamber.hold(llm, ROLES)
    raised = {
        p.chunk.passage_text() for p in held.passages for r in held.report.raised if r.chunk == p.chunk.id
    }
    read = [{piece.text for piece in task.evidence} for task in llm.asked if isinstance(task, Criticise)]
    assert raised
    assert all(raised <= texts for texts in read)


def test_a_role_the_reader_wrote_speaks_with_its_own_lens(chamber):
    own = written("Canteen cook: fish and potatoes on Fridays", "en")
    held = chamber.hold(ExtractiveLLM(), (own, *ROLES[:1]))
    assert [given.role.name for given in held.report.perspectives] == ["Canteen cook", "Equipment engineer"]
    assert held.report.perspectives[0].chunks[0] == "c6"
    assert chamber.told[0].reason == "chosen by the reader"


def test_a_disagreement_names_both_sides_their_evidence_and_what_would_decide(chamber):
    report = chamber.hold(ExtractiveLLM(), ROLES).report
    assert report.disagreements
    for one in report.disagreements:
        assert len(one.sides) > 1
        assert all(side.roles and side.chunks for side in one.sides)
        assert one.decides
    accords = {frozenset((a.one, a.other)): a for a in report.agreement}
    assert len(accords) == 3
    assert sum(a.objected for a in report.agreement) == sum(len(p.objections) for p in report.proposals)


def test_like_proposals_become_one_with_its_backers():
    one = Proposal(id=1, role="a", text="Replace the worn seal band", chunks=("x",))
    other = Proposal(id=2, role="b", text="Replace the worn seal band soon", chunks=("y",))
    third = Proposal(id=3, role="c", text="Train the new technicians", chunks=("z",))
    assert [(p.id, p.backed_by, p.chunks) for p in united((one, other, third))] == [
        (1, ("b",), ("x", "y")),
        (3, (), ("z",)),
    ]


def test_the_answer_gives_facts_before_ideas_and_cites_every_sentence(chamber):
    held = chamber.hold(ExtractiveLLM(), ROLES)
    told = tell(held.report, held.passages, "en")
    assert all(sentence.citations for sentence in told.sentences)
    assert told.ideas
    assert min(told.ideas) == len(told.sentences) - len(told.ideas)
    assert any("not facts" in note for note in told.notes)
    assert any("built-in engine" in note for note in told.notes)


def test_roles_argue_at_the_same_time(chamber):
    together = threading.Barrier(3, timeout=10)
    rules = ExtractiveLLM()

    def argue(task: Argue):
        together.wait()
        return rules.run(task, Argued)

    started = time.monotonic()
    chamber.hold(scripted(Argue=argue), ROLES)
    assert time.monotonic() - started < 10


def test_the_question_of_a_role_goes_out_in_both_languages():
    role = cast(ExtractiveLLM(), QUESTION, (), 3, "en").roles[0]
    assert any("\u4e00" <= char <= "\u9fff" for char in "".join(role.terms))
    assert research(QUESTION, Scope(), (), 1)
