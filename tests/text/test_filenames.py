"""File names as text and back."""

import json
import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.domain import Entry
from core.text.filenames import MAX_NAME_BYTES, path_of, storable, text_of


@given(st.binary(min_size=1, max_size=40))
def test_any_bytes_are_text_that_every_store_takes_and_lead_back(data: bytes) -> None:
    name = os.fsdecode(data)
    text = text_of(name)
    assert str(path_of(text)) == str(Path(name))
    assert json.loads(json.dumps(text)) == text and text.isprintable() == text_of(text).isprintable()
    assert not any(ord(each) < 0x20 for each in text)
    assert Entry(path=text, document_id="d", collection="c").model_dump_json()


def test_names_that_look_written_are_told_from_written_ones() -> None:
    for name in (
        "\\xe9",
        "a\\x5c",
        "\\u00e9",
        os.fsdecode(b"\xe9\\xe9"),
        "tab\there",
        "é 静电 🔧",
        "C:\\notes",
    ):
        assert str(path_of(text_of(name))) == str(Path(name)), name
    assert len({text_of(each) for each in ("\\xe9", os.fsdecode(b"\xe9"), "\\x5cxe9")}) == 3


@given(st.text(max_size=400))
def test_a_name_we_give_is_one_any_file_system_takes(name: str) -> None:
    given_name = storable(name)
    assert given_name and 0 < len(given_name.encode()) <= MAX_NAME_BYTES
    assert not given_name.startswith(".") and "/" not in given_name and "\0" not in given_name


def test_a_long_name_keeps_its_suffix() -> None:
    assert storable("../" + "静" * 300 + ".pdf").endswith(".pdf")


def test_a_name_we_give_is_read_in_the_order_it_is_written() -> None:
    assert storable("minutes\u202efdp.md") == "minutesfdp.md"
    assert storable("\u2067.hidden\u2069.md") == "hidden.md" and storable("\u202e") == "unnamed"
    assert storable("تقرير.pdf") == "تقرير.pdf"
