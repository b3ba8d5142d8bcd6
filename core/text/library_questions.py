"""Questions about the library as a whole: they say nothing but words for it and for what is counted of it."""

import re
import tomllib
from functools import cache
from pathlib import Path, PurePath
from typing import Literal, get_args

from core.text.proper_names import names_in
from core.text.tokens import content_words, is_cjk

Aspect = Literal["count", "topics", "links", "dates", "kinds", "titles"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
_ENGLISH = re.compile(r"[a-z]+")
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


def requested_aspects(question: str) -> frozenset[Aspect] | None:
    """Return what a question asks of the library as a whole, empty for all of it; None for any other."""
    if names_in(question) or _ONE.search(question):
        return None
    return _chinese(question) if is_cjk(question) else _english(question)


def points_at_document(question: str) -> bool:
    """Say whether a question speaks of one document without its name: "this report", "it", "这份文件"."""
    return _THIS.search(question) is not None


def requested_name(question: str) -> frozenset[str]:
    """Return the words that may name what a question wants told in brief: those that do not ask for it."""
    kinds = _stems()
    asked = _asking().sub(" ", _THIS.sub(" ", question))
    return frozenset(content_words(_apart(asked))) - frozenset().union(
        *(kinds[group] for group in ("topics", "titles", "stores", "frame"))
    )


def means_document(question: str, title: str, file: str) -> bool:
    """Say whether a question names a document, and nothing that its title and its file name do not say.

    A file is named with or without its ending; by parts of its name where no word of them asks for contents.
    """
    for whole in filter(None, (file, PurePath(file).stem)):
        rest, found = re.subn(rf"(?<!\w){re.escape(whole)}(?!\w)", " ", question, flags=re.IGNORECASE)
        if found and not requested_name(rest):
            return True
    named = requested_name(question)
    return bool(named) and named <= set(content_words(_apart(f"{title} {file}")))


def _apart(text: str) -> str:
    """Return the text with the parts of names like "2023-06-20-PV.pdf" standing apart."""
    return re.sub(r"(?<=\w)[-_./](?=\w)", " ", text)


def _english(question: str) -> frozenset[Aspect] | None:
    said = set(content_words(question))
    kinds = _stems()
    if not said <= set().union(*kinds.values()):
        return None
    stored = said & kinds["stores"] or _WHOLE.search(question)
    counted = {"count"} if re.search(r"\bhow many\b", question, re.IGNORECASE) else set()
    return frozenset(a for a in ASPECTS if said & kinds[a] or a in counted) if stored else None


def _chinese(question: str) -> frozenset[Aspect] | None:
    plain = "".join(sign for sign in question if sign.isalnum())
    groups = _table("zh")
    if not any(word in plain for word in groups["stores"]):
        return None
    every = sorted((word for words in groups.values() for word in words), key=len, reverse=True)
    left = re.sub("|".join(map(re.escape, every)), "", plain)
    return None if left else frozenset(a for a in ASPECTS if any(word in plain for word in groups[a]))


@cache
def _table(language: str) -> dict[str, tuple[str, ...]]:
    held = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {group: tuple(words[language].split()) for group, words in held.items()}


@cache
def _asking() -> re.Pattern[str]:
    """Return what matches Chinese words that ask for contents, the longest first."""
    groups = _table("zh")
    words = (word for group in ("topics", "titles", "stores", "frame") for word in groups[group])
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


@cache
def _stems() -> dict[str, frozenset[str]]:
    return {
        group: frozenset(stem for word in words for stem in content_words(word))
        for group, words in _table("en").items()
    }
