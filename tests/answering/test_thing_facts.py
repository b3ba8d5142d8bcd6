"""What is known of a thing, fact by fact, and the table that compares two of them by it."""

from core.answering.compared_values import decided
from core.answering.comparison_table import comparison
from core.answering.thing_facts import facts_of
from core.domain import Column, PartAnswer, Passage, Plan, SubQuestion
from tests.making import passage


def _rows(columns: str, *rows: str) -> Passage:
    """Return rows that a query returned; cells stand between bars."""
    names = tuple(Column(name=name) for name in columns.split("|"))
    found = passage(" ".join(rows), table=1.0)
    chunk = found.chunk.model_copy(update={"table_id": columns})
    return found.model_copy(
        update={"chunk": chunk, "columns": names, "rows": tuple(tuple(r.split("|")) for r in rows)}
    )


def _facts(thing: str, *passages: Passage) -> list[tuple[str, str]]:
    return [(fact.label, fact.value) for fact in facts_of(thing, passages)]


def test_of_one_row_each_cell_is_a_fact_and_of_several_the_cells_by_what_tells_them_apart():
    assert _facts("P-1", _rows("Pump|Flow|Seal|Note", "P-1|42|S-7|")) == [("Flow", "42"), ("Seal", "S-7")]
    quarters = _rows("Pump|Quarter|Stops", "P-1|Q1|4", "P-1|Q2|3")
    assert _facts("P-1", quarters) == [("Stops", "Q1: 4; Q2: 3")]
    halls = _rows("Pump|Hall|Quarter|Seal", "P-1|H4|Q1|S-7", "P-1|H4|Q2|S-9")
    assert _facts("P-1", halls) == [("Hall", "H4"), ("Seal", "Q1: S-7; Q2: S-9")]
    assert _facts("P-1", _rows("Pump|Seal", "P-1|S-7", "P-1|S-9", "P-1|S-7")) == []  # which is which?
    assert _facts("P-1", _rows("Pump|Flow", "P-11|42")) == []


def test_a_row_that_two_queries_bring_is_one():
    row = _rows("Pump|Flow", "P-1|42")
    number = row.model_copy(update={"rows": (("P-1", 42),)})
    assert _facts("P-1", number, number) == [("Flow", "42")]


def test_sentences_that_name_a_thing_are_facts_unless_they_speak_of_a_range():
    text = passage(
        "Pump P-1 was serviced in May. It is loud. This applies to P-01 to P-1 in hall 4. "
        "The pump P-1-B is another one of them. 2. Replace the seal of P-1 before June."
    )
    assert [value for _, value in _facts("P-1", text)] == [
        "Pump P-1 was serviced in May.",
        "Replace the seal of P-1 before June.",
    ]


def _side(n: int, thing: str, *passages: Passage) -> PartAnswer:
    return PartAnswer(
        id=n,
        question=f"What is known about {thing}?",
        answer="known",
        found=True,
        passages=passages,
        facts=facts_of(thing, passages),
    )


PLAN = Plan(
    question="Compare P-1 and P-2",
    parts=(
        SubQuestion(id=1, question="What is known about P-1?"),
        SubQuestion(id=2, question="What is known about P-2?"),
        SubQuestion(
            id=3, question="How do P-1 (#1) and P-2 (#2) compare?", type="comparative", depends_on=(1, 2)
        ),
    ),
)
BOTH = passage("P-1 and P-2 share one cooling circuit.")


def test_an_attribute_is_a_row_a_gap_stays_one_and_what_names_both_stands_under_the_table():
    own = passage("Pump P-1 was serviced in May.", title="Log")
    sides = [
        _side(1, "P-1", _rows("Pump|Flow|Seal", "P-1|42|S-7"), BOTH, own),
        _side(2, "P-2", _rows("Pump|Flow", "P-2|38"), BOTH),
    ]
    table = comparison(PLAN, sides)
    assert table is not None
    cells = {row.label: [cell and cell.answer for cell in row.cells] for row in table.rows}
    assert cells == {
        "Flow": ["42", "38"],
        "Seal": ["S-7", None],
        "Log": ["Pump P-1 was serviced in May.", None],
    }
    assert [one.answer for one in table.together] == ["P-1 and P-2 share one cooling circuit."]
    result = decided(PLAN.parts[2], PLAN, sides)
    assert result is not None and not result.computed
    assert [line.text for line in result.lines] == [
        "- Flow — **P-1**: 42; **P-2**: 38",
        "- Seal — **P-1**: S-7; **P-2**: not said",
        "- Log — **P-1**: Pump P-1 was serviced in May.",
        "- Said of them together: P-1 and P-2 share one cooling circuit.",
    ]
    assert [line.citations for line in result.lines] == [(1, 2), (1,), (3,), (4,)]


def test_one_passage_that_names_both_describes_neither_and_compares_them():
    table = comparison(PLAN, [_side(1, "P-1", BOTH), _side(2, "P-2", BOTH)])
    assert table is not None and table.rows == ()
    assert [one.answer for one in table.together] == ["P-1 and P-2 share one cooling circuit."]
