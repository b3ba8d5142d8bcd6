"""Which language a document is written in, for what is shown and for the words it is searched by."""

import re
from copy import copy
from functools import lru_cache
from threading import Lock
from typing import Any

from core.text.tokens import IS_CJK, KANA

_HANGUL = re.compile("[\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SAMPLE_CHARACTERS = 4000
_MIN_WORDS = 12  # words; fewer say too little to tell English from its neighbours
_MIN_PROBABILITY = 0.9
_MIN_CJK_SHARE = 0.3  # of the letters are Chinese, Japanese or Korean signs
_lock = Lock()
_MIN_QUESTION_WORDS = 3
_MIN_QUESTION_PROBABILITY = 0.7
_SCRIPTS = {"ko": _HANGUL, "ja": KANA, "ar": re.compile("[\u0600-\u06ff]")}


@lru_cache(maxsize=1)
def _model() -> Any:
    """Return what tells all languages apart, unpacked once a process: a third of a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=2)
def _identifier(languages: tuple[str, ...] = ()) -> Any:
    """Return what tells languages apart: all it knows, or those given alone."""
    identifier = copy(_model())
    if languages:
        identifier.set_languages(list(languages))
    return identifier


def load() -> None:
    """Unpack the model before it is asked for."""
    with _lock:
        _model()


@lru_cache(maxsize=1_000)
def language_of_question(text: str, spaced: tuple[str, ...]) -> str:
    """Return the ISO 639-1 code of a question's language: by its script, else the likeliest of those with
    spaces between words; the first of these where the question says too little to tell."""
    for language, script in _SCRIPTS.items():
        if script.search(text):
            return language
    if IS_CJK.search(text):
        return "zh"
    words = _WORD.findall(text)
    if len(words) < _MIN_QUESTION_WORDS:
        return spaced[0]
    with _lock:
        code, sure = _identifier(spaced).classify(" ".join(words).lower())
    return str(code) if sure >= _MIN_QUESTION_PROBABILITY else spaced[0]


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of a text's language; "en" where it says too little to tell."""
    sample = text[:_SAMPLE_CHARACTERS]
    signs = len(IS_CJK.findall(sample))
    if signs and signs >= _MIN_CJK_SHARE * sum(map(str.isalpha, sample)):
        hangul, kana = len(_HANGUL.findall(sample)), len(KANA.findall(sample))
        if hangul > 0.5 * signs:
            return "ko"
        return "ja" if kana > 0.1 * signs else "zh"
    words = _WORD.findall(sample)
    if len(words) < _MIN_WORDS:
        return "en"
    with _lock:
        code, sure = _identifier().classify(" ".join(words).lower())
    latin = sum(map(str.isascii, words)) > len(words) / 2
    return str(code) if sure >= _MIN_PROBABILITY or not latin else "en"
