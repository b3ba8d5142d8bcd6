"""Every sentence is held against what it cites; the ladder says how far the answer may be trusted."""

import pytest

from core.answering.answer_checking import AnswerChecker
from core.answering.unfounded import unfounded_names, unfounded_numbers
from core.domain import Evidence, Outcome, Sentence, Support
from core.llm.builtin import BuiltinLLM
from core.tasks import Claim, ClaimVerdict, Review, Reviewed
from tests.doubles import ScriptedLLM
from tests.making import part, passage

EVIDENCE = [passage("The limit is 5 Pa.", title="SOP-112"), passage("The pump was replaced.")]
GOOD = Sentence(text="The limit is 5 Pa.", citations=(1,))


def verified(*sentences, support=(), missing=(), conflicts=(), parts=()):
    verdicts = tuple(ClaimVerdict(index=i, support=s) for i, s in enumerate(support))
    llm = ScriptedLLM(Reviewed(claims=verdicts, left_open=missing, conflicts=conflicts))
    return AnswerChecker(llm).check("What is the limit?", sentences, parts, EVIDENCE, "en")


def test_supported_sentences_make_an_answer():
    verdict = verified(GOOD, support=[Support.SUPPORTED])
    assert verdict.outcome is Outcome.ANSWER
    assert verdict.sentences[0].support is Support.SUPPORTED


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"support": [Support.CONTRADICTED]}, Outcome.GAP),
        ({"support": []}, Outcome.GAP),
        ({"support": [Support.SUPPORTED], "conflicts": ("5 Pa or 6 Pa",)}, Outcome.CONFLICT),
        ({"support": [Support.SUPPORTED], "missing": ("the date",)}, Outcome.GAP),
    ],
)
def test_the_ladder(changes, outcome):
    assert verified(GOOD, **changes).outcome is outcome


def test_a_sentence_against_its_source_says_why_even_where_its_number_stands_nowhere():
    wrong = GOOD.model_copy(update={"text": "The limit is 6 Pa."})
    reason = "[1] says 5"
    llm = ScriptedLLM(Reviewed(claims=(ClaimVerdict(index=0, support=Support.CONTRADICTED, reason=reason),)))
    verdict = AnswerChecker(llm).check("What is the limit?", [wrong], (), EVIDENCE, "en")
    assert verdict.sentences[0].support is Support.CONTRADICTED
    assert verdict.notes == ("6 stands in no cited passage.", "Sentence 1 is contradicted: [1] says 5.")
    chinese = AnswerChecker(llm).check("上限是多少？", [wrong], (), EVIDENCE, "zh")
    assert chinese.notes[1] == "第 1 句与所引内容不符：[1] says 5。"


def test_a_part_that_was_not_found_is_missing_and_makes_a_gap():
    parts = [part(1, "The limit?", "5 Pa"), part(2, "Who set it?")]
    verdict = verified(GOOD, support=[Support.SUPPORTED], parts=parts)
    assert verdict.outcome is Outcome.GAP
    assert verdict.missing == ("Who set it?",)


def test_no_sentence_is_nothing():
    assert verified().outcome is Outcome.NOTHING


def test_a_sentence_without_a_citation_is_not_supported_whatever_the_model_says():
    bare = Sentence(text="The pump was replaced.")
    assert verified(bare, support=[Support.SUPPORTED]).sentences[0].support is Support.MISSING


def test_a_number_that_stands_nowhere_is_not_supported():
    wrong = Sentence(text="The limit is 7 Pa.", citations=(1,))
    verdict = verified(wrong, support=[Support.SUPPORTED])
    assert verdict.sentences[0].support is Support.MISSING
    assert verdict.outcome is Outcome.GAP
    assert "7" in verdict.notes[0]


def test_numbers_of_the_question_and_of_a_computed_row_are_founded():
    asked = unfounded_numbers("In 2024?", [Sentence(text="In 2024: 5 Pa.", citations=(1,))], [], EVIDENCE)
    assert asked == {}
    rows = part(1, "Sum?", "The sum is 42.", sql="SELECT sum(x) FROM t")
    computed = unfounded_numbers("Sum?", [Sentence(text="It is 42.", citations=(1,))], [rows], EVIDENCE)
    assert computed == {}
    assert unfounded_numbers("Sum?", [Sentence(text="It is 42.", citations=(1,))], [], EVIDENCE)


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        ("The pump DP-3 is made by Acme in Bergen.", {"Acme"}),
        ("The pump DP-4 is made by Norvac.", {"DP-4"}),
        ("Acme makes the dry pump of ETCH-07.", {"Acme"}),
        ("Replacing it takes hours. However, Norvac makes it. It needs care.", set()),
        ("The Norwegian firm Norvac makes the DP-3.", set()),
        ("According to the maker of ETCH-07, Norvac makes it.", set()),
        ("该泵由 Acme 制造。", set()),  # it says in another script what the source says
    ],
)
def test_a_name_that_stands_nowhere_is_not_supported(text, loose):
    evidence = [passage("The dry pump of ETCH-07 is a DP-3, made by Norvac in Bergen, Norway.")]
    sentence = Sentence(text=text, citations=(1,))
    found = unfounded_names("Who makes the pump?", [sentence], [], evidence)
    assert found == ({0: loose} if loose else {})


def test_a_name_that_a_quotation_joins_over_lines_stands_there():
    evidence = [passage("[TANKS]\n;ID Elevation Diameter Overflow\n2 850 120 100 150 50.5 0 ;")]
    statement = Sentence(
        text="[TANKS] ;ID Elevation Diameter Overflow 2 850 120 100 150 50.5 0 ;", citations=(1,)
    )
    assert unfounded_names("What tanks are there?", [statement], [], evidence) == {}


def test_an_answer_at_once_leaves_the_part_open_whose_thing_it_does_not_name():
    parts = [part(1, "Lead time of PN-4410?", "14 weeks"), part(2, "Lead time of PN-4402?"), part(3, "Why?")]
    sentence = Sentence(text="PN-4410: 14 weeks", citations=(1,))
    reply = ScriptedLLM(Reviewed(claims=(ClaimVerdict(index=0, support=Support.SUPPORTED),)))
    evidence = [passage("PN-4410: 14 weeks")]
    verdict = AnswerChecker(reply).check("?", [sentence], parts, evidence, "en", outcome=Outcome.ANSWER)
    assert verdict.missing == ("Lead time of PN-4402?",)
    assert verdict.outcome is Outcome.GAP


def test_where_ideas_answer_the_rest_is_held_against_its_sources_only():
    fact = Sentence(text="The pump was replaced.", citations=(2,))
    idea = Sentence(text="Raise the limit in winter.", citations=(1,))
    verdict = AnswerChecker(BuiltinLLM()).check(
        "How could we lose less wafers?", [fact, idea], (), EVIDENCE, "en", ideas=frozenset([1])
    )
    assert [one.support for one in verdict.sentences] == [Support.SUPPORTED, Support.MISSING]
    unasked = AnswerChecker(BuiltinLLM()).check("How could we lose less wafers?", [fact], (), EVIDENCE, "en")
    assert unasked.sentences[0].support is Support.MISSING  # stated, but not what was asked


def test_what_rules_cannot_tell_is_left_to_a_model():
    """Figures of two pieces, a claim in another language than its source, one in other words than asked."""
    pieces = (
        Evidence(n=1, text="K-7 carries a chuck of the same batch NV-9 and is to be exchanged.", source="A"),
        Evidence(n=2, text="K-7 的吸盘与 K-3 属于同一批次（NV-9）。", source="B"),
        Evidence(n=3, text="Task | Interval\nSeal band inspection | three months", source="C"),
    )
    claims = (
        Claim(index=0, text="K-7 carries a chuck of the same batch as K-3, batch NV-9.", citations=(1, 2)),
        Claim(index=1, text="密封带每三个月检查一次。", citations=(3,)),
        Claim(index=2, text="K-7 carries a chuck of the same batch as K-5, batch NV-9.", citations=(1, 2)),
    )
    review = Review(question="Which tool carries a chuck of the same batch?", claims=claims, evidence=pieces)
    first, second, third = BuiltinLLM().run(review, Reviewed).claims
    assert not first.sure and not second.sure
    assert third.support is Support.CONTRADICTED
    aside = Claim(index=0, text="Seal band inspection: three months", citations=(3,))
    review = Review(question="How often does the gasket get looked at?", claims=(aside,), evidence=pieces)
    (other,) = BuiltinLLM().run(review, Reviewed).claims
    assert other.support is Support.MISSING and not other.sure
