"""Foreign text stays text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.i18n import escaping

HOSTILE = (
    "![pixel](https://evil.example/p.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "<https://evil.example>",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "    code block",
    "```sql",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "*bold* _it_ ~~gone~~ `code`",
    "setext\n======",
    "&lt;b&gt; &amp;",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_markdown_survives_the_escape(text: str) -> None:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(escaping.escape(text))
    tags = [
        tag for tag in ("<a", "<img", "<h1", "<li", "<code", "<table", "<em", "<s>", "<block") if tag in html
    ]
    assert tags == []


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))))
def test_every_visible_character_is_kept(text: str) -> None:
    flat = " ".join(text.split())
    shown = escaping.line(flat)
    plain = shown.replace("\u2060", "").replace("\\", "")
    bidi = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2060])
    assert plain == flat.translate(bidi).replace("\\", "").replace("\u2060", "")


@pytest.mark.parametrize(
    "text", ["https://evil.example", "http://a.b", "www.evil.example", "me@evil.example"]
)
def test_addresses_are_broken_so_that_no_later_reader_links_them(text: str) -> None:
    shown = escaping.line(text).replace("\\", "")
    assert text not in shown
    assert shown.replace("\u2060", "") == text


@pytest.mark.parametrize("text", [":material/delete:", ":smile:", ":red[x]", "$x^2$"])
def test_icons_emoji_colours_and_formulas_stay_words(text: str) -> None:
    shown = escaping.line(text)
    assert "$x" not in shown.replace("\\$", "")
    assert text not in shown.replace("\\", "") or "$" in text


def test_direction_marks_that_could_hide_an_extension_are_dropped() -> None:
    assert escaping.line("invoice\u202efdp.exe") == "invoicefdp.exe"


def test_lines_stay_lines() -> None:
    assert escaping.escape("one\ntwo") == "one  \ntwo"


def test_a_long_text_is_shortened_with_an_ellipsis() -> None:
    assert escaping.shorten("one two three", 8) == "one two…"


def test_a_command_in_backticks_is_code_and_nothing_else_is() -> None:
    html = MarkdownIt("commonmark").render(
        escaping.commands("Run `strata doctor --repair` on `<b>`, `[x](y)`.")
    )
    assert "<code>strata doctor --repair</code>" in html
    assert html.count("<code>") == 1 and "&lt;b&gt;" in html and "<a" not in html
