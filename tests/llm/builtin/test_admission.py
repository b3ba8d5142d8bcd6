"""What may be told: something new, of the type, the figures and the reason asked for."""

import pytest

from core.domain import Column, Evidence
from core.llm.builtin.answer.admission import admissible
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.scorer import Scored, Scorer
from core.llm.builtin.answer.values import requested_columns
from core.text.list_items import is_list


def weighed(question: str, evidence: Evidence) -> list[Scored]:
    return Scorer(Meaning(None)).score(read(question), units([evidence]))


def may_answer(question: str, text: str) -> bool:
    piece = Evidence(n=1, text=text, source="Pumps")
    return any(admissible(read(question), one) for one in weighed(question, piece))


@pytest.mark.parametrize(
    "question, answering, silent",
    [
        ("What is the return policy?", "The return policy allows 30 days.", "Return policy:"),
        ("How many pumps are in hall 3?", "Hall 3 holds 12 pumps.", "Hall 3 holds the pumps."),
        ("What does valve V-17 do?", "Valve V-17 shuts the line.", "Valve V-18 shuts the line."),
        ("P-7的效率是多少？", "改装之后，P-7的效率是84%。", "P-7改装之后，K-2 的周效率是84%。"),
        ("What time does hall 3 open?", "Hall 3 opens at 7:30 on weekdays.", "Hall 3 opens on weekdays."),
        ("À quelle heure la salle est-elle fermée ?", "La salle est fermée à 16h05.", "La salle est fermée."),
        ("Why did the pump stop?", "The pump stopped because the seal broke.", "The pump stopped at noon."),
        (
            "Compare the yield of 2023 and 2024",
            "The yield rose from 91 in 2023 to 94 in 2024.",
            "The yield of 2024 was 94.",
        ),
        (
            "What is the highest pressure of valve V-17?",
            "Valve V-17 bears a maximum pressure of 9 bar.",
            "Valve V-17 bears a pressure of 9 bar.",
        ),
        (
            "What is the highest pressure of valve V-17?",
            "Valve V-17 has a pressure of up to 9 bar.",
            "Valve V-17 has a pressure of at least 9 bar.",
        ),
        (
            "What is the highest pressure of valve V-17?",
            "Valve V-17 has a pressure of less than 9 bar.",
            "Valve V-17 has under the lid a pressure of 9 bar.",
        ),
        (
            "What is the median wait of pump P-2?",
            "Pump P-2 has a median wait of 4 h.",
            "Pump P-2 has a wait of 4 h.",
        ),
        ("What is Kestrel?", "Kestrel (beta) is a framework for pumps.", "Kestrel runs three pumps a day."),
        ("Which seal did the pump lose?", "The pump lost its seal in May.", "The pump lost pressure in May."),
        ("Rate of pump P-2 at 12 g?", "Pump P-2 has a rate of 5 at 12 g.", "Pump P-2 has a rate of 5."),
        ("Is pump P-2 out of order?", "Pump P-2 is out of order.", "Pump P-2 is in hall 3."),
        (
            "How many filter pumps does hall 3 run?",
            "Hall 3 runs 12 filter pumps.",
            "Since May 1, 1960, a list of filter pumps that hall 3 runs is kept.",
        ),
        ("Which country is pump P-2 in?", "Pump P-2 is in Denmark.", "Pump P-2 is in a hall."),
        ("What drives pump P-2?", "A belt drives pump P-2.", "Pump P-2: Block Diagram of what drives"),
    ],
)  # fmt: skip
def test_a_piece_must_state_what_is_asked(question, answering, silent):
    assert may_answer(question, answering)
    assert not may_answer(question, silent)


def test_what_only_announces_stands_behind_what_states():
    piece = Evidence(
        n=1, text="Torque of the lid screws\n\nThe lid screws take a torque of 5 Nm.", source="M"
    )
    scored = weighed("torque of the lid screws", piece)
    assert "5 Nm" in scored[0].unit.text
    assert scored[-1].signals["bare"] == 1.0


def test_a_figure_under_another_column_is_not_the_one_asked_about():
    columns = (Column(name="Cluster"), Column(name="Size"), Column(name="Reads"))
    piece = Evidence(
        n=1, text="rows", source="T", kind="table", columns=columns, rows=(("Chr2", "3.1", "17"),)
    )
    (row,) = weighed("Size of the cluster on chromosome 17", piece)
    assert row.signals["absent"] == 1.0
    (named,) = weighed("Size of the cluster with 17 reads", piece)
    assert named.signals["absent"] == 0.0


@pytest.mark.parametrize(
    "question, kind",
    [
        ("policy number of Gabriel Diaz", "other"),
        ("number of open orders", "count"),
        ("which string is said when describing the picture", "other"),
        ("the customer who works at JetBrains", "other"),
        ("by whom was it signed", "person"),
        ("3種類の弁は何ですか？", "list"),
        ("弁は開いていますか？", "yesno"),
    ],
)
def test_a_word_inside_a_question_does_not_tell_its_type(question, kind):
    assert read(question).kind == kind


def test_a_name_may_stand_elsewhere_in_the_document_but_not_nowhere():
    question = "Who leads the audit in Acton?"
    piece = Evidence(n=1, text="Ann Lee leads the audit.", source="Report")
    assert not any(admissible(read(question), one) for one in weighed(question, piece))
    known = piece.model_copy(update={"document_words": ("acton",)})
    assert any(admissible(read(question), one) for one in weighed(question, known))


def test_only_the_row_of_totals_answers_for_a_total():
    columns = (Column(name="Month"), Column(name="Employees", type="integer"))
    rows = (("May", 3), ("Total", 9))
    piece = Evidence(n=1, text="rows", source="T", kind="table", columns=columns, rows=rows)
    question = "How many employees in total?"
    admits = [one.unit.row for one in weighed(question, piece) if admissible(read(question), one)]
    assert admits == [1]


def test_one_row_is_no_list_and_tells_a_count_only_by_its_column():
    columns = (Column(name="Pump"), Column(name="Hall"), Column(name="Screws"))
    piece = Evidence(
        n=1, text="rows", source="Pumps", kind="table", columns=columns, rows=(("P-2", "3", "12"),)
    )
    (row,) = weighed("Which pumps are in hall 3?", piece)
    assert not admissible(read("Which pumps are in hall 3?"), row)
    (row,) = weighed("How many screws has pump P-2?", piece)
    assert admissible(read("How many screws has pump P-2?"), row)
    (row,) = weighed("How many seals has pump P-2?", piece)
    assert not admissible(read("How many seals has pump P-2?"), row)
    for name, counts in (("Sl. No.", False), ("#", False), ("No. of seals", True), ("Number", True)):
        named = piece.model_copy(update={"columns": (Column(name="Type"), columns[1], Column(name=name))})
        (row,) = weighed("How many seals has pump P-2?", named)
        asked = requested_columns(read("How many seals has pump P-2?"), row.unit)
        assert ((name, "12") in asked) is counts


def test_a_list_is_told_only_as_long_as_the_question_says_and_under_what_it_lists():
    many = "Which three pumps are in hall 3?"
    assert may_answer(many, "The three pumps P-1, P-2 and P-4 stand in hall 3.")
    assert not may_answer(many, "The three pumps in hall 3 were serviced.")
    items = "Valves in hall 3\n- The pumps of hall 3 feed V-1.\n- V-2 is spare."
    assert not may_answer("Which pumps are there in hall 3?", items)
    assert may_answer("Which pumps are there in hall 3?", items.replace("Valves", "Pumps"))


def test_a_row_is_looked_up_by_figures_said_as_often_as_it_holds_them():
    columns = tuple(Column(name=name) for name in ("Pump", "Inlets", "Outlets", "Rate"))
    piece = Evidence(
        n=1, text="rows", source="Pumps", kind="table", columns=columns, rows=(("P-Alpha", 4, 2, 31),)
    )
    assert [one for one in weighed("Rate of P-Alpha with 4 inlets and 2 outlets", piece) if admits(one, 4)]
    assert not [
        one for one in weighed("Rate of P-Alpha with 2 inlets and 2 outlets", piece) if admits(one, 2)
    ]


def admits(one: Scored, inlets: int) -> bool:
    return admissible(read(f"Rate of P-Alpha with {inlets} inlets and 2 outlets"), one)


def test_a_row_that_is_one_of_those_counted_does_not_count_them():
    closed = Evidence(
        n=1,
        text="Company: Edison; No. Of: 100; Closure: permanent closure",
        source="Report of closures",
        kind="table",
        columns=(Column(name="Company"), Column(name="No. Of"), Column(name="Kind")),
        rows=(("Edison", 100, "permanent closure"),),
    )
    total = closed.model_copy(
        update={"columns": (Column(name="Year"), Column(name="Permanent closures")), "rows": (("2016", 212),)}
    )
    question = "How many permanent closures are in the report?"
    assert not any(admissible(read(question), one) for one in weighed(question, closed))
    assert any(admissible(read(question), one) for one in weighed(question, total))


def test_a_report_in_a_cell_is_quoted_by_its_sentences() -> None:
    statement = (
        "The line was cleared at 9. A bottle was found in the housing of the fan. " + "It was noted. " * 30
    )
    columns = (Column(name="Site", type="text"), Column(name="Report", type="text"))
    text = f"Site: North; Report: {statement}"
    piece = Evidence(n=1, text=text, source="Log", columns=columns, rows=(("North", statement),))
    texts = [unit.text for unit in units([piece])]
    assert "A bottle was found in the housing of the fan." in [text.strip() for text in texts]
    short = piece.model_copy(update={"rows": (("North", "All is well."),)})
    assert [unit.kind for unit in units([short])] == ["row"]


def test_of_a_row_of_many_cells_a_column_has_to_be_asked_for() -> None:
    names = ("Name", "Party", "Province", "Appointed by", "Term", "Reason")
    row = ("Poirier, Pascal", "Liberal", "New Brunswick", "Macdonald", "1885 to 1933", "death")
    columns = tuple(Column(name=name, type="text") for name in names)
    piece = Evidence(n=1, text="; ".join(row), source="Senators of Canada", columns=columns, rows=(row,))

    def admits(question: str) -> bool:
        return any(admissible(read(question), one) for one in weighed(question, piece))

    assert admits("Who was Pascal Poirier?")
    assert not admits("Which liberal was Pascal Poirier married to?")


def test_when_says_the_date_in_a_columns_name() -> None:
    names = ("order_id", "lot_size", "shipped_date", "ordered_date", "unit_price", "site")
    columns = tuple(Column(name=name, type="text") for name in names)
    row = ("10248", "12", "2024-03-05", "2024-02-11", "7.5", "North")
    piece = Evidence(n=1, text="; ".join(row), source="Orders", columns=columns, rows=(row,))
    for question, found in (
        ("When was order 10248 shipped?", [("shipped_date", "2024-03-05")]),
        ("When was order 10248 placed?", []),
        ("Who shipped order 10248?", []),
    ):
        asked = read(question)
        (unit,) = [one for one in units([piece]) if one.kind == "row"]
        assert [cell for cell in requested_columns(asked, unit) if "date" in cell[0]] == found, question


def test_a_name_of_several_words_has_to_stand_together() -> None:
    question = "What is the hourly rate of Chat Legal?"
    assert may_answer(question, "The hourly rate of Chat Legal is 300 dollars.")
    assert not may_answer(question, "Legal teams use the chat. Their hourly rate is 300 dollars.")


def test_a_line_that_names_columns_states_nothing() -> None:
    lines = "# Area code : City of Anchorage : State : Abbrev.\n# Area code : City of Nome : State : Abbrev."
    assert not may_answer("What is the area code of Anchorage?", lines)
    assert not may_answer(
        "What is the area code of Anchorage?", "Area code : City of Anchorage : State : Abbrev"
    )
    assert may_answer("What is the area code of Anchorage?", "The area code of Anchorage is 907.")


def test_what_a_reader_calls_the_thing_it_stands_in_need_not_be_said() -> None:
    columns = (Column(name="City", type="text"), Column(name="Price", type="integer"))
    piece = Evidence(n=1, text="Oslo | 12", source="Fares", columns=columns, rows=(("Oslo", 12),))
    scored = weighed("What is the price of Oslo in the fares table?", piece)
    assert all(one.word_matches["tabl"][2] > 0.5 for one in scored)


def test_a_rule_drawn_in_dashes_is_no_item_of_a_list() -> None:
    rule = "- - - - - - - - x"
    assert not is_list(f"{rule}\nAnn Dahl, petitioner\n{rule}")
    assert is_list("- **wipe** the seal\n- close the lid")


def test_words_of_grammar_are_not_looked_for():
    asked = "Warum sollte man den Dichtring des Ventils nicht verlöten?"
    assert [word.text for word in read(asked).words] == ["Dichtring", "Ventils", "verlöten"]
    assert [word.text for word in read("ポンプP-2の4月の圧力はいくらですか？").words][:2] == ["ポンプ", "P-2"]


@pytest.mark.parametrize(
    "question, admits",
    [
        ("Penicillin vs neomycin value of Escherichia coli, Burtin antibiotics", True),
        ("Escherichia coli vs Brucella abortus: penicillin", False),
    ],
)
def test_a_row_compares_its_own_columns_only(question, admits):
    columns = (Column(name="Bacteria"), Column(name="Penicillin"), Column(name="Neomycin"))
    piece = Evidence(
        n=1,
        text="rows",
        source="T",
        heading=("Burtin antibiotics",),
        kind="table",
        columns=columns,
        rows=(("Escherichia coli", "100", "0.1"),),
    )
    (row,) = weighed(question, piece)
    assert admissible(read(question), row) is admits


@pytest.mark.parametrize(("thing", "admits"), [("小麦", True), ("水稻", False)])
def test_a_thing_the_document_never_names_has_no_value_there(thing, admits):
    piece = Evidence(n=1, text="小麦试样的最小重量为120克。", source="规程")
    question = f"{thing}试样的最小重量是多少？"
    assert any(admissible(read(question), one) for one in weighed(question, piece)) is admits
