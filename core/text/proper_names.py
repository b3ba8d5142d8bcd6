"""Finds what is called by a name: people, places, organisations, titles, product and document codes."""

import re
from functools import lru_cache
from typing import NamedTuple

from core.text.tokens import STOPWORDS_EN, is_cjk, sentence_spans, word_set


class Named(NamedTuple):
    """A name at [start, end) of a text."""

    start: int
    end: int
    name: str
    kind: str


_CAPITAL = "A-ZÀ-ÖØ-ÞĀ-Ž"
_LETTER = "a-zA-Z0-9À-ɏ"  # no Chinese: "ETCH-03报警" is a code and a word
_NAME = re.compile(
    rf"(?<![{_LETTER}-])[{_CAPITAL}][{_LETTER}’'&-]*(?:(?<=\b[{_CAPITAL}])\.)?"
    rf"(?:(?:(?<=\b[{_CAPITAL}]\.)|(?<=Dr|Mr|Ms|St|Jr)\.|(?<=Mrs)\.)?"
    rf"(?:\s(?:of|the|de|del|della|di|da|van|von|der|den|du|la|le|bin|ibn|for|&)){{0,2}}"
    rf"[ -][{_CAPITAL}0-9][{_LETTER}’'&-]*(?:(?<=\s[{_CAPITAL}])\.)?)*"
)
_CODE = re.compile(
    rf"(?<![{_LETTER}/.-])(?:[A-Z]{{1,6}}\d?(?:[-_]?[A-Z0-9]{{1,8}}){{0,3}}[-_]?\d{{1,6}}[A-Z]?(?:[-.]\d+)*"
    rf"|\d[A-Z](?![a-z])|[A-Z]{{2,6}}\d*)(?![{_LETTER}/])"
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]|《([^》\n]{1,60})》")
_THE_THING = re.compile(
    r"(?:The|This|A|An)\s((?:[a-z][\w-]*\s){1,3}?(?:[A-Z]{1,5}-?\d[\w-]*\s)?)"
    r"(?=is|was|are|were|has|had|will|can|must|should|\()"
)
_MARKER = re.compile(r"(?:\d{1,3}[.)]|[-*•·▪–—#>]+)\s*")
_PAIR_ZH = re.compile(r"([\u4e00-\u9fff]{2,16})\s?[（(]\s?([A-Za-z][A-Za-z0-9 .,'&/-]{1,60}?)\s?[)）]")
_ACRONYM = re.compile(r"\s\(([A-Z][A-Za-z]{1,9}s?)\)")
_CUT_ZH = re.compile(r".*[的了和与及在是被把将从对为于由向到而并也都用经换装修出有]")
_PERSON_ZH = re.compile(
    r"([王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋"
    r"蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷"
    r"钱汤尹黎易常武乔贺赖龚文]"
    r"[\u4e00-\u9fff]{1,2}?)(?=工程师|经理|主任|博士|先生|女士|教授|组长|总监|主管|技术员|医生|老师)"
)
_ROLE_ZH = re.compile(
    r"(?:负责人|工程师|作者|审核人|审核|批准|批准人|撰写人|操作员|记录人|"
    r"编制)[:：]\s?([\u4e00-\u9fff]{2,4})(?![\u4e00-\u9fff])"
)
_ORG_ZH = re.compile(
    r"(?:^|"
    r"(?<=[，。、；：:\s的在由向与和及为是对从于]))([\u4e00-\u9fff]{2,12}?(?:有限公司|公司|"
    r"集团|大学|学院|研究所|银行|法院|委员会))"
)
_PLACE_ZH = re.compile(
    r"(?:^|(?<=[，。、；\s在于位到从]))([\u4e00-\u9fff]{2,8}?(?:省|市|县|区|镇|岛|"
    r"厂))(?![\u4e00-\u9fff]?(?:长|民))"
)

_NOT_NAMES = STOPWORDS_EN | word_set(
    """january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday however therefore although though during since despite
    according many several another following like unlike another yes note notes table figure page section
    step see first second third finally next also today new one two three four five six seven eight nine ten
    instead later early among upon until while because additionally furthermore moreover meanwhile
    check open close set use make ensure verify press turn wait start stop remove clean replace record
    example summary result results cause action question answer total mean maximum minimum"""
)
_TITLES = word_set("dr mr mrs ms prof sir lady lord king queen prince princess president saint st captain")
_ORGANISATIONS = word_set(
    """inc corp corporation company co ltd llc gmbh ag plc university institute college school bank group
    association society committee council ministry department agency museum club party records studios
    pictures foundation commission union band orchestra team fc laboratory laboratories technologies
    semiconductor systems industries press network broadcasting"""
)
_PLACES = word_set(
    """city county river lake mountain mount island islands province state street avenue valley bay sea ocean
    district village town airport station park fab bridge castle peninsula republic kingdom desert forest"""
)
_CODE_KINDS = (
    (
        re.compile(r"(?:SOP|WI|DOC|REP|MAN|SPEC|8D|CAPA|CAR|NCR|RPT|DR|MOM|ECN|FMEA|QP)(?:[-_]?\d|$)"),
        "document",
    ),
    (re.compile(r"(?:ALM|ALARM|ERR|E|A|F|W)-?\d{2,5}$"), "alarm"),
    (re.compile(r"(?:LOT|L|WFR|W|BATCH|B)[-_]?\d{2,}"), "material"),
    (re.compile(r"(?:RCP|RECIPE|R)[-_]"), "process"),
    (re.compile(r"[A-Z]{2,6}[-_]?\d{1,3}[A-Z]?$"), "equipment"),
)
_ACRONYM_STOP = word_set(
    "AM PM OK ID NO US UK EU TV CD DVD II III IV VI VII VIII IX XI XII AND THE FOR NOT OR"
)


def _kind_of_name(name: str, before: str) -> str:
    parts = name.lower().replace(".", "").split()
    if parts[0] in _TITLES or before.rstrip(". ").lower().split(" ")[-1] in _TITLES:
        return "person"
    if parts[-1] in _ORGANISATIONS or "university" in parts or "institute" in parts:
        return "organisation"
    if parts[-1] in _PLACES or parts[0] in {"lake", "mount", "fort", "river"}:
        return "place"
    return "thing"


def kind_of_code(code: str) -> str:
    """Return what a code like "ETCH-03" or "SOP-112" most likely stands for."""
    return next((kind for pattern, kind in _CODE_KINDS if pattern.match(code)), "code")


def _trim(text: str, start: int, end: int, at_start: bool) -> tuple[int, int]:
    """Cut words of grammar from the front of a capitalised run; an empty span says that nothing is left."""
    while start < end:
        word = re.match(r"[^\s-]+", text[start:end])
        first = word.group() if word else text[start:end]
        bare = first.strip(".'’").lower()
        lone = start + len(first) == end
        common = bare in _NOT_NAMES or (at_start and lone and bare.endswith(("ing", "ly", "ed")))
        if not common or (bare in {"new", "one", "two", "first"} and not lone):
            break
        start += len(first)
        while start < end and text[start] in " -":
            start += 1
        at_start = False
    piece = text[start:end].rstrip("’'-&")
    if piece.endswith(("'s", "’s")):
        piece = piece[:-2]
    return start, start + len(piece)


def _english(text: str, starts: frozenset[int]) -> list[Named]:
    found = []
    for match in _NAME.finditer(text):
        at_start = match.start() in starts
        start, end = _trim(text, *match.span(), at_start)
        name = text[start:end]
        if len(name) < 2 or name[0].isdigit() or (name.isupper() and len(name) < 5 and " " not in name):
            continue
        if at_start and start == match.start() and " " not in name:
            following = text[end : end + 12]
            said_again = text.count(name) > 1
            if not said_again and not re.match(
                r"(?:'s|’s)?\s*(?:is|was|has|had|\(|died|were|are|,)", following
            ):
                continue
        found.append(Named(start, end, name, _kind_of_name(name, text[max(0, start - 8) : start])))
    return found


def _after_marker(text: str, start: int) -> int:
    marker = _MARKER.match(text, start)
    return marker.end() if marker else start


def _codes(text: str) -> list[Named]:
    found = []
    for match in _CODE.finditer(text):
        code = match.group()
        has_digit = any(char.isdigit() for char in code)
        if code in _ACRONYM_STOP or (code.isalpha() and len(code) < 3):
            continue
        found.append(Named(*match.span(), code, kind_of_code(code) if has_digit else "acronym"))
    return found


def _chinese(text: str) -> list[Named]:
    found = []
    for pattern, kind in (
        (_ROLE_ZH, "person"),
        (_PERSON_ZH, "person"),
        (_ORG_ZH, "organisation"),
        (_PLACE_ZH, "place"),
    ):
        for match in pattern.finditer(text):
            name = match.group(1).lstrip("于在位到从至由为是")
            found.append(Named(match.end(1) - len(name), match.end(1), name, kind))
    return found


def _without_overlaps(found: list[Named]) -> tuple[Named, ...]:
    kept: list[Named] = []
    for named in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or named.start >= kept[-1].end:
            kept.append(named)
        elif (
            named.kind not in {"thing", "acronym"} and kept[-1].kind == "thing" and named.end >= kept[-1].end
        ):
            kept[-1] = named
    return tuple(kept)


def thing_at_start(text: str, start: int = 0) -> str:
    """Return what a sentence without a name is about: "The dry pump is ..." gives "dry pump", or ""."""
    match = _THE_THING.match(text, start)
    return match.group(1).strip() if match else ""


@lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the sentence spans of a text; kept, because several rules read the same chunk in a row."""
    return tuple(sentence_spans(text))


@lru_cache(maxsize=256)
def names_in(text: str) -> tuple[Named, ...]:
    """Return the names in order of appearance, never overlapping."""
    starts = frozenset(_after_marker(text, start) for start, _ in sentences_of(text))
    starts |= {match.end() for match in re.finditer(r"[:：]\s", text)}
    found = _english(text, starts) + _codes(text)
    for match in _QUOTED.finditer(text):
        group = 1 if match.group(1) else 2
        quoted = match.group(group).strip(" ,.")
        if group == 2 or (quoted[:1].isupper() and len(quoted.split()) <= 10):
            found.append(Named(*match.span(group), quoted, "title"))
    if is_cjk(text):
        found += _chinese(text)
    return _without_overlaps(found)


def acronyms_in(text: str) -> list[tuple[str, str]]:
    """Return (long form, short form) pairs: "mass flow controller (MFC)", "等离子体刻蚀(Plasma Etch)"."""
    found = []
    if "(" in text:
        for match in _ACRONYM.finditer(text):
            short = match.group(1).rstrip("s")
            take = text[max(0, match.start() - 90) : match.start()].split()[-len(short) :]
            if "".join(word[0] for word in take).lower() == short.lower():
                found.append((" ".join(take), short))
    if is_cjk(text):
        pairs = ((_CUT_ZH.sub("", m.group(1)), m.group(2)) for m in _PAIR_ZH.finditer(text))
        found += [(term, english) for term, english in pairs if len(term) > 1]
    return found
