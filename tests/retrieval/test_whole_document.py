"""What a document is about comes from all of its sections, not from what a search by those words finds."""

from collections.abc import Iterator

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Outcome, Report, Scope, Support
from core.settings import Settings, StoreSettings
from core.text.library_questions import means_document, points_at_document, requested_name
from core.trace import Searched

NOTE = """# Handover of the night shift

## Furnace

The furnace F-3 was heated again at 04:10 after the thermocouple had been exchanged by Ole Brandt.

## Open points

The day shift must order two thermocouples, since none is left in the cabinet of hall 2.
"""
CIRCULAR = """# Lockers for everybody

Safety board of the Nordheim plant, circular 17 of 2023.

## Reason

In hall 4 twelve people share a bench, so that coats lie on the machines and catch sparks.

## Costs

Forty lockers of sheet steel cost 8,200 EUR, of which the insurer bears a third.
"""
RUNDSCHREIBEN = """# Gehörschutz

Rundschreiben 9 des Sicherheitsausschusses, Werk Nordheim.

## Anlass

In Halle 2 wurden an der Presse 94 Dezibel gemessen, weshalb dort Gehörschutz zu tragen ist.

## Ausgabe

Die Stöpsel gibt der Meister aus; Kapseln bestellt der Einkauf bis Ende März.
"""
NEWS = """# Plant news

## The new canteen opens in May

Two cooks of the Nordheim plant will serve lunch from eleven on, and breakfast on Mondays.

## Parking deck closed

The parking deck stays closed until the crane has been taken down on 12 June 2023.
"""
FORM = """# Loan slip

| Field | Value |
| --- | --- |
| Borrower | Ines Falk |
| Device | Thermal camera TC-4 |
| Back by | 14 July 2023 |
"""
LOG = "Time,Pump,Pressure [bar]\n" + "".join(f"2025-03-0{day} 06:00,P-{day},{day}.5\n" for day in range(1, 8))
MINUTES = """# Minutes

## Agenda

The meeting of the safety board dealt with the new lockers in the entrance of hall 4.

## Decisions

The lockers are to be ordered by the purchasing department before the end of the summer.
"""
NOTE_ZH = """# 夜班交接记录

## 炉子

热电偶由李明更换之后，炉子 F-3 在凌晨四点十分重新升温，温度稳定在 820 °C。

## 待办

白班必须订购两支热电偶，因为二号厅的柜子里已经没有备件了。
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "in").mkdir()
    for name, text in (
        ("night.md", NOTE),
        ("pump-log.csv", LOG),
        ("夜班.md", NOTE_ZH),
        ("2023-06-20-PV.md", MINUTES),
        ("a1.md", CIRCULAR),
        ("a2.md", RUNDSCHREIBEN),
        ("news.md", NEWS),
        ("slip.md", FORM),
        (
            "slip2.md",
            FORM.replace("Ines Falk", "Jo Reuter").replace("TC-4", "TC-7").replace("14 July", "2 May"),
        ),
    ):
        (folder / "in" / name).write_text(text, "utf-8")
    built = build(Settings(store=StoreSettings(path=folder / "data")), warm=False)
    built.library.wait(built.library.ingest([folder / "in"]))
    yield built
    built.close()


def asked(library: Assistant, question: str, scope: Scope | None = None) -> tuple[Report, list[str]]:
    run = library.questions.ask(question, scope=scope)
    library.questions.wait(run, 60)
    report = library.questions.run(run).report
    assert report is not None
    events = (one.event for one in library.questions.events(run))
    return report, [event.kind for event in events if isinstance(event, Searched)]


def only(library: Assistant, name: str) -> Scope:
    held = {document.name: document.id for document in library.library.contents.documents()}
    return Scope(documents=(held[name],))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "Summarise the handover of the night shift",
            ("Handover of the night shift", "Ole Brandt", "hall 2"),
        ),
        ("What is the pump log about?", ("pump-log", "Time", "Pressure")),
        ("What is the document 2023-06-20-PV about?", ("2023-06-20-PV", "lockers", "purchasing")),
        ("Summarise 2023-06-20-PV.md", ("2023-06-20-PV", "lockers")),
        ("What is the PV of 2023-06 about?", ("2023-06-20-PV", "lockers")),
        ("《夜班交接记录》讲什么？", ("夜班交接记录", "李明", "二号厅")),
        (
            "What is circular 17 of the safety board about, in two sentences?",
            ("Lockers", "sparks", "insurer"),
        ),
        ("Give me an overview of the Nordheim circular of 2023", ("Lockers", "hall 4", "8,200 EUR")),
        ("Summarise the article on the new canteen", ("Plant news", "Two cooks", "canteen opens")),
        ("Give me the gist of the loan slip of 14 July 2023", ("Ines Falk", "TC-4")),
        ("Fasse das Rundschreiben 9 aus Nordheim zusammen", ("Gehörschutz", "94 Dezibel", "Kapseln")),
    ],
)
def test_a_document_that_is_named_is_told_from_all_its_sections(library, question, says):
    report, searches = asked(library, question)
    assert searches[-1] == "summary"
    assert report.outcome is Outcome.ANSWER and not report.missing
    assert {sentence.support for sentence in report.sentences} == {Support.SUPPORTED}
    assert all(sentence.citations for sentence in report.sentences)
    assert all(word in report.answer for word in says)


@pytest.mark.parametrize(("length", "expected"), [("two sentences", 2), ("a single sentence", 1)])
def test_a_length_that_is_asked_for_is_kept_to(library, length, expected):
    report, _ = asked(library, f"What is circular 17 of the safety board about, in {length}?")
    assert len(report.sentences) == expected + 1  # the document's name stands above


def test_of_a_section_only_what_stands_under_it_is_told(library):
    report, _ = asked(library, "Summarise the article on the new canteen")
    assert "Parking" not in report.answer and "crane" not in report.answer


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("night.md", "What is this document about?"),
        ("night.md", "Please summarise it."),
        ("夜班.md", "这份文件主要讲什么？"),
    ],
)
def test_this_document_is_the_only_one_in_scope(library, name, question):
    report, searches = asked(library, question, only(library, name))
    assert (report.outcome, searches) == (Outcome.ANSWER, ["summary"])


def test_where_several_may_be_meant_none_is_told_as_the_one(library):
    report, searches = asked(library, "What is this document about?")
    assert report.outcome is not Outcome.ANSWER and "summary" not in searches


@pytest.mark.parametrize(
    "question",
    [
        "What is circular 18 of the safety board about?",  # another number
        "Summarise the safety board's circular of 2022",
        'What is the circular of the safety board "Gloves for everybody" about?',
        "What is the loan slip of 14 July 2022 about?",
        "Give me the gist of the loan slip",  # two are filled in
        "Give me a summary of what Nordheim orders",  # two documents are of Nordheim, and none says that
    ],
)
def test_a_document_that_says_another_name_of_itself_is_not_told_as_the_one(library, question):
    report, searches = asked(library, question)
    assert "summary" not in searches and report.outcome is not Outcome.ANSWER


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Summarise the pump log in three bullet points", {"pump", "log"}),
        ("What is the pump log about, in about 50 words?", {"pump", "log"}),
        ("请用两句话概括维护手册", {"维护", "手册"}),
        ("펌프 점검표 내용을 세 문장으로 요약해 줘", {"펌프", "점검", "검표"}),
        ("ポンプの点検表を要約してください", requested_name("ポンプ 点検表")),
        ("Résume le rapport sur les pompes en une phrase", requested_name("rapport pompes")),
    ],
)
def test_what_asks_for_contents_and_for_a_length_names_nothing(question, named):
    assert requested_name(question) == named


def test_what_names_a_document_and_what_points_at_one():
    assert requested_name("Give me a summary of the pump log") == {"pump", "log"}
    assert not requested_name("请总结一下这份报告的主要内容") and points_at_document(
        "请总结一下这份报告的主要内容"
    )
    assert not points_at_document("What are the documents about?")
    assert not points_at_document("这些文件讲什么？")


def test_a_library_of_a_short_chinese_note_has_a_question_to_begin_with(library):
    scope = only(library, "夜班.md")
    assert library.library.suggestions(2, scope.documents)
    assert "《夜班交接记录》讲什么？" in library.library.suggestions(9, scope.documents)


def test_a_document_is_named_by_its_file_name_and_nothing_else_is_asked_of_it():
    assert means_document("What is in file-list.docx?", "Inventory", "file-list.docx")
    assert means_document("What is the file-list about?", "Inventory", "file-list.docx")
    assert not means_document("What does file-list.docx say about pumps?", "Inventory", "file-list.docx")
    assert not means_document("Summarise test.docx", "Test", "test.pdf")
