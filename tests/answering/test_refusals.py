"""What a writer says it did not find is read as that: no answer, no unsupported sentence, no finding lost."""

import json
from pathlib import Path

import pytest

from core.answering.answer import AnswerDraft, Synthesiser
from core.answering.answer_checking import AnswerChecker
from core.answering.citations import cited
from core.answering.refusals import declined, refusals
from core.domain import Outcome, Support, Verdict
from core.llm.builtin import BuiltinLLM
from core.tasks import Claim, ClaimVerdict, Review, Reviewed, Written
from tests.doubles import ScriptedLLM
from tests.making import part, passage

QUESTION = "When does the gate of Sandrey close, lit in 1850?"
EVIDENCE = [
    passage("The tide gate at Morwen closes at a water level of 3.4 m.", title="Gates"),
    passage("The gate was lit in 1871.", title="Log"),
]


def judged(text: str, parts=(), language: str = "en") -> tuple[AnswerDraft, Verdict, list[Claim]]:
    """Return draft and verdict of what a model wrote, and the claims a model was asked about."""
    draft = Synthesiser(ScriptedLLM(Written(text=text))).synthesise(
        QUESTION, parts, EVIDENCE, language, lambda piece: None
    )
    supported = tuple(ClaimVerdict(index=i, support=Support.SUPPORTED) for i in range(5))
    reviewer = ScriptedLLM(Reviewed(claims=supported))
    verdict = AnswerChecker(reviewer).check(
        QUESTION, draft.sentences, parts, EVIDENCE, language, (), draft.outcome
    )
    asked = [task for task in reviewer.asked if isinstance(task, Review)]
    return draft, verdict, [claim for task in asked for claim in task.claims]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The library does not say.", "en"),
        ("The library does not say when it closes. The nearest is the gate at Morwen, at 3.4 m [1].", "en"),
        ("**The provided evidence does not mention** the gate of Sandrey [1].", "en"),
        ("Unfortunately, there is no information in the library about Sandrey.", "en"),
        ("I could not find this in the documents.", "en"),
        ("资料库没有说明。", "zh"),
        ("资料库没有说明桑德雷闸门何时关闭；最接近的是莫文闸门，水位 3.4 米时关闭 [1]。", "zh"),
        ("根据提供的资料，无法确定桑德雷闸门何时关闭。", "zh"),
        ("证据中没有提到桑德雷的闸门。", "zh"),
    ],
)
def test_an_answer_that_begins_with_a_refusal_is_none(text: str, language: str) -> None:
    draft, verdict, _ = judged(text, language=language)
    assert verdict.outcome is Outcome.CLOSEST
    assert verdict.missing == (QUESTION,)
    assert draft.text == text


@pytest.mark.parametrize(
    "text",
    [
        "The gate at Morwen closes at 3.4 m [1].",
        "The procedure does not name a torque [1].",
        "The library does not say that it was lit in 1850; it was lit in 1871 [2].",
        "No gate at Sandrey was lit before 1871 [2].",
        "闸门不是在 1850 年点亮的，而是在 1871 年 [2]。",
        "该规程没有规定扭矩 [1]。",
        "文件没有规定扭矩 [1]，而是 3.4 米 [1]。",
    ],
)
def test_a_finding_is_no_refusal_even_one_that_denies(text: str) -> None:
    _, verdict, claims = judged(text)
    assert verdict.outcome in (Outcome.ANSWER, Outcome.CAVEAT)
    assert len(claims) == 1


def test_replies_to_the_real_prompts_are_read_as_meant() -> None:
    """Written by a stand-in that was put before the prompts of a real library in a model's place."""
    for line in (Path(__file__).parent / "stand_in_replies.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        sentences = cited(row["text"])
        assert sorted(refusals(sentences)) == row["refused"], row["text"]
        assert declined(sentences, ()) == row["declined"], row["text"]


def test_a_part_that_is_refused_leaves_a_gap_and_the_rest_an_answer() -> None:
    parts = [part(1, "When does it close?", "3.4 m"), part(2, "Who tested it?")]
    text = "It closes at 3.4 m [1]. The library does not say who tested it."
    _, verdict, claims = judged(text, parts)
    assert verdict.outcome is Outcome.GAP
    assert verdict.missing == ("Who tested it?",)
    assert [claim.text for claim in claims] == ["It closes at 3.4 m."]
    assert all(sentence.support is Support.SUPPORTED for sentence in verdict.sentences)
    first = "The library does not say who tested it. It closes at 3.4 m [1]."
    assert judged(first, parts)[1].outcome is Outcome.GAP
    alone = judged("It closes at 3.4 m [1]. The library does not say who tested it.")[1]
    assert (alone.outcome, alone.missing) == (Outcome.GAP, ("The library does not say who tested it.",))


def test_a_denied_premise_is_left_to_a_model_and_not_called_its_contrary() -> None:
    """Rules called it contradicted: the cited sentence has no "not"."""
    text = "The library does not say that Sandrey was lit in 1871; the gate was lit in 1871 [2]."
    draft, _, _ = judged(text)
    model = ScriptedLLM(Reviewed(claims=(ClaimVerdict(index=0, support=Support.SUPPORTED),)))
    verdict = AnswerChecker(model, BuiltinLLM()).check(
        "Why was Sandrey lit in 1871?", draft.sentences, (), EVIDENCE, "en", (), draft.outcome
    )
    assert len(model.asked) == 1
    assert verdict.sentences[0].support is Support.SUPPORTED


def test_a_part_that_was_never_asked_is_named_as_missing() -> None:
    parts = [part(1, "Who wrote it?"), part(2, "Where does [part 1] work?")]
    _, verdict, _ = judged("The library does not say who wrote DR-2025-041.", parts)
    assert verdict.notes == ()
    _, verdict, _ = judged("It closes at 3.4 m [1]. The library does not say who wrote DR-2025-041.", parts)
    assert verdict.missing == ("Who wrote it?", "Where does [part 1] work?")
    assert not any("041" in note for note in verdict.notes)


def test_what_a_refusal_names_as_nearest_is_checked_by_rules_and_costs_no_call() -> None:
    text = "The library does not say when. The gate at Morwen closes at a water level of 4.4 m [1]."
    draft, _, _ = judged(text)
    model = ScriptedLLM()
    verdict = AnswerChecker(model, BuiltinLLM()).check(
        "When?", draft.sentences, (), EVIDENCE, "en", (), draft.outcome
    )
    assert model.asked == []
    assert [s.support for s in verdict.sentences] == [Support.SUPPORTED, Support.CONTRADICTED]
    assert verdict.outcome is Outcome.CLOSEST
    right = judged(text.replace("4.4", "3.4"))[0].sentences
    verdict = AnswerChecker(model, BuiltinLLM()).check("Who?", right, (), EVIDENCE, "en", (), Outcome.CLOSEST)
    assert [s.support for s in verdict.sentences] == [Support.SUPPORTED, Support.SUPPORTED]
