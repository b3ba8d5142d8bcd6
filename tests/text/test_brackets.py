"""A piece that is cut from a text keeps its brackets whole, in either width, and takes no half of one."""

import pytest

from core.text.brackets import with_whole_brackets


@pytest.mark.parametrize(
    ("text", "cut", "kept"),
    [
        ("Replace the electrostatic chuck (ESC) of chamber B.", "ESC) of chamber B", "ESC"),
        ("Replace the electrostatic chuck (ESC) of chamber B.", "chuck (ESC", "chuck (ESC)"),
        ("Replace the electrostatic chuck (ESC) of chamber B.", "(ESC", "ESC"),
        ("Replace the electrostatic chuck (ESC) of chamber B.", "chuck (ESC) of", "chuck (ESC) of"),
        ("更换静电吸盘（ESC，零件号 PN-4410）后抽真空。", "零件号 PN-4410）后", "零件号 PN-4410"),
        ("更换静电吸盘（ESC)后抽真空。", "静电吸盘（", "静电吸盘（ESC)"),
        ("the pump [see the note (page 3)] runs", "3)] runs", "3"),
        ("the pump (" + "which was bought long ago from Norvac, " * 2 + ") runs", "pump (which", "pump"),
        ("1) Close the valve. 2) Wait", "1) Close the valve", "1) Close the valve"),
        ("the pump () runs", ") runs", "runs"),
    ],
)
def test_a_bracket_is_kept_whole_or_left_out(text, cut, kept):
    start = text.index(cut)
    assert text[slice(*with_whole_brackets(text, start, start + len(cut)))] == kept
