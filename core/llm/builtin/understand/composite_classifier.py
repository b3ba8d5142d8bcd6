"""Is a question simple or composite, and how sure is that? A weighted sum of counts over its grammar.

Weights: logistic regression by `python -m bench.fit_gate` on half of the public questions of `gate/`, a
folder of STRATA_BENCH_DATA, each also without capitals and question mark, so that style is no signal.
Scored on the other half.
"""

import math
import re

from core.llm.builtin.understand.grammar import Question

_BIAS = -3.46
_WEIGHTS = {
    "unfolds": 2.3,
    "yes_no": 1.98,
    "clause": 0.61,
    "possessive": 0.68,
    "of": 0.52,
    "preposition": 0.19,
    "name": 0.63,
    "length": 1.96,
    "verb": 0.18,
    "joint": 0.79,
    "superlative": 0.5,
    "asking": -1.06,
    "number": 0.27,
    "pairing": 1.11,
    "definite": 0.1,
    "plural": -0.43,
}
# end of weights
_CLAUSE = re.compile(r"r|(?<=[nm])[eg](?=p?[DAN])")
_PAIRING = re.compile(r"\b(?:both|same|each|or|also|other)\b", re.IGNORECASE)
_ZH = re.compile(
    r"相比|比较|对比|区别|不同|差异|是否一致|共同|分别|各自|每(?:个|台|位|家|次)|还是|以及|[^，、。]{1,14}、[^，、。]{1,14}"
    r"|(?:什么|谁|哪|何时|多少|怎么|如何|为什么).{1,30}[，,；;？?、].{0,20}(?:什么|谁|哪|何时|多少|怎么|如何|为什么|吗)"
)


def counts(question: Question, parts: int) -> dict[str, float]:
    """Return the counts of an English question's grammar; `parts`: of its plan."""
    shape = question.shape
    return {
        "unfolds": float(min(2, parts - 1)),
        "yes_no": float(shape[:1] in ("b", "x")),
        "clause": float(min(4, len(_CLAUSE.findall(shape)))),
        "possessive": float(min(3, shape.count("'"))),
        "of": float(min(3, shape.count("f"))),
        "preposition": float(min(4, shape.count("p"))),
        "name": float(min(4, shape.count("N"))),
        "length": len(shape) / 10,
        "verb": float(min(5, len(re.findall("[vbxie]", shape)))),
        "joint": float(min(3, shape.count("&"))),
        "superlative": float("s" in shape),
        "asking": float(min(2, shape.count("w"))),
        "number": float(min(2, shape.count("c"))),
        "pairing": float(_PAIRING.search(question.frame) is not None),
        "definite": float(min(2, shape.count("D"))),
        "plural": float(min(2, shape.count("m"))),
    }


def likelihood(question: Question, parts: int) -> float:
    """Return how likely the question needs several look-ups, from 0 to 1."""
    if question.language == "zh":
        return 0.95 if parts > 1 else 0.6 if _ZH.search(question.frame) else 0.1
    score = _BIAS + sum(_WEIGHTS[name] * value for name, value in counts(question, parts).items())
    return 1 / (1 + math.exp(-score))
