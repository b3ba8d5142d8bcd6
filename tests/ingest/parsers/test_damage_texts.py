"""Damage to a stretch of a text of any kind costs that stretch: the rest is read, and it is said."""

import base64
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain import Parsed
from core.ingest.limits import Limits
from tests.ingest.parsers.illustrated import picture
from tests.ingest.parsers.test_damage import MARKS, outcome
from tests.ingest.parsers.test_damage_elsewhere import noise, words

PUMPS = tuple(f"PUMP{mark}" for mark in MARKS)
STATE = "It was found in order, größer wäre über 5 µm schöner"
NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "source": [f"print('{pump}')\n"],
            "outputs": [{"name": "stdout", "text": [f"{STATE}\n"]}],
        }
        for pump in PUMPS
    ],
    "nbformat": 4,
}
TEXTS = {
    "a.md": "".join(f"# The pump {pump}\n\n{STATE}.\n\n" for pump in PUMPS),
    "a.txt": "".join(f"{pump}\n\n{STATE}.\n\n" for pump in PUMPS),
    "a.log": "".join(f"2024-01-01 10:00:0{n} {pump} {STATE}\n" for n, pump in enumerate(PUMPS)),
    "a.rst": "".join(f"{pump}\n{'=' * 14}\n\n{STATE}.\n\n" for pump in PUMPS),
    "a.html": "<html><body>" + "".join(f"<h2>{pump}</h2><p>{STATE}</p>" for pump in PUMPS) + "</body></html>",
    "a.rtf": r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}"
    + "".join(rf"\pard {pump} was fine\par " for pump in PUMPS)
    + "}",
    "a.csv": "pump,hours,state\n" + "".join(f"{pump},{n},{STATE[:15]}\n" for n, pump in enumerate(PUMPS)),
    "a.yaml": "".join(f"- name: {pump}\n  state: {STATE[:15]}\n" for pump in PUMPS),
    "a.jsonl": "".join(json.dumps({"id": pump, "state": STATE}, ensure_ascii=False) + "\n" for pump in PUMPS),
    "a.ipynb": json.dumps(NOTEBOOK, indent=1, ensure_ascii=False),
    "a.xml": "<?xml version='1.0'?><pumps>"
    + "".join(f"<pump><name>{pump}</name><state>{STATE}</state></pump>" for pump in PUMPS)
    + "</pumps>",
    "a.sql": "CREATE TABLE pumps (name text, state text);\n"
    + "".join(f"INSERT INTO pumps VALUES ('{pump}', '{STATE}');\n" for pump in PUMPS),
    "b.sql": "CREATE TABLE pumps (name text, state text);\nINSERT INTO pumps VALUES\n"
    + ",\n".join(f"('{pump}', '{STATE}')" for pump in PUMPS)
    + ";\n",
    "c.sql": "".join(
        f"COPY t{n} (name, state) FROM stdin;\n{pump}\tok\n\\.\n" for n, pump in enumerate(PUMPS)
    ),
    "a.mbox": "".join(f"From a@b\nFrom: a@b\nSubject: The pump {pump}\n\n{STATE}\n\n" for pump in PUMPS),
}
HEAD = 72  # bytes that say what the file is
WIDTH = 80  # bytes around a mark that lead to it


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(where=st.floats(0, 1), fill=st.sampled_from([0, 1, 0x21, 0x5A, 0x80, 0xFF]), long=st.integers(4, 60))
def test_a_damaged_stretch_of_a_text_costs_itself(name: str, where: float, fill: int, long: int) -> None:
    data = TEXTS[name].encode()
    at = HEAD + int(where * (len(data) - HEAD - 1))
    found = outcome(name, noise(data, at, long, fill))
    text = words(found)
    for pump in PUMPS:
        start = data.index(pump.encode())
        near = start - WIDTH < at + long and at < start + WIDTH
        assert near or pump in text, (pump, at, found)
    assert "Ã" not in text  # nor is the rest read in another encoding
    assert isinstance(found, Parsed)
    assert found.skipped or fill


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "a.xml"])  # which begins with its root
@pytest.mark.parametrize("fill", [0, 1, 0x21, 0xFF])
def test_damage_to_the_first_bytes_of_a_text_costs_them(name: str, fill: int) -> None:
    text = words(outcome(name, noise(TEXTS[name].encode(), 0, 8, fill)))
    assert all(pump in text for pump in PUMPS[1:])


@pytest.mark.parametrize("name", ["a.html", "a.md"])
@pytest.mark.parametrize("fill", [b"!", b"\xff", b"\x00", b"Z", b"="])
def test_a_damaged_picture_in_a_page_costs_neither_words_nor_other_pictures(name: str, fill: bytes) -> None:
    form = "<p>{}</p><img src='{}'>" if name == "a.html" else "{}\n\n![]({})\n\n"
    written = ("VALVE V-77", "VALVE V-88", "VALVE V-99")
    sources = [base64.b64encode(picture(each)).decode() for each in written]
    page = "".join(
        form.format(pump, f"data:image/png;base64,{source}")
        for pump, source in zip(PUMPS, sources, strict=False)
    )
    at = page.index(sources[1]) + len(sources[1]) // 2
    found = outcome(name, noise(page.encode(), at, 41, fill[0]), Limits())
    text = words(found)
    assert all(each in text for each in (*PUMPS[:3], "V-77", "V-99"))
    assert isinstance(found, Parsed)
    assert any("icture" in sentence or "damaged" in sentence for sentence in found.skipped), found
