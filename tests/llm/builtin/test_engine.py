import inspect

import pytest

from core import tasks
from core.domain import Evidence
from core.llm.builtin import BuiltinLLM
from core.tasks import (
    Answer,
    Bridge,
    Bridged,
    Describe,
    Described,
    PartAsked,
    ProposeNext,
    Understood,
    Written,
)
from tests.doubles import Ear

TASKS = [
    c
    for _, c in inspect.getmembers(tasks, inspect.isclass)
    if issubclass(c, tasks.Task) and c is not tasks.Task
]
_FILLED = {
    "question": "Who built it?",
    "title": "T",
    "heading": "H",
    "text": "A pump.",
    "before": "",
    "image": "",
    "instruction": "Give the name.",
    "answer": "Ada",
    "perspective": "safety | Safety | people | gas leak",
}


def smallest(task: type[tasks.Task], **more: str) -> tasks.Task:
    needed = {name for name, field in task.model_fields.items() if field.is_required()}
    return task(**{name: _FILLED[name] for name in needed} | more)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.__name__)
def test_every_task_has_a_rule_that_gives_its_reply(task, engine):
    reply = engine.run(smallest(task), task.reply)
    assert isinstance(reply, task.reply)
    assert reply.call is not None and reply.call.engine == "built-in" and reply.call.task == task.__name__


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "question", ["", " ", "?", "？？？", "😀😀😀", "x" * 10_000, "the the the", "§\ue000#1(#2)"]
)
@pytest.mark.parametrize("task", [t for t in TASKS if "question" in t.model_fields], ids=lambda t: t.__name__)
def test_no_question_is_too_odd_for_a_rule(task, question, engine):
    assert isinstance(engine.run(smallest(task, question=question), task.reply), task.reply)


def test_a_task_without_a_rule_is_named(engine):
    class Sing(tasks.Task):
        reply = Written

    with pytest.raises(TypeError, match="Sing"):
        engine.run(Sing(), Written)


def test_a_reply_of_another_type_is_not_handed_out(engine):
    with pytest.raises(TypeError, match="Understood"):
        engine.run(ProposeNext(question="Who?"), Understood)


def test_prose_is_heard_sentence_by_sentence_and_whole(engine, evidence):
    ear = Ear()
    question = "How often must the dry pump be serviced?"
    written = engine.run(Answer(question=question, evidence=evidence), Written, ear)
    assert "".join(ear.pieces) == written.text and len(ear.pieces) > 1


def test_the_engine_has_no_eyes_and_says_so(engine):
    assert engine.run(Describe(image="aGk="), Described).text == ""


def test_the_same_task_gives_the_same_reply(evidence):
    part = PartAsked(id=1, question="What caused alarm E-217?", evidence=(1, 2, 3))
    task = Bridge(question=part.question, parts=(part,), evidence=evidence)
    first, second = (BuiltinLLM().run(task, Bridged) for _ in range(2))
    assert first == second.model_copy(update={"call": first.call})


def test_an_item_of_a_list_is_told_without_the_items_beside_it(engine):
    points = Evidence(
        n=1,
        source="Meeting",
        text="Open points\n- The gas cabinet is inspected on Friday.\n"
        "- The wet clean of chamber B takes 6.5\n  hours. Planning can give 8.\n"
        "- The new pump is delivered in May.",
    )
    asked = Answer(question="How long does the wet clean of chamber B take?", evidence=(points,))
    text = engine.run(asked, Written).text
    assert "6.5 hours" in text.replace("*", "") and "Planning can give 8" in text
    assert "gas cabinet" not in text and "pump" not in text


def test_a_sentence_that_leads_to_a_list_is_told_with_all_of_its_items(engine):
    text = (
        "The valve stays closed while the lid is open.\n\n"
        "A straight-through RS-232 cable works with the following models:\n\n• GX-110\n• GX-150\n• GX-320\n\n"
        "Others need the crossed one."
    )
    evidence = (Evidence(n=1, source="Cable guide", heading=("Straight-through cables",), text=text),)
    question = "Which models does the straight-through RS-232 cable work with?"
    written = engine.run(Answer(question=question, evidence=evidence), Written)
    assert all(model in written.text for model in ("GX-110", "GX-150", "GX-320"))
    assert "Others" not in written.text and "valve" not in written.text


@pytest.mark.parametrize(
    ("question", "text", "missed"),
    [
        ("产品A77边缘的颗粒来自哪里？", "Particles at the edge of product A77 come from the polymer.", False),
        ("产品A77边缘的颗粒来自哪里？", "产品A77的边缘来自聚合物。产品B12没有变化。", True),
        ("Where do the flakes in the pump come from?", "泵中的薄片来自聚合物。泵每年保养一次。", False),
        ("Where do the flakes in the pump come from?", "The dry pump is mounted in the sub-fab.", True),
    ],
)
def test_that_nothing_speaks_of_a_word_is_said_only_of_pieces_in_its_language(engine, question, text, missed):
    evidence = (Evidence(n=1, source="manual", text=text),)
    language = "zh" if "？" in question else "en"
    written = engine.run(Answer(question=question, evidence=evidence, language=language), Written)
    assert written.outcome == "closest passages", written
    content = "没有提到" in written.text or "nothing found speaks of" in written.text
    assert content is missed, written.text
