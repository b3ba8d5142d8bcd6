"""What a Chinese comparison is of: the things, what is asked of each, and how the comparison is asked.

"比较A和B的价格和供应商", "A和B在价格、供应商上有什么不同", "A的价格与B的价格哪个更高":
a list of things and one of attributes. What fits none of the orders is not read.
"""

import re
from typing import NamedTuple

_JOIN = r"(?:、|和|与|跟|同|及|以及|还是|或者|或|对比|相对于|vs\.?)"
UNITS = "(?:个|家|台|位|年|座|部|本|种|首|条|款|者|间|栋|所|辆|届|次|份|支)"
_ORDER = re.compile(r"^(?:请|请问|麻烦|帮我|帮忙)*(?P<order>比较一下|比较下|对比一下|对比下|比较|对比)\s*")
_WHICH = (
    rf"(?:(?:哪(?:一)?{UNITS}|谁)[^，]*"
    r"(?:更|最|先|早|晚|较|大|小|高|低|多|少)[^，]*)"
)
_APART = (
    r"(?:(?:之间|两者)?(?:有(?:什么|何|哪些|多大|多少)?)?的?(?:区别|不同|差异|差别|差距|异同|共同点|联系|关系)[^，]*"
    r"|(?:是否|是不是)?(?:相同|一样|一致|同一)[^，]*|是(?:不是)?(?:同一|相同|一样)[^，]*|(?:相比|比较)(?:如何|怎么样|怎样))"
)
_ASK = re.compile(rf"(?:相比)?[，,]?\s*(?P<ask>{_WHICH}|{_APART})$")
_LEADING_ATTRIBUTE = re.compile(
    r"^从(?P<what>[^，]+?)(?:这?(?:两|三|几|四)?个?(?:方面|角度|上))来?[，,]?\s*(?=比较|对比)"
)
_LATIN = "A-Za-z0-9.&'’_-"
_NAME = rf"(?:[\ue000-\uf8ff]|[A-Za-z][{_LATIN}]*(?: [A-Z0-9][{_LATIN}]*)*)"
_NAMED = rf"(?:[^，、？?的和与跟及\ue000-\uf8ffA-Za-z]{{0,8}}{_NAME})"
_NAMELESS = r"[^，、？?的在]{1,24}?"
_TWICE = re.compile(
    rf"^(?P<a>[^，的]{{1,24}}?)的(?P<what>[^，]{{1,16}}?){_JOIN}(?P<b>[^，的]{{1,24}}?)的(?P=what)(?=$|[，,]|[^的和与])"
)
_WHAT = re.compile(
    r"^(?:(?P<place>(?:在[^，]{1,16}?(?:上|中|里|下)|对[^，]{1,12}?)?的)(?P<of>[^，]{1,40}?)"
    r"|在(?P<within>[^，]{1,40}?)(?:这?(?:两|三|几)?个?(?:方面|上|中))(?:的)?)[，,]?$"
)
_CHOICE = re.compile(rf"^(?P<ask>{_WHICH})[，,：:](?:是)?(?P<things>[^，？?]+)$")
_OVER = re.compile(
    rf"^(?P<a>[^，、？?的比]{{1,24}}?)(?:是否|是不是)?比(?P<b>{_NAMED}|[^，、？?的比]{{1,24}}?)(?P<how>更|还)?"
    r"(?P<degree>贵|便宜|重|轻|长|短|高|低|大|小|快|慢|早|晚|厚|薄)(?P<rest>多少|吗|多了多少)?$"
)


class SidesZh(NamedTuple):
    """The things, what stands behind each, one by one and together, and how the comparison is asked."""

    things: tuple[str, ...]
    attributes: tuple[str, ...]  # "的价格", "在GLUE上的表现"; () where only `ask` tells
    together: str
    order: str  # "比较", "" for a question
    ask: str


def read_sides(frame: str) -> "SidesZh | None":
    """Return what is compared, None where nothing is, or where its sides cannot be determined."""
    frame = _LEADING_ATTRIBUTE.sub("", frame) + (
        f"在{first['what']}方面" if (first := _LEADING_ATTRIBUTE.match(frame)) else ""
    )
    over = _OVER.match(frame)
    if over is not None:
        frame = f"{over['a']}和{over['b']}哪个更{over['degree']}"
    choice = _CHOICE.match(frame)
    frame = f"{choice['things']}{choice['ask']}" if choice is not None else frame
    ordered = _ORDER.match(frame)
    frame = frame[ordered.end() :] if ordered is not None else frame
    asked = _ASK.search(frame)
    if ordered is None and asked is None:
        return None
    body = re.sub(r"(?:相比)?[，,\s]*$", "", frame[: asked.start()] if asked is not None else frame)
    body = _TWICE.sub(r"\g<a>和\g<b>的\g<what>", body)
    things, rest = _things(body)
    what = _WHAT.match(rest)
    if len(set(things)) < 2 or len(set(things)) < len(things) or (rest and what is None):
        return None
    order = ordered["order"] if ordered is not None else ""
    ask = asked["ask"] if asked is not None else ""
    if what is None:
        return SidesZh(things, (), "", order, ask)
    place, listed = (what["place"], what["of"]) if what["of"] else ("的", what["within"])
    items = [item for item in re.split(r"、|以及|和|与|及", listed) if item]
    if any("的" in item for item in items):
        return None
    if place == "的" and things[-1][-1] in "中里" and all(thing[-1] not in "中里" for thing in things[:-1]):
        things, place = (*things[:-1], things[-1][:-1]), f"{things[-1][-1]}的"
    return SidesZh(things, tuple(place + item for item in items), place + listed, order, ask)


def _things(body: str) -> tuple[tuple[str, ...], str]:
    """Return the things in front, and what stands behind them."""
    named = re.match(rf"{_NAMED}(?:\s?{_JOIN}\s?{_NAMED})+", body)
    if named is not None:
        return _split(named.group()), body[named.end() :].strip()
    if re.search(_NAME, body.split("的")[0].split("在")[0]):
        return (), ""
    plain = re.match(rf"{_NAMELESS}(?:{_JOIN}{_NAMELESS})+(?=的|在|对|$)", body)
    return (_split(plain.group()), body[plain.end() :].strip()) if plain is not None else ((), "")


def _split(text: str) -> tuple[str, ...]:
    things = [thing.strip() for thing in re.split(_JOIN, text)]
    return tuple(
        thing + "年" if re.fullmatch(r"\d{4}", thing) and things[-1].endswith("年") else thing
        for thing in things
        if thing
    )
