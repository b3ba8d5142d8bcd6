"""Which unit says which quantity: "2500 W" is a power, "40 °C" a temperature, "14 weeks" a time.

The one list of units: what a figure in a text measures, and so what it does not count, is read by it.
"""

import re

# the words of a quantity, as `content_words` gives them, and the pattern of its units
_QUANTITIES = tuple(
    (frozenset(said.split()), units)
    for said, units in (
        ("power 功率", r"[kM]?W|瓦"),
        ("pressur vacuum 压力 压强 气压", r"m?Torr|[kMh]?Pa|m?bar|psi"),
        ("temperatur 温度", r"°\s?[CF]|℃"),
        ("voltag 电压", r"[mk]?V|伏"),
        ("flow 流量", r"sccm|slm"),
        ("frequenc 频率", r"[kMG]?Hz"),
        ("torqu 力矩 扭矩", r"N·?m|牛·?米"),
        (
            "durat time interv 时间 时长 周期 间隔 交货期",
            r"(?:RF[ -]|射频)?(?:(?:second|minute|hour|day|week|month|year)s?|[mµn]?s|min|h|"
            r"小时|分钟|秒|天|周|个月|年)",
        ),
        ("length width height diamet distanc thick 长度 宽度 直径 厚度", r"[mcnµk]?m|Å|毫米|微米|纳米|厘米"),
        ("weight mass 重量", r"k?g|千克|公斤"),
        ("price cost 价格 成本 费用", r"EUR|USD|dollars|万?元"),
        ("percent percentag 百分比", r"%|percent"),
    )
)
UNIT = "|".join(units for _, units in _QUANTITIES)  # of any quantity
_END = r"(?![A-Za-z0-9])"
_UNITS = tuple(re.compile(rf"\d ?(?:{units}){_END}") for _, units in _QUANTITIES)
_PLACE = {word: at for at, (said, _) in enumerate(_QUANTITIES) for word in said}
_HOW = (  # what a question word asks for, as quantities: a term may be one of time or of way
    (
        re.compile(r"\bhow (?:long|often)\b|多久|多长时间", re.IGNORECASE),
        "time length",
    ),
    (re.compile(r"\bhow much (?:does|do|did|is|are|was|were)\b.*\bcosts?\b|多少钱", re.IGNORECASE), "price"),
    (re.compile(r"\bhow (?:hot|cold|warm)\b", re.IGNORECASE), "temperatur"),
    (re.compile(r"\bhow heavy\b|\bhow much (?:does|do|did)\b.*\bweigh\b|多重", re.IGNORECASE), "weight"),
)


def measures(quantity: str, text: str) -> bool:
    """Say whether a text holds a figure in a unit of the quantity, a word as `content_words` gives it."""
    place = _PLACE.get(quantity)
    return place is not None and _UNITS[place].search(text) is not None


def measures_another(question: str, noun: str, text: str) -> bool:
    """Say whether all figures with a unit in a text measure another quantity than the question asks for.

    `noun` is what it asks for, as `content_words` gives it: no voltage is a price, and nothing that is done
    "how often" is done every 2,500 V. A question that names no quantity takes any figure.
    """
    asked = next((meant.split() for pattern, meant in _HOW if pattern.search(question)), [noun])
    wanted = {_PLACE[word] for word in asked if word in _PLACE}
    held = {place for place, unit in enumerate(_UNITS) if unit.search(text)}
    return bool(wanted and held) and wanted.isdisjoint(held)
