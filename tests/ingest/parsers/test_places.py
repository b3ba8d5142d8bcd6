"""JSON and YAML know the lines their values are written on, so that a citation rests on lines."""

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain import Parsed
from core.errors import ParseError
from core.ingest.parsers.trees.tree_line_numbers import JsonPlace
from tests.ingest.parsers.conftest import Reads

JSON = """{
  "tool": "ETCH-4",
  "limits": {
    "pressure": 35,

    "gases": ["HBr",
      "O2"]
  },
  "steps": [
    {"n": 1, "name": "strike"},
    {"n": 2, "name": "etch"}
  ],
  "owner": "Kim"
}
"""
PASSAGES = """[
  {"title": "One",
   "text": "The first passage."},
  {
    "title": "Two", "text": "The second passage."
  }
]
"""
YAML = """# a recipe
tool: ETCH-4
limits: &base
  pressure: 35

  # of the mass flow
  gases: [HBr,
    O2]

note: |
  first line
  second line

other:
  <<: *base
  chuck:
    gap: 4
again: *base
---
- name: second document
  text: short
- name: its other record
  text: short as well
"""


def spans(parsed: Parsed) -> dict[str, tuple[int, int]]:
    """Return the lines of every block, counted from 1, by the beginning of its text."""
    return {
        block.text.split("\n")[0]: (block.location.lines[0] + 1, block.location.lines[1] + 1)
        for block in parsed.blocks
        if block.location.lines is not None
    }


def test_every_block_of_a_json_tree_has_its_lines(reads: Reads) -> None:
    parsed = reads("a.json", JSON)
    found = spans(parsed)
    assert len(found) == len(parsed.blocks)
    assert found["tool: ETCH-4"] == (2, 13)
    assert found["limits"] == (3, 3)
    assert found["pressure: 35"] == (4, 7)
    assert found["steps"] == (9, 9)
    assert parsed.tables[0].location.lines == (8, 11)


def test_each_passage_of_a_json_list_has_its_own_lines(reads: Reads) -> None:
    found = spans(reads("a.json", PASSAGES))
    assert found == {
        "One": (2, 3),
        "The first passage.": (2, 3),
        "Two": (4, 6),
        "The second passage.": (4, 6),
    }


def test_a_table_of_json_records_says_rows_and_lines(reads: Reads) -> None:
    place = reads("a.json", '[\n{"a": 1, "b": 2},\n{"a": 3, "b": 4}\n]\n').tables[0].location
    assert (place.rows, place.lines) == ((0, 1), (0, 3))
    lines = reads("a.jsonl", '\n{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n').tables[0].location
    assert (lines.rows, lines.lines) == ((0, 1), (1, 2))


def test_every_block_of_a_yaml_tree_has_its_lines(reads: Reads) -> None:
    parsed = reads("a.yaml", YAML)
    found = spans(parsed)
    assert len([b for b in parsed.blocks if b.location.lines is None]) == 0
    assert found["tool: ETCH-4"] == (2, 12)
    assert found["limits"] == (3, 3)
    assert found["other"] == (14, 14)
    assert found["chuck"] == (16, 16)
    assert found["gap: 4"] == (17, 17)
    assert found["second document"] == found["short"] == (20, 21)
    assert found["its other record"] == (22, 23)


def test_what_an_alias_stands_for_is_cited_where_the_alias_is_written(reads: Reads) -> None:
    blocks = [b for b in reads("a.yaml", YAML).blocks if b.text.startswith("pressure: 35")]
    assert [block.location.lines for block in blocks] == [(3, 7), (13, 16), (17, 17)]


def test_a_key_that_is_given_twice_is_cited_where_its_last_value_stands(reads: Reads) -> None:
    found = spans(reads("a.json", '{\n"a": {"x": 1},\n"a": {"x": 2}\n}'))
    assert found == {"a": (3, 3), "x: 2": (3, 3)}


def test_a_value_is_cited_from_its_key_on(reads: Reads) -> None:
    assert spans(reads("a.json", '{"a":\n  {"x": 1}\n}')) == {"a": (1, 1), "x: 1": (2, 2)}


@pytest.mark.parametrize(
    "text",
    ["&a\n- *a\n", "- - &b\n    - *b\n", "x: &a\n  y: *a\n", "? [1, 2]\n: pair\n3: three\n", "~\n", "a:\n\n"],
)
def test_odd_yaml_never_hangs_or_crashes(reads: Reads, text: str) -> None:
    with suppress(ParseError):
        parsed = reads("a.yaml", text)
        assert all(block.location.lines is not None for block in parsed.blocks)


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=80, deadline=None)
@given(tree=trees, indent=st.sampled_from([None, 0, 2]), bare=st.booleans())
def test_the_place_of_a_json_value_holds_that_value(tree: Any, indent: int | None, bare: bool) -> None:
    text = "\n " + json.dumps(tree, indent=indent, ensure_ascii=bare) + "\n"

    def check(value: Any, place: JsonPlace) -> None:
        assert json.loads(text[place.start : place.end]) == value
        assert place.lines == (text.count("\n", 0, place.key), text.count("\n", 0, place.end))
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            for item, where in zip(inner, place.inside(value), strict=True):
                check(item, where)

    check(tree, JsonPlace.of(text))


def test_the_lines_of_a_large_json_file_cost_little(reads: Reads) -> None:
    tree = {f"tool {n}": {"state": {"gap": n, "gases": ["HBr", "O2"] * 20}} for n in range(4000)}
    text = json.dumps(tree, indent=1)
    begun = time.process_time()
    place = JsonPlace.of(text)
    last = place.inside(tree)[-1].inside(tree["tool 3999"])[0]
    assert json.loads(text[last.start : last.end]) == tree["tool 3999"]["state"]
    assert len(text) > 1_900_000
    assert time.process_time() - begun < 2.0
