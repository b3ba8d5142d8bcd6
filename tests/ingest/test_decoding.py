"""The encoding of a text is found in its bytes, in short files too."""

import pytest

from core.ingest.decoding import decode

TEXTS = [
    ("cp1252", "Größe;Prüfung\nÜberdruck;ok\nTür;5 °C\n"),
    ("latin-1", "Pièce,Épaisseur [µm],Coût (EUR)\nmâchoire,3.5,12\n"),
    ("cp1252", "Prix : 12 €, Épaisseur 5 µm ± 0,2 — « très bon »"),
    ("latin-1", "Año;Máquina\nniño;señal ¿qué?\n"),
    ("cp1250", "Część;Grubość\nłożysko;żółty\nśruba;źródło\n"),
    ("cp1250", "Alkatrész;Vastagság\nőrült;űrhajó tűz\n"),
    ("cp1251", "Деталь;Толщина\nнасос;жёлтый\nболт;фланец вакуумный\n"),
    ("gb18030", "批次,设备,厚度(nm)\nL1,刻蚀机,101.5\n"),
    ("gb18030", "tool,alarm\n" + "E1,ok\n" * 50 + "E2,泄漏报警\n"),
    ("big5", "臺灣繁體中文的文件內容說明"),
    ("shift_jis", "部品,厚さ\nポンプ,黄色\n"),
    ("utf-16", "Name;Größe (nm)\nÜber;12,5\n"),
]


@pytest.mark.parametrize(("encoding", "text"), TEXTS, ids=[f"{e} {t[:6]}" for e, t in TEXTS])
def test_a_text_comes_back_as_it_was_written(encoding: str, text: str) -> None:
    assert (decode(text.encode(encoding)) or "").removeprefix("\ufeff") == text


def test_bytes_that_are_no_text_are_none() -> None:
    assert decode(bytes(range(256)) * 20) is None
