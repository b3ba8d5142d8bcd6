"""What the dictionary gives, cleaned of what is no name of the thing."""

from core.text.chinese_english import gloss, in_english, meanings


def test_a_chinese_word_has_its_english_names():
    assert in_english("血压") == ("blood pressure",)
    assert in_english("手术") == ("operation", "surgery")
    assert in_english("发明人") == ("inventor",)
    assert in_english("不是一个词") == ()


def test_the_longest_words_of_a_question_are_read_and_those_of_grammar_are_not():
    assert [word for word, _ in meanings("病人的血压是多少？")] == ["病人", "血压"]


def test_an_english_phrase_has_its_chinese_names():
    found = dict(meanings("What is the credit card's annual fee?"))
    assert "信用卡" in found["credit card"]
    assert "the" not in found


def test_a_gloss_has_a_meaning_for_each_word_and_keeps_what_is_not_chinese():
    assert gloss("晶圆缺陷是否由设备故障引起？").startswith("wafer defect equipment")
    assert gloss("ETCH-03 的晶圆") == "ETCH-03 wafer"
    assert gloss("Wafer defects") == "Wafer defects" and gloss("") == ""
