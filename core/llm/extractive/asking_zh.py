"""Writes the questions that a Chinese statement of clear shape answers (PIKE-RAG, section 5.2).

Chinese asks by putting the word of asking where the answer stands, so a clause is taken as it is and the
answer taken out. A clause without a subject of its own is passed over.
"""

import re
from collections.abc import Callable, Iterator

LONGEST = 60  # characters of a question
_CLAUSES = re.compile(r"[，,；;。！？!?]")
_ASIDE = re.compile(r"[（(][^（）()]*[）)]")
_S = r"(?P<s>[^，。；：:、？！\s][^，。；：:？！“”\"]{1,24}?)"
_NUMBER = r"(?:约|大约|近|超过|不到)?\s?[±-]?\d[\d,.]*"
_UNIT = r"\s?(?:%|°C|℃|[A-Za-zµ/·]{1,8}|[\u4e00-\u9fff]{0,4})"
_DATE = r"(?:公元前?)?\d{1,4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月\d{1,2}[日号]"
# Subjects that refer back, speak of somebody's saying, or hold a verb of their own.
_NO_SUBJECT = re.compile(
    r"^(?:它|他|她|其|这|那|该|此|本|因|由于|虽|但|而|并|如果|若|当|在|从|对|为了?|根据|按|随着|通过|与|和|及|或|以|"
    r"除|除了|尽管|即使|不过|然而|因此|所以|同时|此外|另外|例如|比如|目前|现在|后来|之后|其中|有|没有|也|就|都|还|又|"
    r"我|你|最后|首先|于是|直到|虽然|只有|无论|不论|每|第|许多|一些|某|所有|大部分|大多数|不|可|将|会|被|把|让|使|至)"
    r"|认为|表示|指出|声称|据说|报道|宣布|发现|显示|说|他们|它们|她们|我们|因为|的是|是否|就是|即是|不是|而是|也|都|却|还"
    r"|了|着|过|若|被|称|之一$|(?:一直|通常|几乎|可以|可能|更|广|就|自古|往往|主要|仍|均|皆|常|已|曾|最|很|便|则|即|再|极|大多|基本|实际)$|[的地得和与及或在是被把于由为从对有]$|并$|但$|而$|后$|时$|前$"
)
_OPENING = re.compile(r"(?:之后|以后|之前|以前|时|后|起|以来|期间|年|月|日|中|内|上)$")
_PERSON = re.compile(
    r"(?:家|员|者|手|师|王|帝|后|将军|总统|总理|主席|部长|市长|州长|教授|医生|律师|皇后|公主|王子|牧师|主教|教练|演员|导演|作家|诗人|人物|"
    r"队长|领袖|首相|大臣|士|官|儿子|女儿|父亲|母亲|妻子|丈夫)$"
)
_PERSON_PROPERTY = re.compile(
    r"(?:负责人|作者|主席|总统|总理|主教练|教练|导演|创始人|创办人|父亲|母亲|妻子|丈夫|儿子|女儿|领导人|总裁|校长|队长|主编|记录人|经理|市长)$"
)
_PLACED_PROPERTY = re.compile(r"(?:首都|首府|总部|所在地|出生地|故乡|发源地|位置|地点)$")
_DONE_BY = (
    "执导|制作|制造|生产|供货|供应|提供|编写|撰写|创作|创立|创办|建造|设计|发明|负责|批准|完成|主演|出版|"
    "发行|管理|拥有|领导|主持"
)


def ask(statement: str, text: str) -> Iterator[str]:
    """Yield the questions that a statement answers; `text` shows which words are names."""
    plain = _GAP.sub("", _ASIDE.sub("", " ".join(statement.split())))
    if plain.endswith(("？", "?", "：", ":", "！")) or _UNSURE.search(plain):
        return
    for clause in _independent([part.strip() for part in _CLAUSES.split(plain)]):
        for question in _of_clause(clause, text):
            if 5 <= len(question) <= LONGEST and "_" not in question:
                yield f"{question}？"


def _independent(clauses: list[str]) -> list[str]:
    """Return the first clause, or the second where the first only says when."""
    if len(clauses) > 1 and _OPENING.search(clauses[0]) and len(clauses[0]) <= 24:
        return [f"{clauses[0]}，{clauses[1]}"] if len(clauses[0]) <= 20 else []
    return clauses[:1]


def _of_clause(clause: str, text: str) -> Iterator[str]:
    opening, comma, rest = clause.rpartition("，")
    lead = opening + comma
    for read, surely in _SHAPES:
        found = read(rest)
        if found:
            subject = re.split(r"的|是|位于|坐落|出生|毕业|由", found)[0].strip()
            if surely or text.count(subject) > 1 or re.search(r"[A-Z0-9·]", subject):
                yield lead + found
            return


_UNSURE = re.compile(r"…|“|《[^》]*$|\s\s|[\u4e00-\u9fff]\s和")
_GAP = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


def _clean(subject: str) -> str:
    return "" if _NO_SUBJECT.search(subject) or not 2 <= len(subject) <= 24 else subject


def _property(clause: str) -> str:
    """ "X的Y是Z": asks for Z by what Y is."""
    match = re.fullmatch(
        rf"{_S}的(?P<p>[^，的是为\s\d]{{2,8}})(?P<v>是|(?<![广更称作成认分名变视列改化译以最])为)(?P<z>[^，]{{1,40}})",
        clause,
    )
    if match is None or not _clean(match["s"]) or not _clean(match["p"]):
        return ""
    said = match["z"]
    if re.fullmatch(rf"{_NUMBER}{_UNIT}(?:以[上下内])?", said):
        asked = "多少"
    elif re.match(_DATE, said):
        asked = "什么时候"
    elif _PERSON_PROPERTY.search(match["p"]):
        asked = "谁"
    elif _PLACED_PROPERTY.search(match["p"]):
        asked = "哪里"
    elif re.match(r"[不未无没由在从被为把将因以可能会要很更最]|.*[的了]$", said):
        return ""
    else:
        asked = "什么"
    return f"{match['s']}的{match['p']}是{asked}"


def _when(clause: str) -> str:
    match = re.fullmatch(rf"{_S}(?:于|在)(?P<t>{_DATE})(?P<v>[\u4e00-\u9fffA-Za-z0-9\s·-]{{2,20}})", clause)
    if match is None or not _clean(match["s"]):
        return ""
    done = match["v"].strip()
    if re.match(r"[间至到和或及、期的之以前后起末初底中左右上下时春夏秋冬年月日]|代", done) or re.search(
        r"[的是了着过]|[时后前和与在]$", done
    ):
        return ""
    return f"{match['s']}是什么时候{done}的"


def _where(clause: str) -> str:
    match = re.match(rf"{_S}(?P<v>位于|坐落于|坐落在|出生于|毕业于)(?=[\u4e00-\u9fffA-Z])", clause)
    if match is None or not _clean(match["s"]):
        return ""
    return f"{match['s']}{match['v']}{'哪所学校' if match['v'] == '毕业于' else '哪里'}"


def _by(clause: str) -> str:
    match = re.fullmatch(rf"{_S}由(?P<who>[^，由的]{{2,24}}?)\s?(?P<v>{_DONE_BY})", clause)
    if match is None or not _clean(match["s"]) or re.search(r"\d年|^于", match["who"]):
        return ""
    return f"{match['s']}由谁{match['v']}"


def _often(clause: str) -> str:
    match = re.fullmatch(
        rf"{_S}(?:必须|应|须|需要?)?每\s?{_NUMBER}\s?(?:个)?(?:[\u4e00-\u9fff]{{0,2}}小时|分钟|天|周|月|年|季度)(?P<v>[\u4e00-\u9fff]{{2,4}})一次",
        clause,
    )
    return f"{match['s']}多久{match['v']}一次" if match and _clean(match["s"]) else ""


def _takes(clause: str) -> str:
    match = re.fullmatch(
        rf"{_S}(?P<v>需要?|耗时|历时|持续)(?:了)?\s?{_NUMBER}\s?(?:个)?(?:小时|分钟|秒|天|周|月|年)", clause
    )
    return f"{match['s']}{match['v']}多长时间" if match and _clean(match["s"]) else ""


def _limit(clause: str) -> str:
    match = re.fullmatch(
        rf"{_S}[:：]?(?P<m>必须|应|须|不得|不能)(?P<v>低于|高于|少于|多于|大于|小于|不?超过)\s?(?:[±-]?\d[\d,.]*){_UNIT}",
        clause,
    )
    return f"{match['s']}{match['m']}{match['v']}多少" if match and _clean(match["s"]) else ""


def _amount(clause: str) -> str:
    match = re.fullmatch(
        rf"{_S}(?P<v>稳定在|保持在|达到|达|降至|降到|降为|升至|升到|提高到|增至|减至|减少到|增加到)了?\s?{_NUMBER}{_UNIT}",
        clause,
    )
    return (
        f"{match['s']}{match['v']}多少"
        if match and _clean(match["s"]) and not re.search(r"\d", match["s"][-1])
        else ""
    )


def _counted(clause: str) -> str:
    match = re.fullmatch(
        rf"{_S}(?P<v>共有|拥有|设有|包含|包括|有)\s?{_NUMBER}\s?(?P<u>[个名位座家所条人种部支只台辆艘间])(?P<n>[\u4e00-\u9fff]{{0,8}})",
        clause,
    )
    if match is None or not _clean(match["s"]) or match["n"].endswith(("的", "了")):
        return ""
    return f"{match['s']}{match['v']}多少{match['u']}{match['n']}"


def _defined(clause: str) -> str:
    match = re.fullmatch(
        rf"{_S}(?P<v>是)(?:一(?P<u>[种个名位座家所条部支款本类项片]|场|次|艘)|(?P<of>[^，是的]{{1,16}})的)(?P<z>[^，]{{2,30}})",
        clause,
    )
    if match is None or not _clean(match["s"]) or "的" in match["s"] or re.search(r"[的了]$", match["z"]):
        return ""
    if match["u"] is None and re.match(r"[在由从被为因最不很]", match["of"]):
        return ""
    person = match["u"] in {"名", "位"} or (
        _PERSON.search(match["z"]) is not None and match["u"] in {None, "个"}
    )
    return f"{match['s']}是{'谁' if person else '什么'}"


# what reads a clause, and whether its shape alone is sure enough
_SHAPES: tuple[tuple[Callable[[str], str], bool], ...] = (
    (_property, False), (_when, False), (_where, False), (_by, False), (_often, True), (_takes, True),
    (_limit, True), (_amount, True), (_counted, False), (_defined, False),
)  # fmt: skip
