"""The rule for Gate: simple or composite, from how the question is built.

English: a weighted sum of the counts of `structure`, fitted by logistic regression on public questions
of five kinds, each also without its capitals and question mark, so that style is no signal.
Chinese: the same ideas as rules.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.llm.extractive.planning import decompose
from core.llm.extractive.questions import read
from core.llm.extractive.structure import english_features
from core.tasks import Decompose, Gate, Gated

_BIAS = -5.29
_WEIGHTS = {
    "role": 0.90,
    "role_of": -0.66,
    "def_noun_clause": 1.15,
    "def_any_clause": -0.19,
    "def_noun_of": 0.78,
    "place_argument": 0.09,
    "role_argument": 0.67,
    "relative": -0.16,
    "participle": 0.72,
    "of_the": 0.03,
    "of": -0.10,
    "possessive": 0.10,
    "possessive_role": 1.46,
    "possessive_chain": 0.29,
    "possessive_then_verb": 0.38,
    "of_role_then_verb": 1.02,
    "choice": 1.72,
    "choice_names": 0.00,
    "compare_word": -0.05,
    "both_same": 0.72,
    "each": 1.16,
    "set": 0.57,
    "of_set": -0.08,
    "of_plural": 0.59,
    "and_wh": 0.51,
    "sentences": -0.50,
    "list": 0.01,
    "and_names": 1.01,
    "wh_plural": -1.01,
    "imperative": -0.03,
    "yes_no": 2.31,
    "copular_ask": -0.44,
    "name_of_place": -1.32,
    "wh_inside": 0.67,
    "wh_clause_names": 0.45,
    "length": 2.35,
    "prepositions": 0.23,
    "also": 0.43,
    "superlative": 0.30,
    "verbs": 0.47,
    "unfolds": 1.50,
}
# end of weights

_SAID = {
    "unfolds": "it can be taken apart",
    "length": "it is long",
    "yes_no": "it asks whether something holds, which needs facts on both sides",
    "choice": "it chooses between alternatives",
    "choice_names": "it chooses between alternatives",
    "possessive_role": "it names something through someone's possession",
    "def_noun_clause": "it describes one thing by a clause instead of naming it",
    "and_names": "it names several things side by side",
    "of_role_then_verb": "it asks about someone known only by a role",
    "both_same": "it sets two things beside each other",
    "each": "it asks the same of each of several",
    "role": "it names people or things by their role",
    "def_noun_of": "it reaches one thing through another",
    "of_plural": "it asks the same of a group",
    "and_wh": "it asks more than one thing",
    "participle": "it describes one thing by what was done with it",
    "role_argument": "it asks about someone known only by a role",
    "list": "it lists several things",
    "possessive_then_verb": "it asks about someone's someone",
    "set": "it needs a ranked set first",
    "of_set": "it needs a ranked set first",
    "verbs": "it says more than one thing happened",
    "wh_inside": "it gives facts before it asks",
    "wh_clause_names": "it describes what it asks for by a clause",
    "superlative": "it looks for an extreme",
    "possessive_chain": "it chains possessions",
}
_SAID_ZH = {
    "chain": "通过“的”层层相连",
    "clause": "用从句描述某个事物而没有点名",
    "list": "并列了多个对象",
    "compare": "需要比较",
    "parts": "一次问了不止一件事",
    "all": "对一组对象逐一提问",
}
_ZH_FEATURES = {
    "chain": re.compile(
        r"的[^的，。？]{1,10}(?:父亲|母亲|丈夫|妻子|配偶|儿子|女儿|导演|作者|演员|歌手|作曲|"
        r"总统|校长|市长|首都|国家|城市|"
        r"省|公司|供应商|制造商|负责人|工程师|部门|经理|总部|所在地|创始人|雇主|出生地|设备|部件|配方|"
        r"腔体|批次|报告)[^的]{0,8}的|的[^的]{1,8}的[^的]{1,10}(?:是|在|叫|有)"
    ),
    "clause": re.compile(
        r"(?:导致|引起|造成|负责|生产|制造|提供|签署|撰写|编写|发现|发明|主演|执导|创办|位于|"
        r"出生于|毕业于|使用|更换)(?:了|过)?[^，。？]{1,20}的(?:那个|那家|那位|那台|那份|"
        r"那些|人|部件|公司|工程师|设备|供应商|国家|城市|演员|导演|报告|原因)"
    ),
    "list": re.compile(
        r"[^，、。]{1,14}、[^，、。]{1,14}(?:、|和|与|及|以及)|(?:和|与|"
        r"跟)[^，。？]{1,20}(?:分别|各自|各|都|均)|分别"
    ),
    "compare": re.compile(
        r"相比|比较|对比|区别|不同|差异|是否一致|相同|一样|共同|(?:哪|谁).{0,12}(?:更|最先|先|较)|"
        r"还是|比.{1,16}(?:高|低|多|少|早|晚|大|小|长|短)"
    ),
    "parts": re.compile(
        r"(?:什么|谁|哪|何时|多少|怎么|如何|为什么).{1,30}[，,；;？?、](?:以及|并且?|又|而且?|"
        r"那么?|然后|之后|同时)?.{0,20}(?:什么|谁|哪|何时|多少|怎么|如何|为什么|吗)"
        r"|以及.{0,16}(?:什么|谁|哪|何时|多少)|(?:和|与)(?:什么|谁|哪|多少)"
    ),
    "all": re.compile(r"每(?:个|台|位|家|一|次|年)|所有.{1,12}的|各(?:个|台|位|家)"),
}


@dataclass(frozen=True)
class Shape:
    """Whether a question is composite, how surely (log-odds), and why."""

    composite: bool
    score: float
    reason: str
    unfolds: bool  # the planner makes more than one part of it


@lru_cache(maxsize=512)
def structure(text: str) -> Shape:
    """Weigh the frame of a question."""
    question = read(text)
    if question.language == "zh":
        found = [name for name, pattern in _ZH_FEATURES.items() if pattern.search(question.frame)]
        if found:
            return Shape(
                True, float(len(found)), "复合问题：" + "，".join(_SAID_ZH[name] for name in found), True
            )
        return Shape(False, -1.0, "简单问题：只问一件事", False)
    more = _unfolds(text)
    features = english_features(question) | {"unfolds": more}
    parts = {name: _WEIGHTS[name] * value for name, value in features.items() if value}
    score = _BIAS + sum(parts.values())
    if score <= 0:
        return Shape(False, score, "simple: one look-up should answer it", more > 0)
    strongest = sorted((name for name in parts if parts[name] > 0 and name in _SAID), key=lambda n: -parts[n])
    said = list(dict.fromkeys(_SAID[name] for name in strongest if name != "length"))[:2] or [_SAID["length"]]
    return Shape(True, score, "composite: " + " and ".join(said), more > 0)


def _unfolds(text: str) -> float:
    """Return by how many parts the planner would make more of the question, 2 at most."""
    return float(min(2, len(decompose(Decompose(question=text)).parts) - 1))


def gate(task: Gate) -> Gated:
    """Return whether the question is made of parts that must be looked up one by one."""
    shape = structure(task.question)
    return Gated(composite=shape.composite, reason=shape.reason)
