"""A follow-up read as a question that stands alone: pronouns and left-out words, from the turns before."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.domain import Turn
from core.llm.builtin.understand.answer_kind import form
from core.llm.builtin.understand.ellipsis import completed
from core.llm.builtin.understand.grammar import read, tagged
from core.llm.builtin.understand.tagged_words import NOUN_PHRASE, shape_of, surface
from core.text.chinese_words import tagged_zh
from core.text.codes import REPLACED_CODE
from core.text.periods import ENGLISH_MONTH
from core.text.proper_names import names_in
from core.text.tokens import is_cjk

_ELLIPSIS = re.compile(
    r"^(?:and|but|or|so|what about|how about|and what about|and how about|also|same for|and for|for)[,\s]+"
    r"(?:for |in |of |at |on |with |the same for )?(?P<new>.{1,60}?)[?？.]*$",
    re.IGNORECASE,
)
_ELLIPSIS_ZH = re.compile(
    r"^(?:那么?|还有|另外|以及)?[，,]?(?P<new>[^，,？?]{1,20}?)(?:呢|怎么样|又如何|又怎样)[？?]?$"
)
_BARE = re.compile(
    r"^(?:and |but |so )?(?P<wh>why|when|where|who|how|how come|since when|by whom|how (?:much|many"
    r"|often|long)|"
    r"what else|who else)(?: (?:is|was) (?:it|that|this)| so| not)?[?？.]*$",
    re.IGNORECASE,
)
_BARE_ZH = re.compile(r"^(?:那么?)?(?P<wh>为什么|为何|什么时候|何时|在哪里|谁|怎么做|多少)(?:呢)?[？?]?$")
_WH = r"(?:when|where|who|what|why|how(?: \w+)?|which \w+)"
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|must|should|will)"
_PERSON = re.compile(r"\b(?P<owned>his|her(?= [a-z]))\b|\b(?:he|she|him|her)\b", re.IGNORECASE)
_THING = re.compile(
    r"\b(?P<owned>its|their)\b|\b(?:it|they|them|this one|that one|the same)\b|"
    r"\b(?:this|that|these|those)(?: [a-z]+)?\b(?=[?？.]*$| (?:again|too|also)\b)|\b(?:this|that) "
    r"[a-z]+\b(?! (?:is|was) )",
    re.IGNORECASE,
)
# "Is it safe to open the lid", "how long does it take to ...": here "it" stands for nothing mentioned.
_EMPTY_IT = re.compile(
    r"\b(?:it (?:is|was)|(?:is|was|will|would) it|will it be|would it be) (?:\w+ )?\w+ (?:to|that|for"
    r"|if|when)\b|"
    r"\b(?:does|did|will|would) it take (?:[\w-]+ )*?to\b|\bit (?:takes?|took) (?:[\w-]+ ){1,4}to\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"它们|他们|她们|(?P<person>[他她])|它|[这那](?:个|台|份|位|种|些)[\u4e00-\u9fff]{0,2}?(?=[的是在由有会还，？?]|$)|"
    r"(?P<owned>其)(?=[\u4e00-\u9fff])(?!他|中|它|实|次)|该[\u4e00-\u9fff]{2}"
)
_LEAD = re.compile(r"^(?:(?:and|but|or|so|also)\b[, ]*)?(?:(?:what|how) about )?", re.IGNORECASE)
_LEAD_ZH = re.compile(r"^(?:那么?|还有|另外|以及)?[，,]?")
_ORDER = re.compile(r"(?:compare|list|give|explain|describe|name|show|find|tell)\b", re.IGNORECASE)
# A question inside what follows a lead: behind a comma, or before an auxiliary ("in A which wafers were"),
# where "the pump which was replaced" only describes one.
_CLAUSE = re.compile(
    rf"(?:^|, )(?:[a-z]+ )?{_WH}\b[^,]* "
    rf"|\b(?:what|where|when|why|how(?: \w+)?|which(?: [a-z]+){{1,3}}) {_AUX}\b",
    re.IGNORECASE,
)
_TOPIC = re.compile(rf"^(?P<topic>[^,]+), (?P<clause>(?:[a-z]+ )?{_WH}\b.*)$", re.IGNORECASE)
_ASKS_ZH = re.compile(r"什么|谁|哪|何|多[少长久大高远快重]|几|怎么|如何|吗|是否")
_FRAGMENT = re.compile(
    r"^(?:and |but |so )?(?P<piece>(?:(?:in|on|at|for|of|to|by|from|with|since|until) )?"
    r"(?:what|which|whom?|whose|when|where|why|how)\b.*?)[?？.]*$",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[,;，；]|\b(?:and|but)\b")  # what begins another clause
_SLOTS = (
    REPLACED_CODE,
    re.compile(r"\b[a-z]+ ?#?(?:\d+|[A-Z])\b"),
    re.compile(rf"\b{ENGLISH_MONTH}(?: \d{{4}})?\b"),
    re.compile(r"(?:19|20)\d\d年?(?:\d{1,2}月)?|\d{1,2}月(?:份)?"),
    re.compile(r"[\d一二三四五六七八九十]+号?[\u4e00-\u9fff]"),
    re.compile(r"\b(?:Q[1-4]|H[12])(?: \d{4})?\b"),
)


class Resolved(NamedTuple):
    """A question that stands alone, and whether anything in it is left that points backwards."""

    question: str
    sure: bool


def resolve(question: str, history: Sequence[Turn]) -> Resolved:
    """Return the question as it would be asked without the conversation; unchanged where it stands alone."""
    text = question.strip()
    if not history or not text:
        return Resolved(question, True)
    before = history[-1].question
    chinese = is_cjk(text)
    ellipsis = (_ELLIPSIS_ZH if chinese else _ELLIPSIS).match(text)
    if ellipsis is not None and not _is_clause(ellipsis["new"], chinese):
        return Resolved(_put(before, ellipsis["new"].strip()), True)
    bare = (_BARE_ZH if chinese else _BARE).match(text)
    if bare is not None:
        return Resolved(_with_question_word(before.rstrip("?？ "), bare["wh"], chinese), True)
    fragment = None if chinese else _FRAGMENT.match(text)
    if fragment is not None and (whole := completed(fragment["piece"], before, before)) != fragment["piece"]:
        return Resolved(whole, True)
    if ellipsis is None:
        return _without_pronouns(text, history, chinese)
    return _led_in((_LEAD_ZH if chinese else _LEAD).sub("", text), history, chinese)


def _is_clause(new: str, chinese: bool) -> bool:
    """Say whether what follows "what about", "for" or "那" asks by itself, and does not only name of what the
    last question is asked again."""
    if chinese:
        return _ASKS_ZH.search(new) is not None
    if re.match(rf"(?:{_WH}|{_AUX})\b", new, re.IGNORECASE) or _ORDER.match(new):
        return True
    return _CLAUSE.search(new) is not None and re.search("[vbx]", shape_of(tagged(new))) is not None


def _led_in(text: str, history: Sequence[Turn], chinese: bool) -> Resolved:
    """Return a question that stood behind a lead: of the thing it begins with, or of the one mentioned."""
    if chinese:
        found = _without_pronouns(text, history, chinese)
        if found.question != text or read(text).names or not (thing := _recent_antecedents(history)[0]):
            return found
        joint = "的" if tagged_zh(text)[0].flag.startswith("n") else ""
        return Resolved(f"{thing}{joint}{text.rstrip('?？ ').removesuffix('呢')}？", True)
    topic = _TOPIC.match(text)
    if topic is not None and (own := _THING.search(topic["clause"]) or _PERSON.search(topic["clause"])):
        at = topic.start("clause")
        meant = re.sub(r"^(?:for|in|of|at|on|with) ", "", topic["topic"], flags=re.IGNORECASE)
        owned = f"{meant}'s" if own["owned"] else meant
        clause = text[at : at + own.start()] + owned + text[at + own.end() :]
        return Resolved(clause[:1].upper() + clause[1:], True)
    return _without_pronouns(text[:1].upper() + text[1:], history, chinese)


def _is_own(text: str, pointer: "re.Match[str]") -> bool:
    """Say whether a pronoun points to what its own question says before it: to a name whose property it tells
    ("A ... its price"), or to what an earlier clause names or asks for."""
    ahead = text[: pointer.start()]
    if pointer["owned"] and names_in(ahead):
        return True
    joints = list(_JOINT.finditer(ahead))
    if not joints:
        return False
    earlier = ahead[: joints[-1].start()]
    asks = _ASKS_ZH.search(earlier) if is_cjk(text) else re.match(rf"{_WH}\b", earlier, re.IGNORECASE)
    return asks is not None or bool(names_in(earlier))


def _with_question_word(before: str, wh: str, chinese: bool) -> str:
    """Ask the last question with another question word."""
    if chinese:
        return f"{before}，{wh}？"
    rest = re.sub(rf"^{_WH} (?={_AUX}\b)", "", before, flags=re.IGNORECASE)
    if rest != before or re.match(rf"{_AUX}\b", before, re.IGNORECASE):
        return f"{wh.capitalize()} {rest[:1].lower() + rest[1:]}?"
    return f"{wh.capitalize()}: {before}?"


def _put(question: str, new: str) -> str:
    """Ask the last question again, of the new thing instead of the one it named."""
    for slot in _SLOTS:
        old = slot.search(question) if slot.search(new) else None
        if old is not None:
            return question[: old.start()] + new + question[old.end() :]
    names, new_names = read(question).names, read(new).names
    if names and (new_names or is_cjk(new) or new[:1].isupper()):
        return question.replace(names[-1], new_names[0] if new_names else new)
    if is_cjk(question):
        topic = re.match(r"^[^的，]{1,16}(?=的)", question)
        return new + question[topic.end() :] if topic else f"{new}：{question}"
    return f"{question.rstrip('?？. ')} for {new}?"


def _without_pronouns(text: str, history: Sequence[Turn], chinese: bool) -> Resolved:
    thing, person = _recent_antecedents(history)
    if chinese:
        match = _ZH.search(text)
        meant = ((person if match["person"] else thing) or thing or person) if match else ""
        if match is None or not meant or _is_own(text, match):
            return Resolved(text, match is None or bool(meant))
        owned = f"{meant}的" if match["owned"] else meant
        return Resolved(text[: match.start()] + owned + text[match.end() :], True)
    pointing = False
    for pattern, meant in ((_PERSON, person), (_THING, thing)):
        empty = [match.span() for match in _EMPTY_IT.finditer(text)]
        found = (m for m in pattern.finditer(text) if not any(a <= m.start() < b for a, b in empty))
        match = next(found, None)
        if (
            match is None
            or _is_own(text, match)
            or (pattern is _THING and match.group().lower().startswith("th") and read(text).names)
        ):
            continue
        if not meant:
            pointing = True
            continue
        owned = f"{meant}'s" if match["owned"] else meant
        text = text[: match.start()] + owned + text[match.end() :]
    return Resolved(text, not pointing)


def _recent_antecedents(history: Sequence[Turn]) -> tuple[str, str]:
    """Return the thing and the person the turns before were about, "" where there was none."""
    thing = person = ""
    for turn in reversed(history[-3:]):
        asked = [name.strip('"“”《》') for name in read(turn.question).names]
        answered = [name for name in read(turn.answer[:400]).names if name not in asked]
        if not answered and len(turn.answer) <= 24 and not turn.answer[:1].isdigit():  # a figure is no thing
            answered = [turn.answer.strip(" .。")]
        if not person and answered and form(read(turn.question)) == "person":
            person = answered[0]
        thing = thing or (asked[-1] if asked else _phrase(turn.question) or (answered[0] if answered else ""))
        if thing and person:
            break
    return thing, person or thing


def _phrase(question: str) -> str:
    """Return what a question without a name is about: "the pump" of "when was the pump replaced"."""
    frame = read(question).frame
    words = tagged(frame)
    match = re.search(rf"(?<=[bxvpf])(?={NOUN_PHRASE})D[^bxv,]*?[nm](?![nmf])", shape_of(words))
    return surface(words[slice(*match.span())], frame) if match and not is_cjk(question) else ""
