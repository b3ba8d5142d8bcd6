"""What kind of answer a question wants: a number, a list, steps, a comparison ..."""

import re

from core.domain import AnswerKind, Level
from core.llm.builtin.understand.grammar import Question

_MEASURES = (
    r"number|population|height|length|width|depth|weight|temperature|pressure|cost|price|yield|rate|"
    r"percent(?:age)?|total|average|mean|area|distance|speed|age|size|limit|value|duration|interval|torque|"
    r"thickness|flow|time|share|amount|capacity|power|voltage|frequency|level|budget|salary|score"
)
_EN: tuple[tuple[AnswerKind, str], ...] = (
    ("summary", r"\bsummari[sz]e|\bsummary of|\bsum up|\bkey (?:points?|findings)|\bmain (?:points?|topics?|themes?)"),
    ("overview", r"\boverview|\bwhat (?:is|are) (?:the |this |these |my )?(?:library|documents?|corpus|collection|report|file|"
     r"[\ue000-\uf8ff]) about|\bwhat is (?:known|said|written) (?:about|on)|\btell me (?:all|everything) about"),
    ("comparison", r"\bcompare|\bdifferences? (?:between|in)|\bdiffer\b|\bversus\b|\bvs\b|\bin common\b|\bsimilarit"),
    ("steps", r"^how (?:do|should|can|to|does one|must|is|are)\b(?=.*)(?! (?:much|many))|\b(?:steps?|procedure|precautions) (?:to|for)\b|"
     r"^(?:what|which) (?:are the )?(?:steps|precautions)\b"),
    ("number", rf"^(?:about |approximately |in total )?how (?:many|much|long|far|tall|high|big|large|old|hot|deep|wide|"
     rf"often|fast|heavy|thick)\b|\b(?:what|which) (?:is|was|are|were|will) the (?:[\w\ue000-\uf8ff'’-]+ ){{0,3}}?(?:{_MEASURES})s?\b|['’]s (?:\w+ )?(?:{_MEASURES})$|"
     rf"\b(?:what|which) (?:\w+ ){{0,2}}?(?:{_MEASURES})\b"),
    ("date", r"^(?:when|since when|until when|by when)\b|\b(?:what|which) (?:\w+ )?(?:year|date|day|month|century|decade|era)\b|"
     r"\bdate of\b|\bbirthday\b"),
    ("person", r"^(?:by |to |with |for |of |from )?(?:who|whom|whose)\b"),
    ("place", r"^(?:from |in |to |at )?where\b|\b(?:what|which) (?:\w+ ){0,2}?(?:country|city|state|place|town|region|room|building|site)\b"),
    ("cause", r"^why\b|\b(?:cause|reason|root cause)s? (?:of|for)\b|\bwhat (?:caused|causes|led to|triggers?)\b|\bhow come\b"),
    ("definition", r"\b(?:meaning|definition) of\b|^what does .+ (?:mean|stand for)$|^define\b|\bmeant by\b"),
    ("list", r"^(?:list|name|enumerate|show|identify|find|give)\b|^(?:what|which|who) (?:\w+ )?(?:are|were)\b|^(?:which|what) \w+s\b"),
    ("yes_no", r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)\b"),
)  # fmt: skip
_ZH: tuple[tuple[AnswerKind, str], ...] = (
    ("summary", r"总结|概括|归纳|主要(?:内容|观点)"),
    (
        "overview",
        r"概述|综述|总体情况|讲了什么|说了些什么|(?:资料库|文件|文档|报告)(?:里|中)?(?:是)?关于什么",
    ),
    ("comparison", r"比较|对比|区别|不同|差异|相比|共同点"),
    ("steps", r"(?:如何|怎么|怎样)(?!样)|步骤|注意事项"),
    (
        "number",
        r"多少|几(?:个|次|片|台|天|小时|种|名|位|年)|多(?:大|高|长|久|远|深|重|快)|百分之几|上限|下限|平均",
    ),
    ("date", r"何时|什么时候|哪(?:一)?(?:年|天|个月)|几月|几号|什么时间|日期"),
    ("person", r"谁|哪位|何人|什么人"),
    ("place", r"哪里|哪儿|何处|在哪|什么地方|哪个(?:国家|城市|省|地区|地方)"),
    ("cause", r"为什么|为何|原因|何以"),
    ("list", r"列出|哪些|有哪|分别"),
    ("yes_no", r"吗$|是否|是不是|有没有|能不能|可不可以|对不对"),
    ("definition", r"什么是|是什么意思|的含义|的定义"),
)
_PATTERNS = {
    "en": tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _EN),
    "zh": tuple((kind, re.compile(pattern)) for kind, pattern in _ZH),
}


def form(question: Question) -> AnswerKind:
    """Return the form of answer the words ask for."""
    patterns = _PATTERNS["zh" if question.language == "zh" else "en"]
    return next((kind for kind, pattern in patterns if pattern.search(question.frame)), "fact")


def answer_kind(question: Question, level: Level, compared: bool) -> AnswerKind:
    """Return the kind of answer: the level's where it has one of its own, else the form the words ask for."""
    if level is Level.PREDICTIVE:
        return "forecast"
    if level is Level.CREATIVE:
        return "ideas"
    return "comparison" if compared else form(question)
