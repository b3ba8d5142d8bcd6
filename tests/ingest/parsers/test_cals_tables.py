"""CALS tables of several groups: their columns belong together by where they begin and end."""

from tests.ingest.parsers.conftest import Reads


def group(widths: list[int], *rows: str, head: str = "") -> str:
    named = "".join(f'<colspec colname="{n}" colwidth="{width}pt"/>' for n, width in enumerate(widths))
    return f"<tgroup>{named}{head}<tbody>{''.join(f'<row>{row}</row>' for row in rows)}</tbody></tgroup>"


def entries(*texts: str) -> str:
    return "".join(f"<entry>{text}</entry>" for text in texts)


def test_heads_over_several_columns_stand_over_them(reads: Reads) -> None:
    title = '<thead><row><entry/><entry namest="1" nameend="2" rowsep="1">TABLE 1</entry></row></thead>'
    table = "".join(
        [
            "<table>",
            group([40, 60, 40], entries("", "Flux density", "Fresh"), head=title),
            group(
                [40, 30, 30, 40], entries("", "blue", "red", "weight (g)"), '<entry namest="0" nameend="3"/>'
            ),
            group(
                [40, 30, 30, 40], entries("A", "35.5", "88.8", "26.2"), entries("B", "31.5", "74.9", "35.4")
            ),
            "</table>",
        ]
    )
    found = reads("patent.xml", f"<doc><p>Plants.</p>{table}</doc>").tables[0]
    assert [c.name for c in found.columns[1:]] == ["Flux density blue", "Flux density red", "Fresh weight"]
    assert [c.type for c in found.columns] == ["text", "real", "real", "real"]
    assert found.rows == (("A", 35.5, 88.8, 26.2), ("B", 31.5, 74.9, 35.4))
    assert found.caption == "TABLE 1"


def test_groups_without_widths_are_read_as_before(reads: Reads) -> None:
    plain = "<tgroup><tbody>{}</tbody></tgroup>"
    rows = [f"<row>{entries(*cells)}</row>" for cells in (("name", "size"), ("a", "1"), ("b", "2"))]
    table = f"<table>{plain.format(rows[0])}{plain.format(rows[1] + rows[2])}</table>"
    found = reads("a.xml", f"<doc><p>Sizes.</p>{table}</doc>").tables[0]
    assert ([c.name for c in found.columns], found.rows) == (["name", "size"], (("a", 1), ("b", 2)))
