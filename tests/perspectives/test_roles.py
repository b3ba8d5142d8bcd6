import pytest

from core.llm.extractive import ExtractiveLLM
from core.perspectives.casting import cast
from core.perspectives.roles import READER, card, known, library, written
from core.tasks import RoleDraft, RolesChosen
from tests.doubles import ScriptedLLM


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_ten_roles_or_more_each_with_name_voice_care_and_lens(language):
    roles = library(language)
    assert len(roles) >= 10
    assert len({role.id for role in roles}) == len(roles)
    assert all(role.name and role.voice and role.cares and role.terms and role.sections for role in roles)
    assert sum(role.sceptic for role in roles) == 1


def test_a_role_is_named_in_the_readers_language():
    assert known("safety", "en").name == "Safety officer"
    assert known("safety", "zh").name == "安全主管"


def test_a_role_can_be_called_by_its_id_or_its_name_in_either_language():
    for text in ("safety", "Safety officer", "安全主管", " SAFETY "):
        assert written(text, "zh").name == "安全主管"


def test_a_reader_can_write_a_role_and_its_lens_is_what_it_cares_about():
    role = written("Night shift: cares about noise, alarms and short breaks", "en")
    assert (role.name, role.by) == ("Night shift", READER)
    assert {"noise", "alarms", "breaks"} <= set(role.terms)
    assert "cares" not in role.terms
    assert written("夜班：噪声与报警", "zh").terms == ("噪声", "报警")


def test_a_card_cannot_be_split_by_its_own_text():
    assert card(written("A | B: c | d", "en")).count(" | ") == 3


def test_roles_are_planned_by_what_the_question_speaks_of():
    planned = cast(ExtractiveLLM(), "How could we cut the cost of spare parts?", (), 4, "en")
    assert "cost" in [role.id for role in planned.roles]
    zh = cast(ExtractiveLLM(), "如何降低备件采购成本？", (), 4, "zh")
    assert "cost" in [role.id for role in zh.roles]


@pytest.mark.parametrize("most", [0, 3, 4, 5, 50])
def test_three_to_five_roles_are_planned_and_the_last_one_is_a_sceptic(most):
    roles = cast(ExtractiveLLM(), "What could we do better?", (), most, "en").roles
    assert 3 <= len(roles) <= 5
    assert [role.sceptic for role in roles] == [False] * (len(roles) - 1) + [True]


def test_a_model_may_add_a_role_and_what_it_makes_up_is_left_out():
    drafts = (
        RoleDraft(id="nonsense"),
        RoleDraft(id="sceptic"),
        RoleDraft(name="Supplier", terms=("batch", "material")),
    )
    roles = cast(ScriptedLLM(RolesChosen(roles=drafts)), "?", (), 4, "en").roles
    assert roles[0].name == "Supplier"
    assert roles[0].by == "scripted"
    assert [role.id for role in roles[1:]] == ["process", "sceptic"]
