"""Jupyter notebooks: text, code and what it gave out, each as it is read elsewhere and where it stands."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import DamagedFile, EmptyFile
from core.ingest.sniff import sniff
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.illustrated import picture

TEXT = [
    "# Wear of pumps\n",
    "\n",
    "Read the [manual](http://x.org/m).\n",
    "\n",
    "- seals\n",
    "\n",
    "|pump|hours|\n",
    "|---|---|\n",
    "|P-1|120|\n",
    "|P-2|80|",
]
FRAME = (
    "<style>td {color: red}</style><table><thead><tr><th>pump</th><th>hours</th></tr></thead>"
    "<tbody><tr><td>P-3</td><td>7</td></tr><tr><td>P-4</td><td>9</td></tr></tbody></table>"
)


def markdown(source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


def code(source: Any, *outputs: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": list(outputs),
        "source": source,
    }


def shown(**data: Any) -> dict[str, Any]:
    bundle = {key.replace("_", "/", 1).replace("__", "+"): value for key, value in data.items()}
    return {"output_type": "execute_result", "data": bundle, "metadata": {}}


def notebook(*cells: Any, **metadata: Any) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def line_of(text: str, part: str) -> int:
    return next(at for at, line in enumerate(text.split("\n")) if part in line)


def test_text_is_read_as_markdown_and_code_as_code_each_on_its_lines(reads: Reads) -> None:
    text = notebook(markdown(TEXT), code(["import pumps\n", "pumps.load()"]))
    parsed = reads("a.ipynb", text)
    assert (parsed.title, parsed.media_type) == ("Wear of pumps", "application/x-ipynb+json")
    kinds = ["heading", "paragraph", "list_item", "table", "code"]
    assert [block.kind for block in parsed.blocks] == kinds
    assert parsed.blocks[1].links == ("http://x.org/m",)
    assert parsed.tables[0].rows == (("P-1", 120), ("P-2", 80))
    assert texts(parsed, "code") == ["import pumps\npumps.load()"]
    begins = [line_of(text, part) for part in ("# Wear", "manual", "- seals", "|pump", "import")]
    assert [block.location.lines[0] for block in parsed.blocks if block.location.lines] == begins
    assert parsed.tables[0].location.lines == (begins[3], begins[3] + 3)


def test_a_source_of_one_string_stands_on_its_line(reads: Reads) -> None:
    text = notebook(markdown("".join(TEXT)))
    parsed = reads("a.ipynb", text)
    assert {block.location.lines for block in parsed.blocks} == {(line_of(text, "# Wear"),) * 2}
    assert parsed.tables[0].rows == (("P-1", 120), ("P-2", 80))


def test_what_code_gave_out_follows_it(reads: Reads) -> None:
    stream = {
        "output_type": "stream",
        "name": "stdout",
        "text": ["10%\r100%\n", "\x1b[31mred\x1b[0m light\n"],
    }
    failed = {"output_type": "error", "ename": "KeyError", "evalue": "'P-9'", "traceback": ["\x1b[0mlong"]}
    parsed = reads(
        "a.ipynb",
        notebook(
            code("one()", stream, shown(text_plain="42")),
            code("two()", failed, shown(text_html=FRAME, text_plain="   pump hours")),
            code("three()", shown(text_plain="<pumps.Pump at 0x105931b28>"), shown(text_latex="$x^2$")),
            code("four()", shown(text_markdown="Pump **P-5**"), shown(application_json={"pump": "P-6"})),
            code("five()", shown(text_html="<title>No</title><b>P-7</b>", text_plain="<x.HTML object>")),
        ),
    )
    assert texts(parsed, "code") == [
        "one()",
        "100%\nred light",
        "42",
        "two()",
        "three()",
        "four()",
        '{\n "pump": "P-6"\n}',
        "five()",
    ]
    assert texts(parsed, "paragraph") == ["KeyError: 'P-9'", "Pump P-5", "P-7"]
    assert texts(parsed, "formula") == ["$x^2$"]
    assert parsed.tables[0].rows == (("P-3", 7), ("P-4", 9))
    assert parsed.title == "a"


def test_pictures_given_out_and_attached_are_read(reads: Reads) -> None:
    valve, pump = (base64.b64encode(picture(text)).decode() for text in ("VALVE V-77", "PUMP P-88"))
    parsed = reads(
        "a.ipynb",
        notebook(
            code("plot()", shown(image_png=f"{valve}\n", text_plain="<Figure size 420x120 with 1 Axes>")),
            markdown("![The pump](attachment:a%20b.png)", attachments={"a b.png": {"image/png": pump}}),
            markdown("![Elsewhere](art/c.png)"),
            code("draw()", shown(**{"image_svg__xml": "<svg></svg>", "text_plain": "<SVG object>"})),
        ),
        pictures=3,
    )
    figures = texts(parsed, "figure")
    assert [text[-4:] for text in figures[:2]] == ["V-77", "P-88"]
    assert figures[1].startswith("The pump\n")
    assert parsed.blocks[-2].links == ("art/c.png",)
    assert len(parsed.pictures) == 2
    assert parsed.skipped == ("Pictures without a description or text that could be read: 1 of 3.",)


def test_a_notebook_of_format_3_is_read(reads: Reads) -> None:
    old = {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 2, "source": ["Wear"]},
                    {
                        "cell_type": "code",
                        "input": ["load()"],
                        "outputs": [
                            {"output_type": "stream", "stream": "stdout", "text": ["P-1\n"]},
                            {"output_type": "pyout", "html": [FRAME], "text": ["pump"]},
                            {"output_type": "pyerr", "ename": "OSError", "evalue": "gone"},
                        ],
                    },
                ]
            }
        ],
    }
    parsed = reads("upload", json.dumps(old))
    assert parsed.media_type == "application/x-ipynb+json"
    assert [block.kind for block in parsed.blocks] == ["heading", "code", "code", "table", "paragraph"]
    assert parsed.blocks[0].level == 2


def test_a_notebook_says_its_title_and_authors_or_its_first_cell_does(reads: Reads) -> None:
    parsed = reads("a.ipynb", notebook(markdown("# Wear"), title="Of pumps", authors=[{"name": "Ann Lee"}]))
    assert (parsed.title, parsed.metadata["author"]) == ("Of pumps", "Ann Lee")
    raw = {"cell_type": "raw", "metadata": {}, "source": "---\ntitle: Seals\ndate: 2024-05-06\n---"}
    above = reads("a.ipynb", notebook(raw, markdown("---\nPlain: words\n\n---\n")))
    assert (above.title, above.date) == ("Seals", "2024-05-06")
    assert [block.text for block in above.blocks] == ["Plain: words"]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_is_known_by_what_it_holds(indent: int | None, tmp_path: Path) -> None:
    path = tmp_path / "upload"

    def kind(value: Any, name: str = "upload") -> str:
        path.write_text(json.dumps(value, indent=indent))
        return sniff(path, name).removeprefix("application/")

    whole = {"metadata": {"a": '{"b'}, "nbformat": 4, "cells": []}
    assert kind(whole) == "x-ipynb+json"
    assert kind({"cells": [code("x" * 200_000)], "nbformat": 4}) == "x-ipynb+json"
    assert kind({"notebook": whole}) == "json"
    assert kind({"cells": [{"cell_type": "battery"}]}) == "json"
    assert kind({"nbformat": 4, "said": '"cells": []'}) == "json"
    assert kind({"a": 1}, "a.ipynb") == "x-ipynb+json"


def test_json_that_is_only_called_a_notebook_is_read_as_json(reads: Reads) -> None:
    parsed = reads("a.ipynb", '{"pump": "P-1", "hours": 7}')
    assert parsed.media_type == "application/json"
    assert parsed.blocks[0].text == "pump: P-1\nhours: 7"


def test_of_a_damaged_notebook_the_whole_cells_are_read(reads: Reads) -> None:
    text = notebook(*(markdown(f"Pump P-{number}.") for number in range(9)))
    cut = reads("a.ipynb", text[: text.index("P-7") + 2])
    assert texts(cut, "paragraph")[:7] == [f"Pump P-{number}." for number in range(7)]
    headless = reads("a.ipynb", '{ "cel' + text[text.index("[") :])
    assert "Pump P-8." in texts(headless, "paragraph")
    assert len(headless.skipped) == 1
    torn = reads("a.ipynb", text.replace('"cell_type"', "\1" * 11, 5).replace("\1" * 11, '"cell_type"', 4))
    assert texts(torn, "code") == ["Pump P-4."]
    assert torn.blocks[4].location.lines == (line_of(text, "P-4"),) * 2
    with pytest.raises(DamagedFile, match=r"a\.ipynb is a damaged notebook, and nothing"):
        reads("a.ipynb", '"cells and nothing else')


def test_a_cell_that_is_none_costs_itself(reads: Reads) -> None:
    broken = [7, {"cell_type": "code", "source": {"a": 1}}, code("fine()", 7, shown(text_plain="42"))]
    parsed = reads("a.ipynb", notebook(*broken))
    assert texts(parsed, "code") == ["fine()", "42"]
    assert [message.partition(" could")[0] for message in parsed.skipped] == [
        "Cell 1",
        "Cell 2",
        "An output of cell 3",
    ]


def test_an_empty_notebook_is_said_to_hold_no_text(reads: Reads) -> None:
    with pytest.raises(EmptyFile, match=r"a\.ipynb holds no text"):
        reads("a.ipynb", notebook())
    with pytest.raises(EmptyFile):
        reads("a.ipynb", notebook(code([]), markdown("")))
