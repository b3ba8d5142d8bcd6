"""What an answer says of itself is counted from its sentences, and ideas are laid out as a decision."""

import re

from core.assistant import Assistant
from core.domain import (
    CouncilReport,
    CouncilRole,
    Objection,
    Outcome,
    Perspective,
    Proposal,
    Report,
    Statement,
)
from core.knowledge.stores.records import Run
from core.ui.shared import session, trust_level
from tests.ui import sample
from tests.ui.conftest import Open, figures, page_text

ROLES = (CouncilRole(id="engineer", name="Engineer"), CouncilRole(id="sceptic", name="Sceptic"))


def test_the_badge_never_says_more_than_the_sentences() -> None:
    claimed = sample.REPORT.model_copy(update={"outcome": Outcome.ANSWER})
    held = trust_level.of(claimed)
    assert held.counted == "3 of 4 sentences supported"
    assert (held.colour, held.sound) == ("orange", False)
    sound = claimed.model_copy(update={"sentences": sample.SENTENCES[:3]})
    assert trust_level.of(sound).colour == "green"
    assert trust_level.of(sound).counted == "3 of 3 sentences supported"
    assert trust_level.of(sound.model_copy(update={"outcome": Outcome.CLOSEST})).counted == ""


def decision(conversation: str) -> Report:
    first = Proposal(
        id=1,
        role="engineer",
        text="Lengthen the dechuck step",
        effect="fewer flakes",
        first_step="Run a split lot",
        chunks=("chunk01",),
        objections=(Objection(role="sceptic", proposal=1, text="It costs throughput"),),
    )
    fatal = Objection(role="engineer", proposal=2, text="The part is gone", fatal=True)
    second = Proposal(id=2, role="sceptic", text="Go back to the old chuck", objections=(fatal,))
    council = CouncilReport(
        perspectives=tuple(Perspective(role=role) for role in ROLES),
        common=(Statement(text="The chuck was replaced in March.", chunks=("chunk02",)),),
        proposals=(second, first),
    )
    return sample.REPORT.model_copy(update={"run": conversation, "council": council, "plan": None})


def test_ideas_are_a_decision_without_empty_columns(assistant: Assistant, open_page: Open) -> None:
    report = decision("decision1")
    run = Run(
        id="decision1",
        conversation="decision1",
        question="How could we have fewer particles?",
        status="done",
        started=1.0,
        finished=2.0,
        report=report,
    )
    assistant.questions.store.save_run(run)
    at = open_page(session.CHAT, conversation="decision1")
    words = page_text(at)
    assert words.index("Recommendation") < words.index("Options, best first")
    assert "Run a split lot" in words
    heads = re.findall(
        r'"(Option|Effect|Risk|Effort|First step|Who objects)\\*"', figures(at).replace("\\", "")
    )
    assert heads == ["Option", "Effect", "First step", "Who objects"]
    assert "does not say" not in words
    assert [button.label for button in at.button if (button.key or "").startswith("voice_")] == [
        "Engineer",
        "Sceptic",
    ]
