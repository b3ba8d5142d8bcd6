"""Names of quantities in English and Chinese, so that a question finds columns in the other language."""

from core.text.tokens import content_words, is_cjk

_TERMS = {
    "良率": "yield",
    "成品率": "yield",
    "报警": "alarm",
    "告警": "alarm",
    "警报": "alarm",
    "缺陷": "defect",
    "密度": "density",
    "停机": "downtime",
    "宕机": "downtime",
    "计划外": "unplanned",
    "报废": "scrap scrapped",
    "晶圆": "wafer wafers",
    "投片": "wafers started",
    "成本": "cost",
    "费用": "cost",
    "泄漏": "leak",
    "漏率": "leak rate",
    "氦": "helium",
    "温度": "temperature",
    "压力": "pressure",
    "产量": "output production",
    "库存": "stock",
    "价格": "price",
    "销售": "sales",
    "收入": "revenue",
    "员工": "employees",
    "颗粒": "particles",
    "边缘": "edge",
    "电弧": "arcing",
    "误加工": "misprocess",
    "碎片": "broken wafer",
    "静电吸盘": "chuck",
    "吸盘": "chuck",
    "射频": "rf",
    "产品": "product",
    "机台": "tool",
    "原因": "cause",
    "退货": "returns",
    "事故": "accidents",
    "能耗": "energy",
    "腔": "chamber",
}


def query_terms(text: str) -> frozenset[str]:
    """Return the content words of the text, with those of the other language for terms it knows."""
    terms = frozenset(content_words(text))
    found = set(terms)
    for chinese, english in _TERMS.items():
        if chinese in text:
            found |= set(content_words(english))
        elif not is_cjk(text) and content_words(english)[0] in terms:
            found |= set(content_words(chinese))
    return frozenset(found)
