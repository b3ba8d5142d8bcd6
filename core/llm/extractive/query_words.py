"""The words by which a question asks a table for counts, sums, extremes, groups and limits."""

import re

from core.llm.extractive.lexicon import synonyms
from core.text.tokens import stem, word_set

COUNT = re.compile(
    r"\bhow many\b|\bhow often\b(?! (?:is|are|must|should|shall|does|do|has to|have to|can|may)\b)|"
    r"(?:^|\b(?:the|a|total|average|what|and) )number of\b|\bcount\b|"
    r"多少(?:次|个|台|片|条|批|件|种|名|起|"
    r"份)|几(?:次|个|台|片|条|批)|次数",
    re.IGNORECASE,
)
SUM = re.compile(
    r"\b(?:total|sum|altogether|in all|combined|cumulative)\b|\bhow much\b|总(?!监|部|"
    r"是)|合计|累计|一共|总共",
    re.IGNORECASE,
)
RUNS_ON = re.compile(r"since|cumulat|累计", re.IGNORECASE)  # a counter: its readings add up to nothing
NOW = re.compile(r"^(?:what is the|how (?:high|large|low) is) |是多少[?？]?$", re.IGNORECASE)
IN_ALL = re.compile(
    r"\b(?:total|sum|altogether|in all|combined|cumulative|overall)\b|总(?!监|部|是)|合计|累计|一共",
    re.IGNORECASE,
)
MEAN = re.compile(r"\b(?:average|mean|avg|typical)\b|平均|均值", re.IGNORECASE)
MEDIAN = re.compile(r"\bmedian\b|中位", re.IGNORECASE)
MOST = re.compile(
    r"\b(?:highest|most|largest|greatest|maximum|max|biggest|longest|best|peak|latest|"
    r"last|newest|heaviest|hottest|tallest|most expensive|top|more|higher|longer)\b|"
    r"最(?:高|多|大|长|好|近|晚|后|新|贵|重|热)|更(?:高|多|大|长)",
    re.IGNORECASE,
)
LEAST = re.compile(
    r"\b(?:lowest|least|smallest|fewest|minimum|min|shortest|worst|earliest|first|"
    r"oldest|lightest|coldest|cheapest|bottom|less|lower|shorter|fewer)\b|最(?:低|少|小|短|差|早|便宜|轻|冷)|首次|更(?:低|少|小|短)",
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
COMPARES = re.compile(
    r"\b(?:compar\w*|differ\w*|versus|vs)\b|\b(?:more|less|higher|lower|better|worse) than\b|"
    r"相比|比较|对比|差",
    re.IGNORECASE,
)
DISTINCT = re.compile(r"\b(?:different|distinct|unique)\b|不同(?:的)?|几种|多少种", re.IGNORECASE)
_OVER = (
    r"above|over|more than|greater than|higher than|exceed(?:s|ed|ing)?|at least|below|"
    r"under|less than|lower than|fewer than|at most|longer than|shorter than|[<>]=?|≥|≤|"
    r"不低于|不少于|不超过|不高于|不多于|至少|至多|超过|高于|大于|多于|低于|小于|少于"
)
LIMIT = re.compile(
    rf"(?P<op>{_OVER})\s*(?P<n>-?\d+(?:\.\d+)?)(?!\d*[/-]\d)"
    r"(?:\s*(?P<unit>[%°℃µ]\w*|(?!of\b|in\b|on\b|and\b|per\b|for\b|at\b)[A-Za-z]+(?:/\w+)?|"
    r"摄氏度|度|公斤|千克|小时|分钟|欧元|次|个|台|条|件|片))?",
    re.IGNORECASE,
)
COMPARED = re.compile(
    rf"(?P<op>{_OVER})\s*(?:the |their |its |his |her |own )*(?P<what>[a-z][a-z ]+|[\u4e00-\u9fff]+)",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"\b(?P<noun>[a-z]{3,}) (?:no\.? |number )?(?P<n>\d{1,3})\b(?![.-]\d)", re.IGNORECASE)
OPERATORS = {
    ">=": ("at least", ">=", "≥", "不低于", "不少于", "至少"),
    "<=": ("at most", "<=", "≤", "不超过", "不高于", "不多于", "至多"),
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
# What is first or last in time.
IN_TIME = re.compile(
    r"\b(?:latest|last|first|earliest|newest|oldest|most recent(?:ly)?)\b|最(?:近|早|晚|后|新)|首次",
    re.IGNORECASE,
)
# What a superlative measures.
MEANT = {
    "heaviest": "weight",
    "lightest": "weight",
    "hottest": "temperature",
    "coldest": "temperature",
    "tallest": "height",
    "cheapest": "price",
    "most expensive": "price",
    "最贵": "价格",
    "最便宜": "价格",
    "最重": "重量",
    "最热": "温度",
}
WHEN = re.compile(r"\bwhen\b|\b(?:which|what) (?:day|date)\b|什么时候|何时|哪(?:一)?天", re.IGNORECASE)
HOW_MUCH = re.compile(r"\bwhat (?:is|was|are|were) the\b|\bhow (?:much|long|high)\b|多少|多大", re.IGNORECASE)
# How units are said beside how a column's head writes them, in lower case.
UNITS = {
    said: frozenset(all_of.split())
    for all_of in (
        "kg kilogram kilograms kilos 公斤 千克",
        "h hour hours hrs 小时",
        "min minute minutes 分钟",
        "s second seconds sec 秒",
        "d day days 天",
        "week weeks 周",
        "eur euro euros € 欧元",
        "usd dollar dollars $",
        "% percent per-cent",
        "°c ℃ c degrees degree 度 摄氏度",
    )
    for said in all_of.split()
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
TOP_OF = re.compile(
    r"\b(?:top|first|last|bottom)\s+(?:\d+|three|five|ten)\s+(?P<dim>[a-z]\w*(?: [a-z]\w*)?)|"
    r"前\d+(?:个|台|名|种|位|家|条|片|批)?(?P<zh>[\u4e00-\u9fff]{1,4})",
    re.IGNORECASE,
)
CALLS = re.compile(r"\b(?:no|id|number|code|year|serial|rank|row)\b|编号|序号|年", re.IGNORECASE)
CALLED = {"avg": "average", "sum": "total", "max": "highest", "min": "lowest", "median": "median"}
COUNTED = re.compile(
    r"\b(?:how many|(?:the|total|average) number of|count of|most|fewest|least|more|fewer) "
    r"(?:(?:different|distinct|unique|frequent) )?(?:[A-Z]+[\w-]*\d[\w-]* )?"
    r"(?!often\b|frequently\b)([a-z][a-z-]+)(?: ([a-z][a-z-]+))?",
    re.IGNORECASE,
)  # "how many E-217 alarms", "the most alarms": what is counted
COUNTED_ZH = re.compile(
    r"(?:多少|几)(?:个|台|片|件|种|名|起|份|家|位|颗|块)(?:不同的?)?([\u4e00-\u9fff]{1,4})"
)
ROWS = re.compile(
    r"|times?|entr(?:y|ies)|rows?|records?|cases?|occurrences?|lines?|of|the|是|有|在|了|呢", re.IGNORECASE
)
# Words of computing: they say what to do with figures, not what the figures are about.
COMPUTING = re.compile(
    "|".join(pattern.pattern for pattern in (COUNT, SUM, MEAN, MEDIAN, MOST, LEAST))
    + r"|\b(?:top|first|last|bottom)\s+\d+\b|前\d+|\bhow (?:long|far|high|low|old|big|fast|large)\b",
    re.IGNORECASE,
)
_PLAIN = """have make get give show list tell find raise occur happen go come receive cause take be work
    recorded made done seen there number amount value figure entry row record case time many much often
    different overall per each every all any together compare give name call use what which last month year
    week day quarter happened between during reached reach exist table data log report according"""
# Words that ask about any table.
PLAIN = frozenset(stem(word) for word in _PLAIN.split()) | word_set(
    """发生 出现 有 是 共 一共 总共 记录 次 台 个 条 件 数 数量 年 月 日 周 天 季度 期间 列出 给出 请 表 表中
    数据 哪台 哪些 哪个 平均 最高 最低 最多 最少 多少 每个 各个 分别 第 进行 达到 所有 全部"""
)
_PERSONS = word_set("peopl person employe staff worker colleagu engin oper 员工 人员 人")
_NAMED = word_set("name staff employe person oper inspector author worker 姓名 员工 人员 检查员")


def same_meaning(word: str) -> frozenset[str]:
    """Return other words a table may write for it; for people, the column that names them."""
    return synonyms(word) | (_NAMED if word in _PERSONS else frozenset())
