"""Days are found however their source writes them."""

from core.knowledge.search.date_forms import days_within, other_forms, without_units
from core.knowledge.search.keywords import KeywordIndex


def test_a_day_is_also_one_figure_and_the_names_of_its_month():
    found = other_forms("2023 年 6 月 20 日的会议")
    assert found["20230620"] > found["juin"] == found["june"] > 0
    assert other_forms("the meeting of 2023") == {}
    assert without_units("2023 年 6 月 20 日的会议，三月").split() == ["2023", "6", "20", "的会议，三月"]


def test_a_question_finds_the_day_as_a_french_source_and_a_file_name_write_it():
    index = KeywordIndex()
    index.add(
        [
            ("french", "d1", "Séance du 20 juin 2023"),
            ("file", "d2", "2023-06-20-PV minutes"),
            ("other", "d3", "Séance du 20 mai 2023"),
            ("last", "d4", "6 rooms, 20 beds, built in 2023"),
        ]
    )
    found = [hit[0] for hit in index.search("What was decided on 20 June 2023?", 4)]
    assert set(found[:2]) == {"french", "file"}


def test_a_month_is_looked_for_by_its_days_as_far_as_the_library_holds_them() -> None:
    held = {"20240603", "20240617", "20240618", "20240620", "20240703"}
    found = days_within("How many alarms were there in June 2024?", held.__contains__)
    assert found == dict.fromkeys(held - {"20240703"}, 0.75)
    assert days_within("2024年6月的报警", held.__contains__) == found
    assert days_within("the alarms of 2024", held.__contains__) == {}
