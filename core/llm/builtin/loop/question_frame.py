"""How a question is built: its language, its names taken out, what kind of answer it wants."""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.text.proper_names import Name, names_in
from core.text.tokens import detect_language, is_cjk

SLOT = "[\ue000-\uf8ff]"  # a name stands in a frame as one private character: chr(0xE000 + its index)
_SLOT = re.compile(SLOT)
_PARENTHESIS = re.compile(r"\s?\((?:\d{4} )?[A-Za-z][^()#]{0,40}\)")  # "Hardcase (1972 film)" is one name
_HEAD = re.compile(
    r"^(?:(?:please|so|and|then|also|ok|hi|hello|hey)[,\s]+|(?:can|could|would) you (?:please "
    r")?(?:tell me|say|explain|show me|provide)\s+"
    r"|(?:tell me|i (?:want|need|would like) to know|do you know)[,:]?\s+)+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Question:
    """A question with its names replaced by slots, so that rules see only its frame."""

    text: str
    frame: str  # names as slots, politeness removed, no question mark
    names: tuple[str, ...]
    language: str

    def fill(self, text: str) -> str:
        """Put the names back into a piece of the frame."""
        return _SLOT.sub(lambda slot: self.names[ord(slot.group()) - 0xE000], text)


_RANK = (
    r"(?:Baron|Baroness|Duke|Duchess|Earl|Count|Countess|Viscount|Viscountess|Marquess|"
    r"Marchioness|Prince|Princess|"
    r"King|Queen|Lord|Lady|Margrave|Landgrave|Elector|Emperor|Empress|Baronet|Archduke|Archduchess)"
)
_GAP_BEFORE_RANK = re.compile(r",? (?:(?:of|Of) )?(?:\d\w+ )?$|, \d\w+ $")


def _joined(text: str) -> list[Name]:
    """Return the names of a question, ranks joined to theirs: "Anne, 3rd Baroness Lucas" is one name."""
    found: list[Name] = []
    for named in names_in(text)[:6000]:
        before = found[-1] if found else None
        if (
            before is not None
            and re.match(_RANK, named.text)
            and _GAP_BEFORE_RANK.fullmatch(text[before.end : named.start])
        ):
            found[-1] = Name(before.start, named.end, text[before.start : named.end])
        else:
            found.append(named)
    return found


@lru_cache(maxsize=512)
def read(text: str) -> Question:
    """Return the question's frame and names."""
    text = " ".join(_SLOT.sub(" ", text).split())
    language = detect_language(text)
    pieces: list[str] = []
    names: list[str] = []
    at = 0
    for named in _joined(text):
        start, end = named.start, named.end
        if start < at:
            continue
        if start > 0 and end < len(text) and text[start - 1] in '"“《' and text[end] in '"”》':
            start, end = start - 1, end + 1
        more = _PARENTHESIS.match(text, end)
        end = more.end() if more else end
        pieces.append(text[at:start] + chr(0xE000 + len(names)))
        names.append(text[start:end])
        at = end
    frame = "".join(pieces) + text[at:]
    frame = _HEAD.sub("", frame).strip().rstrip("?？.。!！ ")
    return Question(text=text, frame=frame, names=tuple(names), language=language)


def ask(frame: str, language: str) -> str:
    """Make a question of a frame: a capital at the start, a question mark at the end."""
    frame = re.sub(r"\s+", " ", frame).strip(" ,;，；、")
    frame = re.sub(r"\s+([,?])", r"\1", frame)
    if language == "zh" or is_cjk(frame):
        return frame.rstrip("?？。") + "？"
    return frame[:1].upper() + frame[1:].rstrip("?. ") + "?"


_TAKING_PART = re.compile(r"\b(?:took|takes?|taken|taking) part in\b", re.IGNORECASE)


_COUNTED = re.compile(
    r"\bhow (?:much|many) "
    r"((?!(?:does|do|did|is|are|was|were|times?|of|the|will|would|can|should)\b)[a-z][a-z-]+)",
    re.IGNORECASE,
)


_COUNTED_ZH = re.compile(
    r"(?:多少|几)[个台名位片件条套只](?!月|小时|星期)([\u4e00-\u9fff]{2,6}?)(?=$|[?？，。]|[需被在由要可])"
)


def said_plainly(text: str) -> str:
    """Return a question with phrases that mean one word said in that word: "took part in" is "attended"."""
    return _TAKING_PART.sub("attended", _COUNTED_ZH.sub(r"\1", _COUNTED.sub(r"\1", text)))


def counted_noun(text: str) -> str:
    """Return what "how much" and "how many" ask for, "" where that is a verb's business."""
    match = _COUNTED.search(text) or _COUNTED_ZH.search(text)
    return match.group(1) if match else ""


# -- what kind of answer it wants ------------------------------------------------------------

_KINDS_EN = (
    ("procedure", 
        r"^how (?:do|should|can|to|does one|must)\b|\b(?:steps?|procedure) (?:to|for)\b|^(?:what|"
        r"which) (?:are the )?steps\b"),
    ("number", 
        r"^(?:about |approximately |in total )?how (?:many|much|long|far|tall|high|big|large|old|"
        r"hot|deep|wide|often|fast|heavy)\b"
               r"|\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}?(?:number|population|height|"
                   r"length|width|depth|weight|temperature|pressure|"
               r"cost|price|yield|rate|percentage|percent|total|average|mean|area|distance|"
                   r"speed|age|size|enrollment|limit|value|duration|interval|torque|thickness|"
                   r"flow|\w+ time)\b"
               r"|['’]s (?:\w+ )?(?:time|cost|price|flow|pressure|temperature|yield|torque|interval|limit|"
                   r"length|weight|height|width|age|population|area|power|voltage|frequency|speed|diameter)$"
               r"|\b(?:what|which) (?:\w+ ){0,2}?(?:temperature|pressure|torque|voltage|power|speed|"
                   r"thickness|size|level|diameter|frequency)(?= (?:do|does|did|is|are|was|were|must|may|"
                   r"can|should|has|have|will)\b|$)"
               r"|\bwhat (?:percentage|percent|share|number|age|temperature|pressure|amount|"
                   r"size|population|fraction)\b"),
    ("date", 
        r"^(?:when|since when|until when|by when)\b|\b(?:what|which|in what|on what) (?:\w+ "
        r")?(?:year|date|day|month|century|decade|time|era|season)\b"
             r"|\bwhat (?:is|was|are|were) the (?:\w+ ){0,2}?(?:dates?|birthday|year|time) |"
                 r"\bbirth ?(?:date|day)\b|\bdate of (?:birth|death)\b|years was\b"),
    ("person", 
        r"^(?:by |to |with |for |of |from )?(?:who|whom|whose)\b|\b(?:what|which) (?:\w+ "
        r"){0,3}?(?:person|man|woman|actor|actress|singer|artist|author|writer|director|"
               r"president|king|queen|engineer|player|musician|producer|composer|politician|"
                   r"scientist|character|founder|performer|driver|comedian|coach|minister|manager|"
                   r"student)\b"
               r"|\bwhat (?:is|was) the (?:\w+ ){0,2}?name of (?:the )?(?:\w+ ){0,2}?(?:person|"
                   r"man|woman|actor|actress|singer|artist|author|director|engineer)\b"
               r"|\b(?:is|was) (?:\w+ )?who$"),
    ("place", 
        r"^(?:from |in |to |at )?where\b|\b(?:what|which) (?:\w+ ){0,2}?(?:country|city|state|"
        r"county|place|town|river|region|province|continent|district|island|location|"
              r"village|area|lake|nation|building|room|street|borough|municipality|mountain|"
                  r"ocean|territory|airport|stadium|arena|bay|site)\b"
              r"|\b(?:place of (?:birth|death|burial)|birthplace|hometown)\b|\bname of the "
                  r"(?:\w+ )?(?:country|city|state|county|place|town|region|province|castle|"
                  r"bridge)\b"),
    ("organisation", 
        r"\b(?:what|which) (?:\w+ ){0,3}?(?:company|university|college|school|organisation|"
        r"organization|team|club|band|group|party|agency|label|network|studio|"
                     r"supplier|vendor|manufacturer|department|institution|church|league|"
                         r"newspaper|magazine|airline|bank|branch|publisher)\b"),
    ("cause", 
        r"^why\b|\b(?:cause|reason|root cause)s?\b|\bwhat (?:caused|causes|led to|triggers?)\b|"
        r"\bhow come\b"),
    ("definition", 
        r"^(?:what|who) (?:is|was|are) (?:a |an |the )?(?:meaning|definition) of\b|^what does .+ "
        r"(?:mean|stand for)(?:$| and )|^define\b|^explain\b|^describe\b|\bmeant by\b"),
    ("list", 
        r"^(?:list|name|enumerate|show|identify|find|give)\b|^(?:what|which|who) (?:\w+ )?(?:are|"
        r"were)\b|\bwhich \w+s (?:are|were|have|do|did)\b"),
    ("yes/no", r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)\b"),
)  # fmt: skip
_KINDS_ZH = (
    ("procedure", r"如何|怎么(?:做|办|操作|更换|清洗|处理)|怎样|步骤"),
    (
        "number",
        r"多少|几(?:个|次|片|台|天|小时|种|名|位|年)|多(?:大|高|长|久|远|深|重|快)|百分之几|"
        r"上限是|下限是|平均",
    ),
    ("date", r"何时|什么时候|哪(?:一)?年|哪(?:一)?天|几月|几号|什么时间|哪个月|日期"),
    ("organisation", r"(?:供应商|供货商|制造商|厂家|厂商|公司)(?:是)?谁|谁(?:供货|供应|生产|制造)"),
    ("person", r"谁|哪位|哪个人|何人|什么人"),
    ("place", r"哪里|哪儿|何处|在哪|什么地方|哪个(?:国家|城市|省|地区|区|县|地方)|哪座城市"),
    ("organisation", r"哪(?:家|所)|哪个(?:公司|大学|机构|部门|供应商|团队)|什么(?:公司|机构|组织)"),
    ("cause", r"为什么|为何|原因|何以"),
    ("list", r"列出|哪些|有哪|分别"),
    ("yes/no", r"吗$|是否|是不是|有没有|能不能|可不可以|对不对"),
    ("definition", r"什么是|是什么意思|的含义|的定义|是什么$"),
)
_EN = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS_EN)
_ZH = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS_ZH)
_DEFINITION_EN = re.compile(
    r"^(?:what|who) (?:is|was|are|were) (?:an? |the )?[\w\ue000-\uf8ff-]+(?: [\w\ue000-\uf8ff-]+){0,2}$"
)


@lru_cache(maxsize=512)
def expected_kind(text: str) -> str:
    """Return the kind of answer wanted: person, place, date, number, organisation, yes/no, list,
    definition, cause, procedure or thing."""
    question = read(text)
    frame = question.frame.lower()
    if question.language == "zh":
        return next((kind for kind, pattern in _ZH if pattern.search(frame)), "thing")
    if frame.startswith(
        ("is ", "are ", "was ", "were ", "do ", "does ", "did ", "can ", "has ", "have ", "could ")
    ):
        return "choice" if " or " in frame else "yes/no"
    if re.match(r"^(?:which|who|what|whose)\b.*,? .* or ", frame) and _is_choice(frame):
        return "choice"
    for kind, pattern in _EN:
        if pattern.search(frame):
            return kind
    return "definition" if _DEFINITION_EN.match(frame) else "thing"


def _is_choice(frame: str) -> bool:
    return (
        re.search(r"(?:,|:| between) ?[^,]+ or [^,]+$", frame) is not None or len(_SLOT.findall(frame)) >= 2
    )
