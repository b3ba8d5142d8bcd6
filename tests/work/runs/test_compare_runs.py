"""Two runs side by side: what was said, what it rests on, how it was planned, and why it differs."""

from core.domain import (
    Edits,
    Level,
    Outcome,
    PartAnswer,
    Passage,
    Plan,
    Report,
    Scope,
    Sentence,
    SubQuestion,
    Support,
)
from core.i18n.messages import speaking
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import Run
from core.tasks import Call
from core.trace import Asked, Event, Reused, Stamped, Synthesised
from core.work.runs.compare_runs import alike, compare, pieces
from core.work.runs.difference_reasons import NO_DIFFERENCE
from tests.making import passage

ONE, TWO, THREE = passage("one", title="Manual"), passage("two", title="SOP"), passage("three", title="Mail")
A, B, C = (
    SubQuestion(id=1, question="Who makes the pump?"),
    SubQuestion(id=2, question="When was #1 founded?", depends_on=(1,)),
    SubQuestion(id=3, question="Where is it?"),
)


def sentence(text: str, *citations: int) -> Sentence:
    return Sentence(text=text, citations=citations, support=Support.SUPPORTED)


def run(number: str, sentences: tuple[Sentence, ...], passages: tuple[Passage, ...], **more: object) -> Run:
    report = Report(
        run=number, question="Q", sentences=sentences, passages=passages, outcome=Outcome.ANSWER, **more
    )
    return Run(id=number, conversation="c", question="Q", status="done", report=report)


def stamped(*events: Event) -> list[Stamped]:
    return [Stamped(seq=n, at=n, event=event) for n, event in enumerate(events)]


def test_sentences_are_paired_by_what_they_say():
    before = run(
        "a",
        (sentence("The pump is made by Norvac.", 1), sentence("It is blue."), sentence("It weighs 5 kg.", 2)),
        (ONE, TWO),
    )
    after = run(
        "b",
        (
            sentence("The pump is made by Norvac.", 1),
            sentence("It weighs 7 kg.", 1),
            sentence("Nobody knows why."),
        ),
        (TWO,),
    )
    found = compare(before, after, [], []).sentences
    assert [(c.change, c.sources_changed) for c in found] == [
        ("same", True),
        ("removed", False),
        ("changed", False),
        ("added", False),
    ]
    assert [c.after.text if c.after else c.before.text for c in found][1] == "It is blue."


def test_the_same_run_twice_says_the_same():
    before = run("a", (sentence("It is 5.", 1),), (ONE,))
    found = compare(before, before, stamped(Asked(question="Q")), stamped(Asked(question="Q")))
    assert found.same
    assert found.why == (NO_DIFFERENCE,)
    assert (found.gained, found.lost, found.kept) == ((), (), 1)


def test_evidence_is_gained_and_lost():
    found = compare(run("a", (), (ONE, TWO)), run("b", (), (TWO, THREE)), [], [])
    assert (found.gained, found.lost, found.kept) == ((THREE,), (ONE,), 1)


def test_parts_are_paired_and_those_taken_over_are_marked():
    plan = Plan(question="Q", parts=(A, B))
    asked = B.model_copy(update={"question": "In which year was #1 founded?"})
    changed = Plan(question="Q", parts=(A, asked, C), by="reader")
    answer = PartAnswer(id=1, question=A.question, answer="Norvac", found=True)
    before = run("a", (), (), plan=plan, parts=(answer,))
    after = run("b", (), (), plan=changed, parts=(answer,))
    events = stamped(Asked(question="Q"), Reused(run="a", answer=answer, sub_question=1))
    found = compare(before, after, stamped(Asked(question="Q")), events)
    assert [(p.change, p.reused) for p in found.parts] == [
        ("same", True),
        ("changed", False),
        ("added", False),
    ]
    assert (found.parts[0].found_before, found.parts[0].found_after) == ("Norvac", "Norvac")
    assert any("2 parts, then 3, planned by you" in why for why in found.why)
    back = compare(after, before, events, stamped(Asked(question="Q")))
    assert [p.change for p in back.parts] == ["same", "changed", "removed"]


def test_why_names_edits_library_models_and_level():
    first = Asked(question="Q", library="8 documents", generation=4, made_with={"engine": "built-in"})
    second = Asked(
        question="Q",
        library="9 documents",
        generation=7,
        made_with={"engine": "model server", "STRATA_LOOP__ROUNDS": "3"},
        scope=Scope(without=(ONE.chunk.id,)),
        parent="a",
        edits=Edits(banned=(ONE.chunk.id,), pinned=(TWO.chunk.id,)),
    )
    before = run("a", (), (ONE, TWO), engine="built-in")
    after = run("b", (), (TWO,), engine="llama3", level=Level.LINKING)
    reasons = compare(before, after, stamped(first), stamped(second)).why
    why = " | ".join(reasons)
    with speaking("zh"):
        assert [sentence for sentence in reasons if translated_plain(sentence) == sentence] == []
    for word in (
        "second run works on the first one again",
        "Passages banned: Manual.",
        "Passages pinned: SOP.",
        "8 documents, then 9 documents",
        "STRATA_LOOP__ROUNDS was default, then 3",
        "engine was built-in, then model server",
        "written by built-in, then by llama3",
        "L1, then L2",
    ):
        assert word in why


def test_time_and_tokens_are_those_of_served_models():
    calls = (
        Call(task="Answer", engine="llama3", tokens_in=100, tokens_out=20),
        Call(task="Review", engine="llama3", tokens_in=50, tokens_out=5, cached=True),
        Call(task="Understand", engine="built-in"),
    )
    found = compare(
        run("a", (), (), seconds=2.5), run("b", (), ()), stamped(Synthesised(sentences=(), calls=calls)), []
    )
    assert (found.before.cost.seconds, found.before.cost.calls, found.before.cost.tokens) == (2.5, 3, 120)


def test_a_run_without_a_report_can_be_compared():
    cut = Run(id="x", conversation="c", question="Q", status="failed")
    found = compare(cut, run("b", (sentence("It is 5."),), (ONE,)), [], [])
    assert found.before.outcome is None
    assert [c.change for c in found.sentences] == ["added"]


def test_words_are_compared_in_english_and_chinese():
    assert pieces("It is 5 kg. 干泵") == ["It ", "is ", "5 ", "kg. ", "干", "泵"]
    assert alike("干泵每2000小时保养一次", "干泵每3000小时保养一次") > 0.6
    assert alike("It is blue.", "Norvac was founded in 1987.") < 0.6


def test_a_sentence_is_paired_once_with_the_most_alike():
    before = run("a", (sentence("The pump is made by Norvac.", 1),), (ONE,))
    after = run(
        "b",
        (sentence("The pump is made by Norvac.", 1), sentence("The pump is made by Norvac today.", 1)),
        (ONE,),
    )
    found = compare(before, after, [], []).sentences
    assert [change.change for change in found] == ["same", "added"]


def test_passages_that_only_come_near_are_compared_one_by_one():
    stamped = "Nothing says this. Closest passages:\n\n- The pump is red. It hums. [1]\n- It weighs 5 kg. [2]"
    near = Report(run="a", question="Q", answer=stamped, passages=(ONE, TWO), outcome=Outcome.CLOSEST)
    less = near.model_copy(
        update={"run": "b", "answer": stamped.replace("\n- The pump is red. It hums. [1]", "")}
    )
    before, after = (Run(id=r.run, conversation="c", question="Q", report=r) for r in (near, less))
    found = compare(before, after, [], []).sentences
    assert [(c.change, (c.before or c.after).text) for c in found] == [
        ("same", "Nothing says this. Closest passages:"),
        ("removed", "The pump is red. It hums."),
        ("same", "It weighs 5 kg."),
    ]
    assert [c.before.citations for c in found] == [(), (1,), (2,)]
