"""What every room must know about written English and Chinese: sentences, words, language.

Low in the house on purpose (beside `domain`), so that searching, chunking, checking and the built-in
engine all count the same words.
"""

import logging
import re
import unicodedata
import warnings
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list written as text, white space between them."""
    return frozenset(text.split())


STOPWORDS_EN = word_set(
    """a about above after again against all also am an and any are as at be because been before being
    below between both but by can could did do does doing down during each either else ever every few for
    from further had has have having he her here hers herself him himself his how i if in into is it its
    itself just me more most my myself no nor not now of off on once only or other our ours out over own
    per please same shall she should so some such than that the their theirs them themselves then there
    these they this those through thus to too under until up upon us very via was we were what when where
    whether which while who whom whose why will with within without would yet you your yours"""
)
STOPWORDS_ZH = word_set(
    """的 了 和 与 及 以及 或 或者 是 在 有 被 把 将 从 对 对于 关于 于 由 向 到 为 为了 因
    因为 所以 而 而且 并 并且 但 但是 也 都 又 还 就 才 只 很 更 最 吗 呢 吧 啊 呀 嘛 么
    什么 哪 哪个 哪些 哪里 哪儿 谁 怎么 怎样 如何 为什么 为何 多少 几 何 何时 请 请问 这 那
    多久 多长 多大 多高 这个 那个 这些 那些 它 它们 他 她 他们 她们 我 我们 你 你们 您 其 之 所 者 着 过 地 得
    个 些 一个 一种 中 里 上 下 内 时 时候 可以 能 能够 会 应 应该 如果 则 等 等等 即 以
    及其 其中 该 此 各 每 没有 不 没 无 是否 有没有 哪一个 哪位 哪年 哪种"""
)

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK_CHAR = re.compile(f"[{_CJK}]")
_LATIN_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_TOKEN = re.compile(
    rf"[{_CJK}]+|[a-z0-9\u00b5\u03bc]+(?:[-_./'’][a-z0-9]+)*|[^\W_]+",
    re.UNICODE,
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PART = re.compile(r"[a-z]+|\d+(?:\.\d+)?")


def is_cjk(text: str) -> bool:
    """Say whether the text holds at least one Chinese character."""
    return _CJK_CHAR.search(text) is not None


def detect_language(text: str) -> str:
    """Return "zh" where Chinese characters outweigh other words, else "en".

    A Chinese character counts as half a word, so a Chinese sentence full of product codes stays Chinese.
    """
    sample = text[:4000]
    chinese = len(_CJK_CHAR.findall(sample))
    if not chinese:
        return "en"
    others = sum(1 for word in _LATIN_WORD.findall(sample) if not is_cjk(word))
    return "zh" if chinese * 0.5 >= others * 0.6 else "en"


# -- words ---------------------------------------------------------------------------------

_segment_lock = Lock()
_stem_lock = Lock()


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    """Return jieba with its dictionary read; it may be used by one thread at a time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 has invalid escapes and imports pkg_resources
        import jieba
    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba


def cut(run: str) -> list[str]:
    """Cut a run of Chinese characters into the words of the dictionary, each character in one word."""
    with _segment_lock:
        return list(_segmenter().cut(run, HMM=False))


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
    return stem


def stem(word: str) -> str:
    """Return the Snowball English stem of a lower-case word; anything not purely a-z stays as it is."""
    return snowball(word) if word.isascii() else word


@lru_cache(maxsize=200_000)
def snowball(word: str) -> str:
    """Return the Snowball English stem of a lower-case word of letters, those with accents too."""
    if len(word) < 3 or not word.isalpha():
        return word
    with _stem_lock:
        return _stemmer()(word)


@lru_cache(maxsize=20_000)
def segment(run: str) -> tuple[str, ...]:
    """Cut a run of Chinese characters into words, as a search engine would.

    Search mode: of a long compound its shorter words are given too ("真空泵油" -> 真空, 泵油, 真空泵油).
    """
    if len(run) == 1:
        return (run,)
    with _segment_lock:
        return tuple(_segmenter().lcut_for_search(run))


@lru_cache(maxsize=100_000)
def _token_words(token: str) -> tuple[str, ...]:
    if is_cjk(token):
        return segment(token)
    if "'" in token or "’" in token:
        token = token.removesuffix("'s").removesuffix("’s").replace("'", "").replace("’", "")
    if token.isalpha() or token.isdigit():
        return (stem(token),)
    parts = tuple(_PART.findall(token))
    if len(parts) < 2:
        return (stem(token),)
    has_digit = any(char.isdigit() for char in token)
    stems = tuple(stem(part) for part in parts)
    # A code ("etch-03") is one word and its parts; "and/or" or "low-cost" are only their parts.
    return (token, *stems) if has_digit else stems


def words(text: str) -> list[str]:
    """Return the words in order, lower-case: English stemmed, Chinese segmented, codes whole and in parts."""
    plain = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).lower())
    found: list[str] = []
    for token in _TOKEN.findall(plain):
        found.extend(_token_words(token))
    return found


_STOP_STEMS = STOPWORDS_EN | word_set(
    "doe thi hi ani onc veri becaus dure whi befor abov ourselv themselv pleas other"
)


def is_stopword(word: str) -> bool:
    """Say whether a word as `words` gives it carries grammar rather than matter."""
    return word in _STOP_STEMS or word in STOPWORDS_ZH


def content_words(text: str) -> list[str]:
    """Return `words(text)` without the words of grammar."""
    return [word for word in words(text) if not is_stopword(word)]


# -- sentences -----------------------------------------------------------------------------

_ABBREVIATIONS = word_set(
    """mr mrs ms dr prof rev hon sr jr st mt gen col lt sgt capt cmdr gov sen rep pres fr
    vs etc eg ie e.g i.e al cf viz approx ca no nos fig figs eq eqs sec ch vol pp ed eds inc ltd co corp
    dept est jan feb mar apr jun jul aug sep sept oct nov dec op cit resp ref refs max min temp avg"""
)
_BREAK = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？…]+[”’」』）\"]*|\n\s*\n\s*|\n")
_STARTERS = word_set(
    """the a an it he she they we this that these those in on at as but and however there his her its
    their if when"""
)
_MARKER = re.compile(r"\s*(?:[-*•·▪‣–—]\s|\d{1,3}[.)、]\s?|[a-zA-Z][.)]\s|[（(]\d+[)）]|#{1,6}\s|\|)")
_ROW_START = re.compile(r"\s*[^:：.\n]{1,36}[:：] ")
_ROW = re.compile(r"[:：]\s|\t| \| ")


# A capital that is a unit or tells one thing from its like is no initial: "12 W", "chamber B".
_LETTERED = re.compile(
    r"(?:\d|\b(?:chamber|type|class|group|section|figure|table|appendix|annex|version|phase|level|option|zone|"
    r"bay|side|model|part|lot|plan|line|step|vitamin|hepatitis)) ?[A-Z]$",
    re.IGNORECASE,
)


def _ends_sentence(text: str, start: int, end: int, mark: str) -> bool:
    """Decide whether the full stop at [start, end) ends a sentence or belongs to an abbreviation."""
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    window = text[max(0, start - 24) : start]
    last = window.split()[-1].lstrip("([\"“'‘") if window and not window[-1].isspace() else ""
    word = last.lower()
    following = text[end : end + 24].split(None, 1)
    after = following[0] if following else ""
    if len(last) == 1 and last.isupper():
        return _LETTERED.search(window) is not None  # else an initial: "J. Smith"
    if len(word) <= 2 and word.isdigit():
        line_start = text.rfind("\n", 0, start) + 1
        return text[line_start:start].strip() != word  # a list number heads its line: "1. Open the valve"
    if word in _ABBREVIATIONS:
        return word in {"etc", "inc", "ltd", "co", "corp", "al"} and after[:1].isupper()
    if "." in word and len(word) <= 7 and all(len(part) <= 1 for part in word.split(".")):
        return not after or after.lower() in _STARTERS  # "the U.S. Army" goes on, "the U.S. It" does not
    return not (after[:1].islower() and len(word) <= 3)


def _line_goes_on(text: str, line_start: int, start: int, end: int) -> bool:
    """Decide whether a single line end only wraps a sentence."""
    line = text[line_start:start]
    following = text[end : end + 40]
    if not line.strip() or _MARKER.match(following) or line.rstrip()[-1] in ".!?。！？；:：;":
        return False
    head = following.lstrip()[:1]
    if len(line) < 25 or _ROW_START.match(following):
        return False
    if head.islower():
        pairs = len(_ROW.findall(line))
        return pairs == 0 or (pairs == 1 and len(line) > 40)
    return len(line) > 60 and not _ROW.search(line) and not is_cjk(line[-1]) and head.isalnum()


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the sentences as [start, end) without surrounding white space, in order, never overlapping.

    Rows of a table, list items and headings on lines of their own count as sentences.
    """
    spans: list[tuple[int, int]] = []
    begin = line_start = 0

    def close(end: int) -> None:
        piece = text[begin:end]
        left = len(piece) - len(piece.lstrip())
        stripped = piece.strip()
        if stripped:
            spans.append((begin + left, begin + left + len(stripped)))

    for match in _BREAK.finditer(text):
        start, end = match.span()
        mark = match.group()
        if mark[0] == "\n":
            goes_on = mark.count("\n") == 1 and _line_goes_on(text, line_start, start, end)
            line_start = end
            if goes_on:
                continue
        elif not _ends_sentence(text, start, end, mark):
            continue
        close(end)
        begin = end
    close(len(text))
    return spans


def sentences(text: str) -> list[str]:
    """Return the sentences of the text, as they stand."""
    return [text[start:end] for start, end in sentence_spans(text)]
