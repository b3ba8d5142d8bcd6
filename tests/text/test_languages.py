"""The language of a document is read from its signs, else by its letters, never guessed from a few words."""

import pytest

from core.text.languages import language_of, language_of_question

TEXTS = {
    "de": "Der Ausschuss zur Prüfung von Anlagen tagt am Montag in Jena; die Ergebnisse folgen.",
    "fr": "La séance est ouverte à neuf heures du matin et le conseil approuve le budget de la commune.",
    "es": "El comité aprobó el presupuesto de la ciudad para el año y cerró la sesión a las nueve.",
    "en": "The wet clean of a chamber takes six hours and is due every five hundred hours of operation.",
    "nl": "De pomp was uit; of het werk is gedaan is niet te zien, en er is niets over de machine gezegd.",
    "ko": "반도체 공정에서 수율이 떨어졌다. 챔버 B의 정전척을 교체하였다. ETCH-03 PE-300",
    "ja": "真空ポンプの点検は毎週行う。検査の結果は記録して保管すること。",
    "zh": "真空泵每500小时更换一次，机台 ETCH-03 的腔体 B 需要清洁。",
    "ar": "عقد المجلس جلسته صباح يوم الاثنين وناقش ميزانية المدينة للعام المقبل ووافق عليها بالإجماع.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_is_labelled_by_its_language(code: str) -> None:
    assert language_of(TEXTS[code]) == code


@pytest.mark.parametrize("text", ["", "PN-4410 14 25.4", "Lot Tool Recipe Wafers Price", "Table 1. Total"])
def test_what_says_too_little_is_not_guessed(text: str) -> None:
    assert language_of(text) == "en"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("De quoi parle le fichier « factbook » ?", "fr"),
        ("Fasse die Halbjahresanalyse nach Segmenten kurz zusammen", "de"),
        ("Resume en dos frases el informe anual", "es"),
        ("Nestlé Zone NA sales January-June 2021", "en"),
        ("What does the die bonder manual say about Düsseldorf?", "en"),
        ("torque PE-300", "en"),
        ("Who died later, Giovanni Dei Conti Di Segni or Sakari Simelius?", "en"),
        ("Which film came out first, Una Prostituta Al Servizio Del Pubblico or Il Sole?", "en"),
        ("PE-300的维护手册", "zh"),
        ("ポンプの点検表", "ja"),
    ],
)
def test_a_question_tells_its_language_in_few_words(question, language):
    assert language_of_question(question, ("en", "fr", "de", "es", "it")) == language
