"""The model's acceptance test: its rules grade as a reader would; the card says what it is good for."""

import pytest

from core.evaluation.model_check import KINDS, ModelCard, behaviour, card_of, graded, tasks
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from core.ports import ModelProbe
from core.tasks import Answer, Bridged, Reviewed, Task, Understood, Written
from tests.doubles import ScriptedLLM
from tests.ollama_double import Model, OllamaDouble


def check(kind: str, number: int = 0) -> tuple[int, Task]:
    found = [(n, task) for n, (task, held) in enumerate(tasks()) if held["kind"] == kind]
    return found[number]


def fault_of(kind: str, text: str, number: int = 0) -> str:
    """Return what is wrong with a text as the answer to one of the tasks."""
    at, _ = check(kind, number)

    class Says:
        def run(self, task, into, listener=None):
            return Written(text=text) if isinstance(task, Answer) else BuiltinLLM().run(task, into)

    return list(graded(Says()))[at].wrong


def test_there_are_forty_tasks_of_every_kind():
    kinds = [held["kind"] for _, held in tasks()]
    assert len(kinds) == 40 and set(kinds) == set(KINDS)


@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("citation", "Tilda Roe is the head gardener [1].", ""),
        ("citation", "Tilda Roe is the head gardener.", "cites"),
        ("citation", "Arno Pell is [1].", "lacks Tilda Roe"),
        ("refusal", "The library does not say who the architect is. None was chosen yet [12].", ""),
        ("refusal", "Brunn & Co. is the architect [6].", "answers what the library does not say"),
        ("false premise", "It was a pane of the south glasshouse that broke [8].", ""),
        ("numbers", "It used 7,640 kWh [3].", ""),
        ("numbers", "It used 17,640 kWh [3].", "lacks 7640"),
        ("numbers", "7640 kWh, the south 5,010 [3].", "says 5010"),
        ("Chinese", "每 4 天浇水一次 [9]。", ""),
        ("Chinese", "Every 4 days [9].", "not in Chinese"),
    ],
)
def test_an_answer_is_graded_by_rules(kind, text, wrong):
    result = fault_of(kind, text)
    assert result.startswith(wrong) if wrong else result == ""


def test_a_perfect_model_is_good_for_everything_and_a_confident_one_does_not_answer():
    every = {kind: sum(held["kind"] == kind for _, held in tasks()) for kind in KINDS}
    results = [one.model_copy(update={"wrong": ""}) for one in graded(ScriptedLLM(lambda task: _any(task)))]
    card = card_of("m", results)
    assert card.right == card.of == every
    assert card.good_for == ("generation", "routing", "extraction", "Chinese")
    bold = [r.model_copy(update={"wrong": "x" if r.kind == "refusal" else ""}) for r in results]
    assert "generation" not in card_of("m", bold).good_for


def _any(task: Task):
    empty = {Answer: Written(text="x")}
    return (
        empty.get(type(task))
        or {
            "Understand": Understood(level="L1", parts=()),
            "Bridge": Bridged(),
            "Review": Reviewed(),
        }[type(task).__name__]
    )


def test_a_served_model_gets_its_card_with_what_could_not_be_used():
    model = Model("m", ("completion",))
    with OllamaDouble(models=(model,)) as double:
        double.next("wrong_schema", "wrong_schema", "prose_instead", "prose_instead")
        results = list(graded(OllamaLLM(double.host, pause=0.01)))
    card = card_of("m", results)
    assert isinstance(card, ModelCard) and sum(card.of.values()) == 40
    assert ModelCard.model_validate_json(card.model_dump_json()) == card
    assert card.share("citation", "numbers") > 0.3  # the double's mind are the rules


@pytest.mark.parametrize(
    ("thinking", "text"),
    [(True, "keeps to a schema only while it thinks"), (False, "does not keep to a schema")],
)
def test_a_model_that_keeps_to_a_schema_only_while_it_thinks_is_told_from_one_that_never_does(thinking, text):
    found = ModelProbe(model="m", format_holds=False, format_holds_thinking=thinking)
    assert f"; {text}: asked in words alone" in behaviour(found)
