"""Recognises questions about the library as a whole: all their words mean it or what is counted in it."""

import re
import tomllib
from functools import cache
from pathlib import Path, PurePath
from typing import Literal, get_args

from core.text.proper_names import names_in
from core.text.quantities import ENGLISH_NUMBERS
from core.text.tokens import content_words, is_cjk

Aspect = Literal["count", "topics", "links", "dates", "kinds", "titles"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
_KOREAN = "[\uac00-\ud7a3]"
_PARTICLE = re.compile(  # behind a Korean word; and what stands as one syllable, verbs mostly
    f"(?<={_KOREAN}{{2}})(?:으로|에서|을|를|은|는|의|이|가|에|와|과|로|도)(?!{_KOREAN})|(?<!{_KOREAN}){_KOREAN}(?!{_KOREAN})"
)
_SCRIPTS = {"ko": re.compile(_KOREAN), "ja": re.compile("[\u3041-\u30ff]")}
ASKING = ("de", "fr", "es", "it")  # beside English, whose words ask for one document alone
_ASKING = ("topics", "titles", "stores", "frame")  # groups of words that ask for contents and name nothing
_OF_LIBRARY = ("stores", "count", "topics", "links", "dates", "kinds", "titles", "frame")
_WHOLE = re.compile(  # these name the library without its word, or mean one document by it
    r"\b(?:everything|all (?:of )?(?:this|that)|what(?: is|'s| do you have)?) (?:you have )?(?:in )?here\b",
    re.IGNORECASE,
)
_ONE_ZH = (
    r"(?:这|该|此|那|本)一?(?:份|个|篇|本|张|封)?"
    r"(?:文件|文档(?!库)|报告|资料(?!库)|文章|论文|手册|规程|纪要|表格|演示文稿|书)|本文|全文"
)
_ONE = re.compile(
    rf"(?<!\ball )\b(?:this|that|the|a|an|one|my) (?:document|file|source|upload|material)\b|{_ONE_ZH}",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:this|that|the|my) (?:(?:uploaded|attached|whole|entire) )?(?:document|file|source|upload|material"
    r"|paper|report|manual|text|article|presentation|deck|spreadsheet|workbook|letter|book|page|log)\b|\bit\b"
    rf"|{_ONE_ZH}",
    re.IGNORECASE,
)

_NUMBER = rf"(?:\d+|an?|{'|'.join(ENGLISH_NUMBERS[:10])}|(?:a )?few|(?:a )?couple(?: of)?)"
_LENGTH = re.compile(  # how long the answer should be
    rf"\b(?:{_NUMBER})[- ](?:sentence|word|line|paragraph|page|bullet)\b"
    rf"|\b(?:in|with|within|under|as) (?:(?:at most|about|under|no more than|less than|only|just) )?{_NUMBER}"
    r"(?: short| single| brief)? (?:sentences?|words?|lines?|paragraphs?|bullets?(?: points?)?|points?)\b"
    r"|\b(?:in|en|con|mit) \w+ (?:kurzen )?(?:s[äa]tze?n?|worten|stichpunkten|phrases?|mots|lignes|frases?"
    r"|palabras|frasi|parole)\b"
    r"|用?(?:[一二两三四五六七八九十\d]+|几)(?:句话?|个?字|个?要点|点|段话?|行)(?:以内|之内|左右|来)?"
    r"|(?:\d+|한|두|세|네|다섯|몇)\s?(?:문장|줄|단락|가지)(?:으로|로)?|[一二三四五\d]+(?:文|行|字|点)(?:以内)?で",
    re.IGNORECASE,
)

_COUNTED = re.compile(
    r"sentence|line|bullet|point|s[äa]tz|satz|phrase|ligne|frase|frasi|[句点行文]|문장|줄|가지", re.IGNORECASE
)
_NUMBERS = (  # by what they stand for, one to ten
    *("one a an single ein einem einer un una une 一 한", "two couple zwei deux dos due 二 两 두"),
    *("three few drei trois tres tre 三 几 세 몇", "four vier quatre cuatro quattro 四 네"),
    *("five fünf cinq cinco cinque 五 다섯", "six 六", "seven 七", "eight 八", "nine 九", "ten 十"),
)


def requested_aspects(question: str) -> frozenset[Aspect] | None:
    """Return what a question asks of the library as a whole, empty for all of it; None for any other."""
    if names_in(question) or _ONE.search(question):
        return None
    return _chinese(question) if is_cjk(question) else _english(question)


def points_at_document(question: str) -> bool:
    """Say whether a question refers to one document without its name: "this report", "it", "这份文件"."""
    return _THIS.search(question) is not None


def requested_name(question: str) -> frozenset[str]:
    """Return the words that may name what a question wants summarised: those that do not ask for it."""
    asked = _PARTICLE.sub(" ", _THIS.sub(" ", _LENGTH.sub(" ", question)))
    asked = _PARTICLE.sub(" ", _asking(_unspaced(question)).sub(" ", asked))
    terms = frozenset(content_words(apart(asked)))
    spoken = (language for language in ASKING if terms & _stems(language)["topics"])
    return terms.difference(*(_stems(language)[group] for language in ("en", *spoken) for group in _ASKING))


def requested_sentences(question: str) -> int:
    """Return how many sentences, lines or points a question asks for, 0 where it says nothing of
    it."""
    found = _LENGTH.search(question)
    if found is None or not _COUNTED.search(found.group()):
        return 0
    if figure := re.search(r"\d+", found.group()):
        return int(figure.group())
    tokens = [
        word
        for word in re.findall(r"[a-zà-ÿ]+|[一-龥가-힣]", found.group().lower())
        if word not in ("in", "en")
    ]
    return next((n for n, words in enumerate(_NUMBERS, 1) if set(tokens) & set(words.split())), 0)


def without_kinds(named: frozenset[str]) -> frozenset[str]:
    """Return the words that name a document without those for its kind, which need not be in it."""
    languages = ("en", "zh", *_SCRIPTS, *ASKING)
    return named.difference(*(_stems(language)["documents"] for language in languages))


def means_document(question: str, title: str, file: str) -> bool:
    """Say whether a question names a document, and nothing that its title and its file name do not say.

    A file is named with or without its ending; by parts of its name where no word of them asks for contents.
    """
    for whole in filter(None, (file, PurePath(file).stem)):
        rest, found = re.subn(rf"(?<!\w){re.escape(whole)}(?!\w)", " ", question, flags=re.IGNORECASE)
        if found and not requested_name(rest):
            return True
    named, called = requested_name(question), set(content_words(apart(f"{title} {file}")))
    return any(bool(words) and words <= called for words in (named, without_kinds(named)))


def apart(text: str) -> str:
    """Return the text with the parts of names like "2023-06-20-PV.pdf" standing apart."""
    return re.sub(r"(?<=\w)[-_./](?=\w)", " ", text)


def _english(question: str) -> frozenset[Aspect] | None:
    terms = set(content_words(question))
    kinds = {group: _stems("en")[group] for group in _OF_LIBRARY}
    if not terms <= set().union(*kinds.values()):
        return None
    stored = terms & kinds["stores"] or _WHOLE.search(question)
    counted = {"count"} if re.search(r"\bhow many\b", question, re.IGNORECASE) else set()
    return frozenset(a for a in ASPECTS if terms & kinds[a] or a in counted) if stored else None


def _chinese(question: str) -> frozenset[Aspect] | None:
    plain = "".join(sign for sign in question if sign.isalnum())
    groups = {group: words for group, words in _table("zh").items() if group in _OF_LIBRARY}
    if not any(word in plain for word in groups["stores"]):
        return None
    every = sorted((word for words in groups.values() for word in words), key=len, reverse=True)
    left = re.sub("|".join(map(re.escape, every)), "", plain)
    return None if left else frozenset(a for a in ASPECTS if any(word in plain for word in groups[a]))


@cache
def _table(language: str) -> dict[str, tuple[str, ...]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {group: tuple(words.get(language, "").split()) for group, words in table.items()}


@cache
def _asking(language: str) -> re.Pattern[str]:
    """Return what matches the words of a language without spaces that ask for contents, the longest first."""
    words = {word for group in _ASKING for word in _table(language)[group]}
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


def _unspaced(question: str) -> str:
    """Return which language without spaces, or with endings on its words, a question is written in, Chinese
    where it is in none."""
    return next((language for language, script in _SCRIPTS.items() if script.search(question)), "zh")


@cache
def _stems(language: str) -> dict[str, frozenset[str]]:
    return {
        group: frozenset(stem for word in words for stem in content_words(word))
        for group, words in _table(language).items()
    }
