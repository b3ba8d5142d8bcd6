"""The terminal is spoken to in its own language: help, errors and what they advise."""

import pytest
from click.testing import CliRunner

from core.cli import main
from core.errors import EmptyFile
from core.i18n import messages
from core.i18n.recorded_messages import translated_plain

CHINESE = {"LANG": "zh_CN.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}


@pytest.fixture
def terminal(tmp_path) -> CliRunner:
    return CliRunner(env={"STRATA_STORE__PATH": str(tmp_path), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"})


@pytest.mark.parametrize(
    ("args", "env"), [(["doctor", "--help"], CHINESE), (["--language", "zh", "doctor", "-h"], {})]
)
def test_help_is_in_the_language_of_the_terminal(terminal, args, env):
    shown = terminal.invoke(main, args, env=env).output
    assert "说明设置了什么" in shown
    assert "不加选项只读取" in shown  # its second paragraph
    assert "不删除任何东西" in shown  # an option's


def test_help_stays_english_where_nothing_else_is_wanted(terminal):
    shown = terminal.invoke(main, ["doctor", "--help"]).output
    assert "Say what is set" in shown


def test_an_error_and_what_it_advises_are_told_in_that_language(terminal):
    refused = terminal.invoke(main, ["delete", "nosuch"], env=CHINESE)
    assert refused.exit_code == 1
    assert "没有" in refused.output
    assert "There is no" not in refused.output


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("notes.txt is empty.", "notes.txt 是空的。"),
        ("a.pdf is a damaged PDF (Data format error).", "a.pdf 是损坏的 PDF（Data format error）。"),
        ("there is no run 12ab", "没有运行 12ab"),
        (EmptyFile.hint, "文件没有内容"),
    ],
)
def test_what_was_kept_in_english_is_recognised(text, expected):
    with messages.speaking("zh"):
        assert translated_plain(text).startswith(expected)


def test_the_words_of_click_itself_are_told_too(terminal) -> None:
    output = terminal.invoke(main, ["--language", "zh", "ask", "--help"]).output
    assert "用法:" in output and "选项:" in output
    assert "Usage:" not in output and "Options:" not in output
    assert "[OPTIONS]" not in output and "[default:" not in output and "exit." not in output
    assert "[选项] 命令" in terminal.invoke(main, ["--help"], env=CHINESE).output


@pytest.mark.parametrize(
    ("args", "english", "chinese"),
    [
        (["ask"], "Missing argument 'QUESTION'.", "缺少参数 'QUESTION'。"),
        (["ask", "--nosuch", "q"], "No such option '--nosuch'.", "没有选项 '--nosuch'。"),
        (["nosuch"], "No such command 'nosuch'.", "没有命令 'nosuch'。"),
        (["ask", "--level", "L9", "q"], "Invalid value for '--level'", "'--level' 的值无效：'L9' 不在"),
    ],
)
def test_a_fault_of_the_arguments_is_told(terminal, args, english, chinese) -> None:
    output = terminal.invoke(main, args, env=CHINESE)
    assert output.exit_code == 2
    assert chinese in output.output and "用法:" in output.output and "Error" not in output.output
    same = terminal.invoke(main, args)
    assert same.exit_code == 2 and english in same.output and "Try 'main" in same.output


def test_how_an_answer_came_out_is_told_in_that_language(terminal):
    output = terminal.invoke(main, ["ask", "谁批准了报告？"], env=CHINESE).output
    assert "没有找到" in output
    assert "nothing found" not in output
