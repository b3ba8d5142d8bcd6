"""One text, every language, and no foreign character that means anything."""

import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from core.text import messages
from core.text.escaping import Safe, join, layout
from core.text.messages import plain, speaking, t, tn

CATALOGUES = sorted(messages.LOCALE.glob("*/LC_MESSAGES/strata.po"))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_a_value_is_escaped_a_safe_one_passes_and_a_number_keeps_its_form():
    hostile = "![x](https://evil.example)\nnext"
    said = t("Deleted {title}.", title=hostile)
    assert isinstance(said, Safe)
    assert "![" not in said
    assert "\n" not in said
    assert t("{held}", held=layout("**{name}**", name="a*b")) == r"**a\*b**"
    assert t("{share:.0%} of {n:,}", share=0.5, n=1200) == "50% of 1,200"
    assert join("  \n", [said, said]) == f"{said}  \n{said}"
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
        said = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and any(fields(text) != fields(given[-1]) for text in said if text):
            wrong.append(message.id)
    assert wrong == []
