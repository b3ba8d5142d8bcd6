"""Questions for all that is known of a thing or a theme, and where a text names it."""

import re
from functools import lru_cache

from core.text.codes import THING_CODE
from core.text.library_questions import apart, requested_name
from core.text.tokens import content_words, is_cjk, is_stopword, words

_EVERYTHING = re.compile(
    r"^(?:what (?:is known|do we know) about (?P<thing>[^?]+?)|(?P<thing_zh>[^？?]+?)的情况是什么)[?？]?$",
    re.IGNORECASE,
)
MAX_THEME_WORDS, MAX_THEME_SIGNS = 5, 16  # words of a theme, signs of a Chinese one
_KNOWING = r"(?:us|we|you|the (?:team|plant|fab|company))"
_STORE = (
    r"(?:(?:the|our|this|my|these|all|your) )*"
    r"(?:library|corpus|collection|archive|documents|files|sources|papers)"
)
_STORE_ZH = "(?:我们的|这个)?(?:资料库|知识库|文档库|语料库|文档|资料|文件|库)(?:里面|里|中|内)?"
_WE_ZH = "(?:我们|咱们|你们?|大家)"
_KNOW_ZH = "(?:都)?(?:知道|了解|掌握)了?(?:些)?(?:什么|多少|哪些)(?:内容|信息|情况)?[？?。]?"
_CONTENT_ZH = "(?:都)?(?:有|说|讲|讲到|提到|写|记载)了?(?:些|过)?(?:什么|哪些)(?:内容|信息|资料|记录)?"
_THEME = re.compile(
    r"(?:please )?(?:(?:can|could) you )?(?:"
    r"(?:(?:give|show|write|make|get) (?:me |us )?|i (?:need|want|would like) |we need )?"
    r"(?:an? |the )?(?:\w+ )?(?:overview|survey) (?:of|on|about)"
    rf"|what do(?:es)? {_STORE} (?:say|tell (?:me|us)|know|hold|have|contain) (?:about|on|of)"
    rf"|what is (?:there )?(?:in|said in) {_STORE} (?:about|on)"
    r"|(?:tell me )?everything (?:(?:that is known|we know|you know|there is) )?(?:about|on)"
    rf"|summari[sz]e what {_STORE} (?:says?|knows?|holds?) (?:about|on)|summari[sz]e everything (?:about|on)"
    rf"|what (?:else )?(?:is known|do {_KNOWING} know|have {_KNOWING} learn(?:ed|t)) (?:about|on|of)"
    rf"|what (?:information|knowledge|material) (?:is there|do {_KNOWING} have) (?:about|on)"
    r") (?P<theme>[^?]{2,80})[?.! ]*",
    re.IGNORECASE,
)
_THEME_ZH = re.compile(
    rf"(?:请)?(?:关于|有关)(?P<a>[^，,？?]{{1,20}}?)(?:的内容)?[，,]?{_STORE_ZH}{_CONTENT_ZH}[？?。]?"
    rf"|{_STORE_ZH}(?:关于|有关|对)(?P<b>[^，,？?]{{1,20}}?)(?:的内容)?{_CONTENT_ZH}[？?。]?"
    r"|(?:请)?(?:简要|简单)?(?:概述|概括|综述)(?:一下)?(?:关于|有关)?(?P<c>[^，,？?]{1,20}?)(?:的情况)?[？?。]?"
    rf"|(?:关于|有关|对于?)?(?P<e>[^，,？?]{{1,20}}?)[，,]?{_WE_ZH}{_KNOW_ZH}"
    rf"|{_WE_ZH}(?:关于|有关|对于?)(?P<f>[^，,？?]{{1,20}}?){_KNOW_ZH}"
    r"|(?P<g>[^，,？?]{1,20}?)的情况是什么[？?。]?"
    r"|(?:请)?(?:给我|做)?(?:一份|一个)?(?:关于|有关)?(?P<d>[^，,？?]{1,20}?)的?(?:概述|概览|总览|综述)[？?。]?"
)

_ASKS_STORE = re.compile(rf"what do(?:es)? {_STORE} \w+", re.IGNORECASE)
_OF = re.compile(r"\bof\b|['’]s\b|的", re.IGNORECASE)  # a property of a thing


def theme_of(question: str) -> str:
    """Return the theme that a question asks the library for an overview of.

    It is "" where a property, a thing with a code or the library as a whole is asked for.
    """
    match = _THEME.fullmatch(question.strip()) or _THEME_ZH.fullmatch(question.strip())
    if match is None:
        return ""
    theme = next(part for part in match.groups() if part).strip(" .!\"'“”")
    theme = re.sub(r"^(?:the|an?|our) ", "", theme, flags=re.IGNORECASE)
    size, most = (len(theme), MAX_THEME_SIGNS) if is_cjk(theme) else (len(theme.split()), MAX_THEME_WORDS)
    plain = not THING_CODE.search(theme) and not _OF.search(theme) and requested_name(theme)
    if size > most or not plain or is_stopword(theme.split()[0].lower()):
        return ""
    return theme


def asks_documents(question: str) -> bool:
    """Say whether the question is put to the documents as a whole: "What does the library say about ..."."""
    return _ASKS_STORE.match(question.strip()) is not None


def mentions_theme(theme: str, text: str) -> bool:
    """Say whether a text has every word of a theme, in whatever form and order, or a Chinese one as it
    stands."""
    wanted = set(content_words(theme))
    return (is_cjk(theme) and theme in text) or (bool(wanted) and wanted <= set(words(apart(text))))


def everything_of(question: str) -> str:
    """Return the thing a question asks everything about, "" where it asks for one property."""
    match = _EVERYTHING.match(question.strip())
    return (match["thing"] or match["thing_zh"]).strip() if match is not None else ""


def is_named(thing: str, text: str) -> bool:
    """Say whether a text names a thing, as its own word."""
    return _pattern(thing).search(text) is not None


@lru_cache(maxsize=500)
def _pattern(thing: str) -> re.Pattern[str]:
    """Return what finds a name that is no part of a longer one: "ETCH-03" in "ETCH-03 B", not "ETCH-031"."""
    first, last = (re.match(r"[A-Za-z\d]", sign) is not None for sign in (thing[:1], thing[-1:]))
    before, behind = r"(?<![A-Za-z\d])(?<![A-Za-z\d]-)" * first, r"(?![A-Za-z\d]|-[A-Za-z\d])" * last
    return re.compile(f"{before}{re.escape(thing)}{behind}", re.IGNORECASE)
