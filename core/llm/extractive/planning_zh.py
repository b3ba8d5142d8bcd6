"""Chinese questions taken apart: comparisons, lists, several questions in one, 的-chains, clauses."""

import re

from core.llm.extractive.drafting import Drafting

_WH = r"(?:什么|谁|哪|何时|何处|何地|多少|几|怎么|怎样|如何|为什么|为何)"
_SPLIT = re.compile(
    rf"[，,；;？?。]\s*(?:以及|并且|并|又|而且|而|那么|那|然后|之后|同时|"
    rf"还有)?(?=[^，,；;？?。]*(?:{_WH}|吗|是否))|(?:以及|并且|"
    rf"并)(?=(?:[^，]{{0,8}}){_WH})"
)
_JOIN = r"(?:和|与|跟|同|及|以及|还是|或者|或)"
_COMPARE = re.compile(
    rf"^(?P<pre>(?:比较|对比|"
    rf"请比较)?)(?P<a>[^，、？?]{{1,24}}?){_JOIN}(?P<b>[^，、？?]{{1,24}}?)(?P<what>的[^，]{{1,1"
    rf"6}}?)?[，,]?"
    r"(?P<ask>(?:相比)?[，,]?(?:(?:哪(?:一)?(?:个|家|台|位|年|座|部|本|种|首|条)|"
    r"谁)[^，]*(?:更|最|先|早|晚|较|大|小|高|低|多|少)[^，]*|"
    r"(?:之间)?(?:有(?:什么|何|哪些))?(?:的)?(?:区别|不同|差异|差别|共同点|联系|关系)[^，]*|"
    r"(?:是否|是不是)?(?:相同|一样|一致|同一)[^，]*|是(?:不是)?(?:同一|相同|一样)[^，]*|"
    r"哪.{0,8}(?:更|最).*))$"
)
_LIST = re.compile(
    rf"^(?P<pre>(?:请问|请|"
    rf"列出)?)(?P<items>[^，、]{{1,16}}(?:、[^，、]{{1,16}})*(?:{_JOIN})[^，、的]{{1,16}}?|"
    rf"[^，、]{{1,16}}(?:、[^，、的]{{1,16}})+)(?P<rest>的?(?:[^，]*)(?:分别|各自|各|都|均)[^，]*)$"
)
_LIST_PLAIN = re.compile(
    rf"^(?P<items>[^，、]{{1,16}}(?:、[^，、]{{1,16}})+(?:{_JOIN}[^，、的]{{1,16}})?)(?P<rest>的[^，]+)$"
)
_RELATION = (
    r"(?:父亲|母亲|丈夫|妻子|配偶|儿子|女儿|兄弟|姐妹|祖父|祖母|外祖父|外祖母|导演|作者|编剧|"
    r"演员|主演|歌手|演唱者|作曲(?:家|者)?|创始人|创办人|老板|总统|首相|国王|"
    r"校长|市长|省长|首都|省会|出生地|国籍|母校|雇主|所在(?:国|国家|城市|地|省|县)|国家|城市|"
    r"省份|总部|母公司|子公司|公司|供应商|制造商|厂商|负责人|工程师|主管|经理|部门|设备|机台|部件|"
    r"零件|配方|腔体|批次|报告|手册|规程|客户|产品|原因|品牌|学校|大学|出版社|球队|语言|货币)"
)
_CHAIN = re.compile(
    rf"^(?P<head>[^，]*?)(?P<np>(?P<owner>[^，的]{{1,20}})的(?P<rel>"
    rf"{_RELATION}))(?=的|是(?:什么时候|哪|在哪|由|何时)|在|出生|死|毕业|位于|叫|有|还|由|什么时候|何时|"
    rf"最|对|负责|曾|又|生产|创办|工作|来自|属于)"
)
_DOING = (
    r"(?:导致|引起|造成|负责|生产|制造|提供|供应|签署|撰写|编写|起草|批准|发现|发明|主演|执导|"
    r"导演|创办|创立|建立|设计|出版|演唱|位于|出生于|毕业于|使用|更换|维修|记录|赢得|获得|担任|包含|"
    r"拥有|举办)"
)
_CLAUSE = re.compile(
    rf"^(?P<head>[^，]*?)(?P<np>(?P<clause>{_DOING}(?:了|"
    rf"过)?[^，。？的]{{1,24}}(?:的[^，。？的]{{1,10}}?)?)的(?:那|这)?(?:个|家|位|台|份|种|"
    rf"些|部|座)?(?P<noun>人|部件|零件|公司|工程师|设备|机台|供应商|国家|城市|演员|导演|"
    rf"作者|报告|大学|学校|"
    rf"原因|电影|歌手|球队|组织|部门|文件|配方))(?=.)"
)
_PRONOUN = re.compile(r"它们|他们|她们|它|他|她|这(?=[与和对]|些|个)|其(?!他|中|它)|该")
_ASKED = re.compile(r"^(?:是)?(?:谁|什么|哪(?:个|位|家|里)?|哪(?:个|一个)?\w{0,3}|多少)$")


def plan_chinese(frame: str, drafting: Drafting) -> None:
    """Add the parts of a Chinese question."""
    if _compare(frame, drafting) or _list(frame, drafting):
        return
    pieces = [piece.strip("，,；;？?。 ") for piece in _SPLIT.split(frame)]
    pieces = [piece for piece in pieces if len(piece) > 2]
    if len(pieces) > 1 and re.search(_WH, pieces[0]):
        first = _unfold(pieces[0], drafting)
        names = re.findall(r"[\ue000-\uf8ff]", pieces[0])
        asked = re.search(r"谁|哪个|哪位|哪家|哪台", pieces[0]) is not None
        thing = f"#{first}" if asked or not names else names[-1]
        for piece in pieces[1:]:
            text = _PRONOUN.sub(thing, piece, count=1)
            if text == piece and not re.search(r"[\ue000-\uf8ff]|#", piece) and names:
                text = f"{names[-1]}{piece}" if not asked else f"#{first}{piece}"
            _unfold(text, drafting)
        return
    _unfold(frame, drafting)


def _unfold(frame: str, drafting: Drafting) -> int:
    for _ in range(4):
        found = _innermost(frame)
        if found is None:
            break
        start, end, inner = found
        frame = frame[:start] + f"#{drafting.add(inner, 'bridging')}" + frame[end:]
    return drafting.add(frame)


def _innermost(frame: str) -> tuple[int, int, str] | None:
    clause = _CLAUSE.match(frame)
    if clause is not None and not _ASKED.match(frame[clause.end("np") :].lstrip("是")):
        noun, text = clause["noun"], clause["clause"]
        asked = (
            f"谁{text}"
            if noun in {"人"}
            else f"{text}的{noun}是{'谁' if noun in {'工程师', '演员', '导演', '作者', '歌手'} else '什么'}"
        )
        return (*clause.span("np"), asked)
    chain = _CHAIN.match(frame)
    if chain is None:
        return None
    rest = frame[chain.end("np") :]
    if _ASKED.match(rest) or rest.startswith(("是谁", "是什么", "叫什么")):
        return None
    person = re.search(
        r"亲|夫|妻|配偶|儿|导演|作者|演员|主演|歌手|演唱者|作曲|人|总统|首相|国王|校长|市长|"
        r"工程师|主管|经理|老板",
        chain["rel"],
    )
    return (*chain.span("np"), f"{chain['np']}是{'谁' if person else '什么'}")


def _compare(frame: str, drafting: Drafting) -> bool:
    match = _COMPARE.match(frame)
    if match is None:
        return False
    a, b = match["a"].strip(), match["b"].strip()
    ask, what = match["ask"], match["what"] or ""
    each = _each(what, ask)
    if re.match(r"^\d{4}$", a) and re.match(r"^\d{4}年", b):
        a += "年"
    refs = [_unfold(f"{one}{each}", drafting) for one in (a, b)]
    drafting.add(f"{match['pre']}{a}（#{refs[0]}）和{b}（#{refs[1]}）{what}{ask}", "comparative")
    return True


def _each(what: str, ask: str) -> str:
    """Return what each of the two is asked."""
    if what:
        return (
            f"{what}是多少"
            if re.search(r"率|数|量|期|时间|温度|压力|成本|价格|长度|高度|面积|人口|速率|功率", what)
            else f"{what}是什么"
        )
    measure = re.search(r"哪(?:一)?(?:个|家|台|位|年|座|部)的?([\u4e00-\u9fff]{2,8}?)(?:更|最|较)", ask)
    if measure:
        return f"的{measure.group(1)}是多少"
    for pattern, question in (
        (r"出生|年龄|年长|年轻|大|老|小", "是什么时候出生的"),
        (r"死|去世|逝世", "是什么时候去世的"),
        (r"成立|创立|创办|建立|建成", "是什么时候成立的"),
        (r"上映|发行|出版|发布", "是什么时候发布的"),
        (r"高", "有多高"),
        (r"国籍|国家", "属于哪个国家"),
    ):
        if re.search(pattern, ask) and not re.search(r"区别|不同|差异|联系", ask):
            return question
    return "的情况是什么"


def _list(frame: str, drafting: Drafting) -> bool:
    match = _LIST.match(frame) or _LIST_PLAIN.match(frame)
    if match is None:
        return False
    items = [item.strip() for item in re.split(rf"、|{_JOIN}", match["items"]) if item.strip()]
    if len(items) < 2:
        return False
    rest = re.sub(r"分别|各自|各|都|均", "", match["rest"])
    for item in items:
        _unfold(f"{item}{rest}", drafting)
    return True
