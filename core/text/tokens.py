"""Words of written text: normal form, language, stop words, tokens, stems.

`words` is what the rules and the index count alike; `index_words` adds what only finding needs; `name_words`
and `normal` compare names, which are not stemmed.
"""

import logging
import marshal
import re
import unicodedata
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from core.text.private_cache import private_cache


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
    """的 了 和 与 及 以及 或 或者 是 在 有 被 把 将 从 对 对于 关于 于 由 向 到 至 为 为了 因
    因为 所以 而 而且 并 并且 但 但是 也 都 又 还 就 才 只 很 更 最 吗 呢 吧 啊 呀 嘛 么
    什么 哪 哪个 哪些 哪里 哪儿 谁 怎么 怎样 如何 为什么 为何 多少 几 何 何时 请 请问 这 那
    多久 多长 多大 多高 这个 那个 这些 那些 它 它们 他 她 他们 她们 我 我们 你 你们 您 其 之 所 者 着 过 地 得
    个 些 一个 一种 中 里 上 下 内 时 时候 可以 能 能够 会 应 应该 如果 则 等 等等 即 以
    及其 其中 该 此 各 每 没有 不 没 无 是否 有没有 哪一个 哪位 哪年 哪种"""
)

# Korean and kana carry endings and particles that no dictionary here knows.
STOP_WORDS = STOPWORDS_EN | STOPWORDS_ZH | word_set("の は が を に で と 은 는 이 가 을 를 의 에 와 과")
_STOP_STEMS = STOP_WORDS | word_set(
    "doe thi hi ani onc veri becaus dure whi befor abov ourselv themselv pleas other"
)

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
CJK = f"\u3005\u3040-\u30ff\uac00-\ud7af{_HAN}"  # Chinese, Japanese and Korean signs
RUNS = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
IS_CJK = re.compile(f"[{CJK}]")
_CHINESE = re.compile(f"[{_HAN}]")
KANA = re.compile("[\u3040-\u30ff]")
MIN_KANA_SHARE = 0.1  # kana for each Chinese character from which a text is Japanese
_LATIN_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_ACCENTS = re.compile("[\u0300-\u036f]")
_RAISED = "⁰¹²³⁴-⁹"
_NOTE_MARK = re.compile(f"(?<=[^\\W\\d_{_RAISED}]{{3}})[{_RAISED}]+⁾?")  # of a word, where "m²" is a unit
_POSSESSIVE = re.compile(r"['’]s\b")
_CONTRACTION = re.compile(r"(?<=[a-z])['’](?=(?:t|re|ve|ll|d|m)\b)")  # "didn't" is one word, "l'eau" two
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# A run of signs, or letters and figures joined by signs: "TXN-98765", "07-1315", "U07.1", "3.5".
_TOKEN = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+(?:(?:[-_./]|(?<=\\d):(?=\\d))[^\\W_{CJK}]+)*%?")
_PART = re.compile(r"\d+(?:\.\d+)?(?:(?:st|nd|rd|th|s)(?![^\W\d_]))?|[^\W\d_]+")  # "20th", "1960s" are one
_SCRIPTS = re.compile(f"[{_HAN}]+|[^{_HAN}]+")
_TRADE_WORD_FREQUENCY = 100  # of jieba's 60 million; its rarest words have 3
SHORT_TEXT_CHARACTERS = 160  # characters of a text whose words are remembered
_JOINED = re.compile(r"[-_%]")  # "TXN-98765" and "TXN98765" are the same, "3.5" and "35" are not


def is_cjk(text: str) -> bool:
    """Say whether the text holds at least one Chinese character."""
    return _CHINESE.search(text) is not None


def detect_language(text: str) -> str:
    """Return "zh" where Chinese characters outweigh other words, else "en", for Japanese too (it has kana).

    A Chinese character counts as half a word, and a code ("SOP-ETCH-012") is none: it is the same in both.
    """
    sample = text[:4000]
    chinese = len(_CHINESE.findall(sample))
    if not chinese or len(KANA.findall(sample)) > MIN_KANA_SHARE * chinese:
        return "en"
    words_only = " ".join(token for token in _TOKEN.findall(sample) if not any(map(str.isdigit, token)))
    others = sum(1 for word in _LATIN_WORD.findall(words_only) if not is_cjk(word))
    return "zh" if chinese * 0.5 >= others * 0.6 else "en"


# -- words ---------------------------------------------------------------------------------

_segment_lock = Lock()
_stem_lock = Lock()


@lru_cache(maxsize=1)
def segmenter() -> Any:
    """Return jieba with its dictionary read and the vocabulary's Chinese names in it; it may be used by one
    thread at a time."""
    from core.text.vocabulary import packaged  # which is made of words itself

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 has invalid escapes and imports pkg_resources
        import jieba
    jieba.setLogLevel(logging.WARNING)
    # By itself it takes its dictionary from a file in the folder for temporary files, whoever put it there.
    jieba.dt.tmp_dir = str(private_cache())
    read_at_once(jieba.dt)
    jieba.initialize()
    for name in (name for term in packaged().terms for name in term.chinese):
        if len(name) > 1 and not jieba.dt.FREQ.get(name):
            jieba.add_word(name, _TRADE_WORD_FREQUENCY)
    return jieba


def read_at_once(tokenizer: Any) -> None:
    """Load jieba's cached dictionary at once; by itself it reads it value by value, four times as long.

    What cannot be read is made anew by `initialize`.
    """
    with suppress(OSError, EOFError, ValueError, TypeError):
        frequencies, total = marshal.loads((Path(tokenizer.tmp_dir) / "jieba.cache").read_bytes())
        if isinstance(frequencies, dict) and isinstance(total, int):
            tokenizer.FREQ, tokenizer.total, tokenizer.initialized = frequencies, total, True


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
    return stem


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the Snowball English stem of a lower-case word of letters; anything else stays as it is."""
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
        pieces = segmenter().lcut_for_search(run)
        known = segmenter().dt.FREQ
    return tuple(word for piece in pieces for word in _without_grammar(piece, known))


def _without_grammar(piece: str, known: Mapping[str, int]) -> Iterator[str]:
    """Yield a word, or the signs of grammar at its ends apart where no dictionary has it: what jieba takes
    for a word by its signs may be a noun and what stands beside it (日到, 有片)."""
    start, end = 0, len(piece)
    if not known.get(piece):
        while end - start > 1 and piece[start] in STOPWORDS_ZH:
            start += 1
        while end - start > 1 and piece[end - 1] in STOPWORDS_ZH:
            end -= 1
    yield from (*piece[:start], piece[start:end], *piece[end:])


def is_dictionary_word(word: str) -> bool:
    """Say whether the segmenter's dictionary has the Chinese word."""
    with _segment_lock:
        return bool(segmenter().dt.FREQ.get(word))


def cut(text: str) -> list[str]:
    """Cut a text into words that do not overlap, as jieba does by default; spaces are left out."""
    with _segment_lock:
        return [word for word in segmenter().lcut(text) if word.strip()]


def fold(text: str) -> str:
    """Return the text in lower case, compatibility forms, Latin accents and footnote marks removed."""
    if text.isascii():
        return text.lower()
    bare = _NOTE_MARK.sub("", text.replace("’", "'").replace("⁻", "-").replace("₋", "-"))
    plain = unicodedata.normalize("NFKD", bare)
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", plain)).casefold()


def name_words(text: str) -> list[str]:
    """Return the words of a name or a text, unstemmed; a run of Chinese, Japanese or Korean is one word."""
    return RUNS.findall(_POSSESSIVE.sub("", fold(text)))


def normal(text: str) -> str:
    """Return the normal form by which names are compared: "SOP-112.pdf" and "sop 112 PDF" are the same."""
    return " ".join(name_words(text))


def words(text: str) -> list[str]:
    """Return the words in order, folded: English stemmed, Chinese segmented, kana and Korean in pairs of
    signs, codes whole and in parts."""
    return list(_short_words(text) if len(text) <= SHORT_TEXT_CHARACTERS else _each_word(text))


def _each_word(text: str) -> Iterator[str]:
    return (word for token in _tokens(text) for word in _token_words(token))


@lru_cache(maxsize=20_000)  # labels, headings and sentences come back with every question
def _short_words(text: str) -> tuple[str, ...]:
    return tuple(_each_word(text))


def index_words(text: str) -> list[str]:
    """Return the words a text is found by, repeats kept: `words`, percentages, and all pairs of signs."""
    return list(each_index_word(text))


def each_index_word(text: str) -> Iterator[str]:
    """Yield `index_words(text)` one by one: who stops early cuts no more of the text."""
    return (word for token in _tokens(text) for word in _index_words(token))


def query_words(text: str, known: Container[str] | None = None) -> list[str]:
    """Return the words to search with: without stop words, unless there is nothing else.

    With the words that are `known`: nothing where a pair of Chinese signs is not among them. So a text that
    cannot be found whole needs no dictionary, which takes half a second to read.
    """
    if known is not None:
        pairs = (pair for token in _tokens(text) if is_cjk(token) for pair in _pairs(token))
        if any(pair not in known and pair not in STOP_WORDS for pair in pairs):
            return []
    found = index_words(text)
    return [word for word in found if word not in STOP_WORDS] or found


def _tokens(text: str) -> Iterator[str]:
    plain = _CONTRACTION.sub("", _POSSESSIVE.sub("", fold(text)))
    return (match.group() for match in _TOKEN.finditer(_THOUSANDS.sub("", plain)))


@lru_cache(maxsize=100_000)
def _token_words(token: str) -> tuple[str, ...]:
    if IS_CJK.match(token):
        runs = _SCRIPTS.findall(token)  # a single sign between Chinese ones is a particle
        significant = [run for run in runs if is_cjk(run) or len(run) > 1] or runs
        return tuple(word for run in significant for word in (segment(run) if is_cjk(run) else _pairs(run)))
    if token.isalpha():
        return (stem(token),)
    parts = tuple(stem(part) for part in _PART.findall(token))
    if len(parts) < 2 or not any(sign.isdigit() for sign in token):
        return parts  # "and/or" and "low-cost" are only their parts
    return (_JOINED.sub("", token), *parts)


@lru_cache(maxsize=100_000)
def _index_words(token: str) -> tuple[str, ...]:
    return (*_token_words(token), *_only_found(token))


def _only_found(token: str) -> tuple[str, ...]:
    if token.endswith("%"):
        return (token,)
    if not is_cjk(token):
        return ()
    known = set(_token_words(token))
    return tuple(pair for pair in _pairs(token) if pair not in known)


def _pairs(run: str) -> tuple[str, ...]:
    """Return the pairs of signs of a run: where no dictionary cuts words, they find the stem."""
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the Jaccard index (0 to 1) of two sets of words; 0 where both are empty."""
    a, b = set(one), set(other)
    return len(a & b) / len(a | b) if a | b else 0.0


def is_stopword(word: str) -> bool:
    """Say whether a word as `words` gives it is a function word."""
    return word in _STOP_STEMS


def content_words(text: str) -> list[str]:
    """Return `words(text)` without function words."""
    return [word for word in words(text) if not is_stopword(word)]


def single_spaced(text: str) -> str:
    """Return the text with one space wherever there is white space, and none at its ends."""
    return " ".join(text.split())
