"""The query that reads a linked table: what the table holds is never part of it."""

from core.domain import Column, Table
from core.forecast.link import SeriesLink

HOSTILE = "PE-300') OR 1=1 --"


def test_values_of_the_table_are_bound_not_written_into_the_query():
    tool, month = Column(name='the "tool"'), Column(name="month")
    wafers = Column(name="wafers", type="integer")
    table = Table(
        id="t", document_id="d", name="Output", sql_name="output", columns=(tool, month, wafers), row_count=3
    )
    link = SeriesLink(table, (month,), wafers, ((tool, (HOSTILE, "O'Hara")),), 1.0)
    sql, values = link.query()
    assert sql == (
        'SELECT _row, "month", "wafers" FROM "output"'
        ' WHERE "the ""tool""" IN (?, ?) AND "wafers" IS NOT NULL ORDER BY _row'
    )
    assert values == (HOSTILE, "O'Hara")
    assert link.sql() == sql.replace("?, ?", "'PE-300'') OR 1=1 --', 'O''Hara'")
