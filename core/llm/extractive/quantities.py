"""Which unit says which quantity: "2500 W" is a power, "40 °C" a temperature."""

import re

_UNIT_OF = {
    word: re.compile(rf"\d ?(?:{units})(?![A-Za-z0-9])")
    for words_of, units in (
        ("power 功率", "[kM]?W|瓦"),
        ("pressur vacuum 压力 压强 气压", "m?Torr|[kMh]?Pa|m?bar|psi"),
        ("temperatur 温度", "°\\s?[CF]|℃"),
        ("voltag 电压", "[mk]?V|伏"),
        ("flow 流量", "sccm|slm"),
        ("frequenc 频率", "[kMG]?Hz"),
        ("torqu 力矩 扭矩", "N·?m|牛·?米"),
        ("durat time 时间 时长", "s|min|h|seconds|minutes|hours|days|小时|分钟|秒"),
    )
    for word in words_of.split()
}


def measures(quantity: str, text: str) -> bool:
    """Say whether a text holds a figure in a unit of the quantity, a word as `content_words` gives it."""
    unit = _UNIT_OF.get(quantity)
    return unit is not None and unit.search(text) is not None
