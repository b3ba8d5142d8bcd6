"""An overview of a theme tells, document by document, the best sentences that say it, and no boilerplate."""

from collections.abc import Iterator

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Level, Outcome, Report, Support
from core.settings import Settings, StoreSettings
from core.text.thing_questions import mentions_theme, theme_of
from core.text.vocabulary import packaged

COVER = "Training material made for the yield course of the Nordheim plant library."
DOCUMENTS = {
    "valves.md": "# Valves\n\n{cover}\n\n## Leaks\n\nOil leaks at the stem of valve V-2 were stopped with a"
    " new packing in March. The spindle was greased by Ole Brandt.",
    "shift.md": "# Shift book\n\n{cover}\n\nAn oil leak under the press was wiped up at 04:10. The furnace"
    " F-3 was heated again by the night shift.",
    "order.md": "# Orders\n\n{cover}\n\nTwo thermocouples were ordered by the purchasing department in May.",
    "lockers.md": "# Lockers\n\n{cover}\n\nForty lockers of sheet steel were put up in hall 4.",
    "canteen.md": "# Canteen\n\n{cover}\n\nTwo cooks will serve lunch, and breakfast on Mondays.",
    "meeting.md": "# 周会\n\n{cover}\n\n三月的良率从百分之八十四回升到百分之九十一，原因是更换了密封圈。",
    "weeks.md": "# Weeks\n\n{cover}\n\nThe yield of product A77 fell to 84 % in week 11 after the exchange.",
    "leaks.csv": "Month,Oil leak [ml],Press\n2025-01,12,P-1\n2025-02,9,P-2\n2025-03,14,P-1\n",
    "wafers.csv": "Week,Yield [%]\n10,91\n11,84\n",
    "stock.csv": "Part,Stock [kg]\nGear oil,40\nShaft grease,12\nFlux,3\n",
    "greasing.md": "# Greasing\n\n{cover}\n\nThe grease of the shaft is renewed by Ole Brandt every May.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("theme")
    (folder / "in").mkdir()
    for name, text in DOCUMENTS.items():
        (folder / "in" / name).write_text(text.replace("{cover}", COVER), "utf-8")
    built = build(Settings(store=StoreSettings(path=folder / "data")), warm=False)
    built.library.wait(built.library.ingest([folder / "in"]))
    yield built
    built.close()


def asked(library: Assistant, question: str) -> Report:
    return library.questions.wait(library.questions.ask(question), 60)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Give me an overview of oil leaks", ("Valves", "valve V-2", "under the press", "Oil leak")),
        ("What does the library say about oil leaks?", ("valve V-2", "under the press")),
        ("What do the documents say about yield?", ("product A77", "密封圈")),
        ("关于良率，资料库里有什么？", ("密封圈", "product A77")),
        ("概述一下良率", ("密封圈", "product A77")),
        ("What do we know about oil leaks?", ("valve V-2", "under the press", "Oil leak")),
        ("我们对良率了解多少？", ("密封圈", "product A77")),
        ("良率的情况是什么？", ("密封圈", "product A77")),
    ],
)
def test_a_theme_is_told_by_document_in_the_sentences_that_say_it(library, question, says):
    report = asked(library, question)
    assert report.outcome is Outcome.ANSWER
    assert report.level is Level.LINKING  # several passages are summed up
    assert {sentence.support for sentence in report.sentences} == {Support.SUPPORTED}
    assert all(sentence.citations for sentence in report.sentences)
    assert all(word in report.answer for word in says), report.answer
    assert "Training material" not in report.answer
    assert "furnace" not in report.answer


def test_what_one_document_is_about_is_told_as_that_document(library):
    report = asked(library, "Give me an overview of sheet steel lockers")
    assert report.outcome is Outcome.ANSWER
    assert report.answer.startswith("**Lockers (lockers.md)**")


def test_of_a_table_its_name_rows_and_columns_are_told_or_the_row_that_says_the_theme(library):
    report = asked(library, "Give me an overview of oil leaks")
    assert "table “leaks”, 3 rows; columns: Month, Oil leak [ml], Press" in report.answer
    assert not report.notes
    report = asked(library, "关于良率，资料库里有什么？")
    assert "表格“wafers”，2 行；列：Week、Yield [%]" in report.answer
    report = asked(library, "What do we know about shaft grease?")
    assert "Part: Shaft grease; Stock [kg]: 12" in report.answer and "1 row;" not in report.answer


def test_what_only_repeated_lines_say_is_no_theme(library):
    report = asked(library, "What does the library say about training?")
    assert report.outcome is not Outcome.ANSWER


def test_what_no_document_says_is_not_answered(library):
    report = asked(library, "What does the library say about unicorns?")
    assert report.outcome in (Outcome.NOTHING, Outcome.CLOSEST)
    assert "Training material" not in report.answer


@pytest.mark.parametrize(
    ("question", "theme"),
    [
        ("Give me an overview of helium leaks", "helium leaks"),
        ("Please give us a short overview on the seal bands.", "seal bands"),
        ("What do our documents say about yield?", "yield"),
        ("Everything we know about wet cleans", "wet cleans"),
        ("资料库里关于良率说了什么？", "良率"),
        ("关于氦气泄漏，知识库中有哪些内容？", "氦气泄漏"),
        ("Give me an overview of the library", ""),
        ("Give me an overview of this report", ""),
        ("What does the library say about the lead time of the chuck?", ""),
        ("What does the library say about the chuck's price?", ""),
        ("What do we know about the seal bands?", "seal bands"),
        ("What information is there on wet cleans?", "wet cleans"),
        ("关于密封圈，我们知道什么？", "密封圈"),
        ("What do we know about PN-4410?", ""),
        ("What do we know about the price of the chuck?", ""),
        ("What does the library say about PN-4410?", ""),
        ("What do the documents say about who approved it?", ""),
        ("What does the manual say about oil leaks?", ""),
        ("关于静电吸盘的交期，资料库里有什么？", ""),
        ("请概述一下这份文件", ""),
    ],
)
def test_only_a_theme_is_one(question, theme):
    assert theme_of(question) == theme


def test_a_theme_is_said_in_any_form_and_named_in_both_languages():
    assert mentions_theme("oil leaks", "a leak of oil") and mentions_theme("oil leak", "oil_leak_ml")
    assert not mentions_theme("oil leak", "oil was ordered")
    assert "yield" in packaged().names_of("良率")
    assert packaged().names_of("helium leak") == ["helium leak", "氦气泄漏"]
    assert packaged().names_of("helium in the hall") == ["helium in the hall"]
