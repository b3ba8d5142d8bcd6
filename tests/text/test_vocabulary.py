"""Words as data: packaged, changed by a reader's file, and read out of a text."""

from pathlib import Path

import pytest

from core.text import glossary
from core.text.glossary import query_terms
from core.text.tokens import is_cjk
from core.text.vocabulary import OWN_FILE, packaged, quantity_names, vocabulary_of, write_own


def test_a_library_without_a_file_has_the_packaged_words(tmp_path):
    assert vocabulary_of(tmp_path) == packaged()
    assert ("etcher", "刻蚀机") in list(packaged().pairs("Is the etcher down?"))
    assert next(packaged().pairs("刻蚀机"))[1] == "etcher"


def test_names_of_figures_are_data_too():
    assert {"wafer", "scrap"} <= query_terms("晶圆报废")
    assert {"静电吸盘", "误加工", "停机"} <= quantity_names().keys()
    assert not is_cjk(Path(glossary.__file__).read_text(encoding="utf-8"))


def test_a_readers_file_adds_replaces_and_takes_away(tmp_path):
    own = 'without = ["copper"]\nplace = [{ en = "lighthouse, beacon", zh = "灯塔" }]\n'
    own += 'defect = [{ en = "leak", zh = "漏水" }]\n'
    (tmp_path / OWN_FILE).write_text(own, encoding="utf-8")
    vocabulary = vocabulary_of(tmp_path)
    assert list(vocabulary.pairs("Where is the beacon?")) == [("beacon", "灯塔"), ("beacon", "lighthouse")]
    assert list(vocabulary.pairs("Is there a leak?")) == [("leak", "漏水")]
    assert list(vocabulary.pairs("Is it copper?")) == []
    assert ("etcher", "刻蚀机") in list(vocabulary.pairs("Is the etcher down?"))


def test_a_file_that_cannot_be_read_says_what_to_do(tmp_path):
    (tmp_path / OWN_FILE).write_text("place = [", encoding="utf-8")
    with pytest.raises(ValueError, match=r"vocabulary\.toml is no TOML"):
        vocabulary_of(tmp_path)


def test_the_longest_name_is_read_and_part_of_it_is_not_another():
    stated = [name for name, _ in packaged().stated_in("the mass flow controller of the vacuum pump")]
    assert stated == ["mass flow controller", "vacuum pump"]


def test_own_words_are_kept_whole_or_not_at_all(tmp_path):
    write_own(tmp_path, 'place = [{ en = "beacon", zh = "灯塔" }]')
    with pytest.raises(ValueError, match="is no TOML"):
        write_own(tmp_path, "place = [")
    for nothing in ("5", "[5]", '"copper"'):
        with pytest.raises(ValueError, match="`without` is no list of names"):
            write_own(tmp_path, f"without = {nothing}")
    assert ("beacon", "灯塔") in list(vocabulary_of(tmp_path).pairs("the beacon"))
    write_own(tmp_path, " ")
    assert vocabulary_of(tmp_path) == packaged() and not list(tmp_path.iterdir())


def test_a_chinese_word_that_shortens_the_names_of_one_term_is_read_as_it(tmp_path):
    own = (
        'topic = [{ en = "lead time", zh = "交货期, 交付周期" }, { en = "seal band kit", zh = "密封组件" }]\n'
    )
    own += 'defect = [{ en = "worn seal", zh = "密合零件" }]\n'
    (tmp_path / OWN_FILE).write_text(own, encoding="utf-8")
    vocabulary = vocabulary_of(tmp_path)
    assert ("交期", "lead time") in list(vocabulary.pairs("PN-1的交期是多少？"))
    assert vocabulary.contracted_in("密件在哪里？") == []  # of two terms
    assert vocabulary.contracted_in("货期和付期是多少？") == []  # the first sign stands
    assert vocabulary.contracted_in("交货期是多少？") == []
