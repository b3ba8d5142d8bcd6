import pytest

from core.perspectives.viewpoints import READER, all_viewpoints, as_viewpoint, chosen, known, written


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_ten_viewpoints_or_more_each_with_name_care_and_words_of_both_languages(language):
    roles = all_viewpoints(language)
    assert len(roles) >= 10
    assert len({role.id for role in roles}) == len(roles)
    assert all(role.name and role.cares and role.sections for role in roles)
    for role in roles:
        assert {any("\u4e00" <= c <= "\u9fff" for c in term) for term in role.terms} == {True, False}
    assert sum(role.sceptic for role in roles) == 1


def test_a_viewpoint_can_be_called_by_its_id_or_its_name_in_either_language():
    assert known("safety", "en").name == "Safety"
    for text in ("safety", "Safety", "安全", " SAFETY "):
        assert written(text, "zh").name == "安全"


def test_a_reader_can_write_a_viewpoint_and_its_words_are_what_it_cares_about():
    role = written("Night shift: cares about noise, alarms and short breaks", "en")
    assert (role.name, role.by) == ("Night shift", READER)
    assert {"noise", "alarms", "breaks"} <= set(role.terms)
    assert "cares" not in role.terms
    assert written("夜班：噪声与报警", "zh").terms == ("噪声", "报警")
    assert as_viewpoint(role).cares == "cares about noise, alarms and short breaks"


def test_viewpoints_are_chosen_by_what_the_question_speaks_of():
    assert "cost" in [role.id for role in chosen("How could we cut the price of spares?", (), 4, "en")]
    assert "cost" in [role.id for role in chosen("如何降低采购成本？", (), 4, "zh")]
    assert "rules" in [role.id for role in chosen("Any ideas?", ("regulation", "audit", "standard"), 3, "en")]


@pytest.mark.parametrize("most", [0, 3, 4, 5, 50])
def test_three_to_five_viewpoints_are_chosen_and_the_last_one_is_a_sceptics(most):
    roles = chosen("What could we do better?", (), most, "en")
    assert 3 <= len(roles) <= 5
    assert [role.sceptic for role in roles] == [False] * (len(roles) - 1) + [True]
