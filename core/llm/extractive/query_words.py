"""The words by which a question asks a table for counts, sums, extremes, groups and limits."""

import re

COUNT = re.compile(
    r"\bhow (?:many|often)\b|(?:^|\b(?:the|a|total|average|what|and) )number of\b|\bcount\b|"
    r"多少(?:次|个|台|片|条|批|件|种|名|起|"
    r"份)|几(?:次|个|台|片|条|批)|次数",
    re.IGNORECASE,
)
SUM = re.compile(
    r"\b(?:total|sum|altogether|in all|combined|cumulative)\b|\bhow much\b|总(?!监|部|"
    r"是)|合计|累计|一共|总共",
    re.IGNORECASE,
)
MEAN = re.compile(r"\b(?:average|mean|avg|typical)\b|平均|均值", re.IGNORECASE)
MEDIAN = re.compile(r"\bmedian\b|中位", re.IGNORECASE)
MOST = re.compile(
    r"\b(?:highest|most|largest|greatest|maximum|max|biggest|longest|best|peak|latest|"
    r"last|top|more|higher|longer)\b|最(?:高|多|大|长|好|近|晚)|更(?:高|多|大|长)",
    re.IGNORECASE,
)
LEAST = re.compile(
    r"\b(?:lowest|least|smallest|fewest|minimum|min|shortest|worst|earliest|first|"
    r"bottom|less|lower|shorter|fewer)\b|最(?:低|少|小|短|差|早)|更(?:低|少|小|短)",
    re.IGNORECASE,
)
GROUP = re.compile(
    r"\b(?:per|by|for each|for every|each|every|grouped by|broken down "
    r"by)\s+(?P<dim>[a-z]\w*(?: [a-z]\w*)?)|每(?:个|台|一)?(?P<zh>[\u4e00-\u9fff]{1,4})|各(?:个|"
    r"台)?(?P<zh2>[\u4e00-\u9fff]{1,4})|按(?P<zh3>[\u4e00-\u9fff]{1,4})",
    re.IGNORECASE,
)
WHICH = re.compile(
    r"\b(?:which|what)\s+(?P<dim>[a-z]\w*(?: [a-z]\w*)?)|哪(?:一)?(?:个|台|种|"
    r"些)?(?P<zh>[\u4e00-\u9fff]{1,4})",
    re.IGNORECASE,
)
TOP = re.compile(
    r"\b(?:top|first|last|bottom)\s+(?P<n>\d+|three|five|ten)\b|前(?P<zh>\d+)|(?P<n2>\d+|three|"
    r"five|ten)\s+(?:highest|lowest|largest|smallest|longest|most)",
    re.IGNORECASE,
)
DISTINCT = re.compile(r"\b(?:different|distinct|unique)\b|不同(?:的)?|几种|多少种", re.IGNORECASE)
LIMIT = re.compile(
    r"(?P<op>above|over|more than|greater than|higher than|exceed(?:s|ed|ing)?|at least|below|"
    r"under|less than|lower than|fewer than|at most|longer than|shorter than|[<>]=?|≥|≤|"
    r"超过|高于|大于|多于|不低于|至少|低于|小于|少于|不超过|至多)\s*(?P<n>-?\d+(?:\.\d+)?)(?!\d*[/-]\d)",
    re.IGNORECASE,
)
OPERATORS = {
    ">=": ("at least", ">=", "≥", "不低于", "至少"),
    "<=": ("at most", "<=", "≤", "不超过", "至多"),
    "<": (
        "below",
        "under",
        "less than",
        "lower than",
        "fewer than",
        "shorter than",
        "<",
        "低于",
        "小于",
        "少于",
    ),
}
NUMBERS = {"three": 3, "five": 5, "ten": 10}
PERIOD_DIMS = {
    word: period
    for period, said in (
        ("month", "month months 月"),
        ("year", "year years 年"),
        ("quarter", "quarter quarters 季度"),
        ("week", "week weeks 周"),
        ("day", "day days 天 日"),
    )
    for word in said.split()
}


ADDS_UP = re.compile(
    r"downtime|count|number|quantity|amount|cost|hours|wafers|units|output|scrap|produc|sold|"
    r"sales|revenue|duration|"
    r"停机|数|量(?!率)|成本|产出|小时|报废|销售|时长",
    re.IGNORECASE,
)
CALLS = re.compile(r"\b(?:no|id|number|code|year|serial|rank|row)\b|编号|序号|年", re.IGNORECASE)
CALLED = {"avg": "average", "sum": "total", "max": "highest", "min": "lowest", "median": "median"}
COUNTED = re.compile(
    r"\b(?:how many|(?:the|total|average) number of|count of|most|fewest|least|more|fewer) "
    r"(?:(?:different|distinct|unique|frequent) )?(?:[A-Z]+[\w-]*\d[\w-]* )?([a-z][a-z-]+)",
    re.IGNORECASE,
)  # "how many E-217 alarms", "the most alarms": what is counted
