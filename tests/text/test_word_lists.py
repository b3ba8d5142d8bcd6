from pathlib import Path

import core
from core.text.word_lists import word_file, word_list

SOURCES = [path.read_text("utf-8") for path in Path(core.__file__).parent.rglob("*.py")]


def test_every_list_of_words_is_read_by_a_module():
    named = [(each, name) for each in ("names", "enrichment", "units") for name in word_file(each)]
    read = ('word_list("{}", "{}")', 'word_file("{}")["{}"]')
    unread = [one for one in named if not any(form.format(*one) in text for text in SOURCES for form in read)]
    assert len(named) > 10 and unread == []


def test_a_list_holds_the_words_of_its_lines():
    assert {"nm", "mj", "小时", "wafers/h"} <= word_list("units", "known")
    assert all(word == word.strip() and word for word in word_list("names", "generic_title"))
