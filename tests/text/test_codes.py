from core.text import codes

TEXT = "Report SOP-12-4 of QA-LAB: chuck v1.2 on pe-300 and A77, alarm ALM3042, 10nm, 300 W, 2025-03-14"


def test_a_document_is_referred_to_by_capitals_and_figures():
    assert codes.codes_in(TEXT) == ["SOP-12-4", "ALM3042"]


def test_a_document_is_looked_up_by_what_hyphens_join():
    assert codes.hyphenated_codes(TEXT) == ["SOP-12-4", "QA-LAB", "2025-03-14"]


def test_a_thing_is_called_by_what_begins_with_a_capital_and_holds_a_figure():
    assert codes.THING_CODE.findall(TEXT) == ["SOP-12-4", "A77", "ALM3042"]


def test_a_role_searches_for_codes_of_any_case_in_chinese_too():
    assert codes.codes_of_any_case(TEXT) == ["SOP-12-4", "v1", "pe-300", "A77", "ALM3042"]
    assert codes.codes_of_any_case("请看PE-300的报警") == ["PE-300"]


def test_an_answer_must_say_every_word_of_letters_and_figures():
    assert codes.designations(TEXT) == ["SOP-12-4", "v1.2", "pe-300", "A77", "ALM3042", "10nm"]


def test_a_cell_may_hold_any_word_with_a_figure():
    found = codes.words_with_digit(TEXT)
    assert set(codes.designations(TEXT)) - {"v1.2"} < set(found) and "300" in found


def test_whole_texts_are_codes_of_a_form():
    texts = ("ETCH-03", "E-217A", "etch-03", "ALM3042", "pn_100", "Q3")
    assert [each for each in texts if codes.is_serial_code(each)] == ["ETCH-03", "E-217A"]
    assert [each for each in texts if codes.is_code_with_three_digits(each)] == [
        "E-217A",
        "ALM3042",
        "pn_100",
    ]
