"""Every event has its words."""

from typing import get_args

import pytest

from core.domain import CouncilReport, CouncilRole, Perspective, Series
from core.trace import TRACE, Event, Planned
from core.ui.trace import event_lines, event_words
from tests.ui import sample

ROLE = CouncilRole(id="yield", name="Yield engineer")
SEEN = {type(stamped.event): stamped.event for stamped in sample.events()}


@pytest.mark.parametrize("kind", get_args(get_args(Event)[0]))
def test_an_event_is_said_in_one_line(kind: type) -> None:
    event = SEEN.get(kind) or kind.model_construct(**REST[kind.__name__])
    result = event_lines.event_line(event)
    assert result.label
    assert "\n" not in result.label


REST: dict[str, dict[str, object]] = {
    "Queued": {"ahead": 3},
    "FollowedUp": {"question": "And there?", "read_as": "And in chamber B?"},
    "WordsMapped": {"pairs": ()},
    "ToolChosen": {"tool": "search", "argument": "chuck", "reason": "not found yet"},
    "EvidenceTrimmed": {"kept": 7, "left_out": ("a", "b")},
    "Proposed": {"round": 1, "questions": ("a", "b"), "chosen": 1, "reason": "nearest"},
    "RolesPlanned": {"roles": (ROLE,), "reason": "yield and cost"},
    "PerspectiveGiven": {"perspective": Perspective(role=ROLE)},
    "Moderated": {"raised": ()},
    "Criticised": {"critic": "cost", "of": "yield"},
    "Settled": {"council": CouncilReport(perspectives=())},
    "ProseExtracted": {"dropped": ("2024 91 %: its value does not stand there",)},
    "RowsStructured": {"rows": (), "total": 60, "sources": ("Yield workbook",)},
    "SeriesInduced": {"series": Series.model_construct(name="yield of A77", points=()), "horizon": 6},
    "Forecasted": {"reason": "too few points"},
    "Reused": {"run": "r1", "passages": ()},
    "Instructed": {"text": "only the year 2025", "way": "restriction"},
    "Failed": {"error": "LLMTimeout", "message": "It went silent.", "hint": "Use a smaller model."},
}


def test_a_step_is_named_without_its_part() -> None:
    assert event_words.step("work#2") == "Working on a part"


def test_a_step_nobody_named_is_still_readable() -> None:
    assert event_words.step("count_beans#1") == "Count beans"


def test_a_run_recorded_with_words_no_longer_told_loads_and_is_said() -> None:
    old = (
        '{"name": "step_started", "step": "reason"}',
        '{"name": "tool_chosen", "tool": "entity", "argument": "CH-07", "reason": "not found yet"}',
        '{"name": "searched", "query": "chuck", "kind": "reform"}',
        '{"name": "searched", "query": "CH-07", "kind": "entity"}',
    )
    run = TRACE.validate_json("[" + ",".join(f'{{"seq": 0, "at": 1, "event": {each}}}' for each in old) + "]")
    stated = [event_lines.event_line(stamped.event).label for stamped in run]
    assert [label.partition(":")[0] for label in stated] == [
        "Reading the evidence …",
        "Decided to look up a name",
        "Searched again, in other words",
        "Looked up a name",
    ]


def test_why_a_question_was_taken_apart_is_said_in_words() -> None:
    assert event_words.gate_reason("2 parts, all_sequential") == "2 parts, one after the other"
    assert event_words.gate_reason("9 parts, mixed") == "9 parts, in several waves"
    assert event_words.gate_reason("two people, two answers") == "two people, two answers"
    kind = sample.PLAN.model_copy(update={"intent": "yes_no"})
    assert event_lines.event_line(Planned(plan=kind)).text == ""
