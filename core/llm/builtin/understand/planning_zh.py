"""A Chinese question taken apart: several questions in one, comparisons, lists, 的-chains and clauses."""

import re
from functools import lru_cache

from core.llm.builtin.understand.clauses_zh import first_clause
from core.llm.builtin.understand.compared_sides_zh import UNITS, read_sides
from core.llm.builtin.understand.drafting import Drafting
from core.llm.builtin.understand.pointers_zh import pointed
from core.text.chinese_words import NAME_SLOT, is_nominal, tagged_zh
from core.text.vocabulary import relations

_WH = r"(?:什么|谁|哪|何时|何处|何地|多[少长久大高远快重]|几|怎么|怎样|如何|为什么|为何)"
_JOIN = r"(?:和|与|跟|同|及|以及|还是|或者|或)"
_SPLIT = re.compile(
    rf"[，,；;？?。]\s*(?:以及|并且|并|又|而且|而|那么|那|然后|之后|同时|还有)?(?:请)?(?:解释|说明|描述)?(?=[^，,；;？?。]*(?:{_WH}|吗|是否))"
    rf"|(?:以及|并且|并)(?:请)?(?:解释|说明|描述)?(?=(?:[^，]{{0,8}}){_WH})"
)
_EXPLAIN = re.compile(
    rf"(?:解释|说明|描述)(?:一下)?(?![^，,；;？?。]*(?:{_WH}|吗|是否))([^，,；;？?。]{{2,}})"
)
_LIST = re.compile(
    rf"^(?P<pre>(?:请问|请|列出)?)(?P<items>[^，、]{{1,16}}(?:、[^，、的]{{1,16}})+(?:{_JOIN}[^，、的]{{1,16}}?)?"
    rf"|[^，、]{{1,16}}{_JOIN}[^，、的]{{1,16}}?(?=的|分别|各|都|均))"
    r"(?P<rest>的?[^，]*(?:分别|各自|各|都|均)[^，]*|的[^，]+)$"
)
_PRONOUN = re.compile(r"它们|他们|她们|二者|两者|它|他|她|这(?=[与和对]|些|个)|其(?!他|中|它)")
_OF_BOTH = re.compile(rf"{_PRONOUN.pattern}|该")
_EACH_FIRST = re.compile(r"^(?:分别|各自)")  # of whatever was compared
_AGENT = re.compile(r"[由被]谁(?:来)?")
_DOER = frozenset("人者员")  # a verb before it makes a noun: 批准人
_ASKED = re.compile(r"^(?:是)?(?:谁|什么|哪(?:个|位|家|里)?|哪(?:个|一个)?\w{0,3}|多少|叫什么)$")
_TIME = re.compile(
    r"\d\s*[年月日号点时周]|[今昨前明]天|[上下本这]周|[上下本这]个?月|[夜早中晚白]班|去年|今年"
)
_MEASURED = re.compile(
    r"率|数|量|期|时间|压力|成本|价|度|面积|厚|力矩|电压|电流|人口|寿命|年龄|距离|费|额|租金|工资|薪|利润|收入"
)
_OPPOSITE = {
    "轻": "重",
    "短": "长",
    "低": "高",
    "小": "大",
    "慢": "快",
    "薄": "厚",
    "窄": "宽",
    "浅": "深",
    "近": "远",
}
_TIMED = (
    ("出生", "是什么时候出生的"),
    ("去世|逝世|死", "是什么时候去世的"),
    ("成立|创立|创办|建立|建成", "是什么时候成立的"),
    ("上映|发行|出版|发布", "是什么时候发布的"),
)


@lru_cache(maxsize=1)
def _chain() -> re.Pattern[str]:
    known = relations("zh")
    nouns = "|".join(sorted(known.people | known.places | known.seats, key=len, reverse=True))
    return re.compile(
        rf"^(?P<head>[^，]*?)(?P<np>(?P<owner>[^，的]{{1,20}})的(?P<noun>{nouns}))"
        r"(?=的|是(?:什么时候|哪|在哪|由|何时)|在|出生|毕业|位于|有|还|由|什么时候|何时|最|对|负责|曾|又|生产|创办|工作|来自|属于)"
    )


def plan_chinese(frame: str, drafting: Drafting) -> None:
    """Add the parts of a Chinese question."""
    frame = _EXPLAIN.sub(r"\g<0>是什么", frame) if re.search(r"[，,；;并]", frame) else frame
    pieces = [piece.strip("，,；;？?。 ") for piece in _SPLIT.split(frame)]
    pieces = [piece for piece in pieces if len(piece) > 2]
    if len(pieces) > 1 and (re.search(_WH, pieces[0]) or read_sides(pieces[0])):
        _several(pieces, drafting)
    elif not (_compare(frame, drafting) or _list(frame, drafting)):
        _unfold(frame, drafting)


def _several(pieces: list[str], drafting: Drafting) -> None:
    """Each question becomes a part; pronouns stand for what the first asks for, or for what it names."""
    compared = _compare(pieces[0], drafting)
    summed = drafting.parts.pop() if compared else None
    sides = read_sides(pieces[0]) if compared else None
    things = sides.things[:2] if sides is not None else ()
    first = len(drafting.parts) if compared else _unfold(pieces[0], drafting)
    names = re.findall(NAME_SLOT, pieces[0])
    asked = re.search(r"谁|哪(?![里儿年天月日])", pieces[0]) is not None
    by_person = re.search(r"哪(?![里儿年天月日])", pieces[0]) is None  # 谁 is no 它
    thing = f"#{first}" if asked or not names else names[-1]
    stated = _AGENT.sub("", pieces[0]) if _AGENT.search(pieces[0]) else ""  # what is done, by whomever
    for piece in pieces[1:]:
        piece = _EACH_FIRST.sub("它们", piece) if compared else piece
        if things and _OF_BOTH.search(piece):
            for name in things:
                _unfold(re.sub("分别|各自|都", "", _OF_BOTH.sub(name, piece, count=1)), drafting)
            continue
        meant = names[-1] if names and by_person and "它" in piece else thing
        text = _PRONOUN.sub(meant, pointed(piece, pieces[0], f"#{first}"), count=1)
        if text == piece and not re.search(rf"{NAME_SLOT}|#", piece) and (names or asked):
            if stated:
                drafting.add(f"{stated}，{piece}")
                continue
            text = piece if _acts_on_something(piece) else f"{_with_its_time(thing, pieces[0])}{piece}"
        _unfold(text, drafting)
    if summed is not None:
        drafting.add(summed.question.rstrip("？。"), "comparative")


def _with_its_time(thing: str, first: str) -> str:
    """Return a name, with the time that stands before it in the first question: 3月21日夜班DC-05."""
    lead = first[: first.find(thing)] if thing in first else ""
    return f"{lead}{thing}" if _TIME.search(lead) else thing


def _acts_on_something(piece: str) -> bool:
    """Say whether a question says what is done to what before it asks: "更换吸盘依据哪份规程"."""
    asked = re.search(_WH, piece)
    words = tagged_zh(piece[: asked.start()] if asked is not None else piece)
    objects = [word for word in words[1:] if is_nominal(word) and word.text not in _DOER]
    return bool(objects) and words[0].flag.startswith("v")


def _unfold(frame: str, drafting: Drafting) -> int:
    for _ in range(4):
        found = _innermost(frame)
        if found is None:
            break
        start, end, inner = found
        frame = frame[:start] + f"#{drafting.add(inner, 'bridging')}" + frame[end:]
    return drafting.add(frame)


def _innermost(frame: str) -> tuple[int, int, str] | None:
    """Return (start, end, question) of a description that is not itself asked for: a clause, or A的B的."""
    clause = first_clause(frame)
    if clause is not None:
        return clause
    chain = _chain().match(frame)
    if chain is None:
        return None
    rest = frame[chain.end("np") :]
    if _ASKED.match(rest) or rest.startswith(("是谁", "是什么", "叫什么")):
        return None
    who = "谁" if chain["noun"] in relations("zh").people else "什么"
    return (*chain.span("np"), f"{chain['np']}是{who}")


def _compare(frame: str, drafting: Drafting) -> bool:
    """Add the parts of a comparison, or the whole question where its sides cannot be determined."""
    sides = read_sides(frame)
    if sides is None:
        if ordered := re.match(r"(?:请|请问|帮我)*(?:比较|对比)", frame):
            drafting.add(frame[ordered.start() :])
        return ordered is not None
    each = tuple(_per_thing(what, sides.ask) for what in sides.attributes) or (_per_thing("", sides.ask),)
    room = drafting.most - len(drafting.parts) - 1
    if len(each) * len(sides.things) > room and sides.together:
        measured = all(_MEASURED.search(what) for what in sides.attributes)
        each = (f"{sides.together}分别是{'多少' if measured else '什么'}",)
    named = []
    for thing in sides.things:
        numbers = [_unfold(thing + asked, drafting) for asked in each]
        named.append(f"{thing}（{'、'.join(f'#{number}' for number in numbers)}）")
    order = sides.order or ("" if re.search(rf"{_WH}|何|是否|是不是|是.*同|一样|一致", sides.ask) else "比较")
    listed = f"{'、'.join(named[:-1])}和{named[-1]}"
    drafting.add(f"{order}{listed}{sides.together}{sides.ask}", "comparative")
    return True


def _per_thing(what: str, ask: str) -> str:
    """Return what each of the two is asked."""
    if what:
        return (
            f"{what}是多少"
            if _MEASURED.search(what)
            else f"{what}是什么"
            if not what.endswith("如何")
            else what
        )
    measure = re.search(
        rf"(?:哪(?:一)?{UNITS}|谁)的?(?P<of>[\u4e00-\u9fff]{{2,8}}?)(?:更|最|较)(?P<degree>.)", ask
    )
    if measure:
        return f"有多少{measure['of']}" if measure["degree"] in "多少" else f"的{measure['of']}是多少"
    if re.search("贵|便宜", ask):
        return "的价格是多少"
    for pattern, question in _TIMED:
        if re.search(pattern, ask):
            return question
    degree = re.search(r"(?:更|最|较)(?P<degree>[重轻长短高低大小快慢厚薄宽窄深浅远近])", ask)
    return f"有多{_OPPOSITE.get(degree['degree'], degree['degree'])}" if degree else "的情况是什么"


def _list(frame: str, drafting: Drafting) -> bool:
    match = _LIST.match(frame)
    if match is None:
        return False
    items = [item.strip() for item in re.split(rf"、|{_JOIN}", match["items"]) if item.strip()]
    if len(items) < 2 or (len(items) == 2 and not re.search("分别|各自|各|都|均", match["rest"])):
        return False
    rest = re.sub(r"分别|各自|各|都|均", "", match["rest"])
    for item in items:
        _unfold(f"{item}{rest}", drafting)
    return True
