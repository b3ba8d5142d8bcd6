"""One text, every language, and no foreign character that means anything."""

import inspect
import re
import shutil
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner

from core import errors
from core.cli import main
from core.i18n import messages
from core.i18n.escaping import Safe, join, layout
from core.i18n.messages import plain, speaking, t, tn
from core.i18n.recorded_messages import translated, translated_plain
from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from tests.making import library

WORDS = re.compile(r"(?<![\w/-])[a-z]+(?![\w/-])", re.ASCII)  # not those of a path
ENGLISH = {"the", "are", "of", "no", "vectors", "while", "be", "cannot", "atoms", "originals", "does"}
CATALOGUES = sorted(messages.LOCALE.glob("*/LC_MESSAGES/strata.po"))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_a_value_is_escaped_a_safe_one_passes_and_a_number_keeps_its_form():
    hostile = "![x](https://evil.example)\nnext"
    result = t("Deleted {title}.", title=hostile)
    assert isinstance(result, Safe)
    assert "![" not in result
    assert "\n" not in result
    assert t("{held}", held=layout("**{name}**", name="a*b")) == r"**a\*b**"
    assert t("{share:.0%} of {n:,}", share=0.5, n=1200) == "50% of 1,200"
    assert join("  \n", [result, result]) == f"{result}  \n{result}"
    assert plain("{title}", title="a*b") == "a*b"


def test_a_text_is_in_the_readers_language_and_english_where_that_has_no_word():
    with speaking("zh"):
        assert t("Chat") == "问答"
        assert t("a text that is in no catalogue") == "a text that is in no catalogue"
        assert tn("{n} test", "{n} tests", 2) == "2 tests"
    assert t("Chat") == "Chat"
    assert tn("{n} test", "{n} tests", 1) == "1 test"


@pytest.mark.parametrize(
    ("preferred", "chosen"),
    [(["zh-CN"], "zh"), (["zh_TW.UTF-8"], "zh"), (["de", "zh"], "zh"), (["de-DE"], "en"), ([], "en")],
)
def test_the_first_language_there_is_is_chosen(preferred: list[str], chosen: str):
    assert messages.choose(preferred) == chosen


def test_every_language_names_itself():
    assert messages.languages() == {"en": "English", "zh": "中文"}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_catalogue_has_the_placeholders_of_the_english_text(path: Path):
    with path.open("rb") as held:
        catalogue = read_po(held)
    wrong = []
    for message in catalogue:
        given = message.id if isinstance(message.id, tuple) else (message.id,)
        result = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and any(fields(text) != fields(given[-1]) for text in result if text):
            wrong.append(message.id)
    assert wrong == []


def test_a_sentence_that_was_kept_in_english_is_told_in_the_readers_language():
    missing = "The model qwen3:8b is not there; the built-in engine does vision."
    with speaking("zh"):
        assert translated_plain("The server has no model.") == "服务器上没有模型。"
        assert translated_plain(missing) == "模型 qwen3:8b 不存在；vision 由内置引擎完成。"
        assert translated_plain("What a file says is told as it is.") == "What a file says is told as it is."
        left_out = "The line “Dr. A. Its foot.” at the page margin was left out. 1 scene was looked at. Aha."
        assert translated_plain(left_out) == "页边的一行“Dr. A. Its foot.”已略去。查看了 1 个画面。Aha."
        away = "Nothing answers at http://127.0.0.1:9. Set OLLAMA_HOST, for example http://127.0.0.1:11434."
        assert translated_plain(away) == (
            "http://127.0.0.1:9 没有应答。请设置 OLLAMA_HOST，例如 http://127.0.0.1:11434。"
        )
        assert "![" not in translated("The model ![x](u) is not there; the built-in engine does vision.")
    assert translated_plain(missing) == missing


def test_what_is_wrong_with_a_library_and_was_mended_is_told_in_every_language(tmp_path: Path):
    with library(tmp_path, "The pump is serviced every 400 hours.", "It runs at 40 Pa."):
        pass
    (tmp_path / "cache.sqlite").write_text("none")
    (tmp_path / "evaluations").mkdir()
    (tmp_path / "evaluations" / "one.json").write_text("none")
    shutil.rmtree(tmp_path / "chroma")
    faults = LibraryDiagnosis(tmp_path).faults(deep=True)
    (tmp_path / "repairing.json").write_text("{}")
    shutil.copytree(tmp_path, tmp_path / "other", ignore=lambda folder, names: ["catalog.sqlite", "other"])
    (tmp_path / "other" / "originals" / "ab").mkdir(parents=True)
    faults += LibraryDiagnosis(tmp_path / "other").faults()
    assert {fault.store for fault in faults} >= {"catalog", "vectors", "cache", "records", "repair"}
    away = "The Chroma server that keeps the vectors does not answer. No Chroma server answers: 111."
    reported = [
        *(fault.message for fault in faults),
        "Vectors of 3 atoms are missing on the Chroma server.",
        away,
    ]
    for code in set(messages.languages()) - {messages.DEFAULT}:
        with speaking(code):
            assert [each for each in reported if set(WORDS.findall(translated_plain(each))) & ENGLISH] == []


def test_every_error_says_in_every_language_what_to_do():
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind)]
    hints = {kind.hint for kind in kinds if issubclass(kind, errors.StrataError)}
    for code in set(messages.languages()) - {messages.DEFAULT}:
        with speaking(code):
            assert [hint for hint in hints if translated_plain(hint) == hint] == []


def test_the_terminal_speaks_the_language_asked_for_or_that_of_its_environment(tmp_path: Path):
    asked = ["--language", "zh", "show", "nothing"]
    runner = CliRunner(env={"STRATA_STORE__PATH": str(tmp_path), "LANG": "C.UTF-8"})
    hint = "它可能已被删除；请重新加载页面或列出现有内容。"
    assert hint in runner.invoke(main, asked).output
    assert hint in runner.invoke(main, asked[2:], env={"LC_ALL": "zh_CN.UTF-8"}).output
    assert "reload the page" in runner.invoke(main, asked[2:]).output
