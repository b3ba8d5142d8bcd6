import marshal
import os
from pathlib import Path

import jieba
import pytest

from core.text.measure_words import segment_behind_number
from core.text.private_cache import private_cache
from core.text.sentences import sentence_spans, sentences
from core.text.tokens import (
    content_words,
    detect_language,
    index_words,
    is_cjk,
    jaccard,
    query_words,
    read_at_once,
    segmenter,
    words,
)


def test_sentences_end_at_stops_but_not_at_abbreviations_initials_or_decimals():
    text = "Dr. Smith et al. measured 3.5 nm, e.g. in Fig. 2. J. K. Rowling of the U.S. Army came. Did she?"
    assert sentences(text) == [
        "Dr. Smith et al. measured 3.5 nm, e.g. in Fig. 2.",
        "J. K. Rowling of the U.S. Army came.",
        "Did she?",
    ]


def test_a_day_before_its_month_ends_no_sentence():
    text = "Geliefert am 9. April 2025. Die Bank wurde am 3. und 17. März repariert. Use valve 3. May is wet."
    assert sentences(text) == [
        "Geliefert am 9. April 2025.",
        "Die Bank wurde am 3. und 17. März repariert.",
        "Use valve 3.",
        "May is wet.",
    ]


def test_a_capital_that_is_a_unit_or_a_letter_of_a_thing_ends_a_sentence():
    text = "The reflected power stays below 12 W. All ran in chamber B. The author is B. Smith."
    assert sentences(text) == [
        "The reflected power stays below 12 W.",
        "All ran in chamber B.",
        "The author is B. Smith.",
    ]


def test_chinese_sentences_end_at_their_own_stops():
    assert sentences("刻蚀机报警。原因是油不足；已更换！良率为1.5%。") == [
        "刻蚀机报警。",
        "原因是油不足；已更换！",
        "良率为1.5%。",
    ]


def test_list_items_rows_and_numbered_steps_are_sentences_of_their_own():
    text = "1. Open the valve.\n2. Close it slowly\n- item one\nLot: A12; yield: 93\nLot: A13; yield: 91"
    assert len(sentences(text)) == 5


def test_a_wrapped_line_does_not_end_a_sentence():
    text = "The pump is serviced every three thousand hours of operation in\nthe sub-fab. Then it rests."
    assert len(sentences(text)) == 2


@pytest.mark.parametrize("text", ["", "   \n ", "no stop", "...", "a. b. c.", "。。。", "\n\n\n"])
def test_spans_never_overlap_and_hold_no_outer_white_space(text):
    last = 0
    for start, end in sentence_spans(text):
        assert last <= start < end and text[start:end] == text[start:end].strip()
        last = end


def test_words_are_stemmed_and_codes_stand_whole_and_in_parts():
    assert words("Smith's ETCH-03 wafers didn't cost 1,234.5") == [
        *("smith", "etch03", "etch", "03", "wafer", "didnt", "cost", "1234.5"),
    ]
    assert content_words("What does the table say about the wafers?") == ["tabl", "say", "wafer"]


def test_words_of_the_trade_are_words_and_signs_of_grammar_stand_apart():
    assert content_words("12号晶圆有多少个缺陷") == ["12", "号", "晶圆", "缺陷"]
    assert "晶圆" in words("哪片晶圆") and "良率" in words("上月良率")
    assert words("10日到13日") == ["10", "日", "到", "13", "日"]
    assert segment_behind_number("号片有缺陷") == ("号", "片", "有", "缺陷")
    assert segment_behind_number("台湾企业")[0] == "台湾"


def test_chinese_is_cut_into_words_and_long_words_give_their_parts_too():
    found = words("真空泵油不足")
    assert "真空泵" in found and "不足" in found
    assert "的" not in content_words("良率的原因")


def test_korean_and_kana_are_told_by_pairs_of_signs_where_no_dictionary_cuts_them():
    assert words("편의점은") == ["편의", "의점", "점은"]
    assert set(words("적립을")) & set(words("적립이")) == {"적립"}


def test_accents_ordinals_and_elisions_do_not_part_words():
    assert words("Café of the 1960s, the 20th l'eau") == [
        *("cafe", "of", "the", "1960s", "the", "20th", "l", "eau")
    ]


def test_the_index_adds_only_what_finding_needs():
    assert "2%" in index_words("2%") and "2%" not in words("2%")
    assert set(words("TXN-98765 良率")) <= set(index_words("TXN-98765 良率"))


def test_language_is_told_by_script_even_among_product_codes():
    assert detect_language("ETCH-03 的报警 A-207 是什么？") == "zh"
    assert detect_language("比较 SOP-ETCH-012 和 SOP-ETCH-015") == "zh"
    assert detect_language("What does 静电吸盘 mean for PE-300?") == "en"
    assert detect_language("hello 世界 this is mostly English") == "en"
    assert detect_language("") == "en"
    assert detect_language("漢字で書かれた資料はどこですか") == "en"  # Japanese is not answered in Chinese
    assert is_cjk("a 泵") and not is_cjk("pump")


def test_jaccard_is_one_for_the_same_words_and_zero_for_none():
    assert jaccard(words("pump failed"), words("failed pump")) == 1
    assert jaccard(words("pump"), words("valve")) == jaccard([], []) == 0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders without owners")
def test_the_dictionary_is_read_from_a_folder_that_nobody_else_can_write_to():
    folder = Path(segmenter().dt.tmp_dir)
    assert folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & 0o077


def test_a_kept_dictionary_is_read_and_a_damaged_one_made_anew(tmp_path):
    dictionary = tmp_path / "words.txt"
    dictionary.write_text("静电吸盘 5 n\n规程 3 n\n", encoding="utf-8")
    kept = tmp_path / "jieba.cache"
    for content in (b"", b"no marshal", marshal.dumps(["a", 1]), marshal.dumps(({"吸盘": 1}, 1))):
        kept.write_bytes(content)
        tokenizer = jieba.Tokenizer(str(dictionary))
        tokenizer.tmp_dir = str(tmp_path)
        read_at_once(tokenizer)
        tokenizer.initialize()
        assert tokenizer.FREQ.get("吸盘" if b"\xe5\x90\xb8" in content else "规程")


def test_a_home_that_cannot_be_written_to_gives_a_folder_for_the_process(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    folder = private_cache.__wrapped__()
    assert folder.is_dir() and not folder.stat().st_mode & 0o077


@pytest.mark.parametrize("written", ["AI는 무엇인가", "인공지능(AI)은 무엇인가"])
def test_a_korean_particle_behind_a_foreign_word_is_not_searched(written):
    assert {"ai", "무엇"} <= set(query_words(written))
    assert not {"은", "는"} & {*query_words(written), *content_words(written)}
