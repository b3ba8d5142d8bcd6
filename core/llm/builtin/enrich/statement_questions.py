"""The questions that a statement of clear shape answers (PIKE-RAG, arXiv 2501.11551, section 5.2).

Precision before recall: a shape that leaves a doubt asks nothing. English takes the answer out and turns
the sentence; Chinese asks where the answer stands.
"""

import re
from collections.abc import Callable, Iterator

from core.text.brackets import PARENTHESISED
from core.text.periods import ENGLISH_MONTH as _MONTH
from core.text.proper_names import names_in
from core.text.tokens import content_words, word_set

_MAX_QUESTION_CHARACTERS = 140
_TIME = (
    rf"(?:{_MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{4}}|(?:1[0-9]|20)\d\d)"
    r"(?![\d–-])"
)
_NUMBER = r"(?:(?:about|approximately|around|at least|up to) )?[±-]?\d[\d,.]*"
_SPAN = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
_UNIT = r" ?[\w%°/µμ².^-]{1,12}"
_PARTICIPLE = (
    r"(?!indeed |hundred |interested |married |used to )(?:[a-z]{3,}ed|built|made|"
    r"held|written|born|found|known|sold|shot|put|set|run)"
)
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?P<s>.{{2,90}}?) {shape}"), asked)
    for shape, asked in (
        (rf"must be (?P<v>\w+) every {_NUMBER} .{{2,20}}", "How often must {s} be {v}?"),
        (rf"(?P<b>is|are) (?P<v>{_PARTICIPLE}) every {_NUMBER} .{{2,20}}", "How often {b} {s} {v}?"),
        (rf"takes {_NUMBER} {_SPAN}.*", "How long does {s} take?"),
        (rf"lasts {_NUMBER} {_SPAN}.*", "How long does {s} last?"),
        (rf"weighs {_NUMBER}{_UNIT}", "How much does {s} weigh?"),
        (rf"costs (?:[$€£] ?)?{_NUMBER}.*", "How much does {s} cost?"),
        (rf"must (?:not exceed|be (?:below|above|under|at least|at most)) {_NUMBER}.*",
         "What is the limit of {s}?"),
        (r"(?P<b>is|was|are|were) (?P<v>located|situated|based|headquartered) (?:in|at|on|near) .+",
         "Where {b} {s} {v}?"),
        (rf"(?P<b>was|were) (?P<m>(?:first |originally |officially )?)(?P<v>{_PARTICIPLE})"
         rf"(?P<r>(?: by [^,]{{2,40}})?) (?:in|on) {_TIME}.*", "When {b} {s} {m}{v}{r}?"),
        (rf"(?P<b>is|was|are|were) (?P<v>{_PARTICIPLE}) by (?!(?:means|way|hand|now|then)\b)[^,]{{2,60}}",
         "By whom or what {b} {s} {v}?"),
        (rf"is {_NUMBER}{_UNIT}(?: (?:at|for|in|on) .+)?", "What is {s}?"),
        (rf"has {_NUMBER} (?P<v>[a-z]{{3,}}s)(?: .*)?", "How many {v} does {s} have?"),
        (r"(?P<v>contain|include|provide|require|produce|control|measure|describe|support|cover|cause)s .+",
         "What does {s} {v}?"),
        (r"(?P<b>is|are) (?:an?|the) (?![^,]*(?:er|or|ist|ian|man|ess|poet|artist)\b).{10,}",
         "What {b} {s}?"),
    )
)  # fmt: skip
_WHEN = re.compile(
    r"(When|If) ((?:the|an?|no) [^,]{6,70}), (?:then )?([a-z]+ (?:the|an?|all|each|both|it)\b|.)"
)
_HOW = re.compile(r"To ([a-z]+ (?:the|an?) [^,]{3,60}), [a-z]+ (?:the|an?|all|each|both)\b")
_MANY = re.compile(
    rf"(?:{_NUMBER}|Two|Three|Four|Five|Six) "
    rf"([a-z]+s (?:were|are|must be) (?:{_PARTICIPLE}|present))(?P<r>[^\d,;:]*)$"
)
_NO_SUBJECT = word_set(
    """that which who whom whose when where while if because although as than since after before until during
    however also then there here it he she they we you i this these those its his her their our your my not no
    is was are were be been has have had must can could will would should may might do does did to but or nor
    so and both some many most several such other another one what how why each every says said called"""
)
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_LIVED = re.compile(r"\([^()]*(?:\bborn\b|\d{4} ?[–-] ?[^()]*\d{4})[^()]*\)")
_FIRST = {"The": "the", "A": "a", "An": "an", "All": "all"}
_PREPOSITIONS = word_set("in on at by for from with to within during after before below above of under")


def questions_of(statement: str, title: str, technical: bool) -> Iterator[str]:
    """Yield the questions an English statement answers.

    In a `technical` text, one in sections, "the focus ring" is a name; elsewhere the reader would ask which.
    """
    plain = _BRACKETS.sub("", " ".join(statement.split())).rstrip(". ")
    person = _LIVED.search(statement) is not None
    if plain.endswith(("?", "!", ":")) or "…" in plain or "; " in plain:
        return
    if technical:
        yield from _conditional(plain)
    for shape, asked in _SHAPES:
        match = shape.fullmatch(plain)
        subject = _subject(match["s"], title, technical) if match else ""
        if match and subject:
            if person and asked.startswith("What {b}"):
                asked = asked.replace("What", "Who", 1)
            question = asked.format(**{**match.groupdict(), "s": subject})
            if len(question) <= _MAX_QUESTION_CHARACTERS and len(set(content_words(question))) >= 2:
                yield question
            return


def _conditional(plain: str) -> Iterator[str]:
    """Ask what happens, or what to do, when something is the case; how to do what "to ..." says; how many."""
    if match := _WHEN.match(plain):
        asked = "What must be done" if " " in match[3] else "What happens"
        yield f"{asked} {match[1].lower()} {match[2]}?"
    elif match := _HOW.match(plain):
        yield f"How do you {match[1]}?"
    elif match := _MANY.match(plain):
        yield f"How many {match[1]}{match['r']}?"


def _subject(text: str, title: str, technical: bool) -> str:
    """Return the subject as it stands inside a question, "" where it is none that stands alone."""
    words = text.split()
    low = [word.lower() for word in words]
    if text == title:
        return text
    if len(words) > 10 or any(mark in text for mark in ",:;") or not _NO_SUBJECT.isdisjoint(low):
        return ""
    if low[0] in _PREPOSITIONS or low[-1] in _PREPOSITIONS:
        return ""
    if words[0] in _FIRST:
        named = any(char.isupper() or char.isdigit() for word in words[1:] for char in word)
        return " ".join([_FIRST[words[0]], *words[1:]]) if len(words) > 1 and (named or technical) else ""
    names = names_in(text)
    if names and names[0].start == 0:
        return text
    return text[0].lower() + text[1:] if technical and words[0].istitle() and len(words) > 1 else ""


# -- Chinese -------------------------------------------------------------------------------

_S = r"(?P<s>[^，。；：:、？！\s“”\"]{2,24}?)"
_DIGITS = r"(?:约|大约|近|超过|不到)?\s?[±-]?\d[\d,.]*"
_UNIT_ZH = r"\s?(?:%|°C|℃|[A-Za-zµ/·]{1,8}|[\u4e00-\u9fff]{0,4})"
_DONE = "制造|生产|供货|供应|提供|编写|撰写|创立|创办|建造|设计|发明|负责|批准|执导|出版|管理"
_SHAPES_ZH: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(_S + shape), asked)
    for shape, asked in (
        (rf"(?:必须|应|须|需要?)?每\s?{_DIGITS}\s?[\u4e00-\u9fff]{{1,6}}?(?P<v>[\u4e00-\u9fff]{{2}})一次",
         lambda m: f"{m['s']}多久{m['v']}一次"),
        (rf"(?P<v>需要?|耗时|历时|持续)\s?{_DIGITS}\s?个?(?:小时|分钟|秒|天|周|月|年)",
         lambda m: f"{m['s']}{m['v']}多长时间"),
        (rf"(?P<v>(?:必须|应|须|不得|不能)(?:低于|高于|少于|多于|大于|小于|不?超过)){_DIGITS}{_UNIT_ZH}",
         lambda m: f"{m['s']}{m['v']}多少"),
        (rf"由(?P<w>[^，由的\d]{{2,24}}?)\s?(?P<v>{_DONE})", lambda m: f"{m['s']}由谁{m['v']}"),
        (r"(?P<v>位于|坐落于|坐落在)[\u4e00-\u9fffA-Z][^，]{1,24}", lambda m: f"{m['s']}{m['v']}哪里"),
        (rf"的(?P<p>[^，的是为\s\d]{{2,8}})(?:是|为){_DIGITS}{_UNIT_ZH}",
         lambda m: f"{m['s']}的{m['p']}是多少"),
        (rf"(?:于|在)(?:\d{{4}}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?)(?P<v>{_DONE}|成立|投产|发布|上市|开业)",
         lambda m: f"{m['s']}是什么时候{m['v']}的"),
    )
)  # fmt: skip
_CLAUSE = re.compile(r"[，,；;。！？!?]")
_ASIDE = re.compile(PARENTHESISED)
_NO_SUBJECT_ZH = re.compile(
    r"^(?:它|他|她|其|这|那|该|此|本|因|由于|虽|但|而|并|如果|若|当|在|从|对|为|根据|按|随着|通过|与|和|及|或|以|除|每|也|就|都"
    r"|还|又|有|没有|我|你)|的是|是否|了|着|过|被|(?:的|地|得|和|与|及|或|在|是|一直|通常|可以|可能|仍|均|已|曾)$"
)


def questions_zh(statement: str) -> Iterator[str]:
    """Yield the question that the first clause of a Chinese statement answers."""
    plain = _ASIDE.sub("", statement).strip()
    if plain.endswith(("？", "?", "：", ":", "！")):
        return
    clause = _CLAUSE.split(plain)[0].strip()
    for shape, asked in _SHAPES_ZH:
        match = shape.fullmatch(clause)
        if match and not _NO_SUBJECT_ZH.search(match["s"]):
            yield f"{asked(match)}？"
            return
