"""The rule for ResolveFollowUp: pronouns and left-out words filled from the turn before."""

import re

from core.llm.extractive.questions import expected_kind, read
from core.tasks import Resolved, ResolveFollowUp
from core.text.tokens import is_cjk

_ELLIPSIS = re.compile(
    r"^(?:and|but|or|so|what about|how about|and what about|and how about|also|same for|and "
    r"for|for)[,\s]+(?:for |in |of |at |on |with |the same for )?(?P<new>.{1,60}?)[?？.]*$",
    re.IGNORECASE,
)
_ELLIPSIS_ZH = re.compile(
    r"^(?:那么?|还有|另外|以及)?[，,]?(?P<new>[^，,？?]{1,20}?)(?:呢|怎么样|又如何|又怎样)[？?]?$"
)
_BARE = re.compile(
    r"^(?:and |but |so )?(?P<wh>why|when|where|who|how|how come|since when|by whom|how much|"
    r"how many|how often|what else|who else)(?: (?:is|was) (?:it|that|this)| so| not)?[?？.]*$",
    re.IGNORECASE,
)
_BARE_ZH = re.compile(r"^(?:那么?)?(?P<wh>为什么|为何|什么时候|何时|在哪里|谁|怎么做|多少)(?:呢)?[？?]?$")
_WH = r"(?:when|where|who|what|why|how(?: \w+)?|which \w+)"
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|must|should|will)"
_PHRASE = re.compile(
    r"\b(?:the|a|an) ((?:[a-z][\w-]* ?){1,3}?(?: of (?:the )?[\w -]+?)?)(?= (?:is|was|are|were|be|"
    r"been|last|first|on|in|at|replaced|[a-z]+ed)\b|$)"
)
_HE = re.compile(r"\b(?:he|she|him)\b", re.IGNORECASE)
_HIS = re.compile(r"\b(?:his|her)\b", re.IGNORECASE)
_ITS = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_IT = re.compile(
    r"\b(?:it|they|them|this one|that one)\b(?! (?:is|was) (?:true|possible|likely|necessary))|"
    r"\b(?:this|that|these|those|the same|said)(?: (?P<noun>tool|machine|report|document|alarm|"
    r"part|person|company|film|recipe|lot|procedure|pump|engineer))?\b(?! (?:is|was|are|were) )",
    re.IGNORECASE,
)
# "Is it safe to open the lid": here "it" stands for nothing that was spoken of.
_JUDGED = (
    r"(?:safe|unsafe|dangerous|possible|impossible|necessary|allowed|permitted|required|okay|ok|better|best|"
    r"important|true|likely|unlikely|hard|easy|difficult|common|normal|usual|risky|harmful|recommended|"
    r"forbidden|enough|worth|sensible|mandatory|wise|bad|good|clear|known|time)"
)
_EMPTY_IT = re.compile(
    r"\b(?:it (?:is|was)|(?:is|was|will|would) it|will it be|would it be)(?: \w+ly| very| too| also| still|"
    rf" more| really)? {_JUDGED} (?:to|that|for|if|when)\b|"
    r"\b(?:does|did|will|would) it take (?:[\w-]+ )*?to\b|\bit (?:takes?|took) (?:[\w-]+ ){1,4}to\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"它们|他们|她们|它|他|她|这(?:个|台|份|位|种|些)(?:设备|报告|文件|报警|人|工程师|部件|公司)?|"
    r"那(?:个|台|份|位|种|些)(?:设备|报告|文件|报警|人|工程师|部件|公司)?|"
    r"其(?=[\u4e00-\u9fff])(?!他|中|它|实|次)|该(?:设备|报告|文件|报警|部件|公司)"
)
_SLOTS = (
    re.compile(r"[A-Z]{2,}[A-Z0-9]*(?:-[A-Z0-9]+)*-?\d+[A-Z]?"),
    re.compile(
        r"\b(?:tool|machine|chamber|lot|step|line|row|page|chapter|section|part|recipe|unit|"
        r"pump|shift|week|phase|bay|week) ?#?\w{1,6}\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:January|February|March|April|May|June|July|August|September|October|November|"
        r"December)(?: \d{4})?\b"
    ),
    re.compile(r"(?:19|20)\d\d年?(?:\d{1,2}月)?|\d{1,2}月(?:份)?"),
    re.compile(r"[\d一二三四五六七八九十]+号?(?:机台?|腔体?|线|炉|泵|步|页|章|车间)"),
    re.compile(r"\b(?:Q[1-4]|H[12])(?: \d{4})?\b"),
)


def resolve(task: ResolveFollowUp) -> Resolved:
    """Return the question as it would be asked without the conversation; unchanged where it stands alone."""
    text = task.question.strip()
    if not task.history or not text:
        return Resolved(question=task.question)
    last = task.history[-1]
    chinese = is_cjk(text)
    ellipsis = (_ELLIPSIS_ZH if chinese else _ELLIPSIS).match(text)
    if ellipsis is not None and not re.match(
        r"(?:what|who|when|where|why|how|which|is|are|does|did)\b", ellipsis["new"], re.IGNORECASE
    ):
        return Resolved(question=_put(last.question, ellipsis["new"].strip()))
    bare = (_BARE_ZH if chinese else _BARE).match(text)
    if bare is not None:
        return Resolved(question=_asked_anew(last.question.rstrip("?？ "), bare["wh"], chinese))
    return Resolved(question=_without_pronouns(text, task, chinese))


def _asked_anew(before: str, wh: str, chinese: bool) -> str:
    """Ask the last question with another question word."""
    if chinese:
        return f"{before}，{wh}？"
    rest = re.sub(rf"^{_WH} (?={_AUX}\b)", "", before, flags=re.IGNORECASE)
    if rest != before or re.match(rf"{_AUX}\b", before, re.IGNORECASE):
        return f"{wh.capitalize()} {rest[:1].lower() + rest[1:]}?"
    return f"{wh.capitalize()}: {before}?"


def _put(question: str, new: str) -> str:
    """Put a new thing in the place of its like in the last question."""
    for slot in _SLOTS:
        if slot.search(new):
            old = slot.search(question)
            if old is not None:
                return question[: old.start()] + new + question[old.end() :]
    names = read(question).names
    new_names = read(new).names
    if names and (new_names or is_cjk(new) or new[:1].isupper()):
        return question.replace(names[-1], new_names[0] if new_names else new)
    if is_cjk(question):
        topic = re.match(r"^[^的，]{1,16}(?=的)", question)
        if topic:
            return new + question[topic.end() :]
        return f"{new}：{question}"
    stem = question.rstrip("?？. ")
    return f"{stem} for {new}?"


def _without_pronouns(text: str, task: ResolveFollowUp, chinese: bool) -> str:
    thing, person = _spoken_of(task)
    if (
        read(text).names
        and not (_HE.search(text) or _HIS.search(text))
        and not re.search(r"\b(?:it|its|they|their)\b|它|其", text)
    ):
        return text
    if chinese:
        human = re.search(r"他|她", text) is not None
        return (
            _ZH.sub(
                lambda m: _owned_zh(m.group(), (person if human else thing) or thing or person), text, count=1
            )
            if thing or person
            else text
        )
    if person:
        text = _HIS.sub(f"{person}'s", _HE.sub(person, text, count=1), count=1)
    if thing:
        text = _ITS.sub(f"{thing}'s", text, count=1)
        empty = [match.span() for match in _EMPTY_IT.finditer(text)]
        meant = (m for m in _IT.finditer(text) if not any(a <= m.start() < b for a, b in empty))
        if (match := next(meant, None)) is not None:
            text = text[: match.start()] + thing + text[match.end() :]
    return text


def _owned_zh(pronoun: str, thing: str) -> str:
    return f"{thing}的" if pronoun == "其" else thing


def _spoken_of(task: ResolveFollowUp) -> tuple[str, str]:
    """Return the thing and the person the turns before were about, "" where there was none."""
    thing = person = ""
    for turn in reversed(task.history[-3:]):
        asked = [name.strip('"“”《》') for name in read(turn.question).names]
        told = [name for name in read(turn.answer[:400]).names if name not in asked]
        if not told and len(turn.answer) <= 24:
            told = [turn.answer.strip(" .。")]
        if not person and expected_kind(turn.question) == "person" and told:
            person = told[0]
        if not thing:
            phrase = _PHRASE.search(turn.question.rstrip("?？. "))
            thing = (
                asked[-1]
                if asked
                else (f"the {phrase.group(1).strip()}" if phrase else (told[0] if told else ""))
            )
        if thing and person:
            break
    return thing, person or thing
