"""Why not to trust a forecast is shown in the language of the page, whatever the question was asked in."""

import pytest

from core.forecast.note_translation import translated_note
from core.forecast.sentence_templates import phrase


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("few", {"n": 7}),
        ("coverage", {"share": "71", "n": 12}),
        ("drifts", {"p": "0.002"}),
        ("causes", {}),
        ("filled", {"n": 2, "periods": "2024-05, 2024-06"}),
    ],
)
def test_a_sentence_is_told_in_the_other_language_with_its_numbers(key, values):
    english, chinese = (phrase(key, language, **values) for language in ("en", "zh"))
    assert (translated_note(english, "zh"), translated_note(chinese, "en")) == (chinese, english)
    assert translated_note(english, "en") == english
    assert translated_note("A sentence of nobody.", "zh") == "A sentence of nobody."
