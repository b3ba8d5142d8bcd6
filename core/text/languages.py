"""Which language a document is written in, for what is shown and for the words it is searched by."""

import re
from functools import lru_cache
from threading import Lock
from typing import Any

from core.text.tokens import CJK

_HANGUL = re.compile("[\uac00-\ud7af]")
_KANA = re.compile("[\u3040-\u30ff]")
_SIGN = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SAMPLE_CHARACTERS = 4000
_MIN_WORDS = 12  # words; fewer say too little to tell English from its neighbours
_MIN_PROBABILITY = 0.9
_MIN_CJK_SHARE = 0.3  # of the letters are Chinese, Japanese or Korean signs
_lock = Lock()


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of a text's language; "en" where it says too little to tell."""
    sample = text[:_SAMPLE_CHARACTERS]
    signs = len(_SIGN.findall(sample))
    if signs and signs >= _MIN_CJK_SHARE * sum(map(str.isalpha, sample)):
        hangul, kana = len(_HANGUL.findall(sample)), len(_KANA.findall(sample))
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
