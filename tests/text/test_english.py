"""What an English embedder can read."""

import pytest

from core.text.english import is_english, unread

ENGLISH = (
    "The chamber is cleaned every week because particles from its wall reach the wafers, and the yield falls"
    " when nobody looks at the seal for a month or two."
)
FRENCH = (
    "Le comité approuve la démolition partielle du bâtiment, soit la partie arrière, car son état est mauvais"
    " et son niveau d'authenticité demeure peu élevé selon le rapport."
)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        (ENGLISH, True),
        (FRENCH, False),
        ("매월 1일부터 말일까지 이용한 일시불 및 할부 이용금액을 기준으로 하며 임대매장은 제외한다.", False),
        ("蚀刻腔体在等离子体启动之前加热到六十度，腔体压力为五毫托。", False),
        ("SKU-8847 | A-12 | 450 | 289", None),
        ("", None),
    ],
)
def test_the_language_of_a_text(text, english):
    assert is_english(text) is english


def test_codes_and_other_scripts_are_not_read():
    assert unread("How long does the wet clean take?") == 0.0
    assert unread("SKU-8847 location") > 0.25
    assert unread("주유 1.5% 적립") >= 0.5
    assert unread("") == 0.0
    assert unread("Was kostet die Prüfung?") == 0.0
