import pytest

from core.domain import Evidence, Scope
from core.errors import BudgetExceeded, LLMUnavailable, Stopped
from core.llm.builtin import BuiltinLLM
from core.perspectives.moderator import moderate
from core.perspectives.narrative import narrate
from core.perspectives.pool import Pool
from core.perspectives.report import united
from core.perspectives.viewpoints import known, written
from core.tasks import (
    CritiqueDraft,
    DecisionDraft,
    Deliberate,
    Deliberated,
    PerspectiveDraft,
    Perspectives,
    PerspectivesGiven,
    ProposalDraft,
    StatementDraft,
    Task,
    Viewpoint,
)
from tests.doubles import ScriptedLLM
from tests.perspectives.conftest import QUESTION, Chamber, research, shelf

ROLES = tuple(known(name, "en") for name in ("maintenance", "cost", "sceptic"))
IDEAS = ("Exchange the worn chuck", "Buy spare parts earlier", "Test the focus ring first")


def cited(task: Task, words: str) -> tuple[int, ...]:
    """Return the number of the evidence that holds the words."""
    return tuple(piece.n for piece in task.evidence if words in f"{piece.source} {piece.text}")[:1]


def thinker(deliberated: Deliberated | None = None, **changed: object) -> ScriptedLLM:
    """A model with one idea a viewpoint; the sceptic objects to the first, cost to the last."""

    def say(task: Task):
        if isinstance(task, Deliberate):
            return deliberated
        assert isinstance(task, Perspectives)
        chuck, stock, ring = (cited(task, words) for words in ("8D", "spare stock", "Nobody knows"))
        result = (StatementDraft(text="The spare stock is only two pieces.", citations=stock),)
        first = ProposalDraft(
            text=IDEAS[0], citations=chuck or (1,), objection="Stock is low.", objector="cost", against=stock
        ).model_copy(update=changed)
        return PerspectivesGiven(
            perspectives=(
                PerspectiveDraft(viewpoint="maintenance", says=result, proposals=(first,)),
                PerspectiveDraft(
                    viewpoint="cost", says=result, proposals=(ProposalDraft(text=IDEAS[1], citations=stock),)
                ),
                PerspectiveDraft(
                    viewpoint="sceptic", proposals=(ProposalDraft(text=IDEAS[2], citations=ring),)
                ),
            ),
            recommended=IDEAS[2],
            reason="It is cheap.",
        )

    return ScriptedLLM(say)


def test_a_council_takes_one_call_and_two_where_it_deliberates(chamber):
    llm = thinker()
    council = chamber.hold(llm, ROLES)
    assert [type(task) for task in llm.asked] == [Perspectives]
    names = chamber.names()
    assert names[0] == "roles_planned" and names[-1] == "settled"
    assert names.count("perspective_given") == 3
    assert chamber.events[-1].council == council.report
    deep = thinker(Deliberated(order=("A", "B", "C")))
    Chamber().hold(deep, ROLES, deliberates=True)
    assert [type(task) for task in deep.asked] == [Perspectives, Deliberate]


def test_everything_said_rests_on_a_passage_that_was_read(chamber):
    council = chamber.hold(thinker(), ROLES)
    report = council.report
    read = {passage.chunk.id for passage in council.passages}
    stated = [
        *(statement for given in report.perspectives for statement in given.argument),
        *report.proposals,
        *(one for proposal in report.proposals for one in proposal.objections),
        *report.common,
    ]
    assert len(report.proposals) == 3 and report.common
    assert all(one.chunks and set(one.chunks) <= read for one in stated)


def test_numbers_are_those_of_the_evidence_wherever_they_stand(chamber):
    llm = thinker(Deliberated(order=("A",)))
    council = chamber.hold(llm, ROLES, deliberates=True)
    perspectives, deliberate = llm.asked
    texts = {n: passage.chunk.text for n, passage in enumerate(council.passages, 1)}
    assert all(texts[piece.n] == piece.text for piece in perspectives.evidence)
    assert deliberate.evidence == perspectives.evidence
    assert [idea.id for idea in deliberate.ideas] == ["A", "B", "C"]
    by_text = {proposal.text: proposal for proposal in council.report.proposals}
    ids = {passage.chunk.id: n for n, passage in enumerate(council.passages, 1)}
    for idea in deliberate.ideas:
        assert idea.citations == tuple(ids[chunk] for chunk in by_text[idea.text].chunks)


def test_of_a_pool_only_what_is_offered_is_handed_over_under_its_own_number():
    pool = Pool(shelf())
    assert [piece.n for piece in pool.evidence(["c4", "c1"])] == [2, 5]
    assert [piece.n for piece in pool.evidence()] == list(range(1, len(shelf()) + 1))
    assert pool.numbers(pool.chunks((5, 99, 2))) == (5, 2)


def test_what_stands_in_every_piece_is_not_quoted():
    line = "The price list of the chuck is for training use only."
    sentence = (
        "The chuck costs 18,400 EUR and its price rises.",
        "The chuck has a price of 900 EUR in spring.",
    )
    pieces = tuple(Evidence(n=n, text=f"{text} {line}", source="S") for n, text in enumerate(sentence, 1))
    cost = Viewpoint(id="cost", name="Cost", words=("price", "cost"))
    task = Perspectives(question="How could we spend less on the chuck?", evidence=pieces, viewpoints=(cost,))
    (given,) = BuiltinLLM().run(task, PerspectivesGiven).perspectives
    assert {statement.text for statement in given.says} == set(sentence)


def test_the_prefix_of_the_prompt_is_the_same_for_both_calls_up_to_the_task():
    from core.llm import prompting

    llm = thinker(Deliberated())
    Chamber().hold(llm, ROLES, deliberates=True)
    one, two = (prompting.fill(task).user for task in llm.asked)
    shared = one.index("Make at most")
    assert one[:shared] == two[:shared]
    assert one.endswith(f"{QUESTION}\n<<<end>>>") and two.endswith(f"{QUESTION}\n<<<end>>>")


def test_the_built_in_engine_sorts_what_the_library_says_and_proposes_nothing(chamber):
    council = chamber.hold(BuiltinLLM(), ROLES)
    report = council.report
    texts = {p.chunk.id: " ".join(p.chunk.passage_text().split()) for p in council.passages}
    stated = [statement for given in report.perspectives for statement in given.argument]
    assert stated and not report.proposals and not report.disagreements
    assert all(statement.text in texts[statement.chunks[0]] for statement in stated)
    assert len({statement.text for statement in stated}) == len(stated)
    by_role = {given.role.id: " ".join(s.text for s in given.argument) for given in report.perspectives}
    assert "18,400 EUR" in by_role["cost"]
    narrated = narrate(report, council.passages, "en")
    assert any("ideas need a model" in note for note in narrated.notes)
    assert "**Cost**: " in narrated.text and not narrated.ideas
    assert all(sentence.citations for sentence in narrated.sentences)
    assert Chamber().hold(BuiltinLLM(), ROLES).report == report


def test_lists_of_names_and_of_columns_are_no_view_of_anybody():
    cost = Viewpoint(id="cost", name="Cost", words=("price", "cost", "planning"))
    lists = (
        "Present: Mei Lin (process price), Jonas Weber (cost), Rafael Ortiz (planning of pumps).",
        "Columns: Pump (text), Price (integer), Cost of planning (real).",
        "The price of the pump rose by 12 percent.",
    )
    pieces = tuple(Evidence(n=n, text=text, source="S") for n, text in enumerate(lists, 1))
    task = Perspectives(question="How can we improve the pump?", evidence=pieces, viewpoints=(cost,))
    given = BuiltinLLM().run(task, PerspectivesGiven).perspectives[0]
    assert [(content.text, content.citations) for content in given.says] == [(lists[2], (3,))]


def test_a_viewpoint_that_the_reply_leaves_out_stands_empty(chamber):
    only = PerspectivesGiven(
        perspectives=(
            PerspectiveDraft(viewpoint="cost", proposals=(ProposalDraft(text="Wait.", citations=(1,)),)),
            PerspectiveDraft(viewpoint="nobody", proposals=(ProposalDraft(text="No.", citations=(1,)),)),
        )
    )
    report = chamber.hold(ScriptedLLM(only), ROLES).report
    assert [len(given.proposals) for given in report.perspectives] == [0, 1, 0]
    assert [proposal.text for proposal in report.proposals] == ["Wait."]


@pytest.mark.parametrize("end", [Stopped("stop"), BudgetExceeded("spent"), LLMUnavailable("no reply")])
def test_what_the_call_raises_ends_the_council(chamber, end):
    with pytest.raises(type(end)):
        chamber.hold(ScriptedLLM(end), ROLES)


def test_a_proposal_that_cites_nothing_is_left_out_and_said(chamber):
    council = chamber.hold(thinker(citations=(99,)), ROLES)
    assert [p.text for p in council.report.proposals] == [IDEAS[2], IDEAS[1]]
    assert [given.dropped for given in council.report.perspectives] == [1, 0, 0]
    assert "1 proposals that cited nothing" in " ".join(narrate(council.report, council.passages, "en").notes)


def test_the_recommended_proposal_comes_first_and_objections_need_evidence_and_another_viewpoint(chamber):
    report = chamber.hold(thinker(), ROLES).report
    assert report.proposals[0].text == IDEAS[2]
    (objected,) = [p for p in report.proposals if p.objections]
    assert (objected.text, objected.criticised_by) == (IDEAS[0], ("cost",))
    for stray in ({"objector": "maintenance"}, {"against": ()}, {"objection": " "}, {"objector": "nobody"}):
        report = Chamber().hold(thinker(**stray), ROLES).report
        assert not [p for p in report.proposals if p.objections], stray


def test_a_fatal_critique_puts_a_proposal_last_and_out_of_the_answer(chamber):
    settled = Deliberated(
        critique=(
            CritiqueDraft(idea="B", by="sceptic", text="It is forbidden.", citations=(1,), fatal=True),
            CritiqueDraft(idea="Q", by="cost", text="No.", citations=(1,)),
            CritiqueDraft(idea="C", by="cost", text="Says who?", citations=(99,)),
        ),
        decides=(DecisionDraft(idea="B", text="A trial on one wafer."),),
        order=("B", "A"),
    )
    council = chamber.hold(thinker(settled), ROLES, deliberates=True)
    fallen = council.report.proposals[-1]
    assert not fallen.survived and [p.survived for p in council.report.proposals] == [True, True, False]
    narrated = narrate(council.report, council.passages, "en")
    assert fallen.text not in narrated.text
    assert any(fallen.text in note for note in narrated.notes)
    (criticised,) = [e for e in chamber.events if e.name == "criticised" and e.critic == "sceptic"]
    assert [one.text for one in criticised.objections] == ["It is forbidden."]
    dispute = next(d for d in council.report.disagreements if d.claim == fallen.text)
    assert (len(dispute.sides), dispute.decides) == (3, "A trial on one wafer.")
    assert all(side.roles and side.chunks for side in dispute.sides)


def test_a_fact_is_common_where_two_viewpoints_rest_on_it_whatever_the_model_says(chamber):
    settled = Deliberated(
        common=(
            StatementDraft(text="Only one read this.", citations=(1,)),
            StatementDraft(text="Cited nowhere.", citations=()),
        )
    )
    report = chamber.hold(thinker(settled), ROLES, deliberates=True).report
    assert all(len(fact.roles) > 1 for fact in report.common)
    accords = {frozenset((a.one, a.other)): a for a in report.agreement}
    assert accords[frozenset(("maintenance", "cost"))].objected == 1


def test_what_nobody_cited_and_what_nobody_spoke_of_is_raised(chamber):
    council = chamber.hold(thinker(), ROLES)
    used = {chunk for p in council.report.proposals for chunk in p.chunks}
    unused = [one for one in council.report.raised if one.kind == "unused"]
    assert unused and not {one.chunk for one in unused} & used
    assert "throughput" in [one.text for one in council.report.raised if one.kind == "gap"]


def test_a_word_that_was_read_is_no_gap_and_a_word_that_asks_is_none():
    asked = "How can the chuck and the throughput be improved?"
    raised = moderate(asked, (), Pool(shelf()))
    assert [one.text for one in raised if one.kind == "gap"] == ["throughput"]


def test_a_viewpoint_the_reader_wrote_reads_with_its_own_words(chamber):
    own = written("Canteen cook: fish and potatoes on Fridays", "en")
    council = chamber.hold(BuiltinLLM(), (own, *ROLES[:1]))
    assert [given.role.name for given in council.report.perspectives] == ["Canteen cook", "Maintenance"]
    assert council.report.perspectives[0].chunks[0] == "c6"
    assert chamber.events[0].reason == "chosen by the reader"


def test_like_proposals_become_one_with_its_backers(chamber):
    drafts = tuple(
        PerspectiveDraft(viewpoint=name, proposals=(ProposalDraft(text=text, citations=(n,)),))
        for n, (name, text) in enumerate(
            (("maintenance", "Replace the worn seal band"), ("cost", "Replace the worn seal band soon")), 1
        )
    )
    report = chamber.hold(ScriptedLLM(PerspectivesGiven(perspectives=drafts)), ROLES).report
    (one,) = united(report.perspectives, "")
    assert (one.backed_by, len(one.chunks)) == (("cost",), 2)


def test_the_answer_gives_facts_before_ideas_and_cites_every_sentence(chamber):
    council = chamber.hold(thinker(), ROLES)
    narrated = narrate(council.report, council.passages, "en")
    assert all(sentence.citations for sentence in narrated.sentences)
    assert min(narrated.ideas) == len(narrated.sentences) - len(narrated.ideas)
    assert any("not facts" in note for note in narrated.notes)
    assert research(QUESTION, Scope(), (), 1)
