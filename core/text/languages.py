"""Which language a document is written in, for what is shown and for the words it is searched by."""

import re
from copy import copy
from functools import lru_cache
from threading import Lock
from typing import Any

from core.text.tokens import IS_CJK, KANA, STOPWORDS_EN, word_set

_HANGUL = re.compile("[\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SAMPLE_CHARACTERS = 4000
_MIN_WORDS = 12  # words; fewer say too little to tell English from its neighbours
_MIN_PROBABILITY = 0.9
_MIN_CJK_SHARE = 0.3  # of the letters are Chinese, Japanese or Korean signs
_lock = Lock()
_MIN_QUESTION_WORDS = 3
_MIN_QUESTION_PROBABILITY = 0.7
# Words of English grammar that no other language with spaces has, and those of them that begin a question
_ENGLISH_ALONE = word_set(
    "the and which how does did why when where were with from what this that their these those should would "
    "there who whose been"
)
_ENGLISH_BEGINS = word_set("what which who whose how why when where does did")
_MIN_ENGLISH_SHARE = 0.1  # of a text's words are English grammar; in prose a third is usual
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
    grammar = [word in _ENGLISH_ALONE for word in map(str.lower, words)]
    if "en" in spaced and (words[0].lower() in _ENGLISH_BEGINS or sum(grammar) > 1):
        return "en"  # a third of a second sooner, and whatever names it says
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
    if len(words) < _MIN_WORDS or _is_surely_english(words):
        return "en"
    with _lock:
        code, sure = _identifier().classify(" ".join(words).lower())
    latin = sum(map(str.isascii, words)) > len(words) / 2
    return str(code) if sure >= _MIN_PROBABILITY or not latin else "en"


def _is_surely_english(words: list[str]) -> bool:
    """Say whether words of grammar show it, without the model."""
    small = [word.lower() for word in words]
    share = sum(word in STOPWORDS_EN for word in small) / len(small)
    return share >= _MIN_ENGLISH_SHARE and len(_ENGLISH_ALONE & set(small)) > 2
