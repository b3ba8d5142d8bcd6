"""The sentences of a forecast in English and Chinese, with blanks for its numbers."""

from calendar import month_name

from core.text.periods import frequency_of

_EN: dict[str, str] = {
    "daily": "daily",
    "weekly": "weekly",
    "monthly": "monthly",
    "quarterly": "quarterly",
    "yearly": "yearly",
    "step_daily": "day",
    "step_weekly": "week",
    "step_monthly": "month",
    "step_quarterly": "quarter",
    "step_yearly": "year",
    "mean": "mean",
    "sum": "sum",
    "count": "count",
    "last": "last value",
    "per": "{how} per {step}",
    "of": "{name} of {entity}",
    "counted": "number of {entity} entries in {name}",
    "all": "number of entries in {name}",
    "no_rows": "No dated values for this question were found in the library.",
    "no_link": "No table and no text of the library holds dated values of what is asked.",
    "too_short": "There are only {n} {per} values; at least three are needed for a forecast.",
    "too_fine": "The data are {natural}, so {wished} steps cannot be given.",
    "covered": "The library already holds values up to {end}; there is nothing to forecast.",
    "default_horizon": "The question names no horizon; the next {n} steps are shown.",
    "capped": "The forecast ends in {last}; beyond that the data carry nothing.",
    "coarse": "The data are {step}; the step that holds the time asked for is given.",
    "filled": "{n} steps without a value were put on the line between their neighbours ({periods}).",
    "filled_zero": "{n} steps without an entry count as 0 ({periods}).",
    "partial": "{period} is covered only in part ({days} d) and was left out.",
    "joined": "Up to {n} values of one step were joined by their {how}.",
    "one": "The {what} is forecast at {value} {period}, with 80 % probability between {low} and {high}.",
    "many": "The {what} is forecast at {value} {period} (80 % interval {low} to {high}) and at"
    " {value2} {period2} ({low2} to {high2}).",
    "total": "From {period} to {period2} that makes {total} in all.",
    "total_as_if": " From {period} to {period2} that would make {total} in all, instead of {total2}.",
    "average": "Over {period} to {period2} the mean is {total}.",
    "history": "It rests on {n} {per} values from {first} to {end}; the last is {value}.",
    "model_naive": "The values never changed, so the last one is repeated.",
    "model": "The {model} was used: in the backtest it missed by {smape} % on average, an error"
    " {ratio} % {word} than repeating the last value.",
    "model_only": "The {model} was used; the history is too short for a backtest.",
    "smaller": "smaller",
    "larger": "larger",
    "break": "The level jumped {period}, from about {before} to about {after}.",
    "segment": "Only the {n} values since then were used.",
    "outlier": "Unusual values: {periods}.",
    "conflict": "The sources disagree for {period}: {used} in {source}, {other} in {other_source}; the first"
    " is used.",
    "merged": "{n} values stand in another source as well, with the same number.",
    "care": "Why not to trust it: {cautions}",
    "few": "there are only {n} values",
    "worse": "in the backtest it was no better than repeating the last value",
    "untested": "it could not be tested on the past",
    "coverage": "the 80 % interval held {share} % of the {n} values of the backtest",
    "far": "it looks {steps} steps ahead on a history of {n}",
    "jumped": "the level jumped within the history",
    "drifts": "level or trend changed over the history (CUSUM, p = {p})",
    "extremes": "unusual values lie within the last {n} steps",
    "found": "entries were counted in the documents found, so some may be missing",
    "causes": "it continues the past and knows of no planned change",
    "causes_known": "its numbers continue the past, without what is to come",
    "extracted": "some of the values were read from prose by a model, and found there word for word",
    "event_past": "Within the history, {when}: “{text}”.",
    "event_ahead": "After the last value, {when}: “{text}”.",
    "event_supposed": "Supposed, {when}: “{text}”.",
    "event_effect": "If that moves the level as earlier such events did ({n} known), by {effect} (standard"
    " error {error}), the {what} would be {value} {period}, with 80 % probability between {low} and {high}.",
    "events_effect": "If all of these come ({dates}), their steps add up to {effect} (standard error"
    " {error}; each kind estimated beside the others): the {what} would be {value} {period}, with 80 %"
    " probability between {low} and {high}.",
    "events_not_apart": "In the history the effects of these kinds of events cannot be told apart, so they"
    " are not added up.",
    "event_unseen": "The history holds no such event, so no effect of it is estimated.",
    "event_too_near": "An earlier such event has too few values beside it, so no effect is estimated.",
    "event_no_effect": "Earlier such events moved the level no more than the noise does, so no effect is"
    " assumed.",
    "event_outside": "Moved as at earlier such events, the values would leave what they can be, so no effect"
    " is assumed.",
    "event_not_ahead": "The date does not lie within the forecast.",
    "sources_differ": "the sources disagree about the history",
    "none": "No forecast could be computed: {reason}",
    "join": "; ",
    "stop": ".",
}
_ZH: dict[str, str] = {
    "daily": "日度",
    "weekly": "周度",
    "monthly": "月度",
    "quarterly": "季度",
    "yearly": "年度",
    "step_daily": "日",
    "step_weekly": "周",
    "step_monthly": "月",
    "step_quarterly": "季",
    "step_yearly": "年",
    "mean": "均值",
    "sum": "合计",
    "count": "次数",
    "last": "末值",
    "per": "每{step}{how}",
    "of": "{entity} 的 {name}",
    "counted": "{name} 中 {entity} 的记录数",
    "all": "{name} 的记录数",
    "no_rows": "资料库中没有找到与此问题有关的带日期的数值。",
    "no_link": "资料库的表格和文本中都没有所问内容的带日期的数值。",
    "too_short": "只有 {n} 个{per}数值；预测至少需要三个。",
    "too_fine": "数据是{natural}的，无法给出{wished}的预测。",
    "covered": "资料库中已有截至{end}的数值，无需预测。",
    "default_horizon": "问题没有给出预测期；以下给出之后 {n} 步。",
    "capped": "预测到{last}为止；更远的时间没有数据依据。",
    "coarse": "数据是{step}的；给出包含所问时间的那一步。",
    "filled": "{n} 个没有数值的时间点按前后两点的连线补上（{periods}）。",
    "filled_zero": "{n} 个没有记录的时间点按 0 计（{periods}）。",
    "partial": "{period}只有 {days} 天的数据，未计入。",
    "joined": "同一时间点最多有 {n} 个数值，取其{how}。",
    "one": "{what}在{period}的预测值为 {value}，80% 的可能在 {low} 到 {high} 之间。",
    "many": "{what}在{period}的预测值为 {value}（80% 区间 {low} 到 {high}），{period2}为 {value2}"
    "（{low2} 到 {high2}）。",
    "total": "{period}到{period2}合计 {total}。",
    "total_as_if": "{period}到{period2}合计将为 {total}，而不是 {total2}。",
    "average": "{period}到{period2}的均值为 {total}。",
    "history": "依据是{first}到{end}的 {n} 个{per}数值，最后一个为 {value}。",
    "model_naive": "数值从未变化，因此沿用最后一个值。",
    "model": "采用的方法：{model}；回测平均误差 {smape}%，比沿用最后一个值的误差{word} {ratio}%。",
    "model_only": "采用的方法：{model}；历史太短，无法回测。",
    "smaller": "小",
    "larger": "大",
    "break": "水平在{period}发生跳变，从约 {before} 变为约 {after}。",
    "segment": "只使用了此后的 {n} 个数值。",
    "outlier": "异常值：{periods}。",
    "conflict": "关于{period}各来源不一致：{source} 为 {used}，{other_source} 为 {other}；采用前者。",
    "merged": "另一来源中也有 {n} 个相同的数值。",
    "care": "为什么不能尽信：{cautions}",
    "few": "只有 {n} 个数值",
    "worse": "回测结果不优于沿用最后一个值",
    "untested": "无法用过去的数据检验",
    "coverage": "回测的 {n} 个数值中有 {share}% 落在 80% 区间内",
    "far": "历史只有 {n} 步，却要预测 {steps} 步",
    "jumped": "历史中水平发生过跳变",
    "drifts": "水平或趋势在历史中有变化（CUSUM，p = {p}）",
    "extremes": "最近 {n} 步内有异常值",
    "found": "只统计了找到的文档中的记录，可能有遗漏",
    "causes": "预测只是过去的延续，不知道任何计划中的变化",
    "causes_known": "预测数值只是过去的延续，不含将要发生的变化",
    "extracted": "部分数值由模型从文字中读出，并已逐字核对",
    "event_past": "历史期间，{when}：“{text}”。",
    "event_ahead": "最后一个数值之后，{when}：“{text}”。",
    "event_supposed": "假设{when}：“{text}”。",
    "event_effect": "如果它像此前 {n} 次同类事件那样使水平变化 {effect}（标准误 {error}），{what}在{period}"
    "将为 {value}，80% 的可能在 {low} 到 {high} 之间。",
    "events_effect": "如果这些事件（{dates}）都发生，各自的水平变化相加为 {effect}（标准误 {error}，"
    "各类事件一并估计）：{what}在{period}将为 {value}，80% 的可能在 {low} 到 {high} 之间。",
    "events_not_apart": "历史中这几类事件的影响无法彼此区分，因此不相加。",
    "event_unseen": "历史中没有同类事件，因此不估计其影响。",
    "event_too_near": "此前同类事件前后的数值太少，因此不估计其影响。",
    "event_no_effect": "此前同类事件对水平的影响不超过噪声，因此不假定其影响。",
    "event_outside": "若像此前同类事件那样变化，数值将超出可能的范围，因此不假定其影响。",
    "event_not_ahead": "该日期不在预测期内。",
    "sources_differ": "各来源的历史数据不一致",
    "none": "未能进行预测：{reason}",
    "join": "；",
    "stop": "。",
}


TEMPLATES = {"en": _EN, "zh": _ZH}


def phrase(key: str, language: str, **values: object) -> str:
    """Return one of the sentences in the reader's language."""
    return (_ZH if language == "zh" else _EN)[key].format(**values)


def show(period: str, language: str) -> str:
    """Say a period as a reader would: "March 2025", "week 11 of 2025", "2025年3月"."""
    year, chinese = period[:4], language == "zh"
    match frequency_of(period):
        case "quarterly":
            return f"{year}年第{period[-1]}季度" if chinese else f"Q{period[-1]} {year}"
        case "weekly":
            return f"{year}年第{int(period[-2:])}周" if chinese else f"week {int(period[-2:])} of {year}"
        case "monthly":
            month = int(period[5:7])
            return f"{year}年{month}月" if chinese else f"{month_name[month]} {year}"
        case "daily":
            month, day = int(period[5:7]), int(period[8:10])
            return f"{year}年{month}月{day}日" if chinese else f"{day} {month_name[month]} {year}"
        case _:
            return f"{year}年" if chinese else year


def when(period: str, language: str) -> str:
    """Say a period with its preposition: "in March 2025", "on 21 March 2025", "2025年3月"."""
    if language == "zh":
        return show(period, language)
    return f"{'on' if frequency_of(period) == 'daily' else 'in'} {show(period, language)}"


_MODELS_ZH = {
    "median combination": "四种模型的中位数组合",
    "naive": "沿用末值",
    "seasonal naive": "沿用去年同期值",
    "drift": "漂移法",
    "damped Holt": "阻尼 Holt",
    "log Theta": "对数 Theta",
    "optimised Theta": "优化 Theta",
    "seasonal ARIMA": "季节 ARIMA",
    "Croston": "Croston 法",
}


def model(name: str, language: str) -> str:
    """Name a model in a sentence."""
    if language == "zh":
        return _MODELS_ZH.get(name, name)
    return name if name in {"median combination", "naive forecast"} else f"{name} model"
