"""Words by script: English stemmed, Chinese and Japanese as dictionary words and bigrams."""

import re
import unicodedata

from core.text.tokens import STOPWORDS_EN, STOPWORDS_ZH, cut, snowball, word_set

CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
RUNS = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
IS_CJK = re.compile(f"[{CJK}]")
ACCENTS = re.compile("[\u0300-\u036f]")
POSSESSIVE = re.compile(r"['’]s\b")

STOP_WORDS = STOPWORDS_EN | STOPWORDS_ZH | word_set("のは が を に で と")

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# Letters and figures joined by signs, a figure among them: "TXN-98765", "07-1315", "U07.1", "3.5"; or "2%".
_CODE = re.compile(f"[^\\W_{CJK}]+(?:[-._/:][^\\W_{CJK}]+)+%?|\\d+%")
_CODE_SIGNS = re.compile(r"[^\W_]+|[.:/%]")  # "TXN-98765" and "TXN98765" are the same, "3.5" and "35" are not
_DIGIT = re.compile(r"\d")


def fold(text: str) -> str:
    """Return the text in lower case, compatibility forms and Latin accents removed."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return unicodedata.normalize("NFKC", ACCENTS.sub("", plain)).casefold()


def name_words(text: str) -> list[str]:
    """Return the words of a name or a text, unstemmed; a run of Chinese or Japanese is one word."""
    return RUNS.findall(POSSESSIVE.sub("", fold(text)))


def normal(text: str) -> str:
    """Return the normal form by which names are compared: "SOP-112.pdf" and "sop 112 PDF" are the same."""
    return " ".join(name_words(text))


def _cut(run: str) -> list[str]:
    """Return the words of a run of Chinese, Japanese or Korean signs, and its pairs of signs.

    Korean and kana carry endings and particles that no dictionary here knows: pairs find the stem. A single
    one of their signs says nothing beside its pairs.
    """
    if len(run) == 1:
        return [run]
    words: list[str] = []
    if _HAN.search(run):  # the dictionary knows no other signs, and takes half a second to read
        words = [word for word in cut(run) if len(word) > 1 or _HAN.match(word)]
    known = set(words)
    return words + [pair for pair in (run[i : i + 2] for i in range(len(run) - 1)) if pair not in known]


def index_words(text: str) -> list[str]:
    """Return the words a text is found by, repeats kept: a code as a whole beside its parts."""
    found: list[str] = []
    plain = _THOUSANDS.sub("", POSSESSIVE.sub("", fold(text)))
    for run in RUNS.findall(plain):
        if IS_CJK.match(run):
            found += _cut(run)
        else:
            found.append(snowball(run))
    found += ["".join(_CODE_SIGNS.findall(code)) for code in _CODE.findall(plain) if _DIGIT.search(code)]
    return found


def query_words(text: str) -> list[str]:
    """Return the words to search with: without stop words, unless there is nothing else."""
    words = index_words(text)
    return [word for word in words if word not in STOP_WORDS] or words
